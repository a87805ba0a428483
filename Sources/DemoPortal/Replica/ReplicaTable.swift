import Basics
import Formats
import Geography

/// A table of the replica file: a layer, a plain table or the attachments of one.
struct ReplicaTable {
    /// `System_Valve`.
    let name: String
    let source: FeatureTable
    let isAttachments: Bool
    let isRegistered: Bool
    /// Without the archive columns.
    let columns: [ReplicaColumn]

    static let shapeColumn = "Shape"

    static func layer(_ table: FeatureTable, isRegistered: Bool) -> ReplicaTable {
        var columns = table.fields.map { column($0, isRegistered) }
        if table.geometry != nil { columns.append(.optional(shapeColumn, .geometry)) }
        return ReplicaTable(
            name: sqlName(table.name), source: table, isAttachments: false, isRegistered: isRegistered, columns: columns)
    }

    static func attachments(of table: FeatureTable, isRegistered: Bool) -> ReplicaTable {
        ReplicaTable(
            name: sqlName(table.name) + "__ATTACH", source: table, isAttachments: true, isRegistered: isRegistered,
            columns: [
                isRegistered ? .required("ATTACHMENTID", .int32) : .key("ATTACHMENTID"), .required("GLOBALID", .uuid),
                .required("REL_GLOBALID", .uuid), .required("CONTENT_TYPE", .text(150)), .required("ATT_NAME", .text(250)),
                .required("DATA_SIZE", .int32), .optional("DATA", .blob(limit: nil)),
            ])
    }

    var isSpatial: Bool { !isAttachments && source.geometry != nil }
    var rowIDColumn: String { columns[0].name }
    var globalIDColumn: String { columns[1].name }
    var spatialIndex: String { "st_spindex__\(name)_\(Self.shapeColumn)" }

    /// Letters, digits and `_`, as Esri's tables are named.
    static func sqlName(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func column(_ field: FeatureTable.Field, _ isRegistered: Bool) -> ReplicaColumn {
        switch field.kind {
        case .objectID: isRegistered ? .required(field.name, .int32) : .key(field.name)
        case .globalID: .required(field.name, .uuid)
        case .guid: .optional(field.name, .uuid)
        case .smallInteger: .optional(field.name, .int16)
        case .integer: .optional(field.name, .int32)
        case .double: .optional(field.name, .float64)
        case .string: .optional(field.name, .text(field.length ?? 255))
        case .date: .optional(field.name, .date)
        }
    }

    /// All statements that come before the rows.
    func creation(number: Int) -> [String] {
        var statements = [ReplicaColumn.createTable(name, columns + (isRegistered ? ReplicaColumn.archive : []))]
        statements.append("CREATE INDEX UUID_\(number) ON \(name) (\(globalIDColumn) ASC)")
        if isAttachments { statements.append("CREATE INDEX GDB_\(number)_REL_GLOBA ON \(name) (REL_GLOBALID ASC)") }
        if isSpatial { statements.append("CREATE VIRTUAL TABLE \"\(spatialIndex)\" USING RTREE (pkid,minx,maxx,miny,maxy)") }
        guard isRegistered else { return statements }
        let id = rowIDColumn
        return statements + [
            "CREATE UNIQUE INDEX r\(number)_gdb_xpk ON \(name) (\(id) ASC,gdb_to_date ASC)",
            "CREATE INDEX gdb_ct1_\(number) ON \(name) (gdb_from_date ASC,gdb_to_date ASC)",
            "CREATE UNIQUE INDEX gdb_ct4_\(number) ON \(name) (\(id) ASC,gdb_from_date ASC)",
            "CREATE VIEW \(name)_evw AS SELECT \(columns.map(\.name).joined(separator: ",")) FROM \(name) WHERE \(Self.isCurrent)",
        ]
    }

    static let isCurrent =
        "gdb_to_date BETWEEN (julianday ('9999-12-31 23:59:59') - 0.000000001)"
        + " AND (julianday ('9999-12-31 23:59:59') + 0.000000001)"

    /// The triggers that keep the spatial index: made after the rows, because they call functions of Esri's library.
    var triggers: [String] {
        guard isSpatial else { return [] }
        let shape = Self.shapeColumn
        let index = "\"\(spatialIndex)\""
        func trigger(_ word: String, _ event: String, _ body: String) -> String {
            "CREATE TRIGGER \"st_\(word)_trigger_\(name)_\(shape)\" AFTER \(event) BEGIN \(body); END"
        }
        let update = "SELECT UpdateIndexEntry ('\(spatialIndex)',NEW.\(shape),NEW._ROWID_,2)"
        let delete = "DELETE FROM \(index) WHERE pkid = OLD._ROWID_"
        return [
            trigger(
                "insert", "INSERT ON \(name) FOR EACH ROW",
                "SELECT InsertIndexEntry ('\(spatialIndex)',NEW.\(shape),NEW._ROWID_,2)"),
            trigger("delete", "DELETE ON \(name) FOR EACH ROW", delete),
            trigger("update", "UPDATE OF \(shape) ON \(name) WHEN OLD._ROWID_ = NEW._ROWID_", update),
            trigger("update1", "UPDATE OF \(shape) ON \(name) WHEN OLD._ROWID_ != NEW._ROWID_", "\(delete); \(update)"),
        ]
    }

    /// Values for `columns`; the archive columns are filled in here.
    var insertion: String {
        let names = columns.map(\.name) + (isRegistered ? ["gdb_from_date", "gdb_to_date"] : [])
        // As-downloaded rows start at 1970-01-01T00:00:01 (formats.md 3.4).
        let values =
            columns.map { _ in "?" }
            + (isRegistered ? ["julianday('1970-01-01 00:00:01')", "julianday('9999-12-31 23:59:59')"] : [])
        return "INSERT INTO \(name) (\(names.joined(separator: ","))) VALUES (\(values.joined(separator: ",")))"
    }

    func values(of row: FeatureTable.Row, shape: [UInt8]?) -> [SQLiteValue] {
        var values: [SQLiteValue] = [.integer(Int64(row.objectID)), .text(row.globalID)]
        for value in row.values { values.append(Self.stored(value)) }
        if isSpatial { values.append(shape.map(SQLiteValue.blob) ?? .null) }
        return values
    }

    static func values(of attachment: FeatureTable.Attachment) -> [SQLiteValue] {
        [
            .integer(Int64(attachment.id)), .text(attachment.globalID), .text(attachment.parentGlobalID),
            .text(attachment.contentType),
            .text(attachment.name), .integer(Int64(attachment.data.count)), .blob(attachment.data),
        ]
    }

    private static func stored(_ value: FeatureTable.Value) -> SQLiteValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .double(let number): .real(number)
        case .text(let text): .text(text)
        // Julian days, UTC.
        case .date(let milliseconds): .real(Double(milliseconds) / 86_400_000 + 2_440_587.5)
        }
    }
}
