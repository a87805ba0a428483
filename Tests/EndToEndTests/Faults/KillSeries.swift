import Basics
import Foundation
import TestSupport
import Testing

/// Nights in which the process is killed at seeded moments, and started again each time; a night that gets through is followed by the
/// next, in other places, until all kills have fallen.
struct KillSeries {
    /// Of `make test-faults`, with each of the two ways to die.
    static let moments = 200

    var flavour: String
    var seed: UInt64
    var kills: Int
    /// What was not flushed is gone, too.
    var losesPower = false
    /// For each process that is to be killed, so many are left in peace.
    var sparing = 0

    /// What a process left when it was killed.
    private struct Scene {
        var night: Int
        /// Requests that the portal had seen.
        var after: Int
        var state: StateSnapshot
    }

    func callAsFunction() async throws -> KillNumbers {
        // Downloads are held up, so that kills fall into them too.
        let portal = try await PortalProcess(
            flags: ["--flavour", flavour, "--job-seconds", "0.5"],
            faults: "- {path: '*tpk*', bytesPerSecond: 500000}\n- {path: '*.geodatabase', bytesPerSecond: 250000}")
        let workspace = try Workspace(portal: portal)
        var cut = try PowerCut(folder: workspace.file("machine"))
        var random = SplitMix(state: seed)
        var numbers = KillNumbers()
        var scenes: [Scene] = []

        // The first night is left in peace: it tells how long a night is.
        var forms = [try await forms(of: 0, workspace)]
        let whole = try await workspace.run("run", "--log-format", "json", "manifest.yaml")
        #expect(whole.code == 0, "\(whole.stderr)")
        var finished = try StateSnapshot(workspace.file("out/.state")).run
        let lines = whole.stderr.count { $0 == "\n" }
        let reader = try await MapReader(areas: Self.areas.map { workspace.file("out/" + $0) })
        forms.append(try await self.forms(of: 1, workspace))

        while scenes.count < kills {
            if losesPower { try cut.begin(workspace.file("out")) }
            let isSpared = random.next() % UInt64(sparing + 1) != 0
            let program = try workspace.start(
                ["run", "--log-format", "json", "manifest.yaml"], variables: losesPower ? cut.variables : [:])
            if !isSpared {
                try await moment(of: program, lines: lines, &random)
                program.send(SIGKILL)
            }
            let ending = await program.wait()
            guard ending.signal == SIGKILL else {
                #expect(ending.code == 0, "\(ending.stderr)")
                finished = try StateSnapshot(workspace.file("out/.state")).run
                forms.append(try await self.forms(of: forms.count, workspace))
                continue
            }
            let after = portal.journalText.count { $0 == "\n" }
            var state = try StateSnapshot(workspace.file("out/.state"), boot: losesPower ? cut.life : nil)
            if losesPower {
                let tail = PowerCut.Tail.allCases.randomElement(using: &random) ?? .gone
                numbers.lostBytes += try cut.strike(workspace.file("out"), tail: tail)
                // What was on the disk counts as had; what is on record is what is left of it.
                let had = state.here
                state = try StateSnapshot(workspace.file("out/.state"))
                state.here = had
            } else {
                // As long as the machine lives, what was written is there.
                state.flushed = state.here
            }
            scenes.append(Scene(night: forms.count - 1, after: after, state: state))
            // A night ends when all its jobs are done, whether or not the process lived to say so.
            if state.isComplete, state.run > finished {
                finished = state.run
                forms.append(try await self.forms(of: forms.count, workspace))
            }
        }
        let last = try await workspace.run("run", "manifest.yaml")
        #expect(last.code == 0, "\(last.stderr)")
        let finding = try await reader.end()
        #expect(finding.complaints.isEmpty)
        #expect(finding.looks > 10 && finding.maps >= Self.areas.count)
        try check(workspace)

        numbers.kills = scenes.count
        numbers.nights = forms.count
        let journal = portal.journal
        count(journal, forms, scenes, &numbers)
        // No file that was here whole is fetched again.
        for scene in scenes {
            for request in journal.dropFirst(scene.after) where request.isDownload {
                #expect(!scene.state.received.contains(request.path), "\(request.path) was here and was fetched again")
            }
        }
        return numbers
    }

    private static let areas = ["downtown", "riverwalk"]

    /// After a drawn number of lines in its log, and some milliseconds: a slow machine stretches the night, and the moments with it.
    private func moment(of program: RunningProgram, lines: Int, _ random: inout SplitMix) async throws {
        let wanted = Int(random.next() % UInt64(lines))
        // Planning says nothing for a while.
        let pause = Int(random.next() % (wanted < 2 ? 400 : 200))
        while program.isRunning, program.stderr.count(where: { $0 == "\n" }) < wanted {
            try await Task.sleep(for: .milliseconds(3))
        }
        try await Task.sleep(for: .milliseconds(pause))
    }

    /// Writes the night's manifest; gives the form of each of its server jobs.
    private func forms(of night: Int, _ workspace: Workspace) async throws -> [String: PlannedForm] {
        let west = -0.0001 * Double(night)
        try workspace.write(
            "manifest.yaml",
            """
            version: 1
            name: water
            webMap: acc027394bc84c2fb04d1ed317aac674
            areas:
              - { id: downtown, envelope: { xmin: \(-88.160 + west), ymin: 41.765, xmax: -88.140, ymax: 41.780 } }
              - { id: riverwalk, envelope: { xmin: \(-88.150 + west), ymin: 41.765, xmax: -88.130, ymax: 41.780 } }
            scale: { min: 40000, max: 20000 }
            output: { directory: out, keep: 2 }
            """)
        let plan = try await workspace.run("plan", "--json", "--no-counts", "manifest.yaml")
        #expect(plan.code == 0, "\(plan.stderr)")
        return try PlannedForm.all(of: JSON.parse(plan.stdout))
    }

    private func check(_ workspace: Workspace) throws {
        let state = try SQLiteConnection(path: workspace.file("out/.state/state.db"), access: .readOnly)
        #expect(try state.value("SELECT count(*) FROM jobs WHERE state <> 'done'")?.int == 0)
        for area in Self.areas {
            #expect(try Files.list(workspace.file("out/\(area)/generations")).count == 2)
        }
        #expect(try Files.list(workspace.file("out/.state/partial")).isEmpty)
    }

    /// A form goes out once a night, and once more only for a kill between the request and its record.
    private func count(
        _ journal: [PortalProcess.Request], _ forms: [[String: PlannedForm]], _ scenes: [Scene], _ numbers: inout KillNumbers
    ) {
        let submissions = journal.filter(\.isSubmission)
        for (night, jobs) in forms.enumerated() {
            for (job, form) in jobs {
                let sent = submissions.count { form.isSent(by: $0) }
                let unknown = scenes.count { $0.night == night && $0.state.submitting.contains(job) }
                #expect(sent >= 1 && sent <= 1 + unknown, "\(job) of night \(night) was sent \(sent) times, \(unknown) unknown")
                numbers.submissions += 1
                numbers.unknown += max(0, min(sent - 1, unknown))
                numbers.twice += max(0, sent - 1 - unknown)
            }
        }
        numbers.resumed = journal.count { $0.isDownload && $0.status == 206 && $0.rangeStart > 0 }
        for request in journal where request.isDownload && request.rangeStart == 0 && request.status == 200 {
            numbers.files[request.path] = request.bytes
        }
        for scene in scenes {
            for (path, had) in scene.state.here {
                guard let next = journal.dropFirst(scene.after).first(where: { $0.isDownload && $0.path == path }) else {
                    continue
                }
                // 416: all of it was here.
                let start = next.status == 206 ? next.rangeStart : next.status == 416 ? had : 0
                numbers.fetchedTwice += max(0, had - start)
                numbers.flushedTwice += max(0, min(had, scene.state.flushed[path] ?? 0) - start)
            }
        }
    }
}

/// What a series of kills cost.
struct KillNumbers: Sendable {
    var kills = 0
    var nights = 0
    /// Server jobs that were needed.
    var submissions = 0
    /// Sent again, because the kill fell between a request and the record of its answer.
    var unknown = 0
    /// Sent again without that reason.
    var twice = 0
    /// Result files and their sizes.
    var files: [String: Int] = [:]
    /// Downloads that went on where they were cut: without any, nothing was on the disk, and `fetchedTwice` says nothing.
    var resumed = 0
    /// Of the bytes that were on the disk when the process was killed.
    var fetchedTwice = 0
    /// Of these, bytes that the record of their file had said to be flushed.
    var flushedTwice = 0
    /// Written and not flushed when the power went.
    var lostBytes = 0

    static func + (one: KillNumbers, other: KillNumbers) -> KillNumbers {
        KillNumbers(
            kills: one.kills + other.kills, nights: one.nights + other.nights, submissions: one.submissions + other.submissions,
            unknown: one.unknown + other.unknown, twice: one.twice + other.twice,
            files: one.files.merging(other.files) { max($0, $1) }, resumed: one.resumed + other.resumed,
            fetchedTwice: one.fetchedTwice + other.fetchedTwice,
            flushedTwice: one.flushedTwice + other.flushedTwice, lostBytes: one.lostBytes + other.lostBytes)
    }

    /// In hundredths of a percent, so that no rounding hides anything.
    var share: Double { Double(fetchedTwice) / Double(max(1, files.values.reduce(0, +))) }

    /// One line, as `Benchmarks/README.md` has it.
    func line(_ way: String, atMost most: Double) -> String {
        let percent = Double(Int(share * 10_000)) / 100
        return
            "B7 \(way): \(kills) kills in \(nights) nights; \(twice) of \(submissions) server jobs submitted twice (goal 0), "
            + "and \(unknown) more for kills between a request and its record; \(percent) % of "
            + "\(files.values.reduce(0, +) / 1_000_000) MB fetched twice (at most \(Int(most * 100)) %)"
            + (lostBytes > 0
                ? ", \(fetchedTwice / max(1, kills) / 1000) kB a cut, of them \(flushedTwice) bytes that had been flushed" : "")
    }
}

/// The request of a server job, as `plan` says it.
struct PlannedForm: Sendable {
    var path: String
    var parameters: [String: String]

    /// By job id.
    static func all(of plan: JSON) -> [String: PlannedForm] {
        var forms: [String: PlannedForm] = [:]
        for job in plan["jobs"]?.array ?? [] {
            guard let id = job["id"]?.string, let request = job["request"], let url = request["url"]?.string,
                url.hasSuffix("/createReplica") || url.hasSuffix("/exportTiles")
            else { continue }
            let parameters = (request["parameters"]?.object?.members ?? []).reduce(into: [String: String]()) {
                $0[$1.key] = $1.value.string
            }
            forms[id] = PlannedForm(path: URL(string: url)?.path ?? url, parameters: parameters)
        }
        return forms
    }

    /// A replica that its server keeps account of has a name of its own each time.
    func isSent(by request: PortalProcess.Request) -> Bool {
        request.path.hasSuffix(path)
            && parameters.allSatisfy { $0.key == "replicaName" || request.parameters[$0.key] == $0.value }
    }
}

extension PortalProcess.Request {
    /// Where the bytes begin that were asked for.
    fileprivate var rangeStart: Int {
        headers["range"]?.wholeMatch(of: /bytes=(\d+)-\d*/).flatMap { Int($0.1) } ?? 0
    }
}

/// The same numbers on every machine (splitmix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
