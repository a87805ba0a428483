import ArcGIS
import Basics
import Foundation
import Packaging
import Planning
import Scheduling

/// Keeps account of the replicas that servers hold because of us, and has those unregistered that are of no more use (cases B08).
///
/// A request for a registered replica bears a name of its own, recorded before it goes out: when the process dies or the answer does
/// not come, the server's list tells by that name whether there is a replica.
struct ReplicaLedger: Sendable {
    var client: ArcGISClient
    var store: any StateStore

    /// A server job that nobody asks any more is over by then.
    private static let patience: Timestamp = 24 * 3_600_000

    /// Records the request that is about to go out. `name` becomes one that no other request has.
    func requested(_ name: String, _ serviceURL: String, job: String) async throws(SQLiteError) -> ReplicaRequestRecord {
        let mark = String(UInt64.random(in: .min ... .max), radix: 36)
        let request = ReplicaRequestRecord(
            serviceURL: serviceURL, name: "\(name)_\(mark)", job: job, sent: Date().timestamp)
        try await store.recordReplicaRequest(request)
        return request
    }

    /// The server said that it made none.
    func refused(_ request: ReplicaRequestRecord) async { try? await store.settleReplicaRequest(request) }

    /// Recorded as soon as its id is known, so that a crash leaves no orphan.
    func registered(_ replica: ReplicaRecord) async {
        do throws(SQLiteError) {
            try await store.recordReplica(replica, now: Date().timestamp)
            for request in try await store.openReplicaRequests() where request.isMet(by: replica.name, of: replica.serviceURL) {
                try await store.settleReplicaRequest(request)
            }
        } catch {
            // The request stays on record: the next end of a run looks for it.
            return
        }
    }

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
    /// - Parameters:
    ///   - current: hashes of files in maps that are out: whoever has one of them is needed, and most have.
    ///   - maps: those in all maps on the disk, old ones too; nil when not all could be read. Asked for only when they decide.
    func releaseLeftovers(
        inUse: StateInUse, current: Set<String> = [], maps: @Sendable () async -> Set<String>?
    ) async {
        await findOrphans(except: inUse.jobs)
        var leftovers = ((try? await store.openReplicas()) ?? []).filter { $0.isLeftover(inUse: inUse, maps: current) }
        if leftovers.contains(where: \.isKept) {
            let all = await maps()
            leftovers = leftovers.filter { $0.isLeftover(inUse: inUse, maps: all) }
        }
        for replica in leftovers { await unregister(replica) }
    }

    /// Replicas whose ids never reached us, by the names of their requests. Nobody has their files, so they are of no use.
    private func findOrphans(except jobs: Set<String>) async {
        let requests = ((try? await store.openReplicaRequests()) ?? []).filter { !jobs.contains($0.job) }
        for (service, requests) in Dictionary(grouping: requests, by: \.serviceURL).sorted(by: { $0.key < $1.key }) {
            // Who cannot look does not know: the requests stay on record.
            guard let listed = try? await client.replicas(service) else { continue }
            for request in requests {
                let found = listed.filter { $0.name.map { request.isMet(by: $0, of: service) } == true }
                for replica in found where (try? await store.knowsReplica(service, id: replica.id)) == false {
                    let record = ReplicaRecord(
                        serviceURL: service, replicaID: replica.id, name: replica.name ?? request.name, job: request.job,
                        isKept: false)
                    try? await store.recordReplica(record, now: Date().timestamp)
                }
                let isOver = Date().timestamp - request.sent > Self.patience
                if !found.isEmpty || isOver { try? await store.settleReplicaRequest(request) }
            }
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

extension ReplicaRequestRecord {
    /// Servers put the owner before a name, or a number behind it, to make it unique.
    fileprivate func isMet(by name: String, of serviceURL: String) -> Bool {
        self.serviceURL == serviceURL && name.lowercased().contains(self.name.lowercased())
    }
}
