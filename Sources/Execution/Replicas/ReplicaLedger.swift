import ArcGIS
import Basics
import Foundation
import Planning

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

    /// Unregisters what killed and failed runs left; not the replicas of jobs that will still be asked for.
    func releaseLeftovers(except jobs: Set<String>) async {
        for replica in await ours() where !jobs.contains(replica.job) { await unregister(replica) }
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
