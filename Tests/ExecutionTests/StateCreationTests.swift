import Basics
import TestSupport
import Testing

@testable import Execution

@Suite struct StateCreationTests {
    /// A process that is killed while it makes the tables must leave none: the next would fail on those that are there, for ever.
    /// The kill is played by a table that stands in the way in the middle.
    @Test func tablesAreMadeAllOrNotAtAll() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("state.db")
        try SQLiteConnection(path: path).execute("CREATE TABLE publications (other TEXT)")
        #expect(throws: SQLiteError.self) { try SQLiteStateStore(path: path) }
        let left = try SQLiteConnection(path: path)
        #expect(try left.rows("SELECT name FROM sqlite_master WHERE type = 'table'") == [["publications"]])
        #expect(try left.value("PRAGMA user_version")?.int == 0)

        try left.execute("DROP TABLE publications")
        _ = try SQLiteStateStore(path: path)
        #expect(try left.value("PRAGMA user_version")?.int == 2)
        _ = try SQLiteStateStore(path: path)
    }
}
