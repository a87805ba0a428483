import Basics
import Foundation
import TestSupport
import Testing

/// SIGINT and SIGTERM at different moments: an orderly end without waiting for the server, and the same command goes on.
///
/// However slow the machine is: the portal holds back an answer for longer than any test takes, so that no run ends by itself before its
/// signal, and one that ends at all did not wait for that answer.
@Suite(.serialized) struct SignalTests {
    /// Longer than any of these tests takes; `hurried` is far less.
    private static let heldBack = 600
    private static let hurried = Duration.seconds(10)

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What happens beside the replica's file being held back.
        var rules = ""
        var signal: Int32
        var code: Int32
        /// The moment has come.
        var moment: @Sendable (PortalProcess, Workspace) -> Bool
        /// Requests for new jobs until the end of the second run.
        var submissions = 3
    }

    static let cases = [
        // Within the time that requests in flight have after a signal (`Executor.grace`): its job must not be lost.
        Case(
            testDescription: "SIGINT while a job is submitted", rules: "- {path: '*/createReplica', nth: 1, delay: 2}",
            signal: SIGINT, code: 130, moment: { portal, _ in portal.submissions(of: "exportTiles").count == 2 }),
        Case(
            testDescription: "SIGTERM while a job is asked for", signal: SIGTERM, code: 143,
            moment: { portal, _ in portal.journal.contains { $0.path.contains("/jobs/") } }),
        Case(
            testDescription: "SIGTERM during a download", signal: SIGTERM, code: 143,
            moment: { _, workspace in
                // A copy of what is being written may not be readable; the next one is.
                let state = try? StateSnapshot(workspace.file("out/.state"))
                return state?.ready.contains { $0.hasSuffix(".geodatabase") } ?? false
            }),
    ]

    @Test(arguments: cases)
    func `A run that is told to stop can be continued`(_ example: Case) async throws {
        #expect(try await fastest(enough: Self.hurried) { try await stop(example) } < Self.hurried)
    }

    /// How long it took to end.
    private func stop(_ example: Case) async throws -> Duration {
        let portal = try await PortalProcess.faulty(
            "- {path: '*.geodatabase', delay: \(Self.heldBack)}\n" + example.rules)
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the moment came") { example.moment(portal, workspace) }
        let began = ContinuousClock.now
        program.send(example.signal)
        let stopped = try workspace.verdict(await program.wait())
        let seconds = began.duration(to: .now)
        #expect(stopped.code == example.code)
        // It ended by itself, not by the signal.
        #expect(stopped.ending.signal == nil)
        #expect(stopped.report["exitCode"]?.int == Int(example.code))
        #expect(stopped.counts["failed"] == nil)
        #expect(stopped.report["jobs"]?.array?.count == 6)
        try await portal.setFaults("[]")
        let finished = try await workspace.run()
        #expect(finished.code == 0, "\(finished.ending.stderr)")
        #expect(portal.submissions.count == example.submissions)
        return seconds
    }

    @Test func `A reader of the output who goes away ends no run`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let pipe = "'\(Binaries.offlineBatch)' run --verbose manifest.yaml 2>&1 | true; sleep 0.1"
        let shell = try RunningProgram(
            "/bin/bash", ["-c", pipe], environment: workspace.variables, folder: workspace.folder.path)
        _ = await shell.wait()
        try await eventually("the report is there") { Files.exists(workspace.file("out/report.json")) }
        #expect(try workspace.json("out/report.json")["exitCode"]?.int == 0)
    }

    @Test func `A second signal ends the process at once`() async throws {
        let portal = try await PortalProcess.faulty("- {path: '*/createReplica', delay: \(Self.heldBack)}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the jobs were submitted") { portal.submissions(of: "exportTiles").count == 2 }
        // Of two kinds, for two equal ones that come together count as one. Either may be noticed first.
        program.send(SIGINT)
        program.send(SIGTERM)
        let ending = await program.wait()
        // Nothing was waited for and nothing written any more, not even a report.
        #expect(!Files.exists(workspace.file("out/report.json")))
        #expect([130, 143].contains(ending.code))
    }

    @Test func `A signal while planning starts nothing`() async throws {
        #expect(try await fastest(enough: Self.hurried) { try await stopPlanning() } < Self.hurried)
    }

    private func stopPlanning() async throws -> Duration {
        let portal = try await PortalProcess.faulty("- {path: '*/items/*/data', delay: \(Self.heldBack)}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the item was asked for") { portal.journal.contains { $0.path.contains("/items/") } }
        let began = ContinuousClock.now
        program.send(SIGTERM)
        let verdict = try workspace.verdict(await program.wait())
        let seconds = began.duration(to: .now)
        #expect(verdict.code == 143)
        #expect(verdict.report["error"]?["kind"]?.string == "cancelled")
        #expect(portal.submissions.isEmpty)
        return seconds
    }
}
