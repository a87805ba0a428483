import Basics
import Dispatch
import Scheduling

/// `state.db`: SQLite in WAL mode with full synchronisation, so that a record survives a power cut before the side effect begins.
/// What it remembers is in one file a subject; its tables are in `StateSchema`.
///
/// `@unchecked Sendable`: the connection is touched only on `queue`, which is serial.
public final class SQLiteStateStore: StateStore, @unchecked Sendable {
    private let connection: SQLiteConnection
    private let queue = DispatchQueue(label: "offline-batch.state")

    /// Creates the file and its tables when they are missing.
    public init(path: String) throws(SQLiteError) {
        do throws(SystemError) {
            // Signed addresses are in it, so it is closed to others even in a folder that is not. SQLite gives its logs the same mode.
            try Files.makeFile(path, mode: 0o600)
        } catch {
            throw SQLiteError(code: 14, message: "\(error.call): \(error.message)", statement: path)
        }
        connection = try SQLiteConnection(path: path)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
        try StateSchema.bringUpToDate(connection, path: path)
    }

    /// For `status`: never writes.
    public init(readingPath path: String) throws(SQLiteError) {
        connection = try Self.reading(path)
        try StateSchema.requireCurrent(connection, path: path)
    }

    /// Even to read, SQLite makes the files beside a database in WAL mode that its last writer took away. Where it may not make them and
    /// there is no log, nobody writes, and the file is all there is.
    private static func reading(_ path: String) throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        do throws(SQLiteError) {
            _ = try connection.value("PRAGMA user_version")
            return connection
        } catch  where error.code & 0xFF == cannotOpen && Files.isAbsent(path + "-wal") {
            return try SQLiteConnection(path: path, access: .readOnlyImmutable)
        }
    }

    /// `SQLITE_CANTOPEN`.
    private static let cannotOpen: Int32 = 14

    /// What is wrong with the file, read from end to end; nil when it is sound. An older version is no problem: the next run brings
    /// it up to date. Blocks.
    public static func problem(of path: String) -> String? {
        do throws(SQLiteError) {
            let connection = try reading(path)
            let lines = try connection.rows("PRAGMA integrity_check(5)").compactMap { $0[0].text }
            return lines == ["ok"] ? try StateSchema.problem(connection) : lines.joined(separator: "; ")
        } catch {
            return error.message
        }
    }

    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Value
    ) async throws(SQLiteError) -> Value {
        let result: Result<Value, SQLiteError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                do throws(SQLiteError) {
                    continuation.resume(returning: .success(try work(connection)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// All or nothing.
    func transact<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Value
    ) async throws(SQLiteError) -> Value {
        try await perform { (connection) throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in try work(connection) }
        }
    }
}
