import Basics
import Foundation
import Planning
import Synchronization
import Testing

@testable import Reporting

@Suite struct ProgressTests {
    private static func model() -> ProgressModel {
        var model = ProgressModel()
        model.on(.runStarted(name: "water", jobs: Samples.plan.jobs), at: 100)
        model.on(.jobStarted(id: "downtown/street/tiles"), at: 101)
        model.on(.jobStatus(id: "downtown/street/tiles", status: "esriJobExecuting"), at: 102)
        model.on(.jobStarted(id: "downtown/water/replica"), at: 103)
        model.on(.jobProgress(id: "downtown/water/replica", bytes: 1_500_000, total: 3_000_000), at: 104)
        return model
    }

    @Test("Nothing is counted before the plan is made")
    func beforeTheRun() {
        var model = ProgressModel()
        model.on(.note("again in 2 s"), at: 5_000)
        #expect(model.lines(at: 5_001, width: 80).isEmpty)
        model.on(.runStarted(name: "town", jobs: []), at: 5_002)
        #expect(model.lines(at: 5_003, width: 80) == ["town: 0 of 0 done, 1.0 s"])
    }

    @Test("Events become a headline and a line for each running job")
    func lines() {
        #expect(
            Self.model().lines(at: 111, width: 80) == [
                "water: 0 of 3 done, 2 running, 1.5 MB, 11 s",
                "  downtown/street/tiles  esriJobExecuting, 10 s",
                "  downtown/water/replica  downloading, 1.5 MB of 3.0 MB, 8.0 s",
            ])
    }

    @Test("Finished jobs leave the list and count")
    func finished() {
        var model = Self.model()
        model.on(.jobFinished(Samples.job("downtown/street/tiles", .tiles, .done, bytes: 2_000_000)), at: 112)
        model.on(.jobFinished(Samples.job("downtown/water/replica", .replica, .failed)), at: 113)
        #expect(model.lines(at: 120, width: 80) == ["water: 1 of 3 done, 1 failed, 2.0 MB, 20 s"])
    }

    @Test("Narrow terminals get shorter paths; many jobs are counted")
    func narrow() {
        var model = ProgressModel()
        model.on(.runStarted(name: "water", jobs: []), at: 0)
        for number in 0..<20 { model.on(.jobStarted(id: "downtown/a-rather-long-layer-name-\(number)/tiles"), at: 0) }
        let lines = model.lines(at: 5, width: 40, limit: 8)
        #expect(lines.count == 8)
        #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= 40 })
        #expect(lines.last == "  and 14 more")
    }

    @Test("The live display clears itself at the end and keeps failures above it")
    func live() {
        let written = Recorder()
        let clock = Mutex(0.0)
        let live = LiveProgress(
            output: written.output, ink: .plain, width: { 60 },
            now: {
                clock.withLock { time in
                    time += 1
                    return time
                }
            })
        live.on(.runStarted(name: "water", jobs: Samples.plan.jobs))
        live.on(.jobFinished(Samples.report.jobs[2]))
        live.on(.runFinished(Samples.report))
        let text = written.text
        #expect(text.contains("downtown/water/replica: failed, asking for the export: 500 Unable to create replica."))
        // The last thing written goes up over the drawn lines and clears to the end of the screen.
        #expect(text.hasSuffix("\u{1B}[1A\r\u{1B}[J"))
    }

    @Test("Redraws are at least a tenth of a second apart")
    func throttle() {
        let written = Recorder()
        let live = LiveProgress(output: written.output, ink: .plain, now: { 5 })
        live.on(.runStarted(name: "water", jobs: []))
        for count in 1...100 { live.on(.jobProgress(id: "a/b/tiles", bytes: count, total: nil)) }
        #expect(written.writes == 1)
    }

    @Test("Plain lines: one an event, totals at most every ten seconds, local time in front")
    func plain() {
        let written = Recorder()
        let clock = Mutex(Samples.started)
        let plain = PlainLines(output: written.output, zone: .gmt, now: { clock.withLock { $0 } })
        plain.on(.runStarted(name: "water", jobs: Samples.plan.jobs))
        for second in 1...25 {
            clock.withLock { $0 = Samples.started + Double(second) }
            plain.on(.jobProgress(id: "downtown/street/tiles", bytes: second * 1000, total: nil))
        }
        #expect(
            written.text == """
                22:13:20 water: 3 jobs
                22:13:30 water: 0 of 3 done, 1 running, 10.0 kB, 10 s
                22:13:40 water: 0 of 3 done, 1 running, 20.0 kB, 20 s

                """)
    }

    @Test("NDJSON: one object a line with UTC time, event and job; failures carry the next step")
    func ndjson() throws {
        let written = Recorder()
        let log = NDJSONLog(output: written.output, now: { Samples.started })
        log.on(.jobStatus(id: "a/b/tiles", status: "esriJobExecuting"))
        log.on(.jobFinished(Samples.report.jobs[2]))
        let records = try written.text.split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
        #expect(
            records[0] == [
                "time": "2023-11-14T22:13:20.000Z", "level": "info", "event": "jobStatus", "job": "a/b/tiles",
                "status": "esriJobExecuting",
            ])
        #expect(records[1]["level"] == "error")
        #expect(records[1]["error"]?["code"]?.int == 500)
        #expect(records[1]["error"]?["next"]?.string?.contains("enable Sync") == true)
    }

    @Test(
        "Flags and environment choose how to talk",
        arguments: [
            // variables, terminal, no colour, quiet, json → progress, colour
            ([:], true, false, false, false, OutputChoice.Progress.live, true),
            ([:], false, false, false, false, .plain, false),
            (["NO_COLOR": "1"], true, false, false, false, .plain, false),
            (["NO_COLOR": ""], true, false, false, false, .live, true),
            (["FORCE_COLOR": "1"], false, false, false, false, .plain, true),
            (["NO_COLOR": "1", "FORCE_COLOR": "1"], true, false, false, false, .plain, false),
            (["TERM": "dumb"], true, false, false, false, .plain, false),
            (["CI": "true"], true, false, false, false, .plain, false),
            (["CI": "true", "FORCE_COLOR": "1"], true, false, false, false, .plain, true),
            (["CI": "false"], true, false, false, false, .live, true),
            ([:], true, true, false, false, .plain, false),
            ([:], true, false, true, false, .silent, true),
            ([:], true, false, true, true, .ndjson, true),
        ] as [([String: String], Bool, Bool, Bool, Bool, OutputChoice.Progress, Bool)])
    func choice(row: ([String: String], Bool, Bool, Bool, Bool, OutputChoice.Progress, Bool)) {
        let choice = OutputChoice(
            variables: row.0, outputIsTerminal: row.1, errorsAreTerminal: row.1, noColour: row.2, quiet: row.3, jsonLog: row.4)
        #expect(choice.progress == row.5)
        #expect(choice.colourOnErrors == row.6)
        #expect(choice.colourOnOutput == row.6)
    }
}

/// Remembers what was written.
final class Recorder: Sendable {
    private let chunks = Mutex<[String]>([])

    var output: TextOutput { TextOutput { text in self.chunks.withLock { $0.append(text) } } }
    var text: String { chunks.withLock { $0.joined() } }
    var writes: Int { chunks.withLock { $0.count } }
}
