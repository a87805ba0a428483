import ArcGIS
import Planning
import Scheduling

/// Replicas in the maps that are out which are not registered any more: by our books, and by what the servers say. Without it an app
/// would find out in the field, when it wants to synchronise.
struct ReplicaLosses: Sendable, Equatable {
    /// By job.
    var ofJobs: [String: ReplicaLoss] = [:]
    /// Records that do not hold any more.
    var gone: [ReplicaRecord] = []
    /// Records that hold: their servers were asked.
    var seen: [ReplicaRecord] = []
    /// Services that could not be asked, a sentence each.
    var notes: [String] = []

    /// Replicas go only when somebody removes them or publishes the service anew, which its stamps show: a service is asked when it
    /// has not told of its replicas for so long.
    static let patience: Timestamp = 7 * 86_400_000

    /// One request a service that has to be asked, however many areas, and one for each replica that is not in its list.
    /// What cannot be looked up counts as registered.
    init(
        of plan: Plan, in maps: [String: PublishedMap], books replicas: [KeptReplica], asking client: ArcGISClient, now: Timestamp
    ) async {
        let current = Self.current(plan, maps, replicas.map(\.record))
        for (job, record) in current where record == nil { ofJobs[job] = .unregistered }
        let inMaps = current.compactMap(\.record)
        // Those of older maps are not asked for. A clock that was put back has made times of the future.
        let silent = Set(
            replicas.filter { ($0.seen > now || now - $0.seen >= Self.patience) && inMaps.contains($0.record) }
                .map(\.record.serviceURL))
        let records = inMaps.filter { silent.contains($0.serviceURL) }
        let standings = await ReplicaLookup(client: client, isSparing: true).standings(of: records)
        var failed: [String: Failure] = [:]
        for (record, standing) in zip(records, standings) {
            switch standing {
            case .registered, .unregistered: seen.append(record)
            case .goneAtServer: if !gone.contains(record) { gone.append(record) }
            case .failed(let failure): failed[record.serviceURL] = failure
            }
        }
        for (job, record) in current {
            if let record, gone.contains(record) { ofJobs[job] = .goneAtServer }
        }
        notes = failed.sorted { $0.key < $1.key }.map { service, failure in
            "\(service) does not tell which replicas it has (\(failure.message)); ours count as registered"
        }
    }

    /// Jobs that leave a registered replica, with the one in the current map; nil where the books have none.
    ///
    /// A replica belongs to its file: after a rollback it is that of the older map, and areas that share a file share it, too.
    private static func current(
        _ plan: Plan, _ maps: [String: PublishedMap], _ replicas: [ReplicaRecord]
    ) -> [(job: String, record: ReplicaRecord?)] {
        var byFile: [String: ReplicaRecord] = [:]
        // Records of older versions name no file.
        var byJob: [String: ReplicaRecord] = [:]
        for record in replicas {
            if let file = record.artifact, file != ReplicaRecord.unrecorded {
                byFile[file] = record
            } else {
                byJob[record.job] = record
            }
        }
        return plan.jobs.compactMap { job in
            guard case .replica(let work) = job.work, work.registration == .kept, let part = maps[job.area]?.part(for: job) else {
                return nil
            }
            return (job.id, byFile[part.sha256] ?? byJob[job.id])
        }
    }
}
