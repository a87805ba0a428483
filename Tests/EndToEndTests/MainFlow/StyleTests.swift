import Basics
import TestSupport
import Testing

/// A style without some of what it refers to.
@Suite(.serialized) struct StyleTests {
    @Test func `What a style needs and its server does not have is listed`() async throws {
        let portal = try await PortalProcess(
            flags: ["--flavour", "agol"],
            faults: """
                - {path: '*/sprites/*', status: 404}
                - {path: '*/0-255.pbf', status: 404}
                """)
        let services = """

            services: [{ itemId: b19d8e6f3a0c47fee1fce3decfb0a191, title: Night, vectorTiles: tilesAndStyle, maxLevel: 13 }]
            options: { includeBasemap: false }
            """
        let workspace = try Workspace(manifest: Workspace.naperville + services, portal: portal)
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        let style = try #require(verdict.report["jobs"]?.array?.first { $0["kind"] == "style" })
        let warnings = style["warnings"]?.array?.compactMap(\.string) ?? []
        let words = { (name: String) in "style resource \(name) is missing at the server" }
        #expect(warnings.contains(words("sprites/sprite.png")) && warnings.contains(words("sprites/sprite.json")), "\(warnings)")
        let fonts = warnings.filter { $0.hasPrefix("style resource fonts/") }
        #expect(!fonts.isEmpty && fonts.allSatisfy { $0.hasSuffix("/0-255.pbf is missing at the server") }, "\(warnings)")
        #expect(verdict.ending.stdout.contains("sprites/sprite.png"))

        let map = try PublishedMap(output: workspace.file("out"), area: "downtown")
        let files = try map.files().filter { $0.contains("/sprites/") || $0.contains("/fonts/") }
        for gone in ["/sprites/", "/0-255.pbf"] { #expect(!files.contains { $0.contains(gone) }, "\(files)") }
        for file in files { #expect(try Files.size("\(map.folder)/\(file)") > 0, "\(file)") }
    }
}
