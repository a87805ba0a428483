import CSQLite

/// What SQLite said: its result code and its own words, with the statement. Bound values are left out: they may be secret.
public struct SQLiteError: Error, Hashable, Sendable {
    public var code: Int32
    public var message: String
    public var statement: String

    public init(code: Int32, message: String, statement: String) {
        self.code = code
        self.message = message
        self.statement = statement
    }

    public var isNotADatabase: Bool { code & 0xFF == SQLITE_NOTADB || code & 0xFF == SQLITE_CORRUPT }

    /// The machine refused, whatever the file holds.
    public var isOfTheMachine: Bool {
        [
            SQLITE_PERM, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL,
            SQLITE_NOLFS,
        ].contains(code & 0xFF)
    }
}

public enum SQLiteValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    public var int: Int? { if case .integer(let value) = self { Int(value) } else { nil } }
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    public var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }
}

extension SQLiteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(_ value: String?) { self = value.map(SQLiteValue.text) ?? .null }
    public init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    public init(_ value: Double?) { self = value.map(SQLiteValue.real) ?? .null }
}

/// One connection. Not `Sendable`: it belongs to one thread or one serial owner; every call blocks.
public final class SQLiteConnection {
    public enum Access: Sendable {
        /// Creates the file when it is missing.
        case readWrite
        /// A file that somebody else made. `immutable=1` leaves no `-wal` or `-shm` beside it (formats.md 3.1); what its schema may do is
        /// bounded (`SQLiteGuard`).
        case readOnlyImmutable
        case readOnly
    }

    private let handle: OpaquePointer
    private let watch: SQLiteGuard?
    private var statements: [String: OpaquePointer] = [:]

    public init(path: String, access: Access = .readWrite) throws(SQLiteError) {
        try Self.refuseOtherThanFiles(path)
        let flags: Int32
        let name: String
        switch access {
        case .readWrite:
            flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            name = path
        case .readOnly:
            flags = SQLITE_OPEN_READONLY
            name = path
        case .readOnlyImmutable:
            flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:\(Self.uriPath(path))?mode=ro&immutable=1"
        }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, code == SQLITE_OK else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message, statement: "open \(path)")
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, 5000)
        watch = access == .readOnlyImmutable ? SQLiteGuard(opened, fileSize: (try? Files.size(path)) ?? 0) : nil
    }

    /// SQLite opens what has these names and would wait for the other end of a pipe.
    private static func refuseOtherThanFiles(_ path: String) throws(SQLiteError) {
        for name in ["", "-journal", "-wal", "-shm"].map({ path + $0 }) {
            do throws(SystemError) { _ = try Files.size(name) } catch {
                guard error.code == SystemError.notAFile else { continue }
                throw SQLiteError(code: SQLITE_CANTOPEN, message: "\(name): \(error.message)", statement: "open \(path)")
            }
        }
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    private static func uriPath(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"), 0..<0x21, 0x80...:
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count == 1 ? "0" + digits : digits)
            default: return String(UnicodeScalar(byte))
            }
        }.joined()
    }

    /// Registers an ASCII case-folding collation under `name`; Esri's files have an index that asks for `ICUFOLDCASE`.
    public func addCaseFoldingCollation(_ name: String) {
        sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                let a = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
                let b = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
                func fold(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 32 : byte }
                for (x, y) in zip(a, b) where fold(x) != fold(y) { return fold(x) < fold(y) ? -1 : 1 }
                return Int32(a.count - b.count).signum()
            }, nil)
    }

    /// Several statements without parameters or rows.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code, script) }
    }

    @discardableResult
    public func run(_ statement: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
        try forEachRow(statement, values) { (_) throws(SQLiteError) in }
        return Int(sqlite3_changes(handle))
    }

    public func rows(_ statement: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        var result: [[SQLiteValue]] = []
        try forEachRow(statement, values) { (row) throws(SQLiteError) in result.append(row) }
        return result
    }

    /// The first column of the first row.
    public func value(_ statement: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> SQLiteValue? {
        try rows(statement, values).first?.first
    }

    public var lastInsertedRowID: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Statements are prepared once and kept.
    public func forEachRow(
        _ statement: String, _ values: [SQLiteValue] = [], _ body: ([SQLiteValue]) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let prepared = try prepare(statement)
        defer {
            sqlite3_reset(prepared)
            sqlite3_clear_bindings(prepared)
        }
        for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1), in: prepared) }
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: try body((0..<sqlite3_column_count(prepared)).map { column(prepared, $0) })
            case SQLITE_DONE: return
            case let code: throw failure(code, statement)
            }
        }
    }

    public func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try execute("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    private func prepare(_ statement: String) throws(SQLiteError) -> OpaquePointer {
        // Whoever was stopped once is not asked again: a caller may have taken the error for an absent view.
        if watch?.isSpent == true { throw failure(SQLITE_INTERRUPT, statement) }
        if let kept = statements[statement] { return kept }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, statement, -1, &prepared, nil)
        guard let prepared, code == SQLITE_OK else { throw failure(code, statement) }
        statements[statement] = prepared
        return prepared
    }

    private func bind(_ value: SQLiteValue, at index: Int32, in statement: OpaquePointer) {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), ob_sqlite_transient())
        case .blob(let bytes):
            _ = bytes.withUnsafeBytes {
                // A nil pointer would bind NULL; an empty blob is not NULL.
                if $0.isEmpty {
                    return sqlite3_bind_zeroblob(statement, index, 0)
                } else {
                    return sqlite3_bind_blob64(statement, index, $0.baseAddress, sqlite3_uint64($0.count), ob_sqlite_transient())
                }
            }
        }
    }

    private func column(_ statement: OpaquePointer, _ index: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            // By length: a text may hold a NUL.
            .text(
                String(
                    decoding: UnsafeBufferPointer(
                        start: sqlite3_column_text(statement, index), count: Int(sqlite3_column_bytes(statement, index))),
                    as: UTF8.self))
        case SQLITE_BLOB:
            .blob(
                Array(
                    UnsafeRawBufferPointer(
                        start: sqlite3_column_blob(statement, index), count: Int(sqlite3_column_bytes(statement, index)))))
        default: .null
        }
    }

    private func failure(_ code: Int32, _ statement: String) -> SQLiteError {
        if let watch, watch.isSpent {
            return SQLiteError(code: code, message: "reading it takes more than \(watch.allowed) steps", statement: statement)
        }
        return SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), statement: statement)
    }
}
