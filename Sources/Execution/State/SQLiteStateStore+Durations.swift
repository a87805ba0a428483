import Basics

/// How long jobs took when they were last done: what fits into a short night is known from that.
extension SQLiteStateStore {
    public func recordDurations(_ seconds: [String: Double]) async throws(SQLiteError) {
        if seconds.isEmpty { return }
        try await transact { (connection) throws(SQLiteError) in
            for (job, seconds) in seconds {
                try connection.run("INSERT OR REPLACE INTO durations VALUES (?, ?)", [.text(job), .real(seconds)])
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
