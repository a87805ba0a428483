import Testing

@testable import DemoPortal

/// Six rows, one clause a line, the object ids that pass worked out by hand.
@Suite struct WhereParserTests {
    static let fields: [FeatureTable.Field] = [
        .init(name: "OBJECTID", kind: .objectID, alias: ""), .init(name: "GlobalID", kind: .globalID, alias: ""),
        .init(name: "NAME", kind: .string, alias: ""), .init(name: "FLOW", kind: .double, alias: ""),
        .init(name: "KIND", kind: .integer, alias: ""), .init(name: "D", kind: .date, alias: ""),
    ]

    static func row(_ id: Int, _ name: String?, _ flow: Double?, _ kind: Int64?, _ date: Int64?) -> FeatureTable.Row {
        FeatureTable.Row(
            objectID: id, globalID: "{00000000-0000-0000-0000-00000000000\(id)}",
            values: [
                name.map(FeatureTable.Value.text) ?? .null, flow.map(FeatureTable.Value.double) ?? .null,
                kind.map(FeatureTable.Value.integer) ?? .null, date.map(FeatureTable.Value.date) ?? .null,
            ])
    }

    static let rows = [
        row(1, "Trader Joe's", 500, 1, 0),  // 1970-01-01
        row(2, "Main", 750.5, 2, 1_704_067_200_000),  // 2024-01-01
        row(3, "main", nil, 1, 1_704_070_800_000),  // 2024-01-01 01:00
        row(4, nil, 0, nil, nil), row(5, "50%_off", -3, 3, -86_400_000),  // 1969-12-31
        row(6, "", 500, 2, nil),
    ]

    static func passing(_ clause: String) throws -> [Int] {
        let expression = try WhereParser.parse(clause, fields: fields, now: 1_704_153_600_000)  // 2024-01-02
        return rows.filter { expression.evaluate($0) == true }.map(\.objectID)
    }

    @Test(arguments: [
        ("1=1", [1, 2, 3, 4, 5, 6]), ("1=0", []), ("9999=9999", [1, 2, 3, 4, 5, 6]), ("FLOW > 500", [2]),
        ("flow >= 500", [1, 2, 6]),
        ("500 <= FLOW", [1, 2, 6]), ("FLOW <> 500", [2, 4, 5]), ("FLOW != 500", [2, 4, 5]), ("NOT FLOW = 500", [2, 4, 5]),
        ("FLOW = -3", [5]), ("FLOW IS NULL", [3]), ("FLOW IS NOT NULL", [1, 2, 4, 5, 6]), ("NAME = 'Trader Joe''s'", [1]),
        ("NAME = 'main'", [3]), ("UPPER(NAME) = 'MAIN'", [2, 3]), ("LOWER(NAME) LIKE 'ma%'", [2, 3]),
        ("NAME LIKE '%o%'", [1, 5]),
        ("NAME LIKE 'M___'", [2]), ("NAME LIKE '50!%!_%' ESCAPE '!'", [5]), ("NAME NOT LIKE '%a%'", [5, 6]), ("NAME = ''", [6]),
        ("KIND IN (1, 3)", [1, 3, 5]), ("KIND NOT IN (1, 3)", [2, 6]), ("KIND IN (1, NULL)", [1, 3]),
        ("KIND NOT IN (1, NULL)", []),
        ("FLOW BETWEEN 0 AND 500", [1, 4, 6]), ("FLOW NOT BETWEEN 0 AND 500", [2, 5]),
        ("KIND = 1 OR KIND = 2 AND FLOW > 700", [1, 2, 3]), ("(KIND = 1 OR KIND = 2) AND FLOW > 700", [2]),
        ("D > timestamp '2024-01-01 00:00:00'", [3]), ("D >= DATE '2024-01-01'", [2, 3]), ("D = '2024-01-01'", [2]),
        ("D < timestamp '1970-01-01 00:00:00'", [5]), ("D > CURRENT_TIMESTAMP - INTERVAL '1' DAY", [3]),
        ("D <= CURRENT_DATE - INTERVAL '24' HOUR", [1, 2, 5]), ("OBJECTID IN (2,4)", [2, 4]), ("\"NAME\" = 'Main'", [2]),
        ("GlobalID = '{00000000-0000-0000-0000-000000000003}'", [3]), ("GlobalID = '00000000-0000-0000-0000-000000000003'", [3]),
        // NULL is neither equal nor unequal.
        ("NAME <> 'Main'", [1, 3, 5, 6]), ("NAME = NULL", []), ("NOT (FLOW > 0 AND KIND = 9)", [1, 2, 3, 4, 5, 6]),
    ])
    func selects(clause: String, ids: [Int]) throws {
        #expect(try Self.passing(clause) == ids)
    }

    @Test(arguments: [
        "", "FLOW >", "FLOW > > 3", "NAME = 'open", "(FLOW > 1", "FLOW > 1)", "FLOW", "NAME = 3", "FLOW = 'x'", "D = 'yesterday'",
        "FLOW BETWEEN 1", "KIND IN ()", "NAME LIKE 3", "FLOW > 1; DROP TABLE x", "NOT", "FLOW NOT 3", "UPPER(FLOW) = 'X'",
    ])
    func refuses(clause: String) {
        #expect(throws: WhereParser.Problem.self) { try Self.passing(clause) }
    }

    @Test func namesTheUnknownField() {
        #expect(throws: WhereParser.Problem.unknownField("FLOOW")) { try Self.passing("FLOOW > 3") }
    }

    @Test func survivesDeepNesting() {
        let deep = String(repeating: "(", count: 5000) + "1=1" + String(repeating: ")", count: 5000)
        #expect(throws: WhereParser.Problem.self) { try Self.passing(deep) }
    }
}
