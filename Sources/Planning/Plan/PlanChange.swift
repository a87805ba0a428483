import Basics

/// A saved plan against the one that the same manifest gives now (`run --plan`).
public enum PlanChange {
    /// nil when both are the same; else what differs. The stamps of the services (when rows were last edited) are in the keys of
    /// the jobs.
    public static func problem(saved: Plan, now: Plan) -> PlanProblem? {
        guard saved.hash != now.hash else { return nil }
        return PlanProblem(
            failure: .refusal(
                "the saved plan \(saved.hash.prefix(12)) does not hold any more: the manifest or a service has changed; "
                    + "make it again with `plan --output`",
                differences(saved, now)))
    }

    static func differences(_ saved: Plan, _ now: Plan) -> [String] {
        var found: [String] = []
        func differs(_ words: String, _ isSame: Bool) { if !isSame { found.append(words + " changed") } }
        differs("the version of plans", saved.formatVersion == now.formatVersion)
        differs("the name", saved.name == now.name)
        differs("the portal", saved.portal == now.portal)
        differs("the web map", text(saved.map) == text(now.map))
        differs("the areas", saved.areas == now.areas && saved.onlyAreas == now.onlyAreas)
        differs("what becomes of the layers", saved.layers == now.layers && saved.gaps == now.gaps)
        differs("the limits", saved.limits == now.limits)
        differs("how many maps are kept", saved.keep == now.keep)
        let before = Dictionary(saved.jobs.map { ($0.id, $0) }) { first, _ in first }
        let after = Dictionary(now.jobs.map { ($0.id, $0) }) { first, _ in first }
        for job in saved.jobs where job.kind.isDownload || job.kind == .basemap {
            guard let current = after[job.id] else {
                found.append("\(job.id) is gone")
                continue
            }
            if current.key != job.key { found.append("\(job.id): \(reason(job, current))") }
        }
        found += now.jobs.filter { before[$0.id] == nil }.map { "\($0.id) is new" }
        return found
    }

    /// Members come back from a file in the order of their names, which means the same.
    private static func text(_ map: PlannedMap) -> String? { (try? JSON.encoding(map))?.serialized(.canonical) }

    private static func reason(_ saved: Job, _ now: Job) -> String {
        if saved.kind == .basemap { return "the file changed" }
        guard let old = saved.request?.parameters, let new = now.request?.parameters else { return "the style changed" }
        let names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        return names.isEmpty ? "rows were edited since" : "\(names.joined(separator: ", ")) changed"
    }
}
