import Basics
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct LockTests {
    @Test func `A second run finds the output taken and sends nothing`() async throws {
        // Long jobs, so that the first run is at work for as long as a busy machine needs to start the second.
        let portal = try await PortalProcess("--job-seconds", "600")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let first = try workspace.startRun()
        try await eventually("the first run is at work") { !portal.submissions.isEmpty }
        // Another portal, so that its journal tells the two runs apart.
        let other = try await PortalProcess()
        let soon = try await fastest(enough: .seconds(1)) {
            let (second, seconds) = try await workspace.timed(
                ["run", "manifest.yaml"], variables: ["OFFLINE_BATCH_PORTAL": other.url])
            // It did not wait for the first to end.
            #expect(first.isRunning)
            #expect(second.code == 75)
            let words = second.stdout + second.stderr
            #expect(words.contains("process \(first.pid)"))
            #expect(words.contains("since 20"))
            return seconds
        }
        #expect(soon < .seconds(1))
        #expect(other.journal.isEmpty)
        #expect(!Files.exists(workspace.file("out/report.json")))
        first.send(SIGTERM)
        let ending = await first.wait()
        #expect(ending.code == 143, "\(ending.stderr)")
    }

    @Test func `Another state does not open an output that is at work`() async throws {
        let portal = try await PortalProcess("--job-seconds", "30")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let first = try workspace.startRun()
        try await eventually("the first run is at work") { !portal.submissions.isEmpty }
        let second = try await workspace.run("run", "--quiet", "--state", "elsewhere", "manifest.yaml")
        #expect(first.isRunning)
        #expect(second.code == 75, "\(second.stderr)")
        #expect((second.stdout + second.stderr).contains("process \(first.pid)"))
        first.send(SIGTERM)
        _ = await first.wait()
        // The lock of the state that was tried is not left behind as taken.
        let third = try workspace.start(["run", "--state", "elsewhere", "manifest.yaml"])
        try await eventually("it is at work") { portal.submissions.count > 3 || !third.isRunning }
        #expect(!third.stderr.contains("took over"))
        third.send(SIGTERM)
        #expect(await third.wait().code == 143)
    }

    @Test func `The run after a killed one takes over and says so`() async throws {
        let portal = try await PortalProcess("--job-seconds", "5")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let first = try workspace.startRun()
        try await eventually("all jobs are at the server") {
            first.stderr.components(separatedBy: #""event":"jobSubmitted""#).count == 4
        }
        first.send(SIGKILL)
        _ = await first.wait()
        let next = try await workspace.run("run", "manifest.yaml")
        #expect(next.code == 0, "\(next.stderr)")
        #expect(next.stderr.split(separator: "\n").count { $0.contains("took over from process \(first.pid) ") } == 1)
        #expect(portal.submissions.count == 3)
        let third = try await workspace.run("run", "manifest.yaml")
        #expect(!third.stderr.contains("took over"))
    }
}
