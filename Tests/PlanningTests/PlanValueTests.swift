import ArcGIS
import Basics
import Geography
import Manifest
import Testing

@testable import Planning

@Suite("A plan as a value")
struct PlanValueTests {
    @Test("equal inputs give equal plans and hashes")
    func stable() async throws {
        let first = try await PlanStage().plan()
        let second = try await PlanStage().plan()
        #expect(first == second && first.hash == second.hash)
        #expect(first.hash.count == 64)
    }

    /// Products and versions add members, and leave out those that an export does not need.
    @Test("members that nobody reads change nothing, and those that are not needed may be missing")
    func otherMembers() async throws {
        var stage = try PlanStage()
        for url in [PlanStage.water, PlanStage.streets, PlanStage.vector] {
            for number in 1...30 { stage.change(url, ["newMember\(number)": ["of": [1, "a", nil]]]) }
        }
        stage.change(PlanStage.water, ["currentVersion": nil, "fullExtent": nil, "initialExtent": nil, "maxRecordCount": nil])
        let plan = try await stage.plan()
        let plain = try await PlanStage().plan()
        #expect(plan.hash == plain.hash && plan.notes == plain.notes)
    }

    @Test("it comes back from JSON as it was")
    func roundTrip() async throws {
        let ring = [(0.0, 0.0), (0.1, 1000.0 / 3), (1000, 0), (0, 0)].map {
            Coordinate(x: -9_813_000 + $0.0, y: 5_123_000 + $0.1)
        }
        let plan = try await PlanStage().plan {
            $0.areas = [PlanStage.area(), PlanStage.area("riverwalk", .polygon(Polygon(rings: [ring])), buffer: 50)]
            $0.options.updateMode = .syncWithFeatureServices
        }
        let text = try JSON.encoding(plan).serialized()
        let back: Plan = try JSON.parse(text).decoded()
        #expect(back.hash == plan.hash && back.areas == plan.areas && back.layers == plan.layers && back.jobs == plan.jobs)
        #expect(back.limits == plan.limits && back.map.spatialReference == plan.map.spatialReference)
        // Members of the document come back in the order of their names, which means the same.
        #expect(back.map.document.serialized(.canonical) == plan.map.document.serialized(.canonical))
    }

    @Test(
        "what decides the bytes changes the hash and the keys of the jobs concerned",
        arguments: [
            ("where", ["replica"]), ("area", ["replica", "tiles", "vectorTiles"]), ("edit date", ["replica"]),
            ("scale", ["tiles"]),
            ("keep", []),
        ])
    func changes(_ what: String, _ kinds: [String]) async throws {
        let before = try await PlanStage().plan()
        var stage = try PlanStage()
        if what == "edit date" { stage.changeLayer(0, ["editingInfo": ["lastEditDate": 1_700_000_000_001]]) }
        let after = try await stage.plan { manifest in
            switch what {
            case "where": manifest.layers = [LayerOverride(match: .init(title: "Main"), whereClause: "A = 1")]
            case "area":
                var box = PlanStage.box
                box.xmax += 1
                manifest.areas = [PlanStage.area("downtown", .envelope(box))]
            case "scale": manifest.scale = ScaleRange(min: 10_000, max: 0)
            case "keep": manifest.output.keep = 1
            default: break
            }
        }
        #expect(before.hash != after.hash)
        let changed = zip(before.exports, after.exports).filter { $0.key != $1.key }.map(\.0.kind.rawValue)
        #expect(Set(changed) == Set(kinds))
        // Ids are the same every night.
        #expect(before.jobs.map(\.id) == after.jobs.map(\.id))
    }

    @Test("two areas with the same shape share the keys of their exports, not those of their folders")
    func shared() async throws {
        let plan = try await PlanStage().plan { $0.areas = [PlanStage.area("day"), PlanStage.area("night")] }
        let day = plan.jobs.filter { $0.area == "day" }
        let night = plan.jobs.filter { $0.area == "night" }
        #expect(day.count == 5 && night.count == 5)
        for (one, other) in zip(day, night) { #expect((one.key == other.key) == one.kind.isExport, "\(one.id)") }
        #expect(plan.form("water/replica", area: "night")?["replicaName"] == "ob_night_night_water")
    }

    @Test("100 areas × 3 services are 300 server jobs, with ids of their own")
    func hundred() async throws {
        let stage = try PlanStage()
        let plan = try await stage.plan {
            $0.areas = (0..<100).map { number in
                var box = PlanStage.box
                box.xmin += Double(number) * 1000
                box.xmax += Double(number) * 1000
                return PlanStage.area("area-\(number)", .envelope(box))
            }
        }
        #expect(plan.exports.count == 300)
        #expect(plan.jobs.count == 500 && Set(plan.jobs.map(\.id)).count == 500)
        #expect(Set(plan.exports.map(\.key)).count == 300)
        // However many areas, each service is asked once.
        #expect(stage.asked.all.count == 8)
    }

    @Test("layers that share a title have jobs of different names")
    func sameTitle() async throws {
        let other = "https://s.example.org/a/rest/services/Other/MapServer"
        var stage = try PlanStage()
        stage.documents[other] = stage.documents[PlanStage.streets]
        stage.map["operationalLayers"] = [
            [
                "id": "more", "layerType": "ArcGISTiledMapServiceLayer", "title": "World Street Map", "url": .string(other),
            ]
        ]
        let plan = try await stage.plan()
        #expect(
            plan.exports.map(\.id).filter { $0.contains("world") } == [
                "downtown/world-street-map/tiles", "downtown/world-street-map-2/tiles",
            ])
        #expect(plan.layer("more")?.source == "world-street-map-2")
    }

    @Test("the map's spatial reference, or that of its first base layer")
    func mapReference() async throws {
        #expect(try await PlanStage().plan().map.spatialReference == .webMercator)
        var stage = try PlanStage()
        stage.map["spatialReference"] = nil
        let first = Documents.tiles(tileSize: 512, levels: 0...16, firstScale: 295828763.795777)
        stage.documents[PlanStage.vector] = first.with([
            "tileInfo": first["tileInfo"]?.with(["spatialReference": ["wkid": 102671, "latestWkid": 3435]]) ?? .null,
            "fullExtent": .null,
        ])
        let plan = try await stage.plan()
        #expect(plan.map.spatialReference.wkid == 102671)
        #expect(plan.form("water/replica")?["replicaSR"] == "102671")
        #expect(plan.form("water/replica")?["inSR"] == "102100")
    }

    @Test("no secret and no time is in a plan")
    func noSecrets() async throws {
        var stage = try PlanStage()
        try stage.changeMapLayer("mains", ["url": .string(PlanStage.water + "/3?token=SECRET")])
        let plan = try await stage.plan()
        let shown = try JSON.encoding(plan.layers).serialized() + (try JSON.encoding(plan.jobs).serialized())
        #expect(!shown.contains("SECRET"))
    }
}
