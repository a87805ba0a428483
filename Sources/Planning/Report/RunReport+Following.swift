import Foundation

extension RunReport {
    /// The report as one of a row of nights: what this run did not touch or could not renew keeps the numbers of its current map, and
    /// the difference to the night before is named. Without it, a night on which nothing could be planned would be a blank page.
    /// - Parameters:
    ///   - isPartial: only some areas were asked for.
    ///   - published: when the current map of each area was published, from the state.
    public func following(_ previous: RunReport?, isPartial: Bool, published: [String: Date]) -> RunReport {
        var report = self
        let wasPlanned = !areas.isEmpty
        if !wasPlanned || isPartial { report.adopt(previous) }
        let known = Set(report.areas.map(\.id))
        // Without any report, the state still knows what is out.
        if !wasPlanned || isPartial {
            report.areas += published.keys.sorted().filter { !known.contains($0) }.map {
                AreaReport(id: $0, state: .untouched, generation: nil, bytes: 0)
            }
        }
        report.keepCurrent(of: previous, published)
        // Another manifest that shares the folder had other areas and layers.
        report.changes = previous.flatMap { $0.name == name ? ReportChanges(from: $0, to: report) : nil }
        return report
    }

    /// Areas that this run was not about.
    private mutating func adopt(_ previous: RunReport?) {
        let own = Set(areas.map(\.id))
        for var area in previous?.areas ?? [] where !own.contains(area.id) {
            area.state = .untouched
            area.generation = nil
            areas.append(area)
        }
        for var layer in previous?.layers ?? [] where !own.contains(layer.area) {
            layer.seconds = 0
            layer.state = layer.state.map { _ in .pending }
            layer.error = nil
            layers.append(layer)
        }
    }

    private mutating func keepCurrent(of previous: RunReport?, _ published: [String: Date]) {
        let oldAreas = Dictionary(previous?.areas.map { ($0.id, $0) } ?? []) { first, _ in first }
        var isNew: [String: Bool] = [:]
        for index in areas.indices {
            let area = areas[index]
            isNew[area.id] = [.published, .partial, .unchanged].contains(area.state)
            areas[index].lastSuccess = published[area.id] ?? oldAreas[area.id]?.lastSuccess
            if isNew[area.id] == true {
                areas[index].lastSuccess = areas[index].lastSuccess ?? finished
            } else {
                areas[index].bytes = areas[index].lastSuccess == nil ? 0 : oldAreas[area.id]?.bytes ?? 0
            }
        }
        let success = Dictionary(areas.map { ($0.id, $0.lastSuccess) }) { first, _ in first }
        let old = Dictionary(previous?.layers.map { ($0.place, $0) } ?? []) { first, _ in first }
        // One that nobody could look at has no job, and may be in the map that stays.
        for index in layers.indices where layers[index].state != nil || layers[index].error != nil {
            let layer = layers[index]
            if isNew[layer.area] == true, layer.state?.isGood == true {
                layers[index].lastSuccess = success[layer.area] ?? nil
            } else if isNew[layer.area] == true, layer.staleSince == nil {
                // The new map is without it.
                layers[index].rows = nil
                layers[index].tiles = nil
                layers[index].bytes = nil
            } else {
                let before = old[layer.place]
                layers[index].rows = before?.rows
                layers[index].tiles = before?.tiles
                layers[index].bytes = before?.bytes
                layers[index].lastSuccess = layer.staleSince ?? before?.lastSuccess
            }
        }
    }
}
