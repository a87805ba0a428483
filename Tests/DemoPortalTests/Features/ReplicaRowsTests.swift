import Geography
import Testing

@testable import DemoPortal

/// Four hydrants (1, 2 in the area, 3 outside, 4 without shape), a line layer, an inspections table related to the hydrants and
/// repairs related to the inspections. The expected rows are worked out by hand from REST reference 4.2.
@Suite struct ReplicaRowsTests {
    static func guid(_ number: Int) -> String { "{00000000-0000-0000-0000-0000000000\(number < 10 ? "0" : "")\(number)}" }

    static func table(
        _ id: Int, _ geometry: FeatureTable.Geometry?, _ rows: [FeatureTable.Row], field: FeatureTable.Field,
        _ relationships: [FeatureTable.Relationship] = []
    ) -> ServedTable {
        ServedTable(
            FeatureTable(
                id: id, name: "T\(id)", geometry: geometry,
                fields: [
                    .init(name: "OBJECTID", kind: .objectID, alias: ""), .init(name: "GlobalID", kind: .globalID, alias: ""),
                    field,
                ], rows: rows, relationships: relationships, lastEditDate: 0))
    }

    static let hydrants = table(
        0, .point,
        [
            .init(objectID: 1, globalID: guid(1), values: [.double(500)], shape: .point(Coordinate(x: 1, y: 1))),
            .init(objectID: 2, globalID: guid(2), values: [.double(900)], shape: .point(Coordinate(x: 9, y: 9))),
            .init(objectID: 3, globalID: guid(3), values: [.double(900)], shape: .point(Coordinate(x: 50, y: 50))),
            .init(objectID: 4, globalID: guid(4), values: [.double(900)], shape: nil),
        ], field: .init(name: "FLOW", kind: .double, alias: ""),
        [.init(id: 0, name: "HI", relatedTableID: 5, isOrigin: true, keyField: "GlobalID")])
    static let mains = table(
        3, .polyline,
        [
            // Passes through the area with both ends outside.
            .init(
                objectID: 1, globalID: guid(31), values: [.integer(8)],
                shape: .polyline([[.init(x: -5, y: 5), .init(x: 15, y: 5)]])),
            // Its box meets the area, the line does not.
            .init(
                objectID: 2, globalID: guid(32), values: [.integer(8)],
                shape: .polyline([[.init(x: 8, y: 15), .init(x: 15, y: 8)]])),
            // Touches the corner.
            .init(
                objectID: 3, globalID: guid(33), values: [.integer(4)],
                shape: .polyline([[.init(x: 10, y: 10), .init(x: 20, y: 20)]])),
        ], field: .init(name: "DIAMETER", kind: .integer, alias: ""))
    static let inspections = table(
        5, nil,
        [
            .init(objectID: 1, globalID: guid(51), values: [.text(guid(1))]),
            .init(objectID: 2, globalID: guid(52), values: [.text(guid(3))]),
            .init(objectID: 3, globalID: guid(53), values: [.text(guid(2))]),
            .init(objectID: 4, globalID: guid(54), values: [.null]),
        ], field: .init(name: "HYDRANT", kind: .guid, alias: ""),
        [
            .init(id: 0, name: "HI", relatedTableID: 0, isOrigin: false, keyField: "HYDRANT"),
            .init(id: 1, name: "IR", relatedTableID: 6, isOrigin: true, keyField: "GlobalID"),
        ])
    static let repairs = table(
        6, nil,
        [
            .init(objectID: 1, globalID: guid(61), values: [.text(guid(53))]),
            .init(objectID: 2, globalID: guid(62), values: [.text(guid(52))]),
        ],
        field: .init(name: "INSPECTION", kind: .guid, alias: ""),
        [.init(id: 1, name: "IR", relatedTableID: 5, isOrigin: false, keyField: "INSPECTION")])

    /// Object ids by table, as `0:1,2 5:1`.
    static func select(
        _ tables: [ServedTable], _ queries: String?, area: AreaFilter? = AreaFilter(.init(xmin: 0, ymin: 0, xmax: 10, ymax: 10))
    )
        throws -> String
    {
        let rows = try ReplicaRows.select(tables, queries: try LayerQuery.read(queries), area: area, now: 0)
        return tables.map { served in
            let ids = (rows[served.id] ?? []).map { String(served.table.rows[$0].objectID) }
            return "\(served.id):" + ids.joined(separator: ",")
        }.joined(separator: " ")
    }

    @Test(
        arguments: [
            // Nothing said: layers by geometry, whole and not clipped; tables hold what is related, and what is related to that.
            (nil, "0:1,2 3:1,3 5:1,3 6:1"),
            (#"{"0":{"queryOption":"useFilter","useGeometry":true,"where":"FLOW > 600"}}"#, "0:2 3:1,3 5:3 6:1"),
            // Without geometry the hydrants that were never surveyed come too.
            (#"{"0":{"queryOption":"useFilter","useGeometry":false,"where":"FLOW > 600"}}"#, "0:2,3,4 3:1,3 5:2,3 6:1,2"),
            (#"{"0":{"queryOption":"useFilter","useGeometry":false}}"#, "0:1,2,3,4 3:1,3 5:1,2,3 6:1,2"),
            // "all" looks at neither the clause nor the geometry.
            (#"{"0":{"queryOption":"all","where":"FLOW > 600"}}"#, "0:1,2,3,4 3:1,3 5:1,2,3 6:1,2"),
            // "none" is the schema only: a layer that is no destination gets no rows.
            (#"{"0":{"queryOption":"none"}}"#, "0: 3:1,3 5: 6:"),
            (#"{"5":{"queryOption":"none","includeRelated":false}}"#, "0:1,2 3:1,3 5: 6:"),
            (#"{"5":{"queryOption":"none","includeRelated":true}}"#, "0:1,2 3:1,3 5:1,3 6:1"),
            (#"{"5":{"queryOption":"all"}}"#, "0:1,2 3:1,3 5:1,2,3,4 6:1,2"),
            // For tables useGeometry has no effect.
            (#"{"5":{"queryOption":"useFilter","useGeometry":true,"where":"OBJECTID > 2"}}"#, "0:1,2 3:1,3 5:3,4 6:1"),
            // An entry without an option is what the layer does by itself.
            (#"{"3":{"where":"DIAMETER = 8"}}"#, "0:1,2 3:1 5:1,3 6:1"),
            (#"{"3":{"useGeometry":false}}"#, "0:1,2 3:1,2,3 5:1,3 6:1"),
        ] as [(String?, String)])
    func selects(queries: String?, expected: String) throws {
        #expect(try Self.select([Self.hydrants, Self.mains, Self.inspections, Self.repairs], queries) == expected)
    }

    @Test func relatedRowsNeedTheirOriginInTheReplica() throws {
        #expect(try Self.select([Self.mains, Self.inspections], nil) == "3:1,3 5:")
    }

    @Test func withoutGeometryEveryRowPasses() throws {
        #expect(try Self.select([Self.hydrants, Self.inspections], nil, area: nil) == "0:1,2,3,4 5:1,2,3")
    }

    @Test(arguments: ["[]", "{", #"{"x":{}}"#, #"{"0":{"queryOption":"some"}}"#, #"{"0":3}"#])
    func refusesBadText(text: String) {
        #expect(throws: RESTError.self) { try LayerQuery.read(text) }
    }

    /// A square with a hole: inside, in the hole, on the edge.
    @Test func polygonsHaveHoles() throws {
        let square = Polygon(rings: [
            Envelope(xmin: 0, ymin: 0, xmax: 10, ymax: 10).ring, Envelope(xmin: 4, ymin: 4, xmax: 6, ymax: 6).ring.reversed(),
        ])
        let area = try #require(AreaFilter(square))
        let meets = { (x: Double, y: Double) in
            let shape = Shape.point(Coordinate(x: x, y: y))
            return area.intersects(shape, envelope: shape.envelope ?? Envelope(xmin: x, ymin: y, xmax: x, ymax: y))
        }
        #expect(meets(1, 1))
        #expect(!meets(5, 5))
        #expect(meets(10, 5))
        #expect(meets(4, 5))
        #expect(!meets(11, 5))
        // A polygon that lies in the hole does not meet the area; one around everything does.
        for (box, expected) in [
            (Envelope(xmin: 4.5, ymin: 4.5, xmax: 5.5, ymax: 5.5), false), (.init(xmin: -5, ymin: -5, xmax: 20, ymax: 20), true),
        ] {
            #expect(area.intersects(.polygon(Polygon(box)), envelope: box) == expected)
        }
    }
}
