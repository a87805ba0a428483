import Basics
import Planning
import Scheduling

/// The nights of a name: which one goes on, and how they began and ended.
extension SQLiteStateStore {
    /// An incomplete run is continued for this long after its start; later its files would mix old and new (cases F9).
    public static let resumeWindow: Timestamp = 12 * 3_600_000

    /// For the newest run of a name: a job of it is not done, and it began after the bound time.
    static let isResumable =
        "started > ? AND id = (SELECT max(id) FROM runs AS other WHERE other.name = runs.name) "
        + "AND EXISTS (SELECT * FROM jobs WHERE run = runs.id AND state <> 'done')"

    public func resumableRun(of name: String, now: Timestamp) async throws(SQLiteError) -> RunRecord? {
        try await perform { (connection) throws(SQLiteError) in
            let row = try connection.rows(
                "SELECT id, started FROM runs WHERE name = ? AND \(Self.isResumable)",
                [.text(name), .integer(now - Self.resumeWindow)]
            ).first
            guard let id = row?[0].int, let started = row?[1].int else { return nil }
            var run = RunRecord(id: id, started: Timestamp(started), isResumed: true)
            run.recorded = try Self.furthest(ofRun: id, connection)
            return run
        }
    }

    public func openRun(
        _ plan: Plan, hash: String, continuing earlier: RunRecord?, known: [String: JobProgress], isWhole: Bool, now: Timestamp
    ) async throws(SQLiteError) -> RunRecord {
        try await transact { (connection) throws(SQLiteError) in
            let run: RunRecord
            if let earlier {
                run = earlier
                try connection.run(
                    "UPDATE runs SET finished = NULL, outcome = NULL, plan_hash = ? WHERE id = ?",
                    [.text(hash), .integer(Int64(run.id))])
            } else {
                run = try Self.newRun(plan.name, hash, now, connection)
            }
            if isWhole {
                try connection.run("UPDATE runs SET whole = 1 WHERE id = ?", [.integer(Int64(run.id))])
                try Self.record(plan.areas.map(\.id), of: plan.name, connection)
            }
            let entries = plan.jobs.map { job in
                StateEntry(job: job, progress: known[job.id] ?? run.recorded[job.key] ?? .planned, attempt: 0)
            }
            try Self.replaceJobs(entries, isWhole: isWhole, run: run.id, now, connection)
            return run
        }
    }

    private static func newRun(
        _ name: String, _ hash: String, _ now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> RunRecord {
        // The history of a name ends with its newest runs; what they published has a table of its own.
        try connection.run(
            "DELETE FROM runs WHERE name = ? AND id NOT IN (SELECT id FROM runs WHERE name = ? ORDER BY id DESC LIMIT 30)",
            [.text(name), .text(name)])
        try connection.run(
            "INSERT INTO runs (name, plan_hash, started) VALUES (?, ?, ?)", [.text(name), .text(hash), .integer(now)])
        return RunRecord(id: connection.lastInsertedRowID, started: now, isResumed: false)
    }

    public func closeRun(_ run: Int, outcome: Outcome, now: Timestamp) async throws(SQLiteError) {
        try await perform { (connection) throws(SQLiteError) in
            _ = try connection.run(
                "UPDATE runs SET finished = ?, outcome = ? WHERE id = ?",
                [.integer(now), .text(outcome.rawValue), .integer(Int64(run))])
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
}
