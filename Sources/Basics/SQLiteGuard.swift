import CSQLite

/// Bounds for a database that came from a stranger. Its schema is a program: a view may compute for ever or make values that no file
/// could hold, a trigger or an expression may call any function, a shadow table may be forged for its module.
///
/// - Nothing in the schema calls what is not known to be harmless, and shadow tables cannot be written (`trusted_schema`, defensive mode).
/// - Of the modules that a virtual table may name, the R-tree alone is there.
/// - No value is longer than the file that it is read from.
/// - All statements together take so many steps of SQLite's machine: 100 for each byte of the file are several times what the longest
///   honest reading of it takes, and the first twenty million are free.
final class SQLiteGuard {
    let allowed: Int
    private var left: Int
    private static let interval: Int32 = 10_000

    init(_ handle: OpaquePointer, fileSize: Int) {
        allowed = 20_000_000 + 100 * fileSize
        left = allowed
        for (option, value): (Int32, Int32) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
        ] {
            _ = ob_sqlite_configure(handle, option, value)
        }
        "rtree".withCString { rtree in
            var kept: [UnsafePointer<CChar>?] = [rtree, nil]
            sqlite3_drop_modules(handle, &kept)
        }
        sqlite3_exec(handle, "PRAGMA cell_size_check = ON", nil, nil, nil)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: fileSize + (1 << 20)))
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        // Unretained: the connection holds this guard and closes the handle before it lets go of it.
        sqlite3_progress_handler(
            handle, Self.interval,
            { context in
                guard let context else { return 0 }
                let watch = Unmanaged<SQLiteGuard>.fromOpaque(context).takeUnretainedValue()
                watch.left -= Int(SQLiteGuard.interval)
                return watch.isSpent ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    var isSpent: Bool { left <= 0 }
}
