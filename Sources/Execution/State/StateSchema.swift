import Basics

/// The tables of `state.db`, and how those of an older version get what they lack. `PRAGMA user_version` is the version.
enum StateSchema {
    static var version: Int { steps.count }

    /// Step n brings tables of version n to n + 1.
    private static let steps = [
        """
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, plan_hash TEXT NOT NULL,
            started INTEGER NOT NULL, finished INTEGER, outcome TEXT) STRICT;
        CREATE TABLE jobs (
            run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
            id TEXT NOT NULL, area TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, progress TEXT NOT NULL,
            attempt INTEGER NOT NULL, updated INTEGER NOT NULL, PRIMARY KEY (run, id)) STRICT;
        CREATE TABLE publications (
            area TEXT NOT NULL, generation TEXT NOT NULL, run INTEGER NOT NULL, published INTEGER NOT NULL,
            PRIMARY KEY (area, generation)) STRICT;
        CREATE TABLE replicas (
            service TEXT NOT NULL, replica TEXT NOT NULL, name TEXT NOT NULL, job TEXT NOT NULL, kept INTEGER NOT NULL,
            registered INTEGER NOT NULL, unregistered INTEGER, PRIMARY KEY (service, replica)) STRICT;
        """,
        """
        ALTER TABLE publications ADD COLUMN withdrawn INTEGER;
        ALTER TABLE replicas ADD COLUMN artifact TEXT;
        UPDATE replicas SET artifact = '\(ReplicaRecord.unrecorded)';
        ALTER TABLE runs ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE durations (job TEXT PRIMARY KEY, seconds REAL NOT NULL) STRICT;
        """,
        """
        CREATE TABLE replica_requests (
            service TEXT NOT NULL, name TEXT NOT NULL, job TEXT NOT NULL, sent INTEGER NOT NULL,
            PRIMARY KEY (service, name)) STRICT;
        """,
        // When maps and their layers were last found to be as they should be.
        """
        ALTER TABLE publications ADD COLUMN checked INTEGER;
        CREATE TABLE layers (
            area TEXT NOT NULL, position INTEGER NOT NULL, layer TEXT NOT NULL, title TEXT NOT NULL, checked INTEGER NOT NULL,
            PRIMARY KEY (area, layer)) STRICT;
        """,
        // Whether a job of a run is open is asked every night. A layer has a time of its own only when it did not come with the map:
        // a night that changes nothing rewrites no layer.
        """
        CREATE INDEX open_jobs ON jobs (run) WHERE state <> 'done';
        ALTER TABLE layers RENAME TO earlier;
        CREATE TABLE layers (
            area TEXT NOT NULL, position INTEGER NOT NULL, layer TEXT NOT NULL, title TEXT NOT NULL, checked INTEGER,
            PRIMARY KEY (area, layer)) STRICT;
        INSERT INTO layers SELECT area, position, layer, title, checked FROM earlier;
        DROP TABLE earlier;
        """,
        // When a server last told that it has a replica.
        "ALTER TABLE replicas ADD COLUMN seen INTEGER;",
        // Which areas each manifest has.
        "CREATE TABLE areas (name TEXT NOT NULL, area TEXT NOT NULL, PRIMARY KEY (name, area)) STRICT;",
    ]

    /// All or nothing: tables of a process that was killed here would be in the way of every later run.
    static func bringUpToDate(_ connection: SQLiteConnection, path: String) throws(SQLiteError) {
        let found = try found(connection)
        if found > version { throw SQLiteError(code: 1, message: "The state was \(newer(found)).", statement: path) }
        if found == version { return }
        try connection.transaction { () throws(SQLiteError) in
            for step in steps[found...] { try connection.execute(step) }
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    /// For those who only read: nothing is brought up to date.
    static func requireCurrent(_ connection: SQLiteConnection, path: String) throws(SQLiteError) {
        let found = try found(connection)
        if found == version { return }
        throw SQLiteError(
            code: 1,
            message: "The state was written by another version (\(found), not \(version)); a run brings an older one up to date.",
            statement: path)
    }

    /// nil when this version can go on with the tables.
    static func problem(_ connection: SQLiteConnection) throws(SQLiteError) -> String? {
        let found = try found(connection)
        return found > version ? "it was \(newer(found))" : nil
    }

    private static func newer(_ found: Int) -> String { "written by a newer version (\(found) > \(version))" }

    private static func found(_ connection: SQLiteConnection) throws(SQLiteError) -> Int {
        try connection.value("PRAGMA user_version")?.int ?? 0
    }
}
