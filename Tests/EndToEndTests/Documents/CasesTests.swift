import Basics
import Foundation
import TestSupport
import Testing

/// docs/cases.md names the test of each case and docs/promises.md that of each promise; comments name the cases.
@Suite struct CasesTests {
    private static let root = SharedFiles.packageRoot

    private struct Row {
        var id: String
        var line: String
    }

    private static func rows(_ page: String = "cases") throws -> [Row] {
        String(decoding: try Files.read(root + "/docs/\(page).md"), as: UTF8.self).split(separator: "\n").compactMap { line in
            line.prefixMatch(of: /\| ([A-J]\d+) \|/).map { Row(id: String($0.1), line: String(line)) }
        }
    }

    @Test(arguments: [("cases", 80), ("promises", 23)])
    func `Every test that proves a case or a promise exists`(page: String, count: Int) throws {
        let rows = try Self.rows(page)
        #expect(rows.count == count)
        #expect(Set(rows.map(\.id)).count == rows.count)
        for row in rows {
            let proofs = row.line.split(separator: "](../Tests/").dropFirst()
            #expect(!proofs.isEmpty, "\(row.id) has no test")
            for proof in proofs {
                let path = String(proof.prefix { $0 != ")" })
                let text = String(decoding: try Files.read("\(Self.root)/Tests/\(path)"), as: UTF8.self)
                let names = proof.matches(of: /`([^`]+)`/).map { String($0.1) }
                #expect(!names.isEmpty, "\(row.id) names no test of \(path)")
                for name in names {
                    let isThere = text.contains("func `\(name)`(") || text.contains("func \(name)(")
                    #expect(isThere, "\(row.id): \(path) has no test \(name)")
                }
            }
        }
    }

    @Test func `Every case that a comment names is on the page`() throws {
        let known = Set(try Self.rows().map(\.id))
        var named = 0
        for folder in ["Sources", "Tests"] {
            for file in try FileManager.default.subpathsOfDirectory(atPath: "\(Self.root)/\(folder)")
            where file.hasSuffix(".swift") {
                let text = String(decoding: try Files.read("\(Self.root)/\(folder)/\(file)"), as: UTF8.self)
                for match in text.matches(of: /\bcases? ([A-J]\d\d)((?:, [A-J]\d\d)*)/) {
                    for id in [match.1] + match.2.split(separator: ", ") {
                        named += 1
                        #expect(known.contains(String(id)), "\(folder)/\(file) names \(id)")
                    }
                }
            }
        }
        #expect(named > 20)
    }
}
