import Basics
import Scheduling

/// What servers keep because of us, and what they may keep.
extension SQLiteStateStore {
    public func recordReplica(_ replica: ReplicaRecord, now: Timestamp) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "INSERT OR IGNORE INTO replicas (service, replica, name, job, kept, registered) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .text(replica.serviceURL), .text(replica.replicaID), .text(replica.name), .text(replica.job),
                    .integer(replica.isKept ? 1 : 0), .integer(now),
                ])
        }
    }

    public func forgetReplica(_ replica: ReplicaRecord, now: Timestamp) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "UPDATE replicas SET unregistered = ? WHERE service = ? AND replica = ?",
                [.integer(now), .text(replica.serviceURL), .text(replica.replicaID)])
        }
    }

    public func sawReplicas(_ replicas: [ReplicaRecord], at time: Timestamp) async throws(SQLiteError) {
        if replicas.isEmpty { return }
        try await transact { (connection) throws(SQLiteError) in
            for replica in replicas {
                try connection.run(
                    "UPDATE replicas SET seen = ? WHERE service = ? AND replica = ?",
                    [.integer(time), .text(replica.serviceURL), .text(replica.replicaID)])
            }
        }
    }

    public func linkReplica(job: String, artifact sha256: String) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "UPDATE replicas SET artifact = ? WHERE rowid = (SELECT rowid FROM replicas WHERE job = ? AND unregistered IS NULL "
                    + "ORDER BY registered DESC, rowid DESC LIMIT 1)",
                [.text(sha256), .text(job)])
        }
    }

    public func knowsReplica(_ serviceURL: String, id: String) async throws(SQLiteError) -> Bool {
        try await perform { (connection) throws(SQLiteError) in
            try connection.value("SELECT 1 FROM replicas WHERE service = ? AND replica = ?", [.text(serviceURL), .text(id)])
                != nil
        }
    }

    public func openReplicas() async throws(SQLiteError) -> [ReplicaRecord] { try await registeredReplicas().map(\.replica) }

    /// Open replicas, since when the server has had each of them, and when it last told so; the oldest first.
    public func registeredReplicas() async throws(SQLiteError) -> [(
        replica: ReplicaRecord, since: Timestamp, seen: Timestamp
    )] {
        try await perform { (connection) throws(SQLiteError) in
            try connection.rows(
                "SELECT service, replica, name, job, kept, registered, artifact, coalesce(seen, registered) FROM replicas WHERE unregistered IS NULL "
                    + "ORDER BY registered, rowid"
            ).map { row in
                let replica = ReplicaRecord(
                    serviceURL: row[0].text ?? "", replicaID: row[1].text ?? "", name: row[2].text ?? "", job: row[3].text ?? "",
                    isKept: row[4].int == 1, artifact: row[6].text)
                return (replica, Timestamp(row[5].int ?? 0), Timestamp(row[7].int ?? 0))
            }
        }
    }

    // MARK: - Requests

    public func recordReplicaRequest(_ request: ReplicaRequestRecord) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "INSERT OR REPLACE INTO replica_requests (service, name, job, sent) VALUES (?, ?, ?, ?)",
                [.text(request.serviceURL), .text(request.name), .text(request.job), .integer(request.sent)])
        }
    }

    public func settleReplicaRequest(_ request: ReplicaRequestRecord) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "DELETE FROM replica_requests WHERE service = ? AND name = ?", [.text(request.serviceURL), .text(request.name)])
        }
    }

    public func openReplicaRequests() async throws(SQLiteError) -> [ReplicaRequestRecord] {
        try await perform { (connection) throws(SQLiteError) in
            try connection.rows("SELECT service, name, job, sent FROM replica_requests ORDER BY sent, rowid").map {
                ReplicaRequestRecord(
                    serviceURL: $0[0].text ?? "", name: $0[1].text ?? "", job: $0[2].text ?? "", sent: Timestamp($0[3].int ?? 0))
            }
        }
    }
}
