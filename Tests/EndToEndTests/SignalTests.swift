import Basics
import Foundation
import TestSupport
import Testing

/// SIGINT and SIGTERM at different moments: an orderly end within ten seconds, and the same command goes on.
@Suite(.serialized) struct SignalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rules: String
        var jobSeconds = "0.2"
        var signal: Int32
        var code: Int32
        /// The moment has come.
        var moment: @Sendable (PortalProcess, RunningProgram) -> Bool
        /// Requests for new jobs until the end of the second run.
        var submissions = 3
    }

    static let cases = [
        Case(
            testDescription: "SIGINT while a job is submitted", rules: "- {path: '*/createReplica', nth: 1, delay: 2}",
            signal: SIGINT, code: 130, moment: { portal, _ in portal.submissions(of: "exportTiles").count == 2 }),
        Case(
            testDescription: "SIGTERM while a job is asked for", rules: "[]", jobSeconds: "2", signal: SIGTERM, code: 143,
            moment: { portal, _ in portal.journal.contains { $0.path.contains("/jobs/") } }),
        Case(
            testDescription: "SIGTERM during a download", rules: "- {path: '*.geodatabase', nth: 1, delay: 8}", signal: SIGTERM,
            code: 143,
            moment: { _, program in
                program.stderr.contains(#""event":"areaPublished""#) == false
                    && program.stderr.contains(#""job":"downtown/world-street-map/tiles","area""#)
            }),
    ]

    @Test(arguments: cases)
    func `A run that is told to stop can be continued`(_ example: Case) async throws {
        let portal = try await PortalProcess.faulty(example.rules, "--job-seconds", example.jobSeconds)
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the moment came") { example.moment(portal, program) }
        let began = ContinuousClock.now
        program.send(example.signal)
        let stopped = try workspace.verdict(await program.wait())
        #expect(began.duration(to: .now) < .seconds(10))
        #expect(stopped.code == example.code)
        // It ended by itself, not by the signal.
        #expect(stopped.ending.signal == nil)
        #expect(stopped.report["exitCode"]?.int == Int(example.code))
        #expect(stopped.counts["failed"] == nil)
        #expect(stopped.report["jobs"]?.array?.count == 6)
        let finished = try await workspace.run()
        #expect(finished.code == 0, "\(finished.ending.stderr)")
        #expect(portal.submissions.count == example.submissions)
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
        let portal = try await PortalProcess.faulty("- {path: '*/createReplica', delay: 5}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the jobs were submitted") { portal.submissions(of: "exportTiles").count == 2 }
        program.send(SIGINT)
        try await eventually("the signal was noticed") { program.stderr.contains(#""event":"stopping""#) }
        let began = ContinuousClock.now
        program.send(SIGINT)
        let ending = await program.wait()
        #expect(began.duration(to: .now) < .seconds(2))
        #expect(ending.code == 130)
    }

    @Test func `A signal while planning starts nothing`() async throws {
        let portal = try await PortalProcess.faulty("- {path: '*/items/*/data', delay: 20}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the item was asked for") { portal.journal.contains { $0.path.contains("/items/") } }
        let began = ContinuousClock.now
        program.send(SIGTERM)
        let verdict = try workspace.verdict(await program.wait())
        #expect(began.duration(to: .now) < .seconds(5))
        #expect(verdict.code == 143)
        #expect(verdict.report["error"]?["kind"]?.string == "cancelled")
        #expect(portal.submissions.isEmpty)
    }
}
