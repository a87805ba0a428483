import Planning

extension SummaryText {
    /// Every failure with area, layers, job, phase, the server's code, words and details, attempts and one next step.
    var failures: [String] {
        let failed = report.jobs.filter { $0.state == .failed }
        var lines: [String] = []
        if let error = report.error { lines += block(title: report.name, facts: facts(of: error, job: nil)) }
        for job in failed {
            let titles = job.layers.map { "\($0.title) (\($0.id))" }.joined(separator: ", ")
            let title = [job.area, titles.isEmpty ? Wording.layers(of: [], kind: job.kind) : titles].filter { !$0.isEmpty }
            var facts = [("job", job.id)]
            facts += job.error.map { self.facts(of: $0, job: job) } ?? []
            lines += block(title: title.joined(separator: ": "), facts: facts)
        }
        return lines
    }

    private func facts(of error: Failure, job: JobReport?) -> [(String, String)] {
        var facts = [("phase", Wording.words(for: error.phase)), ("error", Wording.answer(of: error))]
        facts += Wording.details(of: error).map { ("detail", $0) }
        if let job { facts.append(("attempts", String(job.attempts))) }
        facts.append(("next", Wording.nextStep(for: error, job: job)))
        return facts
    }

    /// A title and indented facts; long facts are wrapped, never cut: they are what people copy into a mail.
    private func block(title: String, facts: [(name: String, value: String)]) -> [String] {
        var lines = [page.ink("✗ \(title.printable)", .red)]
        for fact in facts {
            let wrapped = fact.value.wrapped(to: page.textWidth - 12)
            lines.append("  \(page.ink(fact.name.padded(to: 10), .dim))\(wrapped.first ?? "")")
            lines += wrapped.dropFirst().map { String(repeating: " ", count: 12) + $0 }
        }
        return lines + [""]
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
        var lines = ["\(report.name): \(report.outcome.rawValue) (exit \(report.exitCode)), \(totals)"]
        lines += problems + jobs.prefix(room)
        if jobs.count > room { lines.append("and \(jobs.count - room) more failures") }
        if let reportPath { lines.append("Report: \(reportPath)") }
        return lines + ["Continue: \(command)"]
    }
}
