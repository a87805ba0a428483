import ArcGIS
import Basics
import Manifest

/// Filters that a service refuses to count with. Their replicas would come to nothing: it refuses the same clause there, or the rows could
/// not be proven. So they refuse the plan (cases D08), each once however many areas it is for.
struct RefusedFilters {
    private var counts: RowCounts
    /// By service URL and the layer's number.
    private var wishes: [Place: [RowWish]] = [:]

    private struct Place: Hashable {
        var service: String
        var layer: Int
    }

    /// What makes two refusals the same.
    private struct Refusal: Hashable {
        var place: Place
        var clause: String
        var failure: Failure
    }

    init(_ counts: RowCounts, sources: [MapSource]) {
        self.counts = counts
        for source in sources {
            guard case .replica(let service, let members) = source.content else { continue }
            for member in members { wishes[Place(service: service.url, layer: member.layer.id)] = member.wishes }
        }
    }

    func problems(_ jobs: [Job]) -> [PlanProblem] {
        var areas: [Refusal: [String]] = [:]
        var order: [Refusal] = []
        for job in jobs {
            guard case .replica(let work) = job.work else { continue }
            for layer in work.layers {
                guard let query = layer.countQuery, let failure = counts.refusal(of: query) else { continue }
                let refusal = Refusal(
                    place: Place(service: work.serviceURL, layer: layer.layerID), clause: query.parameters["where"] ?? "1=1",
                    failure: failure)
                if areas[refusal] == nil { order.append(refusal) }
                areas[refusal, default: []].append(job.area)
            }
        }
        return order.map { problem($0, areas[$0] ?? []) }
    }

    private func problem(_ refusal: Refusal, _ areas: [String]) -> PlanProblem {
        let wishes = wishes[refusal.place] ?? []
        let own = wishes.first { $0.whereClause != nil }
        let culprit = own ?? wishes.first { $0.definitionExpression != nil } ?? wishes.first
        var failure = refusal.failure
        let parts = wishes.flatMap { $0.filters(in: refusal.clause) }
        failure.details += parts.map { Redaction.text("\($0.author): \($0.text)") }
        if !parts.contains(where: { $0.text == refusal.clause }) {
            failure.details.append("sent as: \(Redaction.text(refusal.clause))")
        }
        if areas.count > 1 { failure.details.append("in \(areas.count) areas") }
        return PlanProblem(
            area: areas.count == 1 ? areas.first : nil, layer: culprit?.label, origin: own?.whereOrigin, failure: failure)
    }
}

extension RowWish {
    /// The parts of a clause as they were written, and by whom.
    fileprivate func filters(in clause: String) -> [(author: String, text: String)] {
        [("where clause of the manifest", whereClause), ("filter of the web map", definitionExpression)].compactMap {
            author, text in
            text.flatMap { clause.contains($0) ? (author, $0) : nil }
        }
    }
}
