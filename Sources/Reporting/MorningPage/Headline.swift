import Planning

/// The verdict in one sentence: which areas have a new map, and what the others have.
struct Headline {
    let report: RunReport

    var tone: Tone {
        switch report.outcome {
        case .ok: .good
        case .partial, .interrupted, .terminated, .unavailable: .kept
        default: .bad
        }
    }

    /// Names of areas are made safe in it already.
    var sentence: String {
        let areas = report.areas
        let groups = Dictionary(grouping: areas, by: \.standing)
        let new = groups[.new] ?? []
        if areas.isEmpty { return "Nothing was made: \(Wording.words(for: report.outcome))." }
        let parts: [(areas: [AreaReport], one: String, many: String)] = [
            (new, "has a new map", "have a new map"),
            (groups[.unchanged] ?? [], "is unchanged, and so is its map", "are unchanged, and so are their maps"),
            (groups[.partial] ?? [], "has a new map that is not complete", "have a new map that is not complete"),
            (groups[.stale] ?? [], "has a new map with stale layers", "have a new map with stale layers"),
            (groups[.kept] ?? [], "keeps its last good map", "keep their last good map"),
            (groups[.missing] ?? [], "has no map", "have no map"),
        ].filter { !$0.areas.isEmpty }
        return parts.enumerated().map { index, part in
            let verb = part.areas.count == 1 ? part.one : part.many
            return "\(subject(part.areas, isFirst: index == 0)) \(verb)\(part.areas == groups[.kept] ? age(part.areas) : "")"
        }.joined(separator: "; ") + "."
    }

    /// One area by its name, several by their number.
    private func subject(_ some: [AreaReport], isFirst: Bool) -> String {
        let all = report.areas.count
        if some.count == 1 { return Wording.foreign(some[0].id) }
        if some.count == all { return all == 2 ? "Both areas" : "All \(Quantity.count(all)) areas" }
        return isFirst ? "\(Quantity.count(some.count)) of \(Quantity.count(all)) areas" : Quantity.count(some.count)
    }

    private func age(_ kept: [AreaReport]) -> String {
        guard let age = report.age(kept.compactMap(\.lastSuccess).min()) else { return "" }
        return kept.count == 1 ? ", \(age) old" : ", the oldest \(age) old"
    }
}
