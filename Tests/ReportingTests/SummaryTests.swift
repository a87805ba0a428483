import Foundation
import Planning
import Testing

@testable import Reporting

@Suite struct SummaryTests {
    static let summary = SummaryText(
        report: Samples.report, page: Page(width: 120), reportPath: "out/report.json", command: "offline-batch run water.yaml")

    @Test("The table is worst first, and jobs with warnings come before those without")
    func order() {
        let states = Self.summary.table.dropFirst().map { $0.prefix { $0 != " " } }
        #expect(states == ["failed", "skipped", "done", "done", "reused"])
        #expect(Self.summary.table[3].contains("1 warning"))
        #expect(Self.summary.table[2].hasSuffix("upstream failed: downtown/water/replica"))
    }

    @Test("The counts add up to the number of jobs")
    func counts() {
        #expect(Self.summary.totals == "5 jobs: 1 reused, 2 done, 1 skipped, 1 failed; 12.3 MB in 1 m 04 s")
    }

    @Test("A failure has area, layers, job, phase, code, message, details, attempts and one next step")
    func failureBlock() {
        #expect(
            Self.summary.failures == [
                "✗ downtown: Hydrant (hydrant-2), Main (main-3)",
                "  job       downtown/water/replica",
                "  phase     asking for the export",
                "  error     500 Unable to create replica. Please check your parameters.",
                "  detail    Layer 4 is not sync enabled.",
                "  attempts  5",
                "  next      Ask the service's owner to enable Sync on it, or exclude the layer in the manifest.",
                "",
            ])
    }

    @Test("Very many failures are told in full only on request; none is lost from the table")
    func manyFailures() {
        var report = Samples.report
        report.jobs = (0..<25).map { Samples.job("north/layer-\($0)/tiles", .tiles, .failed, error: Samples.serverError) }
        func lines(_ isVerbose: Bool) -> [String] {
            SummaryText(report: report, page: Page(width: 120, isVerbose: isVerbose), reportPath: nil, command: "x").lines
        }
        #expect(lines(false).count { $0.hasPrefix("failed ") } == 25)
        #expect(lines(false).count { $0.hasPrefix("✗") } == 20)
        #expect(lines(false).contains("and 5 more failures in the table above and in the report"))
        #expect(lines(true).count { $0.hasPrefix("✗") } == 25)
    }

    @Test("The end says the outcome, where the report is, and how to go on")
    func ending() {
        #expect(
            Self.summary.lines.suffix(5) == [
                "naperville-water: partial (exit 2), some areas or layers failed, are stale or keep their last good map",
                "5 jobs: 1 reused, 2 done, 1 skipped, 1 failed; 12.3 MB in 1 m 04 s",
                "downtown: published, with layers missing or stale, downtown/generations/20231114T221320Z",
                "Report: out/report.json",
                "Continue: offline-batch run water.yaml",
            ])
    }

    @Test("When all is well nothing speaks of failures or of going on")
    func allWell() {
        var report = Samples.report
        report.jobs = [report.jobs[0]]
        report.areas[0].state = .published
        report.outcome = .ok
        let text = SummaryText(report: report, page: Page(width: 80), reportPath: nil, command: "x").lines.joined(separator: "\n")
        #expect(!text.contains("fail") && !text.contains("Continue"))
    }

    @Test("No line is wider than the terminal's table allows")
    func narrow() {
        var report = Samples.report
        report.jobs[0].layers = [LayerLabel(id: "a", title: String(repeating: "道路", count: 60))]
        let table = SummaryText(report: report, page: Page(width: 90), reportPath: nil, command: "x").table
        #expect(table.allSatisfy { DisplayWidth.columns(of: $0) <= 90 })
        #expect(table.contains { $0.contains("道…") || $0.contains("路…") })
    }

    @Test("Many finished jobs become one line an area; every failed one keeps its own")
    func manyJobs() {
        var report = Samples.report
        report.jobs = (0..<60).map { number in
            Samples.job("area-\(number % 3)/layer-\(number)/tiles", .tiles, number < 2 ? .failed : .done, bytes: 1000)
        }
        let table = SummaryText(report: report, page: Page(width: 100), reportPath: nil, command: "x").table
        #expect(table.count == 1 + 2 + 3)
        // Areas 0 and 1 have lost one of their 20 jobs to a failure.
        #expect(table.suffix(3).map { $0.contains("19 jobs") } == [true, true, false])
        #expect(table.suffix(1).allSatisfy { $0.contains("20 jobs") })
    }

    @Test("Quiet runs say nothing when all is well and at most 20 lines when not")
    func quiet() {
        var report = Samples.report
        report.outcome = .ok
        #expect(SummaryText(report: report, page: Page(), reportPath: "r", command: "x").quietLines.isEmpty)
        report.outcome = .failed
        report.error = Samples.serverError
        report.jobs = (0..<60).map { Samples.job("north/layer-\($0)/tiles", .tiles, .failed, layers: [Samples.hydrant]) }
        let lines = SummaryText(report: report, page: Page(), reportPath: "r", command: "x").quietLines
        #expect(lines.count <= 20)
        #expect(lines.contains { $0.contains("north") && $0.contains("Hydrant") })
    }

    private static func kept(_ areas: [String], drifted: Bool) -> RunReport {
        var report = RunReport(name: "water", outcome: .partial, started: Samples.started, finished: Samples.started)
        let reason = drifted ? "Hydrant (h) has lost the field NOTES" : "no answer from the service of Main"
        report.areas = areas.map {
            AreaReport(id: $0, state: .kept, generation: "\($0)/g", bytes: 1, since: Samples.started - 60, reason: reason)
        }
        if drifted {
            report.drift = [Drift(layer: LayerLabel(id: "h", title: "Hydrant"), change: .fieldRemoved("NOTES"), areas: areas)]
        }
        return report
    }

    @Test("Areas that keep their map because of drift: why and what next everywhere, and nothing to continue")
    func drifted() {
        let report = Self.kept(["north", "south"], drifted: true)
        let text = SummaryText(report: report, page: Page(width: 120), reportPath: "r", command: "x")
        #expect(
            text.quietLines == [
                "water: partial (exit 2), some areas or layers failed, are stale or keep their last good map",
                "north, south: keeps its last good map: Hydrant (h) has lost the field NOTES", "  next: \(Wording.driftStep)",
                "Report: r",
            ])
        #expect(!text.lines.contains { $0.hasPrefix("Continue") } && text.lines.contains("  next: \(Wording.driftStep)"))
        let entry = ToDo(report: report).entries
        #expect(entry.map(\.areas) == [["north", "south"]] && entry[0].next == Wording.driftStep)
    }

    @Test("Areas that keep their map because nobody answered: the same command goes on, and the line says why")
    func silent() {
        let report = Self.kept(["north"], drifted: false)
        let text = SummaryText(report: report, page: Page(width: 120, zone: .gmt), reportPath: nil, command: "x")
        #expect(
            text.lines.suffix(2) == [
                "north: keeps its last good map of 2023-11-14 22:12, north/g: no answer from the service of Main", "Continue: x",
            ])
        #expect(ToDo(report: report).entries.map(\.next) == [Wording.patience])
    }

    @Test("Reasons have the day of the place: a night in Auckland is the day before in UTC")
    func localReasons() throws {
        let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
        #expect(Wording.reason("source edited 2026-11-30T13:15:00Z", in: zone) == "source edited 2026-12-01")
        #expect(Wording.reason("source edited 2026-11-30T13:15:00Z", in: .gmt) == "source edited 2026-11-30")
        #expect(Wording.reason("older than 30 d", in: zone) == "older than 30 d")
        var report = Samples.report
        report.jobs[0].reason = "source edited 2026-11-30T13:15:00Z"
        let summary = SummaryText(report: report, page: Page(width: 200, zone: zone), reportPath: nil, command: "x")
        #expect(summary.table.contains { $0.hasSuffix("source edited 2026-12-01") })
        var plan = Samples.plan
        plan.jobs[0].reason = "source edited 2026-11-30T13:15:00Z"
        let text = PlanText(plan: plan, page: Page(width: 200, zone: zone)).lines.joined(separator: "\n")
        #expect(text.contains("source edited 2026-12-01") && !text.contains("2026-11-30"))
    }

    @Test("An area that a run did not touch: its map stays")
    func untouched() {
        var report = Self.kept(["north"], drifted: false)
        report.areas[0].state = .untouched
        report.areas[0].generation = nil
        let lines = SummaryText(report: report, page: Page(width: 120, zone: .gmt), reportPath: nil, command: "x").lines
        #expect(lines.contains("north: not part of this run, its map of 2023-11-14 22:12 stays"))
    }

    @Test("A quiet run that found another one at work names it: cron's mail has no other words")
    func quietHolder() {
        let holder = "process 7 on night, since 2026-11-30T02:15:00Z"
        let report = RunReport(
            name: "water", outcome: .locked, started: Night.started, finished: Night.started,
            error: Failure(phase: .state, kind: .transient, message: "another run owns this output", details: [holder]))
        let lines = SummaryText(report: report, page: Page(), reportPath: nil, command: "x").quietLines
        #expect(lines.dropFirst().first == "water: saving the state: another run owns this output; \(holder)")
    }
}
