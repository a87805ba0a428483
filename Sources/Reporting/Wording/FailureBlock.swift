import Planning

extension Wording {
    /// A failure that stopped a whole command: where, the words, the details, one next step.
    public static func block(title: String, failure: Failure, page: Page) -> [String] {
        lines(title: title, facts: facts(of: failure, job: nil), page: page)
    }

    /// One block a problem of a plan, with the area, layer and manifest entry that it is about.
    public static func blocks(title: String, problems: [PlanProblem], page: Page) -> [String] {
        problems.flatMap { problem in
            var facts: [(name: String, value: String)] = []
            if let area = problem.area { facts.append(("area", area)) }
            if let layer = problem.layer { facts.append(("layer", "\(layer.title) (\(layer.id))")) }
            if let origin = problem.origin { facts.append(("manifest", origin)) }
            return lines(title: title, facts: facts + Self.facts(of: problem.failure, job: nil), page: page)
        }
    }

    static func facts(of failure: Failure, job: JobReport?) -> [(name: String, value: String)] {
        var facts = [("phase", words(for: failure.phase)), ("error", answer(of: failure))]
        facts += details(of: failure).map { ("detail", $0) }
        if let job { facts.append(("attempts", String(job.attempts))) }
        facts.append(("next", nextStep(for: failure, job: job)))
        return facts
    }

    /// A title and indented facts; long facts are wrapped, never cut: they are what people copy into a mail.
    static func lines(title: String, facts: [(name: String, value: String)], page: Page) -> [String] {
        var lines = [page.ink("✗ \(clean(title))", .red)]
        for fact in facts {
            let wrapped = fact.value.printable.wrapped(to: page.textWidth - 12)
            lines.append("  \(page.ink(fact.name.padded(to: 10), .dim))\(wrapped.first ?? "")")
            lines += wrapped.dropFirst().map { String(repeating: " ", count: 12) + $0 }
        }
        return lines
    }
}
