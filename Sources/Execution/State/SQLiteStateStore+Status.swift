import Basics
import Planning
import Scheduling

/// What `status` and the next run read.
extension SQLiteStateStore {
    public func memory() async throws(SQLiteError) -> StateMemory {
        var memory = StateMemory()
        memory.keptReplicas = try await registeredReplicas().filter(\.replica.isKept).map {
            KeptReplica(record: $0.replica, seen: $0.seen)
        }
        memory.publishedAreas = try await perform { (connection) throws(SQLiteError) in
            Set(try connection.rows("SELECT DISTINCT area FROM publications").compactMap { $0[0].text })
        }
        return memory
    }

    public func status() async throws(SQLiteError) -> StateSummary {
        try await perform { (connection) throws(SQLiteError) in
            let publications = try Self.publications(connection)
            return StateSummary(
                lastRun: try Self.lastRun(connection), publications: publications,
                layers: try Self.layers(of: publications, connection), areas: try Self.areas(connection))
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

    /// A layer without a time of its own is as its map is.
    private static func layers(
        of publications: [StateSummary.Publication], _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [StateSummary.Layer] {
        let checked = Dictionary(publications.map { ($0.area, $0.checked) }) { first, _ in first }
        return try connection.rows("SELECT area, layer, title, checked FROM layers ORDER BY area, position").map { row in
            let area = row[0].text ?? ""
            return StateSummary.Layer(
                area: area, label: LayerLabel(id: row[1].text ?? "", title: row[2].text ?? ""),
                checked: row[3].int.map(Timestamp.init) ?? checked[area] ?? 0)
        }
    }
}
