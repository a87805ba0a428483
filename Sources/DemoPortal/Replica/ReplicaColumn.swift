import Basics

/// A column with Esri's type name and the CHECK that comes with it (formats.md 3.1, 3.4).
struct ReplicaColumn: Sendable {
    enum Kind: Sendable, Hashable {
        /// `integer primary key`.
        case key
        case int16, int32, float64, date, uuid, xml, geometry
        case text(Int)
        case longText(Int)
        case blob(limit: Int?)
    }

    var name: String
    var kind: Kind
    var isNullable = true
    var isUnique = false
    /// SQL of a DEFAULT.
    var fallback: String?

    static func key(_ name: String) -> Self { Self(name: name, kind: .key, isNullable: false) }
    static func required(_ name: String, _ kind: Kind, isUnique: Bool = false) -> Self {
        Self(name: name, kind: kind, isNullable: false, isUnique: isUnique)
    }
    static func optional(_ name: String, _ kind: Kind) -> Self { Self(name: name, kind: kind) }

    /// The three columns of a change-tracked table.
    static let archive: [ReplicaColumn] = [
        .key("gdb_archive_oid"),
        Self(name: "gdb_from_date", kind: .date, isNullable: false, fallback: "gdb_transaction_time ()"),
        Self(name: "gdb_to_date", kind: .date, isNullable: false, fallback: "julianday ('9999-12-31 23:59:59')"),
    ]

    var sql: String {
        guard kind != .key else { return "\(name) integer primary key not null" }
        return "\(name) \(typeName) check(\(check))\(isNullable ? "" : " not null")\(isUnique ? " unique" : "")"
            + (fallback.map { " default (\($0))" } ?? "")
    }

    static func createTable(_ name: String, _ columns: [ReplicaColumn]) -> String {
        "CREATE TABLE \(name) (\(columns.map(\.sql).joined(separator: ", ")))"
    }

    private var typeName: String {
        switch kind {
        case .key: "integer"
        case .int16: "int16"
        case .int32: "int32"
        case .float64: "float64"
        case .date: "realdate"
        case .uuid: "uuidtext"
        case .xml: "xmltext"
        case .geometry: "geometryblob"
        case .text(let length), .longText(let length): "text(\(length))"
        case .blob(let limit): limit.map { "blob(\($0))" } ?? "blob"
        }
    }

    private var check: String {
        switch kind {
        case .key: ""
        case .int16: "\(type("integer", grouped: true)) and \(name) >= -32768 and \(name) <= 32767"
        case .int32: "\(type("integer", grouped: true)) and \(name) >= -2147483648 and \(name) <= 2147483647"
        case .float64: type("real")
        case .date: "\(type("real", grouped: true)) and \(name) >= 0.0"
        case .uuid: "\(type("text", grouped: true)) and length(\(name)) = 38"
        case .xml: type("text")
        case .text(let length), .longText(let length): "\(type("text", grouped: true)) and not length(\(name)) > \(length)"
        case .blob(let limit):
            limit.map { "\(type("blob", grouped: true)) and not length(\(name)) > \($0)" } ?? type("blob")
        case .geometry:
            "(typeof(\(name)) = 'blob' and length(\(name)) >= 18 and cast(hex(substr(\(name),1,1)) as integer) = 64)"
                + " or typeof(\(name)) = 'null'"
        }
    }

    private func type(_ word: String, grouped: Bool = false) -> String {
        guard isNullable else { return "typeof(\(name)) = '\(word)'" }
        let either = "typeof(\(name)) = '\(word)' or typeof(\(name)) = 'null'"
        return grouped ? "(\(either))" : either
    }

    /// `GDB_ColumnRegistry`: sde_type, column_size, object_flags (formats.md 3.3).
    var registration: (type: Int, size: Int?, flags: Int) {
        let nullable = isNullable ? 4 : 0
        return switch kind {
        case .key: (2, 0, 3)
        case .int16: (1, 0, nullable)
        case .int32: (2, 0, nullable)
        case .float64: (4, 0, nullable)
        case .text(let length): (5, length, nullable)
        case .longText: (13, nil, nullable)
        case .blob: (6, nil, nullable)
        case .date: (7, 0, nullable)
        case .geometry: (8, nil, 32_768 + nullable)
        case .xml: (10, nil, 128 + nullable)
        case .uuid: (12, 38, isUnique ? 256 : nullable)
        }
    }
}
