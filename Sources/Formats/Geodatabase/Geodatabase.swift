import Basics
import Geography

/// Reads a .geodatabase as SQLite, without Esri's library: immutable, so that no file appears beside it, and without a touch
/// of the virtual tables that only that library has (formats.md 3.1, 3.2). Every call blocks; not `Sendable`.
public final class Geodatabase {
    public let path: String
    private let database: SQLiteConnection

    /// Fails when the file is not SQLite, is shorter than its header says, or has no geodatabase tables.
    public init(opening path: String) throws(FormatError) {
        self.path = path
        try GeodatabaseHeader.check(path)
        database = try Self.wrap(path) { () throws(SQLiteError) in
            let database = try SQLiteConnection(path: path, access: .readOnlyImmutable)
            database.addCaseFoldingCollation("ICUFOLDCASE")
            return database
        }
        guard try hasTable("GDB_Items") else { throw FormatError(.missing, file: path, expected: "GDB_Items") }
    }

    public static func inspect(_ path: String, options: Options = Options()) throws(FormatError) -> GeodatabaseFacts {
        try Geodatabase(opening: path).inspect(options)
    }

    public struct Options: Sendable {
        /// `PRAGMA quick_check`: reads every page.
        public var checkingPages: Bool
        /// Decode every shape.
        public var decodingShapes: Bool
        public var comparingIndex: Bool

        public init(checkingPages: Bool = true, decodingShapes: Bool = true, comparingIndex: Bool = true) {
            self.checkingPages = checkingPages
            self.decodingShapes = decodingShapes
            self.comparingIndex = comparingIndex
        }
    }

    /// Broken pages and tables that are named but absent are errors; single bad shapes are counted.
    public func inspect(_ options: Options = Options()) throws(FormatError) -> GeodatabaseFacts {
        if options.checkingPages { try checkPages() }
        let header = try GeodatabaseHeader.read(path)
        return try Self.wrap(path) { () throws(SQLiteError) in
            let layers = try serviceLayers()
            var tables: [GeodatabaseTable] = []
            for name in try userTables() {
                let table = try describe(name, options)
                // Several layers of a map may draw one table.
                let drawn = layers.filter { $0.table.lowercased() == name.lowercased() }
                tables += drawn.isEmpty ? [table] : drawn.map(table.drawn)
            }
            tables.sort { ($0.layerID ?? .max, $0.name) < ($1.layerID ?? .max, $1.name) }
            let version = try hasTableRaw("GDB_Version") ? database.value("SELECT description FROM GDB_Version")?.text : nil
            return GeodatabaseFacts(
                version: version, hasEsriApplicationID: header.applicationID == GeodatabaseHeader.esri, tables: tables,
                replica: try ReplicaReading.replica(database), totalBytes: header.fileSize)
        }.checked(layersOf: try Self.wrap(path) { () throws(SQLiteError) in try serviceLayers() }, path)
    }

    private func checkPages() throws(FormatError) {
        let lines = try Self.wrap(path) { () throws(SQLiteError) in try database.rows("PRAGMA quick_check(5)") }
        let words = lines.compactMap { $0.first?.text }
        if words != ["ok"] { throw FormatError(.damaged, file: path, detail: words.joined(separator: "; ")) }
    }

    // MARK: Tables

    struct ServiceLayer {
        var id: Int
        var table: String
        var title: String?
    }

    /// Layers and tables of the service; none in files that Pro or the SDK made.
    private func serviceLayers() throws(SQLiteError) -> [ServiceLayer] {
        guard try hasTableRaw("GDB_ServiceItems") else { return [] }
        return try database.rows("SELECT ItemId, DatasetName, ItemInfo FROM GDB_ServiceItems WHERE ItemType = 1").compactMap {
            row in
            guard let id = row[0].int, let dataset = row[1].text else { return nil }
            let title = row[2].text.flatMap { try? JSON.parse($0) }?["name"]?.string
            return ServiceLayer(id: id, table: ReplicaReading.tableName(dataset), title: title)
        }
    }

    private func userTables() throws(SQLiteError) -> [String] {
        try database.rows("SELECT name FROM sqlite_master WHERE \(Self.isStored) ORDER BY name").compactMap { row in
            guard let name = row[0].text else { return nil }
            let lower = name.lowercased()
            let isSystem = ["gdb_", "st_", "sqlite_"].contains { lower.hasPrefix($0) } || lower == "consolidationmapping_gdb"
            return isSystem || lower.hasSuffix("__attach") ? nil : name
        }
    }

    private func describe(_ name: String, _ options: Options) throws(SQLiteError) -> GeodatabaseTable {
        let (filter, source) = try currentRows(name)
        var table = GeodatabaseTable(
            name: name, layerID: nil, title: nil, filter: filter, rows: try count(source), shapes: nil,
            attachments: nil)
        if options.decodingShapes { table.shapes = try shapes(name, source, comparingIndex: options.comparingIndex) }
        if try hasTableRaw(name + "__ATTACH") { table.attachments = try attachments(name + "__ATTACH") }
        return table
    }

    /// What stands behind FROM to read the current rows: the view when it works, else its condition on the base table.
    private func currentRows(_ table: String) throws(SQLiteError) -> (GeodatabaseTable.RowFilter, String) {
        let view = ShapeReading.quoted(table + "_evw")
        if (try? count(view)) != nil { return (.view, view) }
        let columns = try database.rows("SELECT name FROM pragma_table_info(?)", [.text(table)]).compactMap {
            $0[0].text?.lowercased()
        }
        guard columns.contains("gdb_to_date") else { return (.all, ShapeReading.quoted(table)) }
        let end = "julianday('9999-12-31 23:59:59')"
        return (.archiveColumns, "\(ShapeReading.quoted(table)) WHERE gdb_to_date BETWEEN \(end) - 1e-9 AND \(end) + 1e-9")
    }

    private func count(_ source: String) throws(SQLiteError) -> Int {
        try database.value("SELECT count(*) FROM \(source)")?.int ?? 0
    }

    private func attachments(_ table: String) throws(SQLiteError) -> AttachmentFacts {
        let (_, source) = try currentRows(table)
        let statement = """
            SELECT count(*), coalesce(sum(length(DATA)), 0), coalesce(sum(coalesce(length(DATA), 0) <> DATA_SIZE), 0) FROM \(source)
            """
        let row = try database.rows(statement).first
        return AttachmentFacts(count: row?[0].int ?? 0, bytes: row?[1].int ?? 0, wrongSizes: row?[2].int ?? 0)
    }

    // MARK: Shapes

    private func shapes(_ table: String, _ source: String, comparingIndex: Bool) throws(SQLiteError) -> ShapeFacts? {
        guard try hasTableRaw("st_geometry_columns") else { return nil }
        let row = try database.rows(
            "SELECT f_geometry_column, srid FROM st_geometry_columns WHERE f_table_name = ? COLLATE NOCASE", [.text(table)]
        ).first
        guard let row, let column = row[0].text else { return nil }
        return try ShapeReading(
            database: database, rows: source, table: table, column: column, objectIDColumn: try objectIDColumn(table),
            grid: try grid(table, srid: row[1].int ?? 0)
        ).facts(comparingIndex: comparingIndex)
    }

    private func objectIDColumn(_ table: String) throws(SQLiteError) -> String? {
        guard try hasTableRaw("GDB_TableRegistry") else { return nil }
        return try database.value(
            "SELECT rowid_column FROM GDB_TableRegistry WHERE table_name = ? COLLATE NOCASE", [.text(table)])?.text
    }

    /// From the file's own systems, else from the dataset's definition (formats.md 3.5).
    private func grid(_ table: String, srid: Int) throws(SQLiteError) -> STGeometryGrid? {
        if try hasTableRaw("st_aux_spatial_reference_systems") {
            let own = try database.rows(
                "SELECT falsex, falsey, xyunits, falsez, zunits FROM st_aux_spatial_reference_systems WHERE srid = ?",
                [SQLiteValue(srid)])
            if let row = own.first, let x = row[0].double, let y = row[1].double, let units = row[2].double, units > 0 {
                return STGeometryGrid(
                    falseX: x, falseY: y, xyUnits: units, falseZ: row[3].double ?? 0, zUnits: row[4].double ?? 1)
            }
        }
        let definition = try database.rows(
            "SELECT Definition FROM GDB_Items NOT INDEXED WHERE Name = ? COLLATE NOCASE OR Name = ? COLLATE NOCASE",
            [.text("main." + table), .text(table)])
        for row in definition {
            guard let text = row[0].text, let root = try? XMLElement.parse(Array(text.utf8)),
                let reference = root["SpatialReference"] ?? root.descendant("SpatialReference"),
                let x = reference.double("XOrigin"), let y = reference.double("YOrigin"), let units = reference.double("XYScale"),
                units > 0
            else { continue }
            return STGeometryGrid(
                falseX: x, falseY: y, xyUnits: units, falseZ: reference.double("ZOrigin") ?? 0,
                zUnits: reference.double("ZScale") ?? 1)
        }
        return nil
    }

    // MARK: Helpers

    /// Not a virtual table, which has no page of its own and runs a module's code when it is read.
    private static let isStored = "type = 'table' AND rootpage > 0"

    private func hasTable(_ name: String) throws(FormatError) -> Bool {
        try Self.wrap(path) { () throws(SQLiteError) in try hasTableRaw(name) }
    }

    private func hasTableRaw(_ name: String) throws(SQLiteError) -> Bool {
        try database.value(
            "SELECT count(*) FROM sqlite_master WHERE \(Self.isStored) AND name = ? COLLATE NOCASE", [.text(name)])?.int == 1
    }

    private static func wrap<Value>(_ path: String, _ body: () throws(SQLiteError) -> Value) throws(FormatError) -> Value {
        do throws(SQLiteError) { return try body() } catch {
            // What the file makes SQLite say is the file's fault; only the machine's own trouble is the machine's.
            throw FormatError(
                error.isOfTheMachine ? .unreadable : .damaged, file: path, detail: "\(error.message) (\(error.statement))")
        }
    }
}

extension GeodatabaseTable {
    fileprivate func drawn(by layer: Geodatabase.ServiceLayer) -> GeodatabaseTable {
        var table = self
        table.layerID = layer.id
        table.title = layer.title
        return table
    }
}

extension GeodatabaseFacts {
    /// A layer of the service that has no table is a hole in the file.
    fileprivate func checked(layersOf layers: [Geodatabase.ServiceLayer], _ path: String) throws(FormatError) -> GeodatabaseFacts
    {
        for layer in layers where self.layer(layer.id) == nil {
            throw FormatError(.missing, file: path, entry: "GDB_ServiceItems", expected: layer.table, found: "layer \(layer.id)")
        }
        return self
    }
}
