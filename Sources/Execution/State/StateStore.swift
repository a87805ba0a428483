import Basics
import Foundation
import Planning
import Scheduling

/// What a run remembers between processes. Every call is durable when it returns.
public protocol StateStore: Sendable {
    /// Opens the run that this plan belongs to: the unfinished or incomplete one of the same name, if it is young enough, else a new one.
    func openRun(name: String, planHash: String, now: Timestamp) async throws(SQLiteError) -> RunRecord
    /// Progress recorded for jobs of the run, by the job's key.
    func progress(of run: Int) async throws(SQLiteError) -> [String: JobProgress]
    func record(run: Int, job: Job, progress: JobProgress, attempt: Int, now: Timestamp) async throws(SQLiteError)
    func closeRun(_ run: Int, outcome: Outcome, now: Timestamp) async throws(SQLiteError)
    func recordReplica(_ replica: ReplicaRecord, now: Timestamp) async throws(SQLiteError)
    /// The server has forgotten the replica, as we asked.
    func forgetReplica(_ replica: ReplicaRecord, now: Timestamp) async throws(SQLiteError)
    /// Replicas of ours that are still registered.
    func openReplicas() async throws(SQLiteError) -> [ReplicaRecord]
    func recordPublication(area: String, generation: String, run: Int, now: Timestamp) async throws(SQLiteError)
    func status() async throws(SQLiteError) -> StateSummary
    /// Hashes of artifacts that an incomplete run may still need.
    func artifactsInUse() async throws(SQLiteError) -> Set<String>
}

public struct RunRecord: Sendable, Equatable {
    public var id: Int
    public var started: Timestamp
    /// An earlier process began it.
    public var isResumed: Bool
}

/// A replica that stays registered at a server because of us.
public struct ReplicaRecord: Sendable, Equatable {
    public var serviceURL: String
    public var replicaID: String
    public var name: String
    public var job: String

    public init(serviceURL: String, replicaID: String, name: String, job: String) {
        self.serviceURL = serviceURL
        self.replicaID = replicaID
        self.name = name
        self.job = job
    }
}

/// What `status` shows; read from the state alone.
public struct StateSummary: Sendable, Equatable {
    public struct Run: Sendable, Equatable {
        public var name: String
        public var started: Timestamp
        public var finished: Timestamp?
        public var outcome: String?
        /// How far each recorded job came, by its id.
        public var jobs: [String: JobProgress]
    }

    public struct Publication: Sendable, Equatable {
        public var area: String
        public var generation: String
        public var at: Timestamp
    }

    public var lastRun: Run?
    /// The newest publication of each area, by area.
    public var publications: [Publication]
}
