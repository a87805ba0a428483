import Basics
import Planning
import TestSupport
import Testing

/// docs/rules.md: people find there what plans, reports and `inspect` name.
@Suite("The page of rules")
struct RulesPageTests {
    @Test("has one row for every rule, in order, with what it means and what to do")
    func rows() throws {
        let page = String(decoding: try Files.read(SharedFiles.packageRoot + "/docs/rules.md"), as: UTF8.self)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
                cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed().map(String.init).joined()
            }
        }
        #expect(
            rows.compactMap(\.first)
                == (LayerRule.allCases.map(\.rawValue) + WarningRule.allCases.map(\.rawValue) + [
                    "excluded", "basemap-excluded", "basemap-replaced", "reference-basemap", "kept-online",
                ]).map { "`\($0)`" })
        for row in rows { #expect(row.count == 3 && row.allSatisfy { !$0.isEmpty }, "\(row)") }
    }
}
