import Basics
import Planning
import Scheduling

/// How far each job of a run has come.
extension SQLiteStateStore {
    public func record(_ entries: [StateEntry], run: Int, now: Timestamp) async throws(SQLiteError) {
        try await transact { (connection) throws(SQLiteError) in
            for entry in entries { try Self.write(entry, run: run, now, connection) }
        }
    }

    /// The jobs of the run become these. A plan of some areas leaves the jobs of the others alone: they are still to be finished.
    static func replaceJobs(
        _ entries: [StateEntry], isWhole: Bool, run: Int, _ now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteError) {
        if isWhole {
            try connection.run("DELETE FROM jobs WHERE run = ?", [.integer(Int64(run))])
        } else {
            for area in Set(entries.map(\.job.area)) {
                try connection.run("DELETE FROM jobs WHERE run = ? AND area = ?", [.integer(Int64(run)), .text(area)])
            }
        }
        for entry in entries { try write(entry, run: run, now, connection) }
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

    /// By the jobs' keys. Of jobs that share a key, one did the work.
    static func furthest(ofRun run: Int, _ connection: SQLiteConnection) throws(SQLiteError) -> [String: JobProgress] {
        var recorded: [String: JobProgress] = [:]
        try connection.forEachRow("SELECT key, progress FROM jobs WHERE run = ?", [.integer(Int64(run))]) {
            (row) throws(SQLiteError) in
            guard let key = row[0].text, let progress = JobProgress(stored: row[1].text) else { return }
            if progress.rank > recorded[key]?.rank ?? 0 { recorded[key] = progress }
        }
        return recorded
    }

    public func inUse(now: Timestamp) async throws(SQLiteError) -> StateInUse {
        try await perform { (connection) throws(SQLiteError) in
            var result = StateInUse()
            // The runs first: joined, SQLite would look for an open job once for every job on record.
            let runs = try connection.rows(
                "SELECT id FROM runs WHERE \(Self.isResumable)", [.integer(now - Self.resumeWindow)])
            for run in runs {
                try connection.forEachRow("SELECT id, key, progress FROM jobs WHERE run = ?", run) { (row) throws(SQLiteError) in
                    guard let id = row[0].text, let key = row[1].text else { return }
                    switch JobProgress(stored: row[2].text) {
                    case .done(let artifact?): result.artifacts.insert(artifact.sha256)
                    case .submitting, .submitted, .ready:
                        result.keys.insert(key)
                        result.jobs.insert(id)
                    default: break
                    }
                }
            }
            return result
        }
    }
}

extension JobProgress {
    init?(stored text: String?) {
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
