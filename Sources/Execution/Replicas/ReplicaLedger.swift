import ArcGIS
import Basics
import Foundation
import Packaging
import Planning
import Scheduling

/// Keeps account of the replicas that servers hold because of us, and has those unregistered that are of no more use (cases B08).
struct ReplicaLedger: Sendable {
    var client: ArcGISClient
    var store: any StateStore

    /// Recorded as soon as its id is known, so that a crash leaves no orphan.
    func registered(_ replica: ReplicaRecord) async { try? await store.recordReplica(replica, now: Date().timestamp) }

    /// Unregisters the replicas of a job whose end is recorded. A server that refuses is asked again at the end of the next run.
    func release(_ job: Job) async {
        guard case .replica(let work) = job.work, work.registration == .untilFetched else { return }
        for replica in await ours() where replica.serviceURL == work.serviceURL && replica.job == job.id {
            await unregister(replica)
        }
    }

    /// The file of the job is here and proven; what it is registered as belongs to it from now on.
    func fetched(_ job: Job, _ artifact: ArtifactReference) async {
        guard case .replica(let work) = job.work, work.registration == .kept else { return }
        try? await store.linkReplica(job: job.id, artifact: artifact.sha256)
    }

    /// Unregisters what killed and failed runs left and what only maps needed that are gone (demand D19).
    /// - Parameter maps: hashes of the files in all maps on the disk; nil when not all could be read.
    func releaseLeftovers(inUse: StateInUse, maps: Set<String>?) async {
        for replica in (try? await store.openReplicas()) ?? [] where replica.isLeftover(inUse: inUse, maps: maps) {
            await unregister(replica)
        }
    }

    private func ours() async -> [ReplicaRecord] { ((try? await store.openReplicas()) ?? []).filter { !$0.isKept } }

    private func unregister(_ replica: ReplicaRecord) async {
        do throws(ArcGISError) {
            try await client.unregisterReplica(replica.serviceURL, id: replica.replicaID)
        } catch {
            // A replica that the server does not know is gone, which is what was wanted.
            guard error.meansReplicaIsGone else { return }
        }
        try? await store.forgetReplica(replica, now: Date().timestamp)
    }
}

extension ReplicaRecord {
    /// Nobody will fetch its file any more, and no map holds it. What could not be looked up counts as needed.
    func isLeftover(inUse: StateInUse, maps: Set<String>?) -> Bool {
        if inUse.jobs.contains(job) { return false }
        guard isKept, let artifact else { return true }
        guard let maps, artifact != Self.unrecorded else { return false }
        return !maps.contains(artifact) && !inUse.artifacts.contains(artifact)
    }
}

extension OutputFolder {
    /// Hashes of the artifacts in all maps but those at these paths; nil when an inventory cannot be read. Blocks.
    func artifacts(without gone: Set<String> = []) -> Set<String>? {
        guard let areas = try? areas() else { return nil }
        var hashes: Set<String> = []
        for area in areas {
            let generations = generations(of: area)
            guard let all = try? generations.list() else { return nil }
            for generation in all where !gone.contains(generation.path) {
                guard let own = Self.artifacts(in: generations.path(generation.name)) else { return nil }
                hashes.formUnion(own)
            }
        }
        return hashes
    }

    private static func artifacts(in folder: String) -> [String]? {
        do throws(InventoryRecord.Problem) {
            return try InventoryRecord.read(folder).sources.map(\.sha256)
        } catch {
            // A folder without an inventory is no map of ours.
            if case .system(let error) = error, error.isNotFound { return [] }
            return nil
        }
    }
}
