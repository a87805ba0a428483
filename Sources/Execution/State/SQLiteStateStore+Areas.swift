import Basics

/// Which areas a manifest has, as its newest run of all of them saw it: those of a service's features are known only so.
extension SQLiteStateStore {
    static func record(_ areas: [String], of name: String, _ connection: SQLiteConnection) throws(SQLiteError) {
        let rows = try connection.rows("SELECT area FROM areas WHERE name = ?", [.text(name)])
        if Set(rows.compactMap { $0[0].text }) == Set(areas) { return }
        try connection.run("DELETE FROM areas WHERE name = ?", [.text(name)])
        for area in areas {
            try connection.run("INSERT OR IGNORE INTO areas (name, area) VALUES (?, ?)", [.text(name), .text(area)])
        }
    }

    static func areas(_ connection: SQLiteConnection) throws(SQLiteError) -> [String: Set<String>] {
        try connection.rows("SELECT name, area FROM areas").reduce(into: [:]) { areas, row in
            if let name = row[0].text, let area = row[1].text { areas[name, default: []].insert(area) }
        }
    }
}
