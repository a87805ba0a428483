import ArcGIS
import Planning

/// Replicas in the maps that are out which are not registered any more: by our books, and by what the servers say. Without it an app
/// would find out in the field, when it wants to synchronise.
struct ReplicaLosses: Sendable, Equatable {
    /// By job.
    var ofJobs: [String: ReplicaLoss] = [:]
    /// Records that do not hold any more.
    var gone: [ReplicaRecord] = []
    /// Services that could not be asked, a sentence each.
    var notes: [String] = []

    /// One request a service that has registered replicas, however many areas, and one for each replica that is not in its list.
    /// What cannot be looked up counts as registered.
    init(
        of plan: Plan, in maps: [String: PublishedMap], books replicas: [ReplicaRecord], asking client: ArcGISClient
    ) async {
        let current = Self.current(plan, maps, replicas)
        for (job, record) in current where record == nil { ofJobs[job] = .unregistered }
        let records = current.compactMap(\.record)
        let standings = await ReplicaLookup(client: client, isSparing: true).standings(of: records)
        var failed: [String: Failure] = [:]
        for (record, standing) in zip(records, standings) {
            switch standing {
            case .registered, .unregistered: break
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
