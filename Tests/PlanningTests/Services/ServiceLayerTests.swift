import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// Which layers of a service are taken, and what the manifest may say of them.
@Suite("Services of the manifest: which layers, and how")
struct ServiceLayerTests: ServicesSuite {
    @Test("layers that are named are taken, with what is said for them and for the service")
    func selection() async throws {
        let layers = [
            ServiceEntry.Layer(id: 5, settings: Self.set { $0.queryOption = .all }),
            ServiceEntry.Layer(id: 0, title: "Big hydrants", settings: Self.set { $0.whereClause = "FLOW >= 500" }),
        ]
        let settings = Self.set {
            $0.attachments = false
            $0.syncModel = .geodatabase
            $0.outSpatialReference = 4326
            $0.whereClause = "KIND = 1"
        }
        let plan = try await plan([Self.entry(PlanStage.water, settings, layers: layers)])
        #expect(plan.layers.map(\.title) == ["Big hydrants", "Inspections"])
        let form = try #require(plan.form("water/replica"))
        #expect(form["layers"] == "0,5" && form["syncModel"] == "perReplica" && form["replicaSR"] == "4326")
        #expect(form["returnAttachments"] == "false" && form["attachmentsSyncDirection"] == "none")
        #expect(
            form["layerQueries"]
                == #"{"0":{"queryOption":"useFilter","useGeometry":true,"where":"FLOW >= 500"},"5":{"queryOption":"all"}}"#)
        guard case .replica(let work)? = plan.jobs.first?.work else { throw NotThatKind() }
        #expect(work.registration == .untilFetched)
    }

    @Test("a service in a folder, whose numbers begin at 4: both are its own everywhere")
    func ownNumbers() async throws {
        let url = "https://s.example.org/a/rest/services/Ops/Deep/FeatureServer"
        func layer(_ id: Int, _ name: String, _ type: String) -> JSON {
            [
                "id": JSON(id), "name": .string(name), "type": .string(type), "globalIdField": "GlobalID", "fields": [],
                "capabilities": "Query,Sync", "geometryType": type == "Table" ? .null : "esriGeometryPoint",
            ]
        }
        var stage = try Self.stage()
        stage.documents[url] = stage.documents[PlanStage.water]?.with([
            "layers": [["id": 4, "name": "Wells"]], "tables": [["id": 9, "name": "Visits"]],
        ])
        stage.documents[url + "/layers"] = [
            "layers": [layer(4, "Wells", "Feature Layer")], "tables": [layer(9, "Visits", "Table")],
        ]
        let plan = try await plan([Self.entry(url)], stage: stage)
        guard case .replica(let work)? = plan.jobs.first?.work else { throw NotThatKind() }
        #expect(work.request.url == url + "/createReplica" && work.request.parameters["layers"] == "4,9")
        #expect(
            work.request.parameters["layerQueries"]
                == #"{"4":{"queryOption":"useFilter","useGeometry":true},"9":{"queryOption":"all"}}"#)
        #expect(work.layers.map { $0.countQuery?.url } == [url + "/4/query", url + "/9/query"])
        #expect(plan.layers.map(\.url) == [url + "/4", url + "/9"])
    }

    @Test("a list of exclusions takes all others, and the plan shows what it leaves out")
    func exclusions() async throws {
        let layers = [3, 6].map { ServiceEntry.Layer(id: $0, settings: Self.set { $0.exclude = true }) }
        let plan = try await plan([Self.entry(PlanStage.water, layers: layers)])
        #expect(plan.form("water/replica")?["layers"] == "0,1,5")
        #expect(plan.layers.filter { $0.verdict == .excluded }.map(\.id) == ["water-3", "water-6"])
    }

    @Test("groups of the service are no layers, an annotation layer is one with a reason")
    func otherLayers() async throws {
        var stage = try Self.stage()
        let root = try #require(stage.documents[PlanStage.water]?["layers"]?.array)
        stage.change(PlanStage.water, ["layers": .array(root + [["id": 7, "name": "All"], ["id": 8, "name": "Labels"]])])
        let details = try #require(stage.documents[PlanStage.water + "/layers"]?["layers"]?.array)
        stage.change(
            PlanStage.water + "/layers",
            [
                "layers": .array(
                    details + [
                        ["id": 7, "name": "All", "type": "Group Layer"],
                        [
                            "id": 8, "name": "Labels", "type": "Annotation Layer", "geometryType": "esriGeometryPolygon",
                            "fields": [],
                        ],
                    ])
            ])
        let plan = try await plan([Self.entry(PlanStage.water)], stage: stage)
        #expect(!plan.layers.contains { $0.title == "All" })
        let labels = try #require(plan.layer("water-8"))
        #expect(labels.verdict == .onlineOnly && labels.rule == "OB017 annotation")
        #expect(plan.form("water/replica")?["layers"] == "0,1,3,5,6")
    }

    @Test("the entries of `layers:` reach the services' layers, and have the last word")
    func overridesAfter() async throws {
        let plan = try await plan([Self.entry(PlanStage.water + "/0", Self.set { $0.whereClause = "A = 1" })]) {
            $0.layers = [LayerOverride(match: .init(title: "Hydrant"), whereClause: "B = 2")]
        }
        #expect(
            plan.form("water/replica")?["layerQueries"]
                == #"{"0":{"queryOption":"useFilter","useGeometry":true,"where":"B = 2"}}"#)
    }

    @Test("a service by its item: the item's title, and the service of its address")
    func item() async throws {
        let plan = try await plan([Self.entry("network")])
        #expect(plan.layers.first?.groups == ["Water network"])
        #expect(plan.map.document["operationalLayers"]?[0]?["layers"]?[0]?["itemId"] == "network")
        var stage = try Self.stage()
        stage.change(Self.items + "network", ["url": .string(PlanStage.water + "/1")])
        let one = try await self.plan([Self.entry("network")], stage: stage)
        #expect(one.layers.map(\.title) == ["Water network"] && one.form("water/replica")?["layers"] == "1")
    }

    @Test("a service can be left out, or kept online")
    func excludedAndOnline() async throws {
        let stage = try Self.stage()
        let plan = try await plan(
            [
                Self.entry(PlanStage.water, Self.set { $0.online = true }),
                Self.entry(PlanStage.vector, Self.set { $0.exclude = true }), Self.entry(PlanStage.streets),
            ], stage: stage)
        #expect(plan.exports.map(\.id) == ["downtown/streets/tiles"])
        #expect(plan.layer("base")?.verdict == .excluded)
        #expect(Set(plan.layers.filter { $0.verdict == .onlineOnly }.map(\.rule)) == ["kept-online"])
        #expect(!stage.asked.all.contains(PlanStage.vector))
    }
}
