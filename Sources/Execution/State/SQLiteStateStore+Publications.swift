import Basics
import Planning
import Scheduling

/// Which maps became current, which a person took back, and when they and their layers were last found to be as they should be.
extension SQLiteStateStore {
    public func recordPublications(
        _ publications: [PublicationRecord], run: Int, now: Timestamp
    ) async throws(SQLiteError) {
        if publications.isEmpty { return }
        try await transact { (connection) throws(SQLiteError) in
            for publication in publications { try Self.record(publication, run, now, connection) }
        }
    }

    private static func record(
        _ publication: PublicationRecord, _ run: Int, _ now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteError) {
        let area = SQLiteValue.text(publication.area)
        let before = try times(of: publication.unasked, area, connection)
        try connection.run(
            "INSERT INTO publications (area, generation, run, published, checked) VALUES (?, ?, ?, ?, ?) "
                + "ON CONFLICT (area, generation) DO UPDATE SET checked = excluded.checked, withdrawn = NULL",
            [area, .text(publication.generation), .integer(Int64(run)), .integer(publication.published), .integer(now)])
        // Most nights find most layers as they were, and what is on record is not written again.
        let layers: [[SQLiteValue]] = publication.layers.map { layer in
            [.text(layer.id), .text(layer.title), SQLiteValue((publication.checked[layer.id] ?? before[layer.id]).map(Int.init))]
        }
        if try connection.rows("SELECT layer, title, checked FROM layers WHERE area = ? ORDER BY position", [area]) == layers {
            return
        }
        try connection.run("DELETE FROM layers WHERE area = ?", [area])
        for (position, layer) in layers.enumerated() {
            try connection.run(
                "INSERT OR REPLACE INTO layers (area, position, layer, title, checked) VALUES (?, ?, ?, ?, ?)",
                [area, .integer(Int64(position))] + layer)
        }
    }

    /// When layers were last found to be as they should be, by what is on record.
    private static func times(
        of layers: Set<String>, _ area: SQLiteValue, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [String: Timestamp] {
        if layers.isEmpty { return [:] }
        let rows = try connection.rows(
            "SELECT layer, coalesce(checked, (SELECT coalesce(checked, published) FROM publications WHERE area = layers.area "
                + "AND withdrawn IS NULL ORDER BY published DESC LIMIT 1)) FROM layers WHERE area = ?", [area])
        return rows.reduce(into: [:]) { times, row in
            if let id = row[0].text, layers.contains(id) { times[id] = row[1].int.map(Timestamp.init) }
        }
    }

    // MARK: - Rollback

    public func recordRollback(
        area: String, generation: String, published: Timestamp, now: Timestamp
    ) async throws(SQLiteError) {
        try await transact { (connection) throws(SQLiteError) in
            // A state that was begun anew does not know the map.
            try connection.run(
                "INSERT OR IGNORE INTO publications (area, generation, run, published) VALUES (?, ?, 0, ?)",
                [.text(area), .text(generation), .integer(published)])
            let time = "(SELECT published FROM publications WHERE area = ? AND generation = ?)"
            let place: [SQLiteValue] = [.text(area), .text(area), .text(generation)]
            try connection.run("UPDATE publications SET withdrawn = NULL WHERE area = ? AND published <= \(time)", place)
            try connection.run(
                "UPDATE publications SET withdrawn = ? WHERE area = ? AND withdrawn IS NULL AND published > \(time)",
                [.integer(now)] + place)
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
}
