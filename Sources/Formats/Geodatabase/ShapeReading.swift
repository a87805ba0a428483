import Basics
import Geography

/// Decodes every shape of a table and compares it with what the file itself says of it.
struct ShapeReading {
    let database: SQLiteConnection
    /// A table or a view with a condition: what stands behind FROM.
    let rows: String
    let table: String
    let column: String
    let objectIDColumn: String?
    let grid: STGeometryGrid?

    func facts(comparingIndex: Bool) throws(SQLiteError) -> ShapeFacts {
        var facts = ShapeFacts(
            decoded: 0, null: 0, undecodable: 0, problems: [], multipart: 0, points: 0, extent: nil, boxDisagreements: 0,
            index: nil)
        let id = objectIDColumn.map(Self.quoted) ?? "NULL"
        try database.forEachRow("SELECT \(id), \(Self.quoted(column)) FROM \(rows)") { (row) throws(SQLiteError) in
            if row[1] == .null {
                facts.null += 1
                return
            }
            do throws(STGeometryError) {
                Self.add(try STBlob(row[1].blob ?? []), grid, to: &facts)
            } catch {
                facts.undecodable += 1
                if facts.problems.count < 20 { facts.problems.append(.init(objectID: row[0].int, reason: error)) }
            }
        }
        if comparingIndex, let grid { facts.index = try compareIndex(grid) }
        return facts
    }

    private static func add(_ blob: STBlob, _ grid: STGeometryGrid?, to facts: inout ShapeFacts) {
        facts.decoded += 1
        facts.points += blob.parts.reduce(0) { $0 + $1.count }
        if blob.parts.count > 1 || (blob.kind == .multipoint && blob.parts.first?.count ?? 0 > 1) { facts.multipart += 1 }
        if let stored = blob.storedBox, stored != blob.computedBox { facts.boxDisagreements += 1 }
        if let grid, let box = blob.envelope(grid) { facts.extent = facts.extent?.union(box) ?? box }
    }

    /// R-tree boxes are float32, rounded outwards: a shape's box must lie within its entry but for one unit in the last place.
    private func compareIndex(_ grid: STGeometryGrid) throws(SQLiteError) -> ShapeFacts.IndexComparison? {
        let tree = "st_spindex__\(table)_\(column)"
        // An R-tree and no other module: the file says which code reads its tables.
        let exists = try database.value("SELECT count(*) FROM sqlite_master WHERE name = ? COLLATE NOCASE", [.text(tree)])
        guard exists?.int == 1 else { return nil }
        var result = ShapeFacts.IndexComparison(compared: 0, disagreements: 0)
        let statement = """
            SELECT t.\(Self.quoted(column)), i.minx, i.miny, i.maxx, i.maxy FROM \(Self.quoted(table)) t
            JOIN \(Self.quoted(tree)) i ON i.pkid = t.rowid
            """
        try database.forEachRow(statement) { (row) throws(SQLiteError) in
            guard let bytes = row[0].blob, let blob = try? STBlob(bytes), let box = blob.envelope(grid) else { return }
            result.compared += 1
            let pairs = [(box.xmin, row[1]), (box.ymin, row[2]), (box.xmax, row[3]), (box.ymax, row[4])]
            let agrees = pairs.allSatisfy { value, stored in
                guard let stored = stored.double else { return false }
                return abs(value - stored) <= 2 * Double(Float(value).ulp)
            }
            if !agrees { result.disagreements += 1 }
        }
        return result
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.escaping(["\"": "\"\""]) + "\""
    }
}

extension STBlob {
    func envelope(_ grid: STGeometryGrid) -> Envelope? {
        computedBox.map {
            Envelope(
                xmin: Double($0[0]) / grid.xyUnits + grid.falseX, ymin: Double($0[1]) / grid.xyUnits + grid.falseY,
                xmax: Double($0[2]) / grid.xyUnits + grid.falseX, ymax: Double($0[3]) / grid.xyUnits + grid.falseY)
        }
    }
}
