import Basics
import Glibc
import TestSupport
import Testing

/// A kill at a chosen moment; those at any moment are `KillTests`.
@Suite(.serialized) struct CrashTests {
    @Test func `A download that was killed goes on where it was`() async throws {
        // The pause after the cut is the moment for the kill.
        let portal = try await PortalProcess.faulty("- {path: '*.tpkx', nth: 1, cutAfter: 100000}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the download was cut") { program.stderr.contains(#""event":"jobRetrying""#) }
        program.send(SIGKILL)
        _ = await program.wait()
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        let requests = portal.downloads.filter { $0.path.hasSuffix(".tpkx") }
        try #require(requests.count == 2)
        #expect(requests[1].headers["range"] == "bytes=100000-")
        #expect(requests[1].status == 206)
        // The two parts are the whole file, which the run has proven.
        #expect(verdict.job("downtown/world-street-map/tiles")?["bytes"]?.int == 100_000 + requests[1].bytes)
        #expect(portal.submissions.count == 3)
    }

    /// What was on its way to the disk may be zeros afterwards, at its full length.
    @Test func `A download that the power damaged is fetched from its start, and its job is not made again`() async throws {
        let portal = try await PortalProcess.faulty(
            """
            - {path: '*.tpkx', nth: 1, cutAfter: 100000}
            - {path: '*.tpkx', nth: 2, delay: 8}
            """)
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the download was cut") { program.stderr.contains(#""event":"jobRetrying""#) }
        program.send(SIGKILL)
        _ = await program.wait()
        let partial = workspace.file("out/.state/partial/")
        let names = try Files.list(partial).filter { $0.hasSuffix(".download") && (try? Files.size(partial + $0)) == 100_000 }
        try #require(names.count == 1)
        try Files.writeAtomically([UInt8](repeating: 0, count: 100_000), to: partial + names[0])
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        #expect(verdict.job("downtown/world-street-map/tiles")?["attempts"]?.int == 1)
        #expect(portal.submissions.count == 3)
        let requests = portal.downloads.filter { $0.path.hasSuffix(".tpkx") }
        // From the start, onwards, and from the start again. Anywhere among them stands the one that the killed run did not live to see.
        #expect(requests.count { $0.status == 200 } == 2 && requests.contains { $0.status == 206 })
        #expect(requests.filter { $0.status == 200 }.allSatisfy { $0.headers["range"] == nil })
    }
}
