import Planning

/// What is known of a run while it goes on. Events in, lines out; it has no clock and draws nothing.
/// Times are seconds on any one clock.
struct ProgressModel {
    private struct Running {
        var startedAt: Double
        var status = "starting"
        var bytes = 0
        var total: Int?
    }

    private var name = ""
    /// nil while the plan is made: notes may come then, and there is nothing to count.
    private var startedAt: Double?
    private var jobCount = 0
    /// In the order in which they started.
    private var running: [(id: String, job: Running)] = []
    private var counts: [JobReport.State: Int] = [:]
    private var finishedBytes = 0
    private var stopping = false

    mutating func on(_ event: RunEvent, at time: Double) {
        switch event {
        case .runStarted(let name, let jobs):
            self = ProgressModel()
            self.name = name
            jobCount = jobs.count
            startedAt = time
        case .jobStarted(let id): update(id, time) { $0.status = "starting" }
        case .jobSubmitted(let id, _): update(id, time) { $0.status = "submitted" }
        case .jobStatus(let id, let status): update(id, time) { $0.status = Wording.clean(status) }
        case .jobProgress(let id, let bytes, let total):
            update(id, time) {
                $0.status = "downloading"
                $0.bytes = bytes
                $0.total = total
            }
        case .jobRetrying(let id, let after, _):
            update(id, time) {
                $0.status = "again in \(Quantity.duration(after.seconds))"
                $0.bytes = 0
            }
        case .jobFinished(let report):
            running.removeAll { $0.id == report.id }
            counts[report.state, default: 0] += 1
            // A package is made of what was fetched: its bytes would count twice.
            if !report.kind.isLocal && report.state != .unchanged { finishedBytes += report.bytes }
        case .stopping: stopping = true
        case .resumed, .jobWarning, .areaPublished, .note, .notified, .runFinished: break
        }
    }

    private mutating func update(_ id: String, _ time: Double, _ change: (inout Running) -> Void) {
        if let index = running.firstIndex(where: { $0.id == id }) {
            change(&running[index].job)
        } else {
            var job = Running(startedAt: time)
            change(&job)
            running.append((id, job))
        }
    }

    /// "naperville-water: 7 of 12 done, 1 failed, 3 running, 34.2 MB, 1 m 04 s".
    func headline(at time: Double) -> String {
        let good = counts.filter(\.key.isGood).values.reduce(0, +)
        var parts = ["\(good) of \(jobCount) done"]
        if let failed = counts[.failed] { parts.append("\(failed) failed") }
        if let skipped = counts[.skipped] { parts.append("\(skipped) skipped") }
        if !running.isEmpty { parts.append("\(running.count) running") }
        let bytes = finishedBytes + running.reduce(0) { $0 + $1.job.bytes }
        if bytes > 0 { parts.append(Quantity.bytes(bytes)) }
        parts.append(Quantity.duration(time - (startedAt ?? time)))
        return "\(name): \(parts.joined(separator: ", "))" + (stopping ? ", stopping" : "")
    }

    /// "7 of 12 jobs done, 1 failed": without what changes all the time.
    var standing: String {
        let good = counts[.done, default: 0] + counts[.reused, default: 0]
        let bad = [(counts[.failed], "failed"), (counts[.skipped], "skipped")].compactMap { count, word in
            count.map { "\($0) \(word)" }
        }
        return (["\(good) of \(jobCount) jobs done"] + bad).joined(separator: ", ") + (stopping ? ", stopping" : "")
    }

    /// The headline and one line a running job, at most `limit` lines of at most `width` columns. Jobs that have run longest
    /// come first: those are the ones that people wonder about.
    func lines(at time: Double, width: Int, limit: Int = 8) -> [String] {
        if startedAt == nil { return [] }
        let shown = running.count < limit ? running.count : max(0, limit - 2)
        let rest = running.count - shown
        var lines = [headline(at: time).elided(to: width)]
        lines += running.prefix(shown).map { line($0.id, $0.job, at: time, width: width) }
        if rest > 0 { lines.append("  and \(rest) more".elided(to: width)) }
        return lines
    }

    private func line(_ id: String, _ job: Running, at time: Double, width: Int) -> String {
        var facts = [job.status.elided(to: 28)]
        if let total = job.total, total > 0 {
            facts.append("\(Quantity.bytes(job.bytes)) of \(Quantity.bytes(total))")
        } else if job.bytes > 0 {
            facts.append(Quantity.bytes(job.bytes))
        }
        facts.append(Quantity.duration(time - job.startedAt))
        let tail = facts.joined(separator: ", ")
        let room = width - 4 - DisplayWidth.columns(of: tail)
        guard room >= TextTable.narrowest else { return "  \(id)  \(tail)".elided(to: width) }
        return "  \(id.elidedInMiddle(to: room))  \(tail)"
    }
}
