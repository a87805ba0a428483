import Planning

/// Areas that keep their last good map although no job of theirs failed, because of what changed or did not answer.
struct KeptAreas {
    var areas: [String]
    var reason: String
    var next: String
}

extension RunReport {
    /// One for each reason, in the order of the areas.
    var keptAreas: [KeptAreas] {
        let failed = Set(jobs.filter { $0.state == .failed }.map(\.area))
        return areas.filter { $0.state == .kept && !failed.contains($0.id) }.reduce(into: []) { kept, area in
            guard let reason = area.reason else { return }
            if let same = kept.firstIndex(where: { $0.reason == reason }) {
                kept[same].areas.append(area.id)
            } else {
                kept.append(
                    KeptAreas(areas: [area.id], reason: reason, next: hasDrifted(area) ? Wording.driftStep : Wording.patience))
            }
        }
    }

    func hasDrifted(_ area: AreaReport) -> Bool { drift.contains { $0.isBreaking && $0.areas.contains(area.id) } }
}
