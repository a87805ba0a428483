import Planning

extension SummaryText {
    /// So many failures are told in full; `-v` tells all.
    static let manyFailures = 20

    /// Every failure with area, layers, job, phase, the server's code, words and details, attempts and one next step.
    var failures: [String] {
        let failed = report.jobs.filter { $0.state == .failed }
        var lines: [String] = []
        if !report.problems.isEmpty {
            lines += Wording.blocks(title: report.name, problems: report.problems, page: page) + [""]
        } else if let error = report.error {
            lines += Wording.block(title: report.name, failure: error, page: page) + [""]
        }
        for job in page.isVerbose ? failed : Array(failed.prefix(Self.manyFailures)) {
            let titles = job.layers.map { "\($0.title) (\($0.id))" }.joined(separator: ", ")
            let title = [job.area, titles.isEmpty ? Wording.layers(of: [], kind: job.kind) : titles].filter { !$0.isEmpty }
            let facts = [("job", job.id)] + (job.error.map { Wording.facts(of: $0, job: job) } ?? [])
            lines += Wording.lines(title: title.joined(separator: ": "), facts: facts, page: page) + [""]
        }
        let rest = page.isVerbose ? 0 : failed.count - Self.manyFailures
        if rest > 0 { lines += ["and \(Quantity.count(rest, "more failure")) in the table above and in the report", ""] }
        return lines
    }

    var warnings: [String] {
        let lines = report.jobs.flatMap { job in
            // The report has them all; a terminal is for reading.
            let shown = page.isVerbose ? job.warnings : Array(job.warnings.prefix(5))
            let rest = job.warnings.count - shown.count
            return (shown + (rest > 0 ? ["and \(rest) more; see the report"] : [])).map { "! \(job.id): \(Wording.clean($0))" }
        }
        return lines.isEmpty ? [] : lines.map { page.ink($0, .yellow) } + [""]
    }
}

extension SummaryText {
    /// `--quiet`: nothing when all is well, else at most 20 lines with area and layer (case H04).
    public var quietLines: [String] {
        guard report.outcome != .ok else { return [] }
        let failed = report.jobs.filter { $0.state == .failed }
        let error =
            report.error.map { error -> [String] in
                let facts = [Wording.summary(of: error)] + Wording.details(of: error)
                return ["\(report.name): \(facts.joined(separator: "; "))", "  next: \(Wording.nextStep(for: error))"]
            } ?? []
        let problems = report.problems.isEmpty ? error : report.problems.map(line)
        let jobs = failed.map { job in
            let layers = Wording.layers(of: job.layers, kind: job.kind).elided(to: 60)
            return "\(job.area): \(layers): \(job.error.map(Wording.summary) ?? "failed")"
        }
        let kept = report.keptAreas.flatMap {
            [
                Wording.clean("\(ToDo.names($0.areas)): \(Wording.words(for: AreaReport.State.kept)): \($0.reason)"),
                "  next: \($0.next)",
            ]
        }
        let counts = report.jobs.isEmpty ? Wording.words(for: report.outcome) : totals
        var lines = ["\(report.name): \(report.outcome.rawValue) (exit \(report.exitCode)), \(counts)"]
        let all = problems + jobs + kept
        lines += all.prefix(15).map(\.printable)
        if all.count > 15 { lines.append("and \(all.count - 15) more") }
        if let reportPath { lines.append("Report: \(reportPath)") }
        if continues { lines.append("Continue: \(command)") }
        return lines
    }

    private func line(of problem: PlanProblem) -> String {
        ([problem.area, problem.layer?.title].compactMap { $0 } + [Wording.summary(of: problem.failure)]).joined(separator: ": ")
    }
}
