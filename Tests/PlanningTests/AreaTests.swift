import ArcGIS
import Basics
import Geography
import Manifest
import Testing
import Transport

@testable import Planning

@Suite("Areas of a plan")
struct AreaTests {
    private static let districts = "https://d.example.org/a/rest/services/Districts/FeatureServer/0"

    private static func square(_ name: JSON, at x: Double, id: Int) -> JSON {
        let ring: JSON = [
            [.number(x), 41.70], [.number(x), 41.71], [.number(x + 0.01), 41.71], [.number(x + 0.01), 41.70],
            [.number(x), 41.70],
        ]
        return ["attributes": ["OBJECTID": JSON(id), "NAME": name], "geometry": ["rings": [ring]]]
    }

    /// A polygon layer that gives two rows a page.
    private static func stage(_ rows: [JSON]) throws -> PlanStage {
        var stage = try PlanStage()
        stage.documents[districts] = [
            "id": 0, "name": "Districts", "type": "Feature Layer", "objectIdField": "OBJECTID", "maxRecordCount": 2,
            "advancedQueryCapabilities": ["supportsPagination": true], "fields": [],
        ]
        stage.dynamic[districts + "/query"] = { parameters in
            guard parameters["outSR"] == "4326", parameters["where"] == "KIND = 'D'" else { return ["features": []] }
            let start = Int(parameters["resultOffset"] ?? "") ?? 0
            let page = rows.dropFirst(start).prefix(2)
            return ["features": .array(Array(page)), "exceededTransferLimit": .bool(start + 2 < rows.count)]
        }
        return stage
    }

    private static func source(_ prefix: String = "") -> AreaSource {
        AreaSource(
            id: prefix, place: .layer(url: districts, whereClause: "KIND = 'D'", idField: "NAME"), origin: "night.yaml:7:5")
    }

    @Test("one area for each feature, over all pages")
    func layer() async throws {
        let rows = [("North End", -88.2), ("South", -88.1), ("7", -88.0)].enumerated().map {
            Self.square(.string($1.0), at: $1.1, id: $0)
        }
        let plan = try await Self.stage(rows).plan { $0.areas = [Self.source()] }
        #expect(plan.areas.map(\.id) == ["north-end", "south", "7"])
        #expect(plan.areas[1].spatialReference == .wgs84)
        #expect(plan.areas[1].shape.envelope == Envelope(xmin: -88.1, ymin: 41.70, xmax: -88.1 + 0.01, ymax: 41.71))
        // The same names as areas of a file have.
        let prefixed = try await Self.stage(rows).plan { $0.areas = [Self.source("district")] }
        #expect(prefixed.areas.map(\.id) == ["district-north-end", "district-south", "district-7"])
        // Servers do not mind the case of a field's name.
        let lower = AreaSource(id: "", place: .layer(url: Self.districts, whereClause: "KIND = 'D'", idField: "name"))
        #expect(try await Self.stage(rows).plan { $0.areas = [lower] }.areas.count == 3)
    }

    @Test("only those that were asked for")
    func only() async throws {
        let rows = [("North", -88.2), ("South", -88.1)].enumerated().map { Self.square(.string($1.0), at: $1.1, id: $0) }
        let plan = try await Self.stage(rows).plan(only: ["south"]) { $0.areas = [Self.source(), PlanStage.area()] }
        #expect(plan.areas.map(\.id) == ["south"])
        #expect(plan.jobs.allSatisfy { $0.area == "south" })
        await #expect(throws: PlanRefusal.self) {
            try await Self.stage(rows).plan(only: ["sotuh"]) { $0.areas = [Self.source()] }
        }
    }

    @Test(
        "rows that cannot be areas",
        arguments: [
            ([square("North", at: -88.2, id: 1), square("NORTH", at: -88.1, id: 2)], "two areas have the id \"north\""),
            ([square(nil, at: -88.2, id: 1)], "a feature has no value in the field \"NAME\""),
            ([square(" ", at: -88.2, id: 1)], "a feature has no value in the field \"NAME\""),
            ([["attributes": ["NAME": "North"]]], "the feature has no geometry"),
            ([], "no feature of the layer matches"),
        ] as [([JSON], String)])
    func unusable(_ rows: [JSON], _ message: String) async throws {
        let refusal = try #require(await (try Self.stage(rows)).refusal { $0.areas = [Self.source()] })
        #expect(refusal.outcome == .refused)
        #expect(refusal.problems.map(\.failure.message) == [message])
    }

    @Test("a layer that is down is no layer without features")
    func down() async throws {
        var stage = try Self.stage([])
        stage.refusals[Self.districts] = HTTPResponse(status: 503, url: Self.districts)
        let refusal = try #require(await stage.refusal { $0.areas = [Self.source()] })
        #expect(refusal.outcome == .unavailable && refusal.problems[0].origin == "night.yaml:7:5")
    }

    @Test("an id that is both written and made of a feature")
    func collision() async throws {
        let stage = try Self.stage([Self.square("Downtown", at: -88.2, id: 1)])
        let refusal = await stage.refusal { $0.areas = [PlanStage.area("downtown"), Self.source()] }
        #expect(refusal?.problems.map(\.area) == ["downtown"])
    }

    /// Two triangles of half a square each, whose rings go around in opposite directions.
    @Test("a polygon that crosses itself is made valid, and said so")
    func bowTie() async throws {
        let corners = [(-9_813_000.0, 5_123_000.0), (-9_812_000, 5_124_000), (-9_812_000, 5_123_000), (-9_813_000, 5_124_000)]
        let ring = (corners + corners.prefix(1)).map { Coordinate(x: $0.0, y: $0.1) }
        let plan = try await PlanStage().plan { $0.areas = [PlanStage.area("tie", .polygon(Polygon(rings: [ring])))] }
        #expect(plan.areas[0].isRepaired)
        let polygon = plan.areas[0].shape.polygon
        #expect(polygon.isValid && polygon.rings.count == 2)
        // Both triangles: 1,000 m wide, 500 m high.
        #expect(abs(polygon.area - 500_000) < 1)
        // Esri's order: outer rings clockwise.
        #expect(polygon.rings.allSatisfy { $0.isClockwise })
        let simple = try await PlanStage().plan()
        #expect(!simple.areas[0].isRepaired)
    }

    @Test("a ring that touches itself encloses the same afterwards: nothing to say")
    func touching() async throws {
        // A square with a triangular bay that reaches its own west corner.
        let corners = [(0.0, 0.0), (0, 1000), (1000, 1000), (1000, 0), (0, 0), (600, 200), (600, 400)]
        let ring = (corners + corners.prefix(1)).map { Coordinate(x: -9_813_000 + $0.0, y: 5_123_000 + $0.1) }
        let polygon = Polygon(rings: [ring])
        try #require(!polygon.isValid)
        let plan = try await PlanStage().plan { $0.areas = [PlanStage.area("bay", .polygon(polygon))] }
        #expect(!plan.areas[0].isRepaired && plan.areas[0].shape.polygon.isValid)
    }

    @Test("a polygon without area is refused by its name")
    func flat() async throws {
        let ring = [(0.0, 0.0), (1, 1), (2, 2), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) }
        let refusal = await (try PlanStage()).refusal { $0.areas = [PlanStage.area("flat", .polygon(Polygon(rings: [ring])))] }
        #expect(refusal?.problems.map(\.area) == ["flat"])
        #expect(refusal?.outcome == .refused)
    }

    /// 1,000 m along the meridian and, at the north end, along the parallel, integrated by hand on WGS 84.
    @Test("the area's own buffer is part of it, for all its jobs")
    func buffer() async throws {
        let degrees = Envelope(xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780)
        let plan = try await PlanStage().plan {
            $0.areas = [AreaSource(id: "wide", place: .shape(.envelope(degrees), .wgs84), buffer: 1000)]
        }
        let box = try #require(plan.areas[0].shape.envelope)
        #expect(abs(box.ymin - 41.75599655814) < 1e-8 && abs(box.ymax - 41.78900340413) < 1e-8)
        #expect(abs(box.xmin - (-88.160 - 0.01203023507)) < 1e-8 && abs(box.xmax - (-88.140 + 0.01203023507)) < 1e-8)
        // In Web Mercator, as above.
        let extent = try #require(plan.form("world-street-map/tiles", area: "wide")?["exportExtent"])
        let numbers = extent.split(separator: ",").compactMap { Double($0) }
        #expect(abs(numbers[0] - -9815265.508) < 1 && abs(numbers[3] - 5129425.391) < 1)
    }

    @Test(
        "an area outside of the world is refused by name",
        arguments: [
            (
                Envelope(xmin: 1e9, ymin: 1e9, xmax: 1.1e9, ymax: 1.1e9),
                "(1000000000.0, 1000000000.0) is outside of the spatial reference"
            )
        ])
    func outside(_ box: Envelope, _ message: String) async throws {
        let refusal = await (try PlanStage()).refusal { $0.areas = [PlanStage.area("nowhere", .envelope(box))] }
        #expect(refusal?.problems.map(\.area) == ["nowhere"])
        #expect(refusal?.problems.first?.failure.message == message)
        #expect(refusal?.problems.first?.origin == "night.yaml:4:5")
    }
}
