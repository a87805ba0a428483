import ArcGIS
import Manifest

/// What services may be asked of what will come, beside their descriptions.
public struct EstimateWishes: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// How many rows, by count queries.
    public static let rows = EstimateWishes(rawValue: 1)
    /// How many bytes, by samples of tiles and rows. Of replicas only together with `rows`.
    public static let bytes = EstimateWishes(rawValue: 2)
    /// Map and image services estimate their exports themselves: each estimate is a job on the server (REST reference 6.3).
    public static let serverEstimates = EstimateWishes(rawValue: 4)
}

/// Fills in what jobs may bring, and holds it against the budget.
struct Estimates {
    var client: ArcGISClient
    var sources: [MapSource]
    var wishes: EstimateWishes
    var budget: Budget
    /// Questions open at once: as many as one host is asked.
    var limit: Int

    func fill(_ jobs: inout [Job]) async -> [PlanProblem] {
        var counts = RowCounts.none
        if wishes.contains(.rows) || budget.rows != nil || budget.bytes != nil {
            counts = await RowCounts(of: jobs, client: client, limit: limit)
            let refused = RefusedFilters(counts, sources: sources).problems(jobs)
            if !refused.isEmpty { return refused }
            let uncounted = counts.fill(&jobs)
            // A budget that cannot be checked is no budget.
            if budget.rows != nil, !uncounted.isEmpty { return uncounted }
        }
        if wishes.contains(.bytes) || budget.bytes != nil {
            if wishes.contains(.serverEstimates) { await ServerEstimates(client: client).fill(&jobs) }
            await TileSizes(client: client, offers: offers, limit: limit).fill(&jobs)
            if wishes.contains(.rows) || budget.bytes != nil {
                await ReplicaSizes(client: client, services: services, counts: counts, limit: limit).fill(&jobs)
            }
        }
        return budget.problems(jobs)
    }

    private var offers: [String: TileOffer] {
        Dictionary(sources.compactMap(\.offer).map { ($0.url, $0) }) { first, _ in first }
    }

    private var services: [String: FeatureServiceInfo] {
        let services = sources.compactMap { source in
            if case .replica(let service, _) = source.content { service } else { nil }
        }
        return Dictionary(services.map { ($0.url, $0) }) { first, _ in first }
    }
}
