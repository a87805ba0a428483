import Basics
import TestSupport
import Testing

/// Heights in LERC tiles go offline as pictures do.
@Suite(.serialized) struct ElevationTests {
    private static let manifest = Workspace.naperville.replacing(
        "acc027394bc84c2fb04d1ed317aac674", with: "17fde4cf9a6c4d54e7fce9d4c5b6a7f2")

    @Test(arguments: ["server", "agol"]) func `An elevation layer is taken, proven and packaged`(flavour: String) async throws {
        let portal = try await PortalProcess("--flavour", flavour)
        let workspace = try Workspace(manifest: Self.manifest, portal: portal)
        let run = try await workspace.verdict(workspace.run("run", "manifest.yaml"))
        #expect(run.code == 0, "\(run.ending.stdout)")
        #expect(run.state("downtown/town-elevation/tiles") == "done")
        let map = try PublishedMap(output: workspace.file("out"), area: "downtown")
        let layer = try #require(map.layers.first { $0["title"] == "Town Elevation" })
        #expect(layer["layerType"] == "ArcGISTiledElevationServiceLayer")
        #expect(layer["path"]?.string?.hasPrefix("file:./") == true && layer["path"]?.string?.hasSuffix(".tpkx") == true)
        let source = try #require(
            map.inventory["sources"]?.array?.first { $0["job"]?.string == "downtown/town-elevation/tiles" })
        #expect(source["warnings"] == [])
        #expect(source["counts"]?.object?.members.isEmpty == false)
    }
}
