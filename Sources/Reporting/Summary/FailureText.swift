import Planning

extension SummaryText {
    /// Every failure with area, layers, job, phase, the server's code, words and details, attempts and one next step.
    var failures: [String] {
        let failed = report.jobs.filter { $0.state == .failed }
        var lines: [String] = []
        if !report.problems.isEmpty {
            lines += Wording.blocks(title: report.name, problems: report.problems, page: page) + [""]
        } else if let error = report.error {
            lines += Wording.block(title: report.name, failure: error, page: page) + [""]
        }
        for job in failed {
            let titles = job.layers.map { "\($0.title) (\($0.id))" }.joined(separator: ", ")
            let title = [job.area, titles.isEmpty ? Wording.layers(of: [], kind: job.kind) : titles].filter { !$0.isEmpty }
            let facts = [("job", job.id)] + (job.error.map { Wording.facts(of: $0, job: job) } ?? [])
            lines += Wording.lines(title: title.joined(separator: ": "), facts: facts, page: page) + [""]
        }
        return lines
    }

    var warnings: [String] {
        let lines = report.jobs.flatMap { job in job.warnings.map { "! \(job.id): \(Wording.clean($0))" } }
        return lines.isEmpty ? [] : lines.map { page.ink($0, .yellow) } + [""]
    }
}

extension SummaryText {
    /// `--quiet`: nothing when all is well, else at most 20 lines with area and layer (case H04).
    public var quietLines: [String] {
        guard report.outcome != .ok else { return [] }
        let failed = report.jobs.filter { $0.state == .failed }
        let problems =
            report.error.map { ["\(report.name): \(Wording.summary(of: $0))", "  next: \(Wording.nextStep(for: $0))"] } ?? []
        let jobs = failed.map { job in
            let layers = Wording.layers(of: job.layers, kind: job.kind).elided(to: 60)
            return "\(job.area): \(layers): \(job.error.map(Wording.summary) ?? "failed")"
        }
        let room = 14 - problems.count
        let counts = report.jobs.isEmpty ? Wording.words(for: report.outcome) : totals
        var lines = ["\(report.name): \(report.outcome.rawValue) (exit \(report.exitCode)), \(counts)"]
        lines += problems + jobs.prefix(room)
        if jobs.count > room { lines.append("and \(jobs.count - room) more failures") }
        if let reportPath { lines.append("Report: \(reportPath)") }
        if continues { lines.append("Continue: \(command)") }
        return lines
    }
}
