import Planning

/// What went wrong and what to do about it: one entry for each reason, whatever the number of areas that share it.
struct ToDo {
    struct Entry: Equatable {
        var layers: [String]
        var areas: [String]
        var what: String
        var details: [String]
        var origin: String?
        var next: String

        var layerNames: String { layers.map(Wording.foreign).joined(separator: ", ") }

        /// "Hydrant, Main in riverwalk"; empty when it is about neither layers nor areas.
        var place: String { [layerNames, ToDo.names(areas)].filter { !$0.isEmpty }.joined(separator: " in ") }

        /// Addresses of single jobs differ where the reason is one.
        private var words: [String] { details.filter { !$0.hasPrefix("http://") && !$0.hasPrefix("https://") } }

        func hasReason(of other: Entry) -> Bool {
            (layers, what, words, origin, next) == (other.layers, other.what, other.words, other.origin, other.next)
        }

        /// What is not true of both is left to the table.
        mutating func take(in other: Entry) {
            areas += other.areas
            details.removeAll { !other.details.contains($0) }
        }
    }

    let report: RunReport

    var entries: [Entry] {
        let problems = report.problems.map { problem in
            entry(
                problem.failure, layers: [problem.layer?.title].compactMap(\.self), areas: [problem.area].compactMap(\.self),
                origin: problem.origin)
        }
        let error = report.problems.isEmpty ? report.error.map { [entry($0, layers: [], areas: [], origin: nil)] } ?? [] : []
        let jobs = report.jobs.filter { $0.state == .failed }.compactMap { job in
            job.error.map { entry($0, job: job, layers: job.layers.map(\.title), areas: [job.area], origin: nil) }
        }
        let kept = report.keptAreas.map {
            Entry(
                layers: [], areas: $0.areas, what: "keeps the last good map: \($0.reason)", details: [], origin: nil,
                next: $0.next)
        }
        return (problems + error + jobs + kept).reduce(into: []) { entries, next in
            if let same = entries.firstIndex(where: { $0.hasReason(of: next) }) {
                entries[same].take(in: next)
            } else {
                entries.append(next)
            }
        }
    }

    private func entry(_ failure: Failure, job: JobReport? = nil, layers: [String], areas: [String], origin: String?) -> Entry {
        Entry(
            layers: layers, areas: areas, what: Wording.summary(of: failure), details: Wording.details(of: failure),
            origin: origin,
            next: Wording.nextStep(for: failure, job: job))
    }

    @MarkupBuilder var section: Markup {
        let entries = entries
        if !entries.isEmpty {
            element("section", ["aria-labelledby": "todo"]) {
                element("h2", ["id": "todo"]) { "What to do" }
                element("ol", ["class": "todo"]) {
                    for entry in entries { item(entry) }
                }
            }
        }
    }

    private func item(_ entry: Entry) -> Markup {
        element("li") {
            element("p", ["class": "next"]) { advice(entry.next) }
            element("p") {
                if !entry.layers.isEmpty { element("strong") { entry.layerNames } }
                if !entry.areas.isEmpty {
                    entry.layers.isEmpty ? "" : " in "
                    Self.names(entry.areas)
                }
                if !entry.layers.isEmpty || !entry.areas.isEmpty { ": " }
                foreign(entry.what)
                for detail in entry.details {
                    element("br")
                    foreign(detail)
                }
                if let origin = entry.origin {
                    element("br")
                    "Manifest: "
                    element("code") { Wording.clean(origin) }
                }
            }
        }
    }

    /// So many names are read; the table has them all.
    private static let named = 8

    /// For the page and for texts: each name is made safe.
    static func names(_ areas: [String]) -> String {
        let rest = areas.count - named
        return areas.prefix(named).map(Wording.foreign).joined(separator: ", ")
            + (rest > 0 ? " and \(Quantity.count(rest, "more area"))" : "")
    }
}
