import ArcGIS
import Planning

/// Asks services whether they still know replicas of ours (REST reference 4.7).
struct ReplicaLookup: Sendable {
    var client: ArcGISClient
    /// For nights: a service that cannot be asked, or whose list hides what it knows, is not asked for one replica after another.
    var isSparing = false

    /// What a service told so far.
    private struct Listing {
        var ids: Set<String> = []
        var failure: ArcGISError?
        /// It left out a replica that the service knows: who is not on it may be there all the same.
        var isHiding = false
    }

    /// In the order of the records. Each service is asked for its list once; lists leave out what belongs to others, so what is not
    /// listed is asked for by its id.
    func standings(of records: [ReplicaRecord]) async -> [OwnReplica.Standing] {
        var listings: [String: Listing] = [:]
        var standings: [OwnReplica.Standing] = []
        for record in records {
            var listing: Listing
            if let known = listings[record.serviceURL] { listing = known } else { listing = await list(record.serviceURL) }
            standings.append(await standing(of: record, &listing))
            listings[record.serviceURL] = listing
        }
        return standings
    }

    private func list(_ serviceURL: String) async -> Listing {
        do throws(ArcGISError) {
            return Listing(ids: Set(try await client.replicas(serviceURL).map { ReplicaInventory.bare($0.id) }))
        } catch {
            return Listing(failure: error)
        }
    }

    private func standing(of record: ReplicaRecord, _ listing: inout Listing) async -> OwnReplica.Standing {
        if listing.ids.contains(ReplicaInventory.bare(record.replicaID)) { return .registered }
        // A server that is down is asked once, not once a replica.
        if let failure = listing.failure, isSparing || failure.isTransient { return .failed(Failure(.metadata, failure)) }
        if isSparing, listing.isHiding { return .registered }
        do throws(ArcGISError) {
            guard try await client.knowsReplica(record.serviceURL, id: record.replicaID) else { return .goneAtServer }
            listing.isHiding = true
            return .registered
        } catch {
            if isSparing { listing.failure = error }
            return .failed(Failure(.metadata, error))
        }
    }
}
