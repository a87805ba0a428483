import Basics
import Foundation
import Planning
import Scheduling

/// What a run remembers between processes. Every call is durable when it returns.
public protocol StateStore: Sendable {
    /// The newest run of a name, if it is young and has jobs that are not done: the next one goes on with it.
    func resumableRun(of name: String, now: Timestamp) async throws(SQLiteError) -> RunRecord?
    /// Goes on with an earlier run, or begins one. In the same moment all jobs of the plan are recorded: as far as is known of them
    /// by their ids, else as far as the earlier run brought their keys, else as planned. A plan that is not whole (`--area`) leaves
    /// the jobs of other areas as they are.
    func openRun(
        _ plan: Plan, hash: String, continuing earlier: RunRecord?, known: [String: JobProgress], isWhole: Bool, now: Timestamp
    ) async throws(SQLiteError) -> RunRecord
    /// All or none of the entries.
    func record(_ entries: [StateEntry], run: Int, now: Timestamp) async throws(SQLiteError)
    func closeRun(_ run: Int, outcome: Outcome, now: Timestamp) async throws(SQLiteError)
    func recordReplica(_ replica: ReplicaRecord, now: Timestamp) async throws(SQLiteError)
    /// Before a request for a replica that its server will keep account of: whatever happens next, its name is known.
    func recordReplicaRequest(_ request: ReplicaRequestRecord) async throws(SQLiteError)
    /// The replica of the request is on record by its id, or will never be.
    func settleReplicaRequest(_ request: ReplicaRequestRecord) async throws(SQLiteError)
    /// Requests of which nobody knows what became of them.
    func openReplicaRequests() async throws(SQLiteError) -> [ReplicaRequestRecord]
    /// Whether a replica is on record, open or not.
    func knowsReplica(_ serviceURL: String, id: String) async throws(SQLiteError) -> Bool
    /// The server has forgotten the replica, as we asked or of its own accord.
    func forgetReplica(_ replica: ReplicaRecord, now: Timestamp) async throws(SQLiteError)
    /// Their servers had these replicas at that time.
    func sawReplicas(_ replicas: [ReplicaRecord], at time: Timestamp) async throws(SQLiteError)
    /// The newest open replica of a job is the one inside this file; older ones are what failed tries left.
    func linkReplica(job: String, artifact sha256: String) async throws(SQLiteError)
    /// Replicas of ours that are still registered.
    func openReplicas() async throws(SQLiteError) -> [ReplicaRecord]
    /// Maps that are out and as they should be now: new ones, and those found unchanged.
    func recordPublications(_ publications: [PublicationRecord], run: Int, now: Timestamp) async throws(SQLiteError)
    /// What earlier runs left that a new one compares with.
    func memory() async throws(SQLiteError) -> StateMemory
    /// `current` of the area is this older map again: what was published later does not count as a success any more.
    /// - Parameter published: when the map was made, for a state that does not know it.
    func recordRollback(area: String, generation: String, published: Timestamp, now: Timestamp) async throws(SQLiteError)
    /// Areas whose newest publication was rolled back and that have had none since.
    func rollbacks() async throws(SQLiteError) -> [String: Rollback]
    /// When the newest run of all areas began that ended well; nil for none.
    func lastGoodRun(of name: String) async throws(SQLiteError) -> Timestamp?
    /// How long jobs took, by their ids; what was known of others stays.
    func recordDurations(_ seconds: [String: Double]) async throws(SQLiteError)
    func durations() async throws(SQLiteError) -> [String: Double]
    func status() async throws(SQLiteError) -> StateSummary
    /// What a run that can be resumed may still need.
    func inUse(now: Timestamp) async throws(SQLiteError) -> StateInUse
}

public struct RunRecord: Sendable, Equatable {
    public var id: Int
    public var started: Timestamp
    /// An earlier process began it.
    public var isResumed: Bool
    /// How far earlier processes came, by the job's key.
    public var recorded: [String: JobProgress] = [:]
}

/// One job's line in the state.
public struct StateEntry: Sendable, Equatable {
    public var job: Job
    public var progress: JobProgress
    public var attempt: Int

    public init(job: Job, progress: JobProgress, attempt: Int) {
        self.job = job
        self.progress = progress
        self.attempt = attempt
    }
}

/// What must outlive this run, because another one will go on with it.
public struct StateInUse: Sendable, Equatable {
    /// Hashes.
    public var artifacts: Set<String> = []
    /// Keys of jobs that are open at a server; half a download of theirs is of use.
    public var keys: Set<String> = []
    /// Ids of the same jobs.
    public var jobs: Set<String> = []
}

/// A replica that stays registered at a server because of us.
public struct ReplicaRecord: Sendable, Equatable {
    public var serviceURL: String
    public var replicaID: String
    public var name: String
    public var job: String
    /// It stays for later synchronisation.
    public var isKept: Bool
    /// SHA-256 of the file that it is for; nil until the file is here, `unrecorded` when an older version made it.
    public var artifact: String?

    static let unrecorded = "unrecorded"

    public init(
        serviceURL: String, replicaID: String, name: String, job: String, isKept: Bool, artifact: String? = nil
    ) {
        self.serviceURL = serviceURL
        self.replicaID = replicaID
        self.name = name
        self.job = job
        self.isKept = isKept
        self.artifact = artifact
    }
}

/// A map that was current and is not any more, because a person went back to an older one.
public struct Rollback: Sendable, Equatable {
    /// Below the output folder.
    public var from: String
    public var at: Timestamp
}

/// A request for a registered replica, by the name that only this request bears.
public struct ReplicaRequestRecord: Sendable, Equatable {
    public var serviceURL: String
    public var name: String
    public var job: String
    public var sent: Timestamp

    public init(serviceURL: String, name: String, job: String, sent: Timestamp) {
        self.serviceURL = serviceURL
        self.name = name
        self.job = job
        self.sent = sent
    }
}

public struct PublicationRecord: Sendable, Equatable {
    public var area: String
    /// Path below the output folder.
    public var generation: String
    public var published: Timestamp
    /// What it is to hold.
    public var layers: [LayerLabel]
    /// When layers came that did not come now, by id; 0 for never.
    public var checked: [String: Timestamp] = [:]
    /// Ids of layers that count as they were without anybody having said so: they are as old as they were before.
    public var unasked: Set<String> = []

    public init(area: String, generation: String, published: Timestamp, layers: [LayerLabel]) {
        self.area = area
        self.generation = generation
        self.published = published
        self.layers = layers
    }
}

/// A replica that is to stay registered, and when its server last told that it has it.
public struct KeptReplica: Sendable, Equatable {
    public var record: ReplicaRecord
    public var seen: Timestamp
}

public struct StateMemory: Sendable, Equatable {
    /// Areas of which a map was published.
    public var publishedAreas: Set<String> = []
    /// Replicas that are to stay registered, and are as far as we know; the oldest first.
    public var keptReplicas: [KeptReplica] = []

    public init() {}
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
        /// When it was last found to be what a new one would be.
        public var checked: Timestamp
    }

    public struct Layer: Sendable, Equatable {
        public var area: String
        public var label: LayerLabel
        public var checked: Timestamp
    }

    public var lastRun: Run?
    /// The newest publication of each area, by area.
    public var publications: [Publication]
    /// By area, in the order of the plan.
    public var layers: [Layer] = []
    /// By the names of manifests; of one that has never run as a whole nothing is known.
    public var areas: [String: Set<String>] = [:]
}
