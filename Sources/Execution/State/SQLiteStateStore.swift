import Basics
import Dispatch
import Foundation
import Planning
import Scheduling

/// `state.db`: SQLite in WAL mode with full synchronisation, so that a record survives a power cut before the side effect begins.
///
/// `@unchecked Sendable`: the connection is touched only on `queue`, which is serial.
public final class SQLiteStateStore: StateStore, @unchecked Sendable {
    private let connection: SQLiteConnection
    private let queue = DispatchQueue(label: "offline-batch.state")
    /// An incomplete run is continued for this long after its start; later its files would mix old and new (cases F9).
    public static let resumeWindow: Timestamp = 12 * 3_600_000

    /// Creates the file and its tables when they are missing. `PRAGMA user_version` is the version of the tables.
    public init(path: String) throws(SQLiteError) {
        connection = try SQLiteConnection(path: path)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
        let found = try connection.value("PRAGMA user_version")?.int ?? 0
        guard found <= Self.version else {
            throw SQLiteError(
                code: 1, message: "The state was written by a newer version (\(found) > \(Self.version)).", statement: path)
        }
        if found < Self.version {
            // All or nothing: tables of a process that was killed here would be in the way of every later run.
            try connection.transaction { () throws(SQLiteError) in
                for step in Self.steps[found...] { try connection.execute(step) }
                try connection.execute("PRAGMA user_version = \(Self.version)")
            }
        }
    }

    /// For `status`: never writes.
    public init(readingPath path: String) throws(SQLiteError) {
        connection = try SQLiteConnection(path: path, access: .readOnly)
        let version = try connection.value("PRAGMA user_version")?.int ?? 0
        guard version == Self.version else {
            throw SQLiteError(
                code: 1,
                message:
                    "The state was written by another version (\(version), not \(Self.version)); a run brings an older one up to date.",
                statement: path)
        }
    }

    /// What is wrong with the file, read from end to end; nil when it is sound. An older version is no problem: the next run brings
    /// it up to date. Blocks.
    public static func problem(of path: String) -> String? {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: path, access: .readOnly)
            let lines = try connection.rows("PRAGMA integrity_check(5)").compactMap { $0[0].text }
            if lines != ["ok"] { return lines.joined(separator: "; ") }
            let version = try connection.value("PRAGMA user_version")?.int ?? 0
            return version > Self.version ? "it was written by a newer version (\(version) > \(Self.version))" : nil
        } catch {
            return error.message
        }
    }

    private static var version: Int { steps.count }
    /// For the newest run of a name: a job of it is not done, and it began after the bound time.
    private static let isResumable =
        "started > ? AND id = (SELECT max(id) FROM runs AS other WHERE other.name = runs.name) "
        + "AND EXISTS (SELECT * FROM jobs WHERE run = runs.id AND state <> 'done')"
    /// Step n brings tables of version n to n + 1.
    private static let steps = [
        """
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, plan_hash TEXT NOT NULL,
            started INTEGER NOT NULL, finished INTEGER, outcome TEXT) STRICT;
        CREATE TABLE jobs (
            run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
            id TEXT NOT NULL, area TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, progress TEXT NOT NULL,
            attempt INTEGER NOT NULL, updated INTEGER NOT NULL, PRIMARY KEY (run, id)) STRICT;
        CREATE TABLE publications (
            area TEXT NOT NULL, generation TEXT NOT NULL, run INTEGER NOT NULL, published INTEGER NOT NULL,
            PRIMARY KEY (area, generation)) STRICT;
        CREATE TABLE replicas (
            service TEXT NOT NULL, replica TEXT NOT NULL, name TEXT NOT NULL, job TEXT NOT NULL, kept INTEGER NOT NULL,
            registered INTEGER NOT NULL, unregistered INTEGER, PRIMARY KEY (service, replica)) STRICT;
        """,
        """
        ALTER TABLE publications ADD COLUMN withdrawn INTEGER;
        ALTER TABLE replicas ADD COLUMN artifact TEXT;
        UPDATE replicas SET artifact = '\(ReplicaRecord.unrecorded)';
        ALTER TABLE runs ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE durations (job TEXT PRIMARY KEY, seconds REAL NOT NULL) STRICT;
        """,
        """
        CREATE TABLE replica_requests (
            service TEXT NOT NULL, name TEXT NOT NULL, job TEXT NOT NULL, sent INTEGER NOT NULL,
            PRIMARY KEY (service, name)) STRICT;
        """,
        // When maps and their layers were last found to be as they should be.
        """
        ALTER TABLE publications ADD COLUMN checked INTEGER;
        CREATE TABLE layers (
            area TEXT NOT NULL, position INTEGER NOT NULL, layer TEXT NOT NULL, title TEXT NOT NULL, checked INTEGER NOT NULL,
            PRIMARY KEY (area, layer)) STRICT;
        """,
    ]

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Value
    ) async throws(SQLiteError) -> Value {
        let result: Result<Value, SQLiteError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                do throws(SQLiteError) {
                    continuation.resume(returning: .success(try work(connection)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    public func openRun(
        _ plan: Plan, isWhole: Bool, isFresh: Bool = false, now: Timestamp
    ) async throws(SQLiteError) -> RunRecord {
        try await perform { (connection) throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let run: RunRecord
                if !isFresh, let resumable = try Self.resumable(plan, now, connection) {
                    run = resumable
                } else {
                    run = try Self.newRun(plan, now, connection)
                }
                if isWhole { try connection.run("UPDATE runs SET whole = 1 WHERE id = ?", [.integer(Int64(run.id))]) }
                try Self.setJobs(plan, isWhole: isWhole, of: run, now, connection)
                return run
            }
        }
    }

    /// The newest run of the name, as long as a job of it is not done and it is young enough.
    private static func resumable(
        _ plan: Plan, _ now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> RunRecord? {
        let row = try connection.rows(
            "SELECT id, started FROM runs WHERE name = ? AND \(isResumable)", [.text(plan.name), .integer(now - resumeWindow)]
        ).first
        guard let id = row?[0].int, let started = row?[1].int else { return nil }
        try connection.run(
            "UPDATE runs SET finished = NULL, outcome = NULL, plan_hash = ? WHERE id = ?",
            [.text(plan.hash), .integer(Int64(id))])
        var run = RunRecord(id: id, started: Timestamp(started), isResumed: true)
        try connection.forEachRow("SELECT key, progress FROM jobs WHERE run = ?", [.integer(Int64(id))]) {
            (row) throws(SQLiteError) in
            guard let key = row[0].text, let progress = JobProgress(stored: row[1].text) else { return }
            // Of jobs that share a key, one did the work.
            if progress.rank > run.recorded[key]?.rank ?? 0 { run.recorded[key] = progress }
        }
        return run
    }

    private static func newRun(_ plan: Plan, _ now: Timestamp, _ connection: SQLiteConnection) throws(SQLiteError) -> RunRecord {
        // The history of a name ends with its newest runs; what they published has a table of its own.
        try connection.run(
            "DELETE FROM runs WHERE name = ? AND id NOT IN (SELECT id FROM runs WHERE name = ? ORDER BY id DESC LIMIT 30)",
            [.text(plan.name), .text(plan.name)])
        try connection.run(
            "INSERT INTO runs (name, plan_hash, started) VALUES (?, ?, ?)", [.text(plan.name), .text(plan.hash), .integer(now)])
        return RunRecord(id: connection.lastInsertedRowID, started: now, isResumed: false)
    }

    /// The jobs of the run become those of the plan, each as far as its key has come. A plan of some areas leaves the jobs of the
    /// others alone: they are still to be finished.
    private static func setJobs(
        _ plan: Plan, isWhole: Bool, of run: RunRecord, _ now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteError) {
        if isWhole {
            try connection.run("DELETE FROM jobs WHERE run = ?", [.integer(Int64(run.id))])
        } else {
            for area in Set(plan.jobs.map(\.area)) {
                try connection.run("DELETE FROM jobs WHERE run = ? AND area = ?", [.integer(Int64(run.id)), .text(area)])
            }
        }
        for job in plan.jobs {
            let entry = StateEntry(job: job, progress: run.recorded[job.key] ?? .planned, attempt: 0)
            try write(entry, run: run.id, now, connection)
        }
    }

    private static func write(
        _ entry: StateEntry, run: Int, _ now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteError) {
        try connection.run(
            "INSERT INTO jobs (run, id, area, key, state, progress, attempt, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                + "ON CONFLICT (run, id) DO UPDATE SET key = excluded.key, state = excluded.state, progress = excluded.progress, "
                + "attempt = excluded.attempt, updated = excluded.updated",
            [
                .integer(Int64(run)), .text(entry.job.id), .text(entry.job.area), .text(entry.job.key),
                .text(entry.progress.stateName),
                .text((try? JSON.encoding(entry.progress).serialized()).map(KnownSecrets.masked) ?? "null"),
                .integer(Int64(entry.attempt)), .integer(now),
            ])
    }

    public func record(_ entries: [StateEntry], run: Int, now: Timestamp) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for entry in entries { try Self.write(entry, run: run, now, connection) }
            }
        }
    }

    public func closeRun(_ run: Int, outcome: Outcome, now: Timestamp) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "UPDATE runs SET finished = ?, outcome = ? WHERE id = ?",
                [.integer(now), .text(outcome.rawValue), .integer(Int64(run))])
        }
    }

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

    public func linkReplica(job: String, artifact sha256: String) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "UPDATE replicas SET artifact = ? WHERE rowid = (SELECT rowid FROM replicas WHERE job = ? AND unregistered IS NULL "
                    + "ORDER BY registered DESC, rowid DESC LIMIT 1)",
                [.text(sha256), .text(job)])
        }
    }

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

    public func knowsReplica(_ serviceURL: String, id: String) async throws(SQLiteError) -> Bool {
        try await perform { (connection) throws(SQLiteError) in
            try connection.value("SELECT 1 FROM replicas WHERE service = ? AND replica = ?", [.text(serviceURL), .text(id)])
                != nil
        }
    }

    public func openReplicas() async throws(SQLiteError) -> [ReplicaRecord] { try await registeredReplicas().map(\.replica) }

    /// Open replicas, and since when the server has had each of them; the oldest first.
    public func registeredReplicas() async throws(SQLiteError) -> [(replica: ReplicaRecord, since: Timestamp)] {
        try await perform { (connection) throws(SQLiteError) in
            try connection.rows(
                "SELECT service, replica, name, job, kept, registered, artifact FROM replicas WHERE unregistered IS NULL "
                    + "ORDER BY registered, rowid"
            ).map { row in
                let replica = ReplicaRecord(
                    serviceURL: row[0].text ?? "", replicaID: row[1].text ?? "", name: row[2].text ?? "", job: row[3].text ?? "",
                    isKept: row[4].int == 1, artifact: row[6].text)
                return (replica, Timestamp(row[5].int ?? 0))
            }
        }
    }

    public func recordPublications(
        _ publications: [PublicationRecord], run: Int, now: Timestamp
    ) async throws(SQLiteError) {
        if publications.isEmpty { return }
        try await perform { (connection) throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for publication in publications { try Self.record(publication, run, now, connection) }
            }
        }
    }

    private static func record(
        _ publication: PublicationRecord, _ run: Int, _ now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteError) {
        let area = SQLiteValue.text(publication.area)
        try connection.run(
            "INSERT INTO publications (area, generation, run, published, checked) VALUES (?, ?, ?, ?, ?) "
                + "ON CONFLICT (area, generation) DO UPDATE SET checked = excluded.checked, withdrawn = NULL",
            [area, .text(publication.generation), .integer(Int64(run)), .integer(publication.published), .integer(now)])
        try connection.run("DELETE FROM layers WHERE area = ?", [area])
        for (position, layer) in publication.layers.enumerated() {
            try connection.run(
                "INSERT OR REPLACE INTO layers (area, position, layer, title, checked) VALUES (?, ?, ?, ?, ?)",
                [
                    area, .integer(Int64(position)), .text(layer.id), .text(layer.title),
                    .integer(publication.checked[layer.id] ?? now),
                ])
        }
    }

    public func memory() async throws(SQLiteError) -> StateMemory {
        var memory = StateMemory()
        memory.keptReplicas = try await openReplicas().filter(\.isKept)
        memory.publishedAreas = try await perform { (connection) throws(SQLiteError) in
            Set(try connection.rows("SELECT DISTINCT area FROM publications").compactMap { $0[0].text })
        }
        return memory
    }

    public func inUse(now: Timestamp) async throws(SQLiteError) -> StateInUse {
        try await perform { (connection) throws(SQLiteError) in
            var result = StateInUse()
            try connection.forEachRow(
                "SELECT jobs.id, key, progress FROM jobs JOIN (SELECT id AS resumable FROM runs WHERE \(Self.isResumable)) ON run = resumable",
                [.integer(now - Self.resumeWindow)]
            ) { (row) throws(SQLiteError) in
                guard let id = row[0].text, let key = row[1].text else { return }
                switch JobProgress(stored: row[2].text) {
                case .done(let artifact?): result.artifacts.insert(artifact.sha256)
                case .submitting, .submitted, .ready:
                    result.keys.insert(key)
                    result.jobs.insert(id)
                default: break
                }
            }
            return result
        }
    }

    public func status() async throws(SQLiteError) -> StateSummary {
        try await perform { (connection) throws(SQLiteError) in
            StateSummary(
                lastRun: try Self.lastRun(connection), publications: try Self.publications(connection),
                layers: try Self.layers(connection))
        }
    }

    private static func lastRun(_ connection: SQLiteConnection) throws(SQLiteError) -> StateSummary.Run? {
        let row = try connection.rows("SELECT id, name, started, finished, outcome FROM runs ORDER BY id DESC LIMIT 1").first
        guard let row, let id = row[0].int else { return nil }
        var run = StateSummary.Run(
            name: row[1].text ?? "", started: Timestamp(row[2].int ?? 0), finished: row[3].int.map(Timestamp.init),
            outcome: row[4].text, jobs: [:])
        try connection.forEachRow("SELECT id, progress FROM jobs WHERE run = ?", [.integer(Int64(id))]) {
            (job) throws(SQLiteError) in
            if let id = job[0].text { run.jobs[id] = JobProgress(stored: job[1].text) }
        }
        return run
    }

    private static func publications(_ connection: SQLiteConnection) throws(SQLiteError) -> [StateSummary.Publication] {
        try connection.rows(
            "SELECT area, generation, published, coalesce(checked, published), max(published) FROM publications "
                + "WHERE withdrawn IS NULL GROUP BY area ORDER BY area"
        ).map {
            StateSummary.Publication(
                area: $0[0].text ?? "", generation: $0[1].text ?? "", at: Timestamp($0[2].int ?? 0),
                checked: Timestamp($0[3].int ?? 0))
        }
    }

    private static func layers(_ connection: SQLiteConnection) throws(SQLiteError) -> [StateSummary.Layer] {
        try connection.rows("SELECT area, layer, title, checked FROM layers ORDER BY area, position").map {
            StateSummary.Layer(
                area: $0[0].text ?? "", label: LayerLabel(id: $0[1].text ?? "", title: $0[2].text ?? ""),
                checked: Timestamp($0[3].int ?? 0))
        }
    }

    // MARK: - Rollback

    public func recordRollback(
        area: String, generation: String, published: Timestamp, now: Timestamp
    ) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                // A state that was begun anew does not know the map.
                try connection.run(
                    "INSERT OR IGNORE INTO publications (area, generation, run, published) VALUES (?, ?, 0, ?)",
                    [.text(area), .text(generation), .integer(published)])
                let time = "(SELECT published FROM publications WHERE area = ? AND generation = ?)"
                let place: [SQLiteValue] = [.text(area), .text(area), .text(generation)]
                try connection.run(
                    "UPDATE publications SET withdrawn = NULL WHERE area = ? AND published <= \(time)", place)
                try connection.run(
                    "UPDATE publications SET withdrawn = ? WHERE area = ? AND withdrawn IS NULL AND published > \(time)",
                    [.integer(now)] + place)
            }
        }
    }

    public func rollbacks() async throws(SQLiteError) -> [String: Rollback] {
        try await perform { (connection) throws(SQLiteError) in
            let rows = try connection.rows(
                "SELECT area, generation, max(published), withdrawn FROM publications AS p WHERE withdrawn IS NOT NULL "
                    + "AND published > (SELECT max(published) FROM publications WHERE area = p.area AND withdrawn IS NULL) "
                    + "GROUP BY area")
            return rows.reduce(into: [:]) { result, row in
                guard let area = row[0].text, let from = row[1].text, let at = row[3].int else { return }
                result[area] = Rollback(from: from, at: Timestamp(at))
            }
        }
    }

    public func lastGoodRun(of name: String) async throws(SQLiteError) -> Timestamp? {
        try await perform { (connection) throws(SQLiteError) in
            try connection.value(
                "SELECT max(started) FROM runs WHERE name = ? AND whole = 1 AND outcome = 'ok' "
                    + "AND NOT EXISTS (SELECT * FROM jobs WHERE run = runs.id AND state <> 'done')", [.text(name)]
            )?.int.map(Timestamp.init)
        }
    }

    // MARK: - Durations

    public func recordDurations(_ seconds: [String: Double]) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for (job, seconds) in seconds {
                    try connection.run("INSERT OR REPLACE INTO durations VALUES (?, ?)", [.text(job), .real(seconds)])
                }
            }
        }
    }

    public func durations() async throws(SQLiteError) -> [String: Double] {
        try await perform { (connection) throws(SQLiteError) in
            try connection.rows("SELECT job, seconds FROM durations").reduce(into: [:]) {
                if let job = $1[0].text { $0[job] = $1[1].double }
            }
        }
    }
}

extension JobProgress {
    fileprivate init?(stored text: String?) {
        guard let text, let progress = try? JSON.parse(text).decoded(as: JobProgress.self) else { return nil }
        self = progress
    }

    /// How much of it an earlier process saved; what failed begins again.
    fileprivate var rank: Int {
        switch self {
        case .planned, .failed, .skipped: 0
        case .submitting: 1
        case .submitted: 2
        case .ready: 3
        case .done: 4
        }
    }

    /// The word in `state.db` and in `status`.
    var stateName: String {
        switch self {
        case .planned: "planned"
        case .submitting: "submitting"
        case .submitted: "submitted"
        case .ready: "ready"
        case .done: "done"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }
}
