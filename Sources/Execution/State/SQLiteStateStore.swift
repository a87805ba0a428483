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
    /// An incomplete run is continued for this long; after it, its files would mix old and new (cases F9).
    public static let resumeWindow: Timestamp = 12 * 3_600_000

    /// Creates the file and its tables when they are missing. `PRAGMA user_version` is the version of the tables.
    public init(path: String) throws(SQLiteError) {
        connection = try SQLiteConnection(path: path)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
        let version = try connection.value("PRAGMA user_version")?.int ?? 0
        guard version <= Self.version else {
            throw SQLiteError(
                code: 1, message: "The state was written by a newer version (\(version) > \(Self.version)).", statement: path)
        }
        if version < Self.version {
            try connection.execute(Self.schema)
            try connection.execute("PRAGMA user_version = \(Self.version)")
        }
    }

    /// For `status`: never writes.
    public init(readingPath path: String) throws(SQLiteError) {
        connection = try SQLiteConnection(path: path, access: .readOnly)
    }

    private static let version = 1
    private static let schema = """
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, plan_hash TEXT NOT NULL,
            started INTEGER NOT NULL, finished INTEGER, outcome TEXT) STRICT;
        CREATE TABLE jobs (
            run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
            id TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, progress TEXT NOT NULL,
            attempt INTEGER NOT NULL, updated INTEGER NOT NULL, PRIMARY KEY (run, id)) STRICT;
        CREATE INDEX jobs_by_key ON jobs(run, key);
        CREATE TABLE publications (
            area TEXT NOT NULL, generation TEXT NOT NULL, run INTEGER NOT NULL, published INTEGER NOT NULL,
            PRIMARY KEY (area, generation)) STRICT;
        CREATE TABLE replicas (
            service TEXT NOT NULL, replica TEXT NOT NULL, name TEXT NOT NULL, job TEXT NOT NULL,
            registered INTEGER NOT NULL, unregistered INTEGER, PRIMARY KEY (service, replica)) STRICT;
        """

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

    public func openRun(name: String, planHash: String, now: Timestamp) async throws(SQLiteError) -> RunRecord {
        try await perform { (connection) throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let last = try connection.rows(
                    "SELECT id, started FROM runs WHERE name = ? AND (outcome IS NULL OR outcome <> 'ok') AND started > ? "
                        + "AND id = (SELECT max(id) FROM runs WHERE name = ?)",
                    [.text(name), .integer(now - Self.resumeWindow), .text(name)]
                ).first
                if let last, let id = last[0].int, let started = last[1].int {
                    try connection.run(
                        "UPDATE runs SET finished = NULL, outcome = NULL, plan_hash = ? WHERE id = ?",
                        [.text(planHash), .integer(Int64(id))])
                    return RunRecord(id: id, started: Timestamp(started), isResumed: true)
                }
                // The history of a name ends with its newest runs; what they published has a table of its own.
                try connection.run(
                    "DELETE FROM runs WHERE name = ? AND id NOT IN (SELECT id FROM runs WHERE name = ? ORDER BY id DESC LIMIT 30)",
                    [.text(name), .text(name)])
                try connection.run(
                    "INSERT INTO runs (name, plan_hash, started) VALUES (?, ?, ?)", [.text(name), .text(planHash), .integer(now)])
                return RunRecord(id: connection.lastInsertedRowID, started: now, isResumed: false)
            }
        }
    }

    public func progress(of run: Int) async throws(SQLiteError) -> [String: JobProgress] {
        try await perform { (connection) throws(SQLiteError) in
            var result: [String: JobProgress] = [:]
            try connection.forEachRow("SELECT key, progress FROM jobs WHERE run = ?", [.integer(Int64(run))]) {
                (row) throws(SQLiteError) in
                guard let key = row[0].text, let text = row[1].text,
                    let progress = try? JSON.parse(text).decoded(as: JobProgress.self)
                else { return }
                // Of jobs that share a key, one did the work.
                if result[key]?.isFinal != true { result[key] = progress }
            }
            return result
        }
    }

    public func record(run: Int, job: Job, progress: JobProgress, attempt: Int, now: Timestamp) async throws(SQLiteError) {
        let text = (try? JSON.encoding(progress).serialized()) ?? "null"
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "INSERT INTO jobs (run, id, key, state, progress, attempt, updated) VALUES (?, ?, ?, ?, ?, ?, ?) "
                    + "ON CONFLICT (run, id) DO UPDATE SET key = excluded.key, state = excluded.state, progress = excluded.progress, "
                    + "attempt = excluded.attempt, updated = excluded.updated",
                [
                    .integer(Int64(run)), .text(job.id), .text(job.key), .text(progress.stateName), .text(text),
                    .integer(Int64(attempt)), .integer(now),
                ])
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
                "INSERT OR IGNORE INTO replicas (service, replica, name, job, registered) VALUES (?, ?, ?, ?, ?)",
                [.text(replica.serviceURL), .text(replica.replicaID), .text(replica.name), .text(replica.job), .integer(now)])
        }
    }

    public func forgetReplica(_ replica: ReplicaRecord, now: Timestamp) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "UPDATE replicas SET unregistered = ? WHERE service = ? AND replica = ?",
                [.integer(now), .text(replica.serviceURL), .text(replica.replicaID)])
        }
    }

    public func openReplicas() async throws(SQLiteError) -> [ReplicaRecord] {
        try await perform { (connection) throws(SQLiteError) in
            try connection.rows("SELECT service, replica, name, job FROM replicas WHERE unregistered IS NULL ORDER BY registered")
                .map {
                    ReplicaRecord(
                        serviceURL: $0[0].text ?? "", replicaID: $0[1].text ?? "", name: $0[2].text ?? "", job: $0[3].text ?? "")
                }
        }
    }

    public func recordPublication(area: String, generation: String, run: Int, now: Timestamp) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "INSERT OR REPLACE INTO publications (area, generation, run, published) VALUES (?, ?, ?, ?)",
                [.text(area), .text(generation), .integer(Int64(run)), .integer(now)])
        }
    }

    public func artifactsInUse() async throws(SQLiteError) -> Set<String> {
        try await perform { (connection) throws(SQLiteError) in
            var result: Set<String> = []
            try connection.forEachRow(
                "SELECT progress FROM jobs JOIN runs ON runs.id = jobs.run WHERE state = 'done' AND (outcome IS NULL OR outcome <> 'ok')"
            ) { (row) throws(SQLiteError) in
                guard let text = row[0].text, let progress = try? JSON.parse(text).decoded(as: JobProgress.self) else { return }
                if case .done(let artifact?) = progress { result.insert(artifact.sha256) }
            }
            return result
        }
    }

    public func status() async throws(SQLiteError) -> StateSummary {
        try await perform { (connection) throws(SQLiteError) in
            StateSummary(lastRun: try Self.lastRun(connection), publications: try Self.publications(connection))
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
            guard let id = job[0].text, let text = job[1].text else { return }
            run.jobs[id] = try? JSON.parse(text).decoded(as: JobProgress.self)
        }
        return run
    }

    private static func publications(_ connection: SQLiteConnection) throws(SQLiteError) -> [StateSummary.Publication] {
        try connection.rows("SELECT area, generation, max(published) FROM publications GROUP BY area ORDER BY area").map {
            StateSummary.Publication(area: $0[0].text ?? "", generation: $0[1].text ?? "", at: Timestamp($0[2].int ?? 0))
        }
    }
}

extension JobProgress {
    /// The word in `state.db` and in `status`.
    var stateName: String {
        switch self {
        case .planned: "planned"
        case .submitting, .submitted: "submitted"
        case .ready: "ready"
        case .done: "done"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }
}
