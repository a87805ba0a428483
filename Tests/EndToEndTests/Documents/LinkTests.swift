import Basics
import Foundation
import TestSupport
import Testing

/// What the documents say about the tree is true at every commit.
@Suite struct LinkTests {
    @Test func `Every link of the documents leads to a file or folder of the project`() throws {
        let root = SharedFiles.packageRoot
        let pages =
            ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "Benchmarks/README.md"]
            + (try Files.list(root + "/docs").map { "docs/" + $0 })
        var links = 0
        for page in pages where page.hasSuffix(".md") {
            let text = String(decoding: try Files.read("\(root)/\(page)"), as: UTF8.self)
            for match in text.matches(of: /\]\(([^)#]*)(#[^)]*)?\)/) where !match.1.contains("://") {
                links += 1
                let path = match.1.isEmpty ? page : Paths.join(Paths.parent(page), String(match.1))
                let target = Paths.join(root, path)
                #expect(Files.exists(target), "\(page) links to \(match.1)")
                guard let anchor = match.2?.dropFirst(), path.hasSuffix(".md"), Files.exists(target) else { continue }
                let headings = try Self.anchors(String(decoding: Files.read(target), as: UTF8.self))
                #expect(headings.contains(String(anchor)), "\(page) links to #\(anchor) of \(path)")
            }
        }
        #expect(links > 20)
    }

    /// As GitHub makes them of headings: letters, digits and hyphens in lower case.
    private static func anchors(_ text: String) throws -> Set<String> {
        Set(
            text.matches(of: /(?m)^#+ +(.+)$/).map { match in
                match.1.lowercased().replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
            })
    }

    /// The table of ARCHITECTURE.md and the targets of the package are the same rooms.
    @Test func `The architecture names every room`() throws {
        let root = SharedFiles.packageRoot
        let text = String(decoding: try Files.read(root + "/ARCHITECTURE.md"), as: UTF8.self)
        for folder in try Files.list(root + "/Sources") where !["System", "offline-batch", "demo-portal"].contains(folder) {
            #expect(text.contains("| [\(folder)](Sources/\(folder))"), "\(folder) is not in the table")
        }
    }
}
