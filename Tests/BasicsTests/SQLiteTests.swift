import Basics
import TestSupport
import Testing

@Suite struct SQLiteTests {
    @Test func valuesComeBackAsTheyWent() throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteConnection(path: folder.file("a.db"))
        try database.execute("CREATE TABLE t (n, i, r, x, b, e)")
        let row: [SQLiteValue] = [.null, .integer(.max), .real(2.5), .text("ä\u{0}b'"), .blob([0, 255]), .blob([])]
        try database.run("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", row)
        let found = try database.rows("SELECT * FROM t")
        #expect(found.count == 1 && found[0][0] == .null && found[0][1] == .integer(.max) && found[0][2] == .real(2.5))
        #expect(found[0][3] == .text("ä\u{0}b'"))
        #expect(found[0][4] == .blob([0, 255]) && found[0][5] == .blob([]))
        #expect(try database.value("SELECT count(*) FROM t") == 1)
        #expect(try database.value("SELECT n FROM t WHERE 0") == nil)
    }

    @Test func runTellsChangesAndRowID() throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteConnection(path: folder.file("a.db"))
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
        #expect(try database.run("INSERT INTO t VALUES (41, 1), (42, 1)") == 2)
        #expect(database.lastInsertedRowID == 42)
        #expect(try database.run("UPDATE t SET v = ?", [7]) == 2)
        #expect(try database.run("UPDATE t SET v = ? WHERE id = ?", [8, 99]) == 0)
    }

    @Test func preparedStatementForgetsItsValues() throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteConnection(path: folder.file("a.db"))
        #expect(try database.value("SELECT ?", ["x"]) == "x")
        #expect(try database.value("SELECT ?") == .null)
    }

    @Test func transactionIsUndoneByAnError() throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteConnection(path: folder.file("a.db"))
        try database.execute("CREATE TABLE t (v UNIQUE)")
        #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.run("INSERT INTO t VALUES (1)")
                try database.run("INSERT INTO t VALUES (1)")
            }
        }
        #expect(try database.value("SELECT count(*) FROM t") == 0)
        try database.transaction { () throws(SQLiteError) in _ = try database.run("INSERT INTO t VALUES (1)") }
        #expect(try database.value("SELECT count(*) FROM t") == 1)
    }

    @Test func errorHasTheLibrarysWordsAndNoValues() throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteConnection(path: folder.file("a.db"))
        do {
            try database.run("SELECT a FROM nowhere WHERE x = ?", ["hunter22"])
            Issue.record("no error")
        } catch {
            #expect(error.message == "no such table: nowhere")
            #expect(error.code == 1)
            #expect(!"\(error)".contains("hunter22"))
        }
    }

    @Test func readOnlyImmutableLeavesNothingBeside() throws {
        let folder = try TemporaryFolder()
        // A name with signs that mean something in a URI.
        let path = folder.file("a%20?b#c d.geodatabase")
        let writer = try SQLiteConnection(path: path)
        try writer.execute("CREATE TABLE t (v); INSERT INTO t VALUES (5)")
        let before = try Files.list(folder.path)
        let database = try SQLiteConnection(path: path, access: .readOnlyImmutable)
        #expect(try database.value("SELECT v FROM t") == 5)
        #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO t VALUES (6)") }
        #expect(try Files.list(folder.path) == before)
        #expect(before == ["a%20?b#c d.geodatabase"])
    }

    /// The schema of a file is a program of whoever made it. Interrupted (9), too big (18), refused when compiled (1).
    @Test(
        "a stranger's schema computes within bounds",
        arguments: [
            ("CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", 9),
            ("CREATE VIEW v AS SELECT zeroblob(500000000) AS x", 18),
            ("CREATE VIEW v AS SELECT load_extension('/tmp/x.so') AS x", 1),
            ("CREATE VIRTUAL TABLE f USING fts5(x); CREATE VIEW v AS SELECT * FROM f", 1),
        ])
    func guardedSchema(schema: String, code: Int32) throws {
        let folder = try TemporaryFolder()
        try SQLiteConnection(path: folder.file("a.db")).execute("CREATE TABLE t (v); INSERT INTO t VALUES (1); " + schema)
        let database = try SQLiteConnection(path: folder.file("a.db"), access: .readOnlyImmutable)
        #expect(try database.value("SELECT v FROM t") == 1)
        do throws(SQLiteError) {
            _ = try database.value("SELECT count(x) FROM v")
            Issue.record("it was read")
        } catch {
            #expect(error.code & 0xFF == code, "\(error)")
            #expect(!error.isOfTheMachine)
            if code == 9 { #expect(error.message.hasPrefix("reading it takes more than 2"), "\(error)") }
        }
    }

    @Test func triggersOfAStrangerDoNotRun() throws {
        let folder = try TemporaryFolder()
        let writer = try SQLiteConnection(path: folder.file("a.db"))
        try writer.execute("CREATE TABLE t (v); CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT raise(ABORT, 'ran'); END")
        let database = try SQLiteConnection(path: folder.file("a.db"), access: .readOnlyImmutable)
        #expect(throws: SQLiteError.self) { try database.execute("ATTACH ':memory:' AS other") }
        do throws(SQLiteError) {
            try database.execute("INSERT INTO t VALUES (1)")
            Issue.record("it was written")
        } catch {
            #expect(error.code & 0xFF == 8)
        }
    }

    @Test func whatIsNoDatabaseIsSaid() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(String(repeating: "<html>error</html>", count: 100).utf8), to: folder.file("a"))
        do {
            _ = try SQLiteConnection(path: folder.file("a"), access: .readOnly).value("SELECT count(*) FROM sqlite_master")
            Issue.record("no error")
        } catch {
            #expect(error.isNotADatabase)
        }
        #expect(throws: SQLiteError.self) {
            _ = try SQLiteConnection(path: folder.file("missing"), access: .readOnly).value("SELECT count(*) FROM sqlite_master")
        }
        #expect(!Files.exists(folder.file("missing")))
    }

    @Test func caseFoldingCollation() throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteConnection(path: folder.file("a.db"))
        database.addCaseFoldingCollation("ICUFOLDCASE")
        try database.execute("CREATE TABLE t (v TEXT COLLATE ICUFOLDCASE); INSERT INTO t VALUES ('Main'), ('hydrant'), ('MAINS')")
        #expect(try database.rows("SELECT v FROM t WHERE v = 'MAIN'") == [["Main"]])
        #expect(try database.rows("SELECT v FROM t ORDER BY v") == [["hydrant"], ["Main"], ["MAINS"]])
    }
}
