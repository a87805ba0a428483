import Basics
import Planning
import Scheduling
import TestSupport
import Testing

@testable import Execution

/// When the layers of the maps that are out were last found to be as they should be.
@Suite struct LayerTimesTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStateStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStateStore(path: folder.file("state.db"))
    }

    private func record(at now: Timestamp, title: String = "Main", late: [String: Timestamp] = [:]) async throws {
        var publication = PublicationRecord(
            area: "a", generation: "a/1", published: 100,
            layers: [LayerLabel(id: "1", title: "Hydrant"), LayerLabel(id: "2", title: title)])
        publication.checked = late
        try await store.recordPublications([publication], run: 1, now: now)
    }

    private func times() async throws -> [Timestamp] { try await store.status().layers.map(\.checked) }

    private func rows() throws -> [[SQLiteValue]] {
        try SQLiteConnection(path: folder.file("state.db")).rows("SELECT rowid, title FROM layers ORDER BY position")
    }

    @Test func theyAreAsFreshAsTheirMap() async throws {
        try await record(at: 200)
        #expect(try await times() == [200, 200])
        let before = try rows()
        try await record(at: 300)
        #expect(try await times() == [300, 300])
        // Nothing of them was written.
        #expect(try rows() == before)
    }

    @Test func aLayerThatDidNotComeKeepsItsTime() async throws {
        try await record(at: 200)
        try await record(at: 300, late: ["2": 200])
        #expect(try await times() == [300, 200])
        try await record(at: 400, late: ["2": 0])
        #expect(try await times() == [400, 0])
        try await record(at: 500)
        #expect(try await times() == [500, 500])
    }

    @Test func anotherTitleIsWritten() async throws {
        try await record(at: 200)
        try await record(at: 300, title: "Pipe")
        #expect(try rows().map { $0[1] } == ["Hydrant", "Pipe"])
    }

    @Test func timesOfAnOlderStateStay() async throws {
        try await record(at: 200)
        let older = try SQLiteConnection(path: folder.file("state.db"))
        try older.execute(
            """
            DROP TABLE layers; DROP INDEX open_jobs; DROP TABLE areas; ALTER TABLE replicas DROP COLUMN seen;
            CREATE TABLE layers (
                area TEXT NOT NULL, position INTEGER NOT NULL, layer TEXT NOT NULL, title TEXT NOT NULL, checked INTEGER NOT NULL,
                PRIMARY KEY (area, layer)) STRICT;
            INSERT INTO layers VALUES ('a', 0, '1', 'Hydrant', 200), ('a', 1, '2', 'Main', 150);
            PRAGMA user_version = 4;
            """)
        let newer = try SQLiteStateStore(path: folder.file("state.db"))
        #expect(try await newer.status().layers.map(\.checked) == [200, 150])
    }
}
