import Basics
import TestSupport
import Testing

/// A web map that lies beside the manifest instead of in a portal.
@Suite(.serialized) struct MapFileTests {
    @Test func `A web map from a file goes offline like an item`() async throws {
        let portal = try await PortalProcess()
        let manifest = Workspace.naperville.replacing("acc027394bc84c2fb04d1ed317aac674", with: "maps/water.json")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        let item = portal.url + "/sharing/rest/content/items/acc027394bc84c2fb04d1ed317aac674/data"
        try Files.makeDirectory(workspace.file("maps"))
        try Files.writeAtomically(try await portal.fetch(item, ["f": "json"]), to: workspace.file("maps/water.json"))
        let before = portal.journal.count
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        let map = try PublishedMap(output: workspace.file("out"), area: "downtown")
        #expect(map.layers.count == 9)
        #expect(map.layers.count { $0["path"] != nil } == 8)
        #expect(map.document["item"]?["originalPortalItemId"] == nil)
        #expect(!portal.journal.dropFirst(before).contains { $0.path.contains("acc027394bc84c2fb04d1ed317aac674") })
    }
}
