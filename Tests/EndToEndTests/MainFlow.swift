import Basics
import TestSupport
import Testing

@Suite(.serialized) struct MainFlowTests {
    @Test(arguments: ["server", "agol"])
    func `A run takes the whole map offline`(flavour: String) async throws {
        let portal = try await PortalProcess("--flavour", flavour)
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        #expect(Files.exists(workspace.file("out/downtown/current/p13/mobile_map.mmap")))
        #expect(portal.journal.count { $0.path.hasSuffix("/createReplica") } == 1)
    }
}
