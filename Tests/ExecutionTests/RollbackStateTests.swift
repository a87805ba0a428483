import Basics
import Foundation
import Planning
import Scheduling
import TestSupport
import Testing

@testable import Execution

/// What the state knows about maps that were taken back, and about replicas whose maps are gone.
@Suite struct RollbackStateTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStateStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStateStore(path: folder.file("state.db"))
    }

    private func publish(_ generation: String, at time: Timestamp, area: String = "a") async throws {
        let publication = PublicationRecord(area: area, generation: "\(area)/\(generation)", published: time, layers: [])
        try await store.recordPublications([publication], run: 1, now: time)
    }

    private func newest(_ area: String = "a") async throws -> String? {
        try await store.status().publications.first { $0.area == area }?.generation
    }

    @Test func aRollbackTakesBackWhatCameLater() async throws {
        for (name, time) in [("1", 100), ("2", 200), ("3", 300)] as [(String, Timestamp)] { try await publish(name, at: time) }
        try await publish("9", at: 900, area: "b")
        #expect(try await store.rollbacks().isEmpty)
        try await store.recordRollback(area: "a", generation: "a/1", published: 50, now: 400)
        #expect(try await newest() == "a/1")
        #expect(try await newest("b") == "b/9")
        #expect(try await store.rollbacks() == ["a": Rollback(from: "a/3", at: 400)])
        // Forward again, but not all the way.
        try await store.recordRollback(area: "a", generation: "a/2", published: 50, now: 500)
        #expect(try await newest() == "a/2")
        #expect(try await store.rollbacks()["a"]?.from == "a/3")
        // The next publication ends it.
        try await publish("4", at: 600)
        #expect(try await newest() == "a/4")
        #expect(try await store.rollbacks().isEmpty)
    }

    @Test func aStateThatWasBegunAnewLearnsOfTheMap() async throws {
        try await store.recordRollback(area: "a", generation: "a/1", published: 50, now: 400)
        #expect(try await store.status().publications == [.init(area: "a", generation: "a/1", at: 50, checked: 50)])
        #expect(try await store.rollbacks().isEmpty)
    }

    @Test func tablesOfTheFirstVersionAreBroughtUpToDate() async throws {
        let path = folder.file("old.db")
        try Self.makeFirstVersion(path)
        #expect(throws: SQLiteError.self) { try SQLiteStateStore(readingPath: path) }
        let store = try SQLiteStateStore(path: path)
        #expect(try await store.status().publications.map(\.generation) == ["a/1"])
        // Nobody wrote down which file it is for: it is not taken for a leftover.
        let replica = try #require(try await store.openReplicas().first)
        #expect(!replica.isLeftover(inUse: StateInUse(), maps: []))
        _ = try SQLiteStateStore(readingPath: path)
    }

    private static func makeFirstVersion(_ path: String) throws {
        let connection = try SQLiteConnection(path: path)
        try connection.execute(
            """
            CREATE TABLE runs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, plan_hash TEXT NOT NULL,
                started INTEGER NOT NULL, finished INTEGER, outcome TEXT) STRICT;
            CREATE TABLE jobs (run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
                id TEXT NOT NULL, area TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, progress TEXT NOT NULL,
                attempt INTEGER NOT NULL, updated INTEGER NOT NULL, PRIMARY KEY (run, id)) STRICT;
            CREATE TABLE publications (area TEXT NOT NULL, generation TEXT NOT NULL, run INTEGER NOT NULL,
                published INTEGER NOT NULL, PRIMARY KEY (area, generation)) STRICT;
            CREATE TABLE replicas (service TEXT NOT NULL, replica TEXT NOT NULL, name TEXT NOT NULL, job TEXT NOT NULL,
                kept INTEGER NOT NULL, registered INTEGER NOT NULL, unregistered INTEGER, PRIMARY KEY (service, replica)) STRICT;
            INSERT INTO publications VALUES ('a', 'a/1', 1, 100);
            INSERT INTO replicas VALUES ('https://h/s', 'R1', 'n', 'a/s/replica', 1, 100, NULL);
            PRAGMA user_version = 1;
            """)
    }

    struct Leftover: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isKept = true
        var artifact: String?
        var jobsInUse: Set<String> = []
        var artifactsInUse: Set<String> = []
        var maps: Set<String>? = []
        var isLeftover: Bool
    }

    static let leftovers = [
        Leftover(testDescription: "its run died before the file was here", isLeftover: true),
        Leftover(testDescription: "its run can be continued", jobsInUse: ["j"], isLeftover: false),
        Leftover(testDescription: "a map holds its file", artifact: "f", maps: ["e", "f"], isLeftover: false),
        Leftover(testDescription: "the map with its file is gone", artifact: "f", maps: ["e"], isLeftover: true),
        Leftover(
            testDescription: "the file is here, its map is not yet", artifact: "f", artifactsInUse: ["f"], isLeftover: false),
        Leftover(testDescription: "not all maps could be read", artifact: "f", maps: nil, isLeftover: false),
        Leftover(
            testDescription: "registered for the download only", isKept: false, artifact: "f", maps: ["f"], isLeftover: true),
        Leftover(
            testDescription: "registered for a download that may go on", isKept: false, jobsInUse: ["j"], isLeftover: false),
        Leftover(
            testDescription: "maps cannot be read, but the file never came", maps: nil, isLeftover: true),
        Leftover(testDescription: "made by an older version", artifact: "unrecorded", isLeftover: false),
    ]

    @Test(arguments: leftovers) func replicasThatNobodyNeeds(_ example: Leftover) {
        let replica = ReplicaRecord(
            serviceURL: "s", replicaID: "r", name: "n", job: "j", isKept: example.isKept, artifact: example.artifact)
        let inUse = StateInUse(artifacts: example.artifactsInUse, keys: [], jobs: example.jobsInUse)
        #expect(replica.isLeftover(inUse: inUse, maps: example.maps) == example.isLeftover)
    }

    @Test func theFileOfAReplicaIsWrittenDownOnce() async throws {
        func record(_ id: String, _ job: String) async throws {
            try await store.recordReplica(
                ReplicaRecord(serviceURL: "s", replicaID: id, name: "n", job: job, isKept: true), now: 1)
        }
        try await record("R1", "j")
        try await store.linkReplica(job: "j", artifact: "f1")
        // The run died that asked for R2: what R3 brings is not its file.
        try await record("R2", "j")
        try await record("R3", "j")
        try await record("R4", "k")
        try await store.linkReplica(job: "j", artifact: "f2")
        #expect(try await store.openReplicas().map(\.artifact) == ["f1", nil, "f2", nil])
    }

    @Test func durationsAreTheNewest() async throws {
        try await store.recordDurations(["a/1": 2, "a/2": 3])
        try await store.recordDurations(["a/1": 5])
        #expect(try await store.durations() == ["a/1": 5, "a/2": 3])
    }

    @Test func whichMapARollbackGoesTo() throws {
        func map(_ day: Int, _ mark: String = "") -> Generation {
            Generation(
                area: "a", name: "2026010\(day)T000000Z", time: Date(timeIntervalSince1970: Double(day) * 86400),
                isCurrent: mark == "*", condition: mark == "!" ? .damaged(["x"]) : .whole, bytes: 1,
                missingLayers: mark == "/" ? ["Hydrant"] : [])
        }
        func chosen(_ target: RollbackTarget, _ maps: [Generation]) throws(Failure) -> String {
            String(try MapRollback.choose(target, of: maps).name.dropFirst(7).first!)
        }
        #expect(try chosen(.previous, [map(1), map(2), map(3, "*")]) == "2")
        #expect(try chosen(.previous, [map(1), map(2, "!"), map(3, "*")]) == "1")
        #expect(try chosen(.previous, [map(1), map(2, "/"), map(3, "*")]) == "1")
        #expect(try chosen(.name("20260102T000000Z"), [map(1), map(2, "/"), map(3, "*")]) == "2")
        #expect(try chosen(.previous, [map(1), map(2, "*"), map(3)]) == "1")
        #expect(try chosen(.previous, [map(1), map(2)]) == "2")
        #expect(try chosen(.name("20260103T000000Z"), [map(2, "*"), map(3)]) == "3")
        #expect(try chosen(.notAfter(Date(timeIntervalSince1970: 2.5 * 86400)), [map(1), map(2), map(3, "*")]) == "2")
        for (target, maps) in [
            (.previous, []), (.previous, [map(1, "*"), map(2)]), (.name("20260109T000000Z"), [map(1)]),
            (.name("20260101T000000Z"), [map(1, "!")]), (.notAfter(Date(timeIntervalSince1970: 0)), [map(1)]),
        ] as [(RollbackTarget, [Generation])] {
            #expect(throws: Failure.self) { try MapRollback.choose(target, of: maps) }
        }
    }
}
