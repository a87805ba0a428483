import Basics
import Foundation
import TestSupport
import Testing

/// `kill -9` at twenty seeded moments, ten in each flavour. The same command is started again each time; a run that gets through is followed by the next
/// night's, until all kills have fallen.
@Suite(.serialized) struct CrashTests {
    /// Of each flavour.
    private static let kills = 10

    @Test(arguments: [("server", 20_261_130), ("agol", 1_130)])
    func `Killed at any moment, the same command finishes the run`(flavour: String, seed: UInt64) async throws {
        // Downloads are held up a little, so that kills fall into them too.
        let folder = try TemporaryFolder()
        try Files.writeAtomically(
            Array("- {path: '*.tpkx', delay: 0.2}\n- {path: '*.geodatabase', delay: 0.3}".utf8), to: folder.file("faults.yaml"))
        let portal = try await PortalProcess("--flavour", flavour, "--job-seconds", "1", "--faults", folder.file("faults.yaml"))
        let workspace = try Workspace(manifest: Workspace.water(areas: 2), portal: portal)
        let requests = try await plannedRequests(workspace)
        #expect(requests.count == 6)

        var random = SplitMix(state: seed)
        var snapshots: [(after: Int, state: StateSnapshot)] = []
        let reader = MapReader(areas: ["downtown", "riverwalk"].map { workspace.file("out/" + $0) })
        while snapshots.count < Self.kills {
            let program = try workspace.startRun()
            try await Task.sleep(for: .milliseconds(50 + Int(random.next() % 1800)))
            program.send(SIGKILL)
            let ending = await program.wait()
            if ending.signal == SIGKILL {
                snapshots.append((portal.journal.count, try StateSnapshot(workspace.file("out/.state"))))
            } else {
                #expect(ending.code == 0, "\(ending.stderr)")
            }
        }
        let last = try await workspace.run()
        #expect(last.code == 0, "\(last.ending.stderr)")
        let (complaints, looks) = reader.end()
        #expect(complaints.isEmpty)
        #expect(looks > 10)

        // A night ends when all its jobs are done, whether or not the process lived to say so. None was given up for a new one.
        let state = try SQLiteConnection(path: workspace.file("out/.state/state.db"), access: .readOnly)
        let runs = try state.value("SELECT count(*) FROM runs")?.int ?? 0
        #expect(try state.value("SELECT count(*) FROM jobs WHERE state = 'done'")?.int == runs * 12)
        #expect(try state.value("SELECT count(*) FROM jobs")?.int == runs * 12)

        // No server job twice: a form goes out once a run, and once more only for a kill between the request and its record.
        for (job, request) in requests {
            let sent = portal.submissions.count { $0.path.hasSuffix(request.path) && $0.carries(request.parameters) }
            let unknown = snapshots.count { $0.state.submitting.contains(job) }
            #expect(
                sent >= runs && sent <= runs + unknown, "\(job) was sent \(sent) times in \(runs) runs")
        }

        // No file twice: a result is asked for once, and once more only for a kill before it was whole.
        let journal = portal.journal
        for path in Set(portal.downloads.map(\.path)) {
            let asked = portal.downloads.count { $0.path == path }
            let cut = snapshots.count { $0.state.ready.contains(path) }
            #expect(asked <= 1 + cut, "\(path) was asked for \(asked) times and cut off \(cut) times")
        }
        for (after, state) in snapshots {
            for request in journal.dropFirst(after) where request.method == "GET" {
                #expect(!state.received.contains(request.path), "\(request.path) was here and was fetched again")
            }
        }
        // What stands: the newest generations, and nothing of the kills.
        for area in ["downtown", "riverwalk"] {
            #expect(try Files.list(workspace.file("out/\(area)/generations")).count == min(2, runs))
        }
        #expect(try Files.list(workspace.file("out/.state/partial")).isEmpty)
    }

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

    private struct Planned {
        var path: String
        var parameters: [String: String]
    }

    /// The form of each server job, as `plan` says it.
    private func plannedRequests(_ workspace: Workspace) async throws -> [String: Planned] {
        let plan = try JSON.parse(try await workspace.run("plan", "--json", "manifest.yaml").stdout)
        var requests: [String: Planned] = [:]
        for job in plan["jobs"]?.array ?? [] {
            guard let id = job["id"]?.string, let request = job["request"], let url = request["url"]?.string,
                url.hasSuffix("/createReplica") || url.hasSuffix("/exportTiles")
            else { continue }
            let parameters = (request["parameters"]?.object?.members ?? []).reduce(into: [String: String]()) {
                $0[$1.key] = $1.value.string
            }
            requests[id] = Planned(path: URL(string: url)?.path ?? url, parameters: parameters)
        }
        return requests
    }
}

extension PortalProcess.Request {
    fileprivate func carries(_ form: [String: String]) -> Bool { form.allSatisfy { parameters[$0.key] == $0.value } }
}

/// The same numbers on every machine (splitmix64).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
