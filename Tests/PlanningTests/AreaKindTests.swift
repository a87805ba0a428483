import ArcGIS
import Basics
import Foundation
import Geography
import Manifest
import Testing

@testable import Planning

/// Areas of every kind, as they arrive in the requests. The stage's services are in Web Mercator.
@Suite("Kinds of areas")
struct AreaKindTests {
    private static let half = 20037508.342789

    private func source(_ place: AreaSource.Place, buffer: Double = 0, simplify: Double? = nil) -> AreaSource {
        AreaSource(id: "fiji", place: place, buffer: buffer, simplify: simplify, origin: "night.yaml:4:5")
    }

    private func plan(_ area: AreaSource, _ stage: PlanStage? = nil) async throws -> Plan {
        try await (try stage ?? PlanStage()).plan {
            $0.areas = [area]
            $0.scale = Self.coarse
        }
    }

    /// Levels 0 to 6: few tiles.
    private static let coarse = ScaleRange(min: 0, max: 10_000_000)

    private func boxes(_ json: JSON?) -> [Envelope] {
        (json?["rings"]?.array ?? []).compactMap { ring in
            Envelope(around: (ring.array ?? []).map { Coordinate(x: $0[0]?.double ?? 0, y: $0[1]?.double ?? 0) })
        }.sorted { $0.xmin < $1.xmin }
    }

    /// A degree of longitude is 111,319.4908 m in Web Mercator.
    private func isFiji(_ boxes: [Envelope]) -> Bool {
        guard boxes.count == 2 else { return false }
        let degree = 111_319.490793
        return zip(
            [boxes[0].xmin, boxes[0].xmax, boxes[1].xmin, boxes[1].xmax],
            [-Self.half, -179 * degree, 179 * degree, Self.half]
        ).allSatisfy { abs($0 - $1) < 0.01 }
    }

    @Test(
        "across the antimeridian, however it is written: services get a part on each side, and no box of the whole world",
        arguments: [
            AreaSource.Place.shape(.envelope(Envelope(xmin: 179, ymin: -17, xmax: 181, ymax: -16)), .wgs84),
            .shape(
                .polygon(
                    Polygon(rings: [
                        [(179.0, -17.0), (179, -16), (-179, -16), (-179, -17), (179, -17)].map { Coordinate(x: $0.0, y: $0.1) }
                    ])), .wgs84),
            .shape(
                .polygon(
                    Polygon(rings: [
                        Envelope(xmin: 179, ymin: -17, xmax: 180, ymax: -16).ring,
                        Envelope(xmin: -180, ymin: -17, xmax: -179, ymax: -16).ring,
                    ])), .wgs84),
            .shape(
                .envelope(
                    Envelope(xmin: 19_926_188.852, ymin: -1_920_825.04, xmax: 20_148_827.834, ymax: -1_804_722.77)), .webMercator),
        ])
    func antimeridian(_ place: AreaSource.Place) async throws {
        let plan = try await plan(source(place))
        #expect(plan.areas[0].remarks == [.split])
        let replica = try #require(plan.form("water/replica", area: "fiji"))
        #expect(replica["geometryType"] == "esriGeometryPolygon" && replica["inSR"] == "102100")
        #expect(isFiji(boxes(try JSON.parse(replica["geometry"] ?? ""))), "\(replica["geometry"] ?? "")")
        let tiles = try #require(plan.form("world-street-map/tiles", area: "fiji"))
        #expect(tiles["exportExtent"] == nil)
        let interest = try JSON.parse(tiles["areaOfInterest"] ?? "")["features"]?[0]?["geometry"]
        #expect(isFiji(boxes(interest)) && interest?["spatialReference"] == ["wkid": 102100, "latestWkid": 3857])
        let vector = try #require(plan.form("street-map-vector/vectorTiles", area: "fiji"))
        #expect(vector["exportExtent"] == nil && vector["extent"] == nil)
        #expect(isFiji(boxes(try JSON.parse(vector["polygon"] ?? ""))))
    }

    /// Rings go around clockwise outside, counter-clockwise for holes, also in what is sent.
    @Test("holes and ring order arrive")
    func rings() async throws {
        func square(_ half: Double, _ x: Double) -> [Coordinate] {
            Envelope(xmin: x - half, ymin: 41.7 - half, xmax: x + half, ymax: 41.7 + half).ring
        }
        let polygon = Polygon(rings: [square(0.1, -88), square(0.05, -88).reversed(), square(0.02, -88), square(0.1, -87)])
        let plan = try await plan(source(.shape(.polygon(polygon), .wgs84)))
        #expect(plan.areas[0].remarks.isEmpty)
        let sent = try #require(Polygon(esriJSON: try JSON.parse(plan.form("water/replica", area: "fiji")?["geometry"] ?? "")))
        #expect(sent.rings.map(\.isClockwise).filter { $0 }.count == 3 && sent.rings.count == 4)
        #expect(sent.parts.map(\.holes.count).sorted() == [0, 0, 1])
    }

    /// 1,000 m along the meridian at 60° N are 0.008975° of latitude; in Web Mercator, which is twice as wide there, about 2,000 m.
    @Test("a point and a line with a buffer")
    func buffers() async throws {
        let place = Coordinate(x: 10, y: 60)
        let point = try await plan(source(.paths([[place]], .wgs84), buffer: 1000))
        let box = try #require(point.areas[0].shape.envelope)
        #expect(abs(60 - box.ymin - 0.008975) < 0.0001 && abs(10 - box.xmin - 0.01792) < 0.0002)
        let extent = try #require(point.form("world-street-map/tiles", area: "fiji")?["exportExtent"]).split(separator: ",")
            .compactMap { Double($0) }
        #expect(abs(extent[2] - extent[0] - 4000) < 40 && abs(extent[3] - extent[1] - 4000) < 40)
        let line = try await plan(source(.paths([[place, Coordinate(x: 10.5, y: 60)]], .wgs84), buffer: 1000))
        #expect(abs((line.areas[0].shape.envelope?.width ?? 0) - 0.5358) < 0.001)
        let crossing = try await plan(source(.paths([[Coordinate(x: 179.999, y: -17)]], .wgs84), buffer: 1000))
        #expect(crossing.areas[0].remarks == [.split])
    }

    @Test("features of a layer that are points or lines")
    func layerFeatures() async throws {
        let url = "https://d.example.org/a/rest/services/Wells/FeatureServer/0"
        var stage = try PlanStage()
        stage.documents[url] = [
            "id": 0, "name": "Wells", "type": "Feature Layer", "objectIdField": "OBJECTID", "maxRecordCount": 2000,
            "advancedQueryCapabilities": ["supportsPagination": true], "fields": [],
        ]
        stage.documents[url + "/query"] = [
            "features": [
                ["attributes": ["OBJECTID": 1, "NAME": "Well"], "geometry": ["x": -88.15, "y": 41.77]],
                ["attributes": ["OBJECTID": 2, "NAME": "Pipe"], "geometry": ["paths": [[[-88.2, 41.7], [-88.1, 41.7]]]]],
            ]
        ]
        let layer = AreaSource.Place.layer(url: url, whereClause: "1=1", idField: "NAME")
        let plan = try await stage.plan { $0.areas = [AreaSource(id: "", place: layer, buffer: 500)] }
        #expect(plan.areas.map(\.id) == ["well", "pipe"])
        let refusal = await stage.refusal { $0.areas = [AreaSource(id: "", place: layer)] }
        #expect(refusal?.problems.map(\.failure.message) == ["a point or a line has no area: it needs a `buffer`"])
    }

    @Test("over a pole: cut, and said; beyond 85.0511° altogether: refused")
    func poles() async throws {
        let arctic = source(.shape(.envelope(Envelope(xmin: 0, ymin: 80, xmax: 10, ymax: 92)), .wgs84))
        let plan = try await plan(arctic)
        #expect(plan.areas[0].remarks == [.clamped, .beyondWebMercator])
        let extent = try #require(plan.form("world-street-map/tiles", area: "fiji")?["exportExtent"]).split(separator: ",")
        #expect(abs((Double(extent[3]) ?? 0) - Self.half) < 0.001)
        let pole = source(.paths([[Coordinate(x: 0, y: 90)]], .wgs84), buffer: 1000)
        let refusal = await (try PlanStage()).refusal { $0.areas = [pole] }
        #expect(refusal?.outcome == .refused)
        #expect(
            refusal?.problems.first?.failure.message
                == "nothing is left of the area in Web Mercator, which ends at 85.0511° north and south")
    }

    @Test("an old vector tile service takes no polygon, so no area across the antimeridian")
    func oldService() async throws {
        var stage = try PlanStage()
        stage.change(PlanStage.vector, ["currentVersion": 10.6])
        let fiji = source(.shape(.envelope(Envelope(xmin: 179, ymin: -17, xmax: 181, ymax: -16)), .wgs84))
        let refusal = await stage.refusal {
            $0.areas = [fiji]
            $0.scale = Self.coarse
        }
        #expect(refusal?.problems.map { $0.layer?.title } == ["Street Map (Vector)"])
    }

    // MARK: Large polygons

    /// A circle of 10 km around Naperville.
    private func circle(_ corners: Int) -> Polygon {
        let center = Coordinate(x: -9_813_000, y: 5_123_000)
        let places = (0..<corners).map { index in
            let angle = -2 * Double.pi * Double(index) / Double(corners)
            return Coordinate(x: center.x + 10_000 * cos(angle), y: center.y + 10_000 * sin(angle))
        }
        return Polygon(rings: [places + places.prefix(1)])
    }

    @Test("20,000 vertices are sent as they are")
    func manyVertices() async throws {
        let plan = try await plan(source(.shape(.polygon(circle(20_000)), .webMercator)))
        #expect(plan.areas[0].remarks.isEmpty)
        let sent = Polygon(esriJSON: try JSON.parse(plan.form("water/replica", area: "fiji")?["geometry"] ?? ""))
        #expect(sent?.rings.map(\.count) == [20_001])
    }

    @Test("fewer only where the manifest allows it; the plan says from how many to how many")
    func simplified() async throws {
        let plan = try await plan(source(.shape(.polygon(circle(20_000)), .webMercator), simplify: 5))
        guard case .simplified(let from, let to, let growth)? = plan.areas[0].remarks.first else {
            Issue.record("\(plan.areas[0].remarks)")
            return
        }
        // 5 m on the ground are 6.7 m of Web Mercator at 41.7° N; a strip of that width around 10 km is 0.13 %.
        #expect(from == 20_001 && to < 300 && (0...0.0014).contains(growth))
        #expect(plan.areas[0].shape.polygon.vertexCount == to)
        // The plan is saved and read again.
        #expect(try JSON.encoding(plan.areas[0]).decoded(as: PlannedArea.self) == plan.areas[0])
        #expect(AreaRemark.simplified(from: 20_001, to: 150, growth: 0.00098).words.hasSuffix("the area grows by 0.1 %"))
    }

    @Test("what no server takes is refused before anything is sent, with the key that helps")
    func tooLarge() async throws {
        let refusal = await (try PlanStage()).refusal { manifest in
            manifest.areas = [source(.shape(.polygon(circle(60_000)), .webMercator))]
            manifest.scale = Self.coarse
        }
        let failure = try #require(refusal?.problems.first?.failure)
        #expect(failure.message.hasPrefix("the area's polygon makes a request of 2."))
        #expect(failure.message.hasSuffix("MiB; servers take 2 MiB"))
        #expect(refusal?.outcome == .refused)
        #expect(try await plan(source(.shape(.polygon(circle(60_000)), .webMercator), simplify: 1)).areas[0].remarks.count == 1)
    }
}
