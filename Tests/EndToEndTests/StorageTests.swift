import Basics
import Foundation
import TestSupport
import Testing

/// What the local disk does to a run: exit code 73, and nothing that was there is lost.
@Suite(.serialized) struct StorageTests {
    @Test(.enabled(if: TinyDisk.isPossible, "needs the right to mount a tmpfs"))
    func `A full disk ends the run, and room lets it go on`() async throws {
        let portal = try await PortalProcess("--job-seconds", "5")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        // Two generations of about 2.6 MB each and the state find room, the ballast takes it away.
        let disk = try TinyDisk(workspace.file("out"), megabytes: 12)
        defer { disk.unmount() }
        let first = try await workspace.run()
        #expect(first.code == 0, "\(first.ending.stderr)")
        let before = try await contents(workspace)

        // There is room when the run begins, and none when the files come.
        let program = try workspace.startRefresh()
        try await eventually("the second run has asked for its files") { portal.submissions.count == 6 }
        let free = try Files.freeSpace(at: workspace.file("out"))
        try Files.writeAtomically([UInt8](repeating: 1, count: free - 1_000_000), to: workspace.file("out/ballast"))
        let full = try workspace.verdict(await program.wait())
        #expect(full.code == 73)
        let error = full.report["error"]
        #expect(error?["kind"]?.string == "storage")
        #expect(error?["message"]?.string?.hasPrefix("no space to go on") == true)
        #expect(error?["details"]?[0]?.string?.hasSuffix("out/.state") == true)
        #expect(error?["next"]?.string?.hasPrefix("Free space") == true)
        #expect(full.counts.values.reduce(0, +) == 6)
        #expect(try await contents(workspace) == before)

        try Files.remove(workspace.file("out/ballast"))
        let submitted = portal.submissions.count
        let again = try await workspace.run()
        #expect(again.code == 0, "\(again.ending.stderr)")
        #expect(submitted == 6)
        // The jobs of the run that ended early are still at the server.
        #expect(portal.submissions.count == 6)
        #expect(try await contents(workspace) != before)
    }

    /// State and maps on two disks: files are copied, not linked.
    @Test(.enabled(if: TinyDisk.isPossible, "needs the right to mount a tmpfs"))
    func `A map that has to be copied is not begun where there is no room for it`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let disk = try TinyDisk(workspace.file("out"), megabytes: 12)
        defer { disk.unmount() }
        // Enough to begin with, as nobody knows yet how large the map will be.
        let free = try Files.freeSpace(at: disk.path)
        try Files.writeAtomically([UInt8](repeating: 1, count: free - 4_300_000), to: workspace.file("out/ballast"))
        let command = ["run", "--state", workspace.file("state"), "--log-format", "json", "manifest.yaml"]
        let full = try workspace.verdict(try await workspace.run(command))
        #expect(full.code == 73, "\(full.ending.stderr)")
        #expect(full.report["error"]?["message"]?.string?.contains("bytes to come") == true)
        #expect(full.report["error"]?["details"]?[0]?.string?.hasSuffix("/out") == true)
        #expect(!Files.exists(workspace.file("out/downtown/generations")))
        // What came is in the state, and the maps' disk has the room that it had.
        try Files.remove(workspace.file("out/ballast"))
        let again = try workspace.verdict(try await workspace.run(command))
        #expect(again.code == 0, "\(again.ending.stderr)")
        #expect(portal.submissions.count == 3 && portal.downloads.count == 3)
    }

    /// Where `current` points, and the hash of every file there.
    private func contents(_ workspace: Workspace) async throws -> [String] {
        let area = workspace.file("out/downtown")
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: area + "/current")
        let files = FileManager.default.enumerator(atPath: area + "/" + target)?.allObjects.compactMap { $0 as? String } ?? []
        return try [target]
            + files.sorted().filter { !Files.isDirectory(area + "/" + target + "/" + $0) }.map {
                $0 + " " + (try SHA256.hex(ofFile: area + "/" + target + "/" + $0))
            }
    }

    /// The folder for temporary files is often on another disk, a small one.
    @Test func `Nothing of a run goes through the folder for temporary files`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        // A file in its place: whoever wants to write there fails, whoever he is.
        try workspace.write("tmp", "no folder")
        let run = try await workspace.run(["run", "manifest.yaml"], variables: ["TMPDIR": workspace.file("tmp")])
        #expect(run.code == 0, "\(run.stderr)")
    }

    @Test(.enabled(if: TinyDisk.isPossible, "needs the right to mount a tmpfs"))
    func `On a disk that cannot be written, commands that only look still do`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let disk = try TinyDisk(workspace.file("out"), megabytes: 40)
        defer { disk.unmount() }
        #expect(try await workspace.run().code == 0)
        try disk.closeForWriting()
        for command in [["status"], ["generations"], ["verify"], ["prune", "--dry-run"]] {
            let ending = try await workspace.run(command + ["manifest.yaml"], variables: [:])
            #expect(ending.code == 0, "\(command): \(ending.stderr)")
        }
        #expect(try await workspace.run("prune", "manifest.yaml").code == 73)
    }

    @Test func `A damaged state is said in a sentence`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        try Files.makeDirectory(workspace.file("out/.state"))
        try Files.writeAtomically([UInt8](repeating: 0x41, count: 8192), to: workspace.file("out/.state/state.db"))
        let verdict = try await workspace.run()
        #expect(verdict.code == 73)
        #expect(verdict.report["error"]?["phase"]?.string == "state")
        #expect(verdict.report["error"]?["message"]?.string == "file is not a database")
        #expect(verdict.report["error"]?["next"]?.string?.isEmpty == false)
        // Found before anything was asked of a server.
        #expect(portal.journal.isEmpty)
    }

    /// Who may not look into the folder gets an error like that of a link to itself, which stops root, too.
    @Test func `A state that cannot be looked at is not called absent`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        try Files.makeDirectory(workspace.file("out"))
        #expect(symlink(".state", workspace.file("out/.state")) == 0)
        let status = try await workspace.run("status", "manifest.yaml")
        #expect(status.code == 73 && status.stderr.contains("the state cannot be read"), "\(status.stdout)\(status.stderr)")
        let doctor = try await workspace.run("doctor", "--offline", "--json", "manifest.yaml")
        #expect(doctor.code == 1 && !doctor.stdout.contains("no run has been here yet"), "\(doctor.stdout)")
        #expect(try await workspace.run("replicas", "list", "manifest.yaml").code == 73)
    }

    @Test func `A state of a newer version is left alone`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        try Files.makeDirectory(workspace.file("out/.state"))
        let path = workspace.file("out/.state/state.db")
        try SQLiteConnection(path: path).execute("PRAGMA user_version = 99")
        let verdict = try await workspace.run()
        #expect(verdict.code == 73)
        #expect(verdict.report["error"]?["message"]?.string == "The state was written by a newer version (99 > 7).")
        #expect(try SQLiteConnection(path: path).value("PRAGMA user_version")?.int == 99)
        #expect(portal.journal.isEmpty)
    }

    @Test func `An output folder that cannot be made is named`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        try workspace.write("out", "a file, not a folder")
        let ending = try await workspace.run("run", "manifest.yaml")
        #expect(ending.code == 73)
        #expect((ending.stdout + ending.stderr).contains(workspace.file("out")))
        #expect(portal.journal.isEmpty)
    }

    @Test func `A run of one area leaves the jobs of the others to be finished`() async throws {
        let portal = try await PortalProcess("--job-seconds", "1")
        let workspace = try Workspace(manifest: Workspace.water(areas: 2), portal: portal)
        let program = try workspace.startRun()
        try await eventually("all jobs are at the server") {
            program.stderr.components(separatedBy: #""event":"jobSubmitted""#).count == 7
        }
        program.send(SIGKILL)
        _ = await program.wait()
        let one = try workspace.verdict(try await workspace.run("run", "--area", "downtown", "manifest.yaml"))
        #expect(one.code == 0, "\(one.ending.stderr)")
        #expect(!Files.exists(workspace.file("out/riverwalk/current/")))
        let all = try await workspace.run()
        #expect(all.code == 0, "\(all.ending.stderr)")
        #expect(all.counts == ["done": 5, "reused": 7])
        #expect(portal.submissions.count == 6)
        #expect(portal.downloads.count == 6)
    }
}
