import Planning

/// The end of a run on the terminal: one table, worst first; each failure with all that is known of it and one next step;
/// totals that add up; where the report is and how to go on.
public struct SummaryText: Sendable {
    /// Above this many, finished jobs are one line an area.
    static let manyJobs = 40

    public var report: RunReport
    public var page: Page
    /// Where report.json was written; nil when it could not be.
    public var reportPath: String?
    /// The command that goes on with this run.
    public var command: String

    public init(report: RunReport, page: Page, reportPath: String?, command: String) {
        self.report = report
        self.page = page
        self.reportPath = reportPath
        self.command = command
    }

    public var lines: [String] {
        var lines: [String] = []
        if !report.jobs.isEmpty { lines += table + [""] }
        lines += failures
        lines += warnings
        if !report.drift.isEmpty {
            lines += DriftText.lines(report.drift, page: page)
            if report.areas.contains(where: { $0.state == .kept && report.hasDrifted($0) }) {
                lines += ["  next: \(Wording.driftStep)"]
            }
            lines.append("")
        }
        lines += ending
        return lines
    }

    var table: [String] {
        let columns: [TextTable.Column] = [
            .init(title: "STATE"), .init(title: "AREA", isFlexible: true), .init(title: "LAYERS", isFlexible: true),
            .init(title: "WHAT"), .init(title: "SIZE", alignment: .right), .init(title: "TIME", alignment: .right),
            .init(title: "TRIES", alignment: .right), .init(title: "NOTE", isFlexible: true),
        ]
        return TextTable(columns: columns, rows: rows).lines(page: page)
    }

    private var rows: [[TextTable.Cell]] {
        let collapses = report.jobs.count > Self.manyJobs && !page.isVerbose
        return JobReport.State.worstFirst.flatMap { state in
            // Those with warnings first; otherwise the order of the plan.
            let jobs = report.jobs.filter { $0.state == state }
            let ordered = jobs.filter { !$0.warnings.isEmpty } + jobs.filter { $0.warnings.isEmpty }
            let isGood = state.isGood
            return isGood && collapses ? rowsByArea(ordered, state: state) : ordered.map(row)
        }
    }

    private func row(_ job: JobReport) -> [TextTable.Cell] {
        [
            .init(Wording.words(for: job.state), Wording.colour(of: job.state)), .init(job.area),
            .init(Wording.layers(of: job.layers, kind: job.kind)), .init(Wording.words(for: job.kind)),
            .init(job.bytes > 0 ? Quantity.bytes(job.bytes) : "-"),
            .init(job.seconds > 0 ? Quantity.duration(job.seconds) : "-"),
            .init(job.attempts > 0 ? String(job.attempts) : "-"), .init(note(job)),
        ]
    }

    private func note(_ job: JobReport) -> String {
        if let error = job.error { return Wording.summary(of: error) }
        let warnings = job.warnings.isEmpty ? nil : Quantity.count(job.warnings.count, "warning")
        return [job.kind.isLocal ? "" : Wording.reason(job.reason, in: page.zone), warnings ?? ""].filter { !$0.isEmpty }.joined(
            separator: ", ")
    }

    private func rowsByArea(_ jobs: [JobReport], state: JobReport.State) -> [[TextTable.Cell]] {
        let byArea = Dictionary(grouping: jobs, by: \.area)
        return report.jobs.map(\.area).uniqued.compactMap { area in
            guard let ours = byArea[area] else { return nil }
            let bytes = ours.reduce(0) { $0 + $1.bytes }
            let warnings = ours.reduce(0) { $0 + $1.warnings.count }
            return [
                .init(Wording.words(for: state), Wording.colour(of: state)), .init(area), "",
                .init(Quantity.count(ours.count, "job")), .init(bytes > 0 ? Quantity.bytes(bytes) : "-"), "-", "-",
                .init(warnings == 0 ? "" : Quantity.count(warnings, "warning")),
            ]
        }
    }

    /// "6 jobs: 4 done, 1 failed, 1 skipped; 12.3 MB in 1 m 04 s".
    var totals: String {
        let counts = JobReport.State.worstFirst.reversed().compactMap { state -> String? in
            let count = report.jobs.count { $0.state == state }
            return count == 0 ? nil : "\(count) \(Wording.words(for: state))"
        }
        // A package is made of what was fetched: its bytes would count twice.
        let fetched = report.jobs.filter { $0.state != .reused && $0.state != .unchanged && !$0.kind.isLocal }
        let bytes = fetched.reduce(0) { $0 + $1.bytes }
        let size = bytes > 0 ? "\(Quantity.bytes(bytes)) in " : ""
        let elapsed = Quantity.duration(report.finished.timeIntervalSince(report.started))
        let jobs = Quantity.count(report.jobs.count, "job") + (counts.isEmpty ? "" : ": ") + counts.joined(separator: ", ")
        return "\(jobs); \(size)\(elapsed)"
    }

    private var ending: [String] {
        let isGood = report.outcome == .ok
        let head = "\(report.name): \(report.outcome.rawValue) (exit \(report.exitCode)), \(Wording.words(for: report.outcome))"
        var lines = [page.ink(head, isGood ? .green : .red)]
        if !report.jobs.isEmpty { lines.append(totals) }
        lines += areas
        if let left = Wording.left(by: report, in: page.zone) { lines.append(left.printable) }
        if let reportPath { lines.append("Report: \(reportPath)") }
        if continues { lines.append("Continue: \(command)") }
        return lines
    }

    /// One line an area; of many that are unchanged, one for all.
    private var areas: [String] {
        let unchanged = report.areas.filter { $0.state == .unchanged }
        let collapses = unchanged.count > 10 && !page.isVerbose
        let shown = collapses ? report.areas.filter { $0.state != .unchanged } : report.areas
        let lines = shown.map { area in
            let reason = area.state == .kept && !report.hasDrifted(area) ? area.reason : nil
            return Wording.clean(
                "\(area.id): \(Wording.words(for: area, in: page.zone))" + (area.generation.map { ", \($0)" } ?? "")
                    + (reason.map { ": \($0)" } ?? ""))
        }
        return lines + (collapses ? ["\(Quantity.count(unchanged.count, "area")) unchanged"] : [])
    }

    /// Whether the same command has something to go on with; a refused plan or a bug needs more than that, and so does what changed
    /// at the source.
    var continues: Bool {
        switch report.outcome {
        case .partial
        where report.areas.allSatisfy({
            [.published, .unchanged].contains($0.state) || ($0.state == .kept && report.hasDrifted($0))
        }): false
        case .failed, .partial, .unavailable, .storage, .locked, .denied, .interrupted, .terminated: true
        case .ok, .changes, .usage, .manifest, .refused, .internal: false
        }
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, where it came first.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
