import Basics
import TestSupport
import Testing

/// Other people's readers open what was published: `scripts/judge-demo.py` with zipfile, sqlite3, GDAL and mapbox-vector-tile.
@Suite(.serialized, .enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)")) struct JudgeTests {
    @Test(arguments: ["server", "agol"])
    func `Tiles, pixels and rows are those of the services`(flavour: String) async throws {
        let portal = try await PortalProcess("--flavour", flavour)
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        let script = SharedFiles.packageRoot + "/scripts/judge-demo.py"
        let python = try #require(PythonJudge.interpreter)
        let verdict = try await offPool { try Command.run(python, [script, "--online", workspace.file("out")]) }
        #expect(verdict.status == 0, "\(verdict.output)\(verdict.errors)")
        for proof in [
            "pixels that GDAL sees are the service's", "is the service's", "sqlite finds the replica sound", "0 failed",
        ] {
            #expect(verdict.output.contains(proof), "\(proof)\n\(verdict.output)")
        }

        // The judge is one that can say no: one byte is changed.
        let replica = try PublishedMap(output: workspace.file("out"), area: "downtown").file(of: "replica")
        var bytes = try Files.read(replica)
        bytes[bytes.count - 1] ^= 1
        try Files.writeAtomically(bytes, to: replica)
        let second = try await offPool { try Command.run(python, [script, workspace.file("out")]) }
        #expect(second.status == 1)
        #expect(second.output.contains("FAILED"))
    }
}
