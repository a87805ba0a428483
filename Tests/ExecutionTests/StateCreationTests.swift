import Basics
import Foundation
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
        #expect(try left.value("PRAGMA user_version")?.int == 7)
        _ = try SQLiteStateStore(path: path)
    }

    /// Signed addresses are in it; its folder may be one that the user made.
    @Test func nobodyElseReadsTheState() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStateStore(path: folder.file("state.db"))
        for name in ["state.db", "state.db-wal", "state.db-shm"] { #expect(Files.mode(folder.file(name)) == 0o600, "\(name)") }
        withExtendedLifetime(store) {}
    }

    @Test func noLinkIsFollowedToAFileOfSomebodyElse() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array("precious".utf8), to: folder.file("precious"))
        for name in ["state.db", "lock"] { symlink(folder.file("precious"), folder.file(name)) }
        #expect(throws: SQLiteError.self) { try SQLiteStateStore(path: folder.file("state.db")) }
        let loop = SystemError(call: "open", path: folder.file("lock"), code: ELOOP)
        #expect(throws: RunLock.LockError.system(loop)) { try RunLock(path: folder.file("lock"), now: Date()) }
        #expect(try Files.read(folder.file("precious")) == Array("precious".utf8))
    }

    /// What an older program wrote goes on.
    @Test func anOlderStateGetsWhatItLacks() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("state.db")
        let replica = ReplicaRecord(serviceURL: "s", replicaID: "1", name: "n", job: "a/1", isKept: true)
        do {
            try await SQLiteStateStore(path: path).recordReplica(replica, now: 1)
            let older = try SQLiteConnection(path: path)
            try older.execute(
                """
                DROP TABLE replica_requests; DROP TABLE layers; DROP INDEX open_jobs; DROP TABLE areas;
                ALTER TABLE publications DROP COLUMN checked; ALTER TABLE replicas DROP COLUMN seen; PRAGMA user_version = 2
                """)
        }
        let store = try SQLiteStateStore(path: path)
        #expect(try await store.openReplicas() == [replica])
        #expect(try await store.openReplicaRequests().isEmpty)
        // Its server told of it when it made it.
        #expect(try await store.memory().keptReplicas == [KeptReplica(record: replica, seen: 1)])
        #expect(try await store.status().areas.isEmpty)
    }
}
