import Basics
import Foundation
import TestSupport
import Testing

@testable import Formats

/// Replicas that somebody made to do harm: each is refused as a bad file, none holds the reader up, and no other code than SQLite's own
/// runs.
struct HostileGeodatabaseTests {
    private static let tables = """
        CREATE TABLE GDB_Items (UUID, Name, DatasetInfo1, Type, Definition);
        CREATE TABLE Pipes (OBJECTID INTEGER PRIMARY KEY, gdb_to_date REAL);
        INSERT INTO Pipes VALUES (1, julianday('9999-12-31 23:59:59')), (2, 0);
        CREATE TABLE st_geometry_columns (f_table_name, f_geometry_column, srid);
        """

    private func inspect(_ schema: String) throws -> Result<GeodatabaseFacts, FormatError> {
        let folder = try TemporaryFolder()
        do {
            let writer = try SQLiteConnection(path: folder.file("a.geodatabase"))
            try writer.execute(Self.tables + schema)
        }
        do throws(FormatError) { return .success(try Geodatabase.inspect(folder.file("a.geodatabase"))) } catch {
            return .failure(error)
        }
    }

    @Test func theHonestOneIsRead() throws {
        let facts = try inspect("").get()
        #expect(facts.table("Pipes")?.rows == 1 && facts.table("Pipes")?.filter == .archiveColumns)
    }

    /// `_evw` is where honest files keep the rows of today.
    @Test(
        "a view without an end, one that makes what no file can hold, and an index that is none",
        arguments: [
            "CREATE VIEW Pipes_evw AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
            """
            INSERT INTO st_geometry_columns VALUES ('Pipes', 'Shape', 1);
            CREATE VIEW Pipes_evw AS SELECT zeroblob(900000000) AS Shape, 1 AS OBJECTID FROM Pipes
            """,
            // Where an R-tree belongs, a module that reads what the file's author forged for it.
            """
            INSERT INTO st_geometry_columns VALUES ('Pipes', 'Shape', 1); ALTER TABLE Pipes ADD COLUMN Shape;
            CREATE TABLE st_aux_spatial_reference_systems (srid, falsex, falsey, xyunits, falsez, zunits);
            INSERT INTO st_aux_spatial_reference_systems VALUES (1, 0, 0, 1000, 0, 1);
            CREATE VIRTUAL TABLE st_spindex__Pipes_Shape USING fts5(pkid, minx, miny, maxx, maxy)
            """,
        ])
    func schemasThatDoHarm(schema: String) throws {
        let began = ContinuousClock.now
        guard case .failure(let error) = try inspect(schema) else {
            Issue.record("it was read")
            return
        }
        #expect(error.code == .damaged, "\(error)")
        #expect(began.duration(to: .now) < .seconds(120))
    }

    @Test func tablesOfModulesAreNoTables() throws {
        let facts = try inspect(
            "CREATE VIRTUAL TABLE Words USING fts5(x); CREATE VIRTUAL TABLE Pipes__ATTACH USING fts5(DATA, DATA_SIZE)"
        ).get()
        // The shadow tables of the module are plain ones.
        #expect(facts.table("Words") == nil && facts.table("Words_data") != nil)
        #expect(facts.table("Pipes")?.attachments == nil)
    }

    /// The name of a table is text of a stranger, too.
    @Test func namesCannotLeaveTheirQuotes() throws {
        let facts = try inspect(#"CREATE TABLE "a"" UNION SELECT 9 --" (x); INSERT INTO "a"" UNION SELECT 9 --" VALUES (1), (2)"#)
            .get()
        #expect(facts.table(#"a" UNION SELECT 9 --"#)?.rows == 2)
        // A mark that combines with the quote hides it from who reads by characters.
        let marked = try inspect("CREATE TABLE \"a\"\"\u{301} --\" (x); INSERT INTO \"a\"\"\u{301} --\" VALUES (1), (2)").get()
        #expect(marked.table("a\"\u{301} --")?.rows == 2)
    }

    @Test("entities that multiply themselves are no data")
    func entities() throws {
        let bomb = """
            <!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><a>&c;</a>
            """
        #expect(throws: XMLSyntaxError.self) { try XMLElement.parse(Array(bomb.utf8)) }
        #expect(try XMLElement.parse(Array("<?xml version='1.0'?><x:a xmlns:x='y'><b>1</b></x:a>".utf8)).int("b") == 1)
        let deep = String(repeating: "<a>", count: 1000) + String(repeating: "</a>", count: 1000)
        #expect(throws: XMLSyntaxError.self) { try XMLElement.parse(Array(deep.utf8)) }
    }
}
