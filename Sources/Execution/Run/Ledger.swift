import Foundation
import Planning
import Scheduling

/// The book of a run: when jobs began, what they moved, what came of them. Becomes the job and area part of the report.
struct Ledger {
    /// How far a job came when.
    enum Milestone: Hashable { case started, submitted, ready, fetched, done }

    private struct Line {
        var times: [Milestone: Date] = [:]
        var seconds = 0.0
        var bytes = 0
        var counts: [String: Int] = [:]
        var warnings: [String] = []
        var isReused = false
        var isUnchanged = false
        /// The last failure of a job that has not ended.
        var failure: Failure?
    }

    /// The run's start: the zero of the times in the report.
    var origin = Date(timeIntervalSince1970: 0)
    private var lines: [String: Line] = [:]
    private var generations: [String: (path: String, bytes: Int)] = [:]

    /// True for the first step of a job.
    mutating func begin(_ job: String, at time: Date) -> Bool {
        guard lines[job]?.times[.started] == nil else { return false }
        mark(job, .started, at: time)
        return true
    }

    /// A second try overwrites what the first one reached.
    mutating func mark(_ job: String, _ milestone: Milestone, at time: Date) {
        lines[job, default: Line()].times[milestone] = time
    }

    mutating func reuse(_ job: String, _ artifact: ArtifactReference?) {
        lines[job] = Line(
            bytes: artifact?.bytes ?? 0, counts: artifact?.counts ?? [:], warnings: artifact?.warnings ?? [], isReused: true)
    }

    mutating func keep(_ job: String, _ artifact: ArtifactReference?) {
        lines[job] = Line(
            bytes: artifact?.bytes ?? 0, counts: artifact?.counts ?? [:], warnings: artifact?.warnings ?? [], isUnchanged: true)
    }

    mutating func finish(_ job: String, bytes: Int, counts: [String: Int] = [:], warnings: [String], at time: Date) {
        lines[job, default: Line()].bytes = bytes
        lines[job, default: Line()].counts = counts
        lines[job, default: Line()].warnings += warnings
        end(job, at: time)
    }

    /// A job that stays as far as it came, although it failed: the run ends with it.
    mutating func note(_ failure: Failure, of job: String) { lines[job, default: Line()].failure = failure }

    mutating func warn(_ job: String, _ message: String) { lines[job, default: Line()].warnings.append(message) }

    mutating func end(_ job: String, at time: Date) {
        mark(job, .done, at: time)
        if let started = lines[job]?.times[.started] { lines[job]?.seconds = time.timeIntervalSince(started) }
    }

    private func times(_ line: Line) -> JobTimes {
        func seconds(_ milestone: Milestone) -> Double? {
            line.times[milestone].map { ($0.timeIntervalSince(origin) * 1000).rounded() / 1000 }
        }
        return JobTimes(
            started: seconds(.started), submitted: seconds(.submitted), ready: seconds(.ready), fetched: seconds(.fetched),
            done: seconds(.done))
    }

    /// A job waits for nothing but limits from the moment that the last job before it ended well.
    func queueTimes(_ reports: [JobReport], of jobs: [Job], since began: Date) -> [JobReport] {
        let ends = Dictionary(reports.map { ($0.id, $0) }) { first, _ in first }
        let start = (began.timeIntervalSince(origin) * 1000).rounded() / 1000
        let needs = Dictionary(jobs.map { ($0.id, $0.dependsOn) }) { first, _ in first }
        return reports.map { report in
            let before = (needs[report.id] ?? []).map { ends[$0] }
            guard report.state != .reused, before.allSatisfy({ $0?.state.isGood == true }) else { return report }
            var report = report
            report.times.queued = max(start, before.compactMap { $0?.times.done }.max() ?? start)
            return report
        }
    }

    func isPublished(_ area: String) -> Bool { generations[area] != nil }

    mutating func publish(_ area: String, generation: String, bytes: Int) { generations[area] = (generation, bytes) }

    func jobReport(_ job: Job, _ progress: JobProgress, attempt: Int) -> JobReport {
        let line = lines[job.id] ?? Line()
        var report = JobReport(
            id: job.id, kind: job.kind, area: job.area, layers: job.layers, state: .pending, attempts: attempt, bytes: line.bytes,
            seconds: (line.seconds * 1000).rounded() / 1000, warnings: line.warnings)
        report.times = times(line)
        report.counts = line.counts
        report.reason = job.reason
        switch progress {
        case .done: report.state = line.isUnchanged ? .unchanged : line.isReused ? .reused : .done
        case .failed(let failure):
            report.state = .failed
            report.error = failure
        case .skipped(let failedJob):
            report.state = .skipped
            report.error = Failure(phase: .plan, kind: .upstream, message: "upstream failed", details: [failedJob])
        case .planned, .submitting, .submitted, .ready:
            if let failure = line.failure {
                report.state = .failed
                report.error = failure
            }
        }
        return report
    }

    /// What maps may lack by the manifest's own word (`onError: skip`).
    struct Losses {
        /// Whose services did not answer.
        var layers: [LayerLabel] = []
        /// Ids of jobs.
        var skippable: Set<String> = []
    }

    /// - Parameter map: what was out when the run began.
    func areaReport(
        _ area: String, jobs: [JobReport], map: PublishedMap? = nil, losses: Losses = Losses()
    ) -> AreaReport {
        let own = jobs.filter { $0.area == area }
        let failed = own.filter { $0.state == .failed }
        func kept(without layers: [LayerLabel]) -> AreaReport {
            let titles = layers.map(\.title).joined(separator: ", ")
            return AreaReport(
                id: area, state: .kept, map, bytes: map?.bytes ?? 0, reason: "no new map without \(titles)")
        }
        if own.contains(where: { $0.kind == .publish && $0.state == .unchanged }) {
            if !losses.layers.isEmpty { return kept(without: losses.layers) }
            return AreaReport(id: area, state: .unchanged, map, bytes: map?.bytes ?? 0)
        }
        let isPublished = own.contains { $0.kind == .publish && ($0.state == .done || $0.state == .reused) }
        if !isPublished, map != nil, !failed.isEmpty, failed.allSatisfy({ losses.skippable.contains($0.id) }) {
            return kept(without: failed.flatMap(\.layers))
        }
        let hasFailed = own.contains { $0.state == .failed || $0.state == .skipped } || !losses.layers.isEmpty
        let state: AreaReport.State =
            isPublished
            ? (hasFailed ? .partial : .published)
            : (own.contains { $0.state == .failed || $0.state == .skipped } ? .failed : .notPublished)
        let generation = generations[area]
        var report = AreaReport(
            id: area, state: state, generation: generation?.path,
            bytes: generation?.bytes ?? own.filter { $0.kind == .publish }.map(\.bytes).reduce(0, +))
        if isPublished {
            let missing = losses.layers + failed.filter { $0.staleSince == nil }.flatMap(\.layers)
            report.missingLayers = missing.map(\.title).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        return report
    }
}

extension Outcome {
    /// What the run's exit code is, from its jobs (design chapter 6).
    static func of(_ jobs: [JobReport], areas: [AreaReport]) -> Outcome {
        let failures = jobs.filter { $0.state == .failed }.compactMap(\.error)
        if failures.contains(where: { $0.kind == .storage }) { return .storage }
        if jobs.allSatisfy(\.state.isGood) {
            return areas.contains { $0.state == .kept || $0.state == .partial } ? .partial : .ok
        }
        // Whatever failed, every area has a map by the manifest's own word.
        if !areas.isEmpty, areas.allSatisfy({ $0.state == .kept }) { return .partial }
        if areas.contains(where: { [.published, .partial, .unchanged].contains($0.state) }) { return .partial }
        if !failures.isEmpty {
            if failures.allSatisfy({ $0.kind == .denied }) { return .denied }
            if failures.allSatisfy({ $0.kind == .transient }) { return .unavailable }
        }
        return .failed
    }
}

extension AreaReport {
    /// Of an area whose map stays.
    init(id: String, state: State, _ map: PublishedMap?, bytes: Int, reason: String? = nil) {
        self.init(
            id: id, state: state, generation: map?.generation, bytes: bytes,
            since: map.map { Date(timeIntervalSince1970: Double($0.created) / 1000) }, reason: reason)
    }
}
