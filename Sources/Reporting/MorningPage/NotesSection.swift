import Planning

/// What a person should know although nothing failed: warnings of the verification, notes of the plan.
struct NotesSection {
    let report: RunReport

    private static let listed = 25

    @MarkupBuilder var section: Markup {
        let warnings = warnings
        if !warnings.isEmpty || !report.notes.isEmpty || !report.drift.isEmpty {
            element("section", ["aria-labelledby": "notes"]) {
                element("h2", ["id": "notes"]) { "Notes" }
                if !report.drift.isEmpty {
                    element("h3") { "Other than in the maps before" }
                    element("ul") {
                        for drift in report.drift.filter(\.isBreaking) + report.drift.filter({ !$0.isBreaking }) { item(drift) }
                    }
                }
                if !report.notes.isEmpty {
                    element("h3") { "From the plan" }
                    element("ul") { for note in report.notes { element("li") { foreign(note) } } }
                }
                if !warnings.isEmpty {
                    element("h3") { "From verification" }
                    element("ul") {
                        for warning in warnings.prefix(Self.listed) {
                            element("li") {
                                foreign(warning.text)
                                element("span", ["class": "groups"]) {
                                    " – "
                                    foreign(warning.jobs.prefix(3).joined(separator: ", "))
                                    warning.jobs.count > 3 ? " and \(Quantity.count(warning.jobs.count - 3, "more job"))" : ""
                                }
                            }
                        }
                        if warnings.count > Self.listed {
                            element("li") { "and \(Quantity.count(warnings.count - Self.listed)) more in report.json" }
                        }
                    }
                }
            }
        }
    }

    private func item(_ drift: Drift) -> Markup {
        element("li") {
            if drift.isBreaking {
                badge(.kept, Tone.kept.sign, "lost")
                " "
            }
            foreign(drift.words)
            element("span", ["class": "groups"]) {
                " – "
                ToDo.names(drift.areas)
            }
        }
    }

    /// Each text once, with the jobs that have it.
    private var warnings: [(text: String, jobs: [String])] {
        var jobs: [String: [String]] = [:]
        for job in report.jobs { for warning in job.warnings { jobs[warning, default: []].append(job.id) } }
        return report.jobs.flatMap(\.warnings).uniqued.map { ($0, jobs[$0] ?? []) }
    }
}
