import Basics
import Foundation
import Geography
import Planning
import Scheduling
import TestSupport
import Testing

@testable import Execution

/// Which run a plan continues, and what is kept for it.
@Suite struct StateStoreTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStateStore
    private let now: Timestamp = 1_700_000_000_000
    private let artifact = ArtifactReference(sha256: "aa", bytes: 1, fileExtension: "tpkx")

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStateStore(path: folder.file("state.db"))
    }

    private func plan(_ jobs: String..., name: String = "test") -> Plan {
        Plan(
            name: name, portal: "https://portal",
            map: PlannedMap(itemID: nil, title: "Map", document: [:], item: nil, thumbnailURL: nil), areas: [], layers: [],
            jobs: jobs.map { Self.job($0) }, limits: PlannedLimits(.init(), continueOnErrors: true), keep: 2)
    }

    private static func job(_ id: String, key: String? = nil) -> Job {
        let request = ServiceRequest(url: "https://h/s", parameters: [:])
        return Job(
            id: id, area: String(id.prefix { $0 != "/" }), layers: [], reason: "new", key: key ?? "key " + id,
            work: .tiles(TileWork(serviceURL: "https://h/s", service: .map, request: request, levels: [])))
    }

    private func finish(_ run: RunRecord, _ ids: String...) async throws {
        try await store.record(
            ids.map { StateEntry(job: Self.job($0), progress: .done(artifact), attempt: 1) }, run: run.id, now: now)
    }

    private func open(_ plan: Plan, isWhole: Bool = true, after seconds: Timestamp = 0) async throws -> RunRecord {
        try await store.openRun(plan, isWhole: isWhole, now: now + seconds * 1000)
    }

    @Test func aRunGoesOnUntilAllItsJobsAreDone() async throws {
        let plan = plan("a/1", "a/2")
        let first = try await open(plan)
        try await finish(first, "a/1")
        let second = try await open(plan, after: 60)
        #expect(second.id == first.id && second.isResumed)
        #expect(second.recorded == ["key a/1": .done(artifact)])
        try await finish(second, "a/2")
        #expect(try await open(plan, after: 120).isResumed == false)
    }

    @Test func jobsOfOtherAreasStayOpen() async throws {
        let whole = plan("a/1", "b/1")
        let first = try await open(whole)
        try await store.record(
            [StateEntry(job: Self.job("b/1"), progress: .submitted(jobURL: "u", at: now), attempt: 1)], run: first.id, now: now)
        let subset = try await open(plan("a/1"), isWhole: false)
        try await finish(subset, "a/1")
        try await store.closeRun(subset.id, outcome: .ok, now: now)
        #expect(try await store.inUse(now: now) == StateInUse(artifacts: ["aa"], keys: ["key b/1"], jobs: ["b/1"]))
        let next = try await open(whole)
        #expect(next.id == first.id)
        #expect(next.recorded == ["key a/1": .done(artifact), "key b/1": .submitted(jobURL: "u", at: now)])
    }

    @Test func jobsThatLeftThePlanHoldNothingUp() async throws {
        let first = try await open(plan("a/1", "a/broken"))
        try await finish(first, "a/1")
        let second = try await open(plan("a/1"))
        #expect(second.id == first.id)
        // All that is left is done, so the next night is a new run.
        #expect(try await open(plan("a/1"), after: 60).isResumed == false)
    }

    @Test func whatWasDoneUnderAnotherNameCountsByItsKey() async throws {
        let first = try await open(plan("a/1", "a/2"))
        try await finish(first, "a/1")
        var renamed = plan("a/other", "a/2")
        renamed.jobs[0].key = "key a/1"
        #expect(try await open(renamed).recorded["key a/1"] == .done(artifact))
        #expect(try await store.status().lastRun?.jobs["a/other"] == .done(artifact))
    }

    @Test func nothingIsKeptForOldOrFinishedRuns() async throws {
        let first = try await open(plan("a/1", "a/2"))
        try await finish(first, "a/1")
        #expect(try await store.inUse(now: now).artifacts == ["aa"])
        #expect(try await store.inUse(now: now + SQLiteStateStore.resumeWindow + 1) == StateInUse())
        try await finish(first, "a/2")
        #expect(try await store.inUse(now: now) == StateInUse())
    }

    @Test func runsOfAnotherNameAreTheirOwn() async throws {
        let first = try await open(plan("a/1"))
        let other = try await open(plan("a/1", name: "other"))
        #expect(other.id != first.id && !other.isResumed)
        #expect(try await open(plan("a/1")).id == first.id)
    }

    @Test func replicasStayOnRecordUntilTheyAreForgotten() async throws {
        let mine = ReplicaRecord(serviceURL: "s", replicaID: "1", name: "n", job: "a/1", isKept: false)
        let kept = ReplicaRecord(serviceURL: "s", replicaID: "2", name: "n", job: "a/1", isKept: true)
        for replica in [mine, kept, mine] { try await store.recordReplica(replica, now: now) }
        #expect(try await store.openReplicas() == [mine, kept])
        try await store.forgetReplica(mine, now: now)
        #expect(try await store.openReplicas() == [kept])
    }

    @Test func requestsForReplicasStayUntilTheyAreSettled() async throws {
        let request = ReplicaRequestRecord(serviceURL: "s", name: "ob_a_1", job: "a/1", sent: now)
        let other = ReplicaRequestRecord(serviceURL: "s", name: "ob_a_2", job: "a/1", sent: now + 1)
        for one in [request, other, request] { try await store.recordReplicaRequest(one) }
        #expect(try await store.openReplicaRequests().map(\.name) == ["ob_a_1", "ob_a_2"])
        try await store.settleReplicaRequest(request)
        #expect(try await store.openReplicaRequests() == [other])
        let replica = ReplicaRecord(serviceURL: "s", replicaID: "1", name: "n", job: "a/1", isKept: false)
        try await store.recordReplica(replica, now: now)
        try await store.forgetReplica(replica, now: now)
        #expect(try await store.knowsReplica("s", id: "1"))
        #expect(try await store.knowsReplica("t", id: "1") == false)
    }

    @Test func noSecretIsWrittenIntoTheProgressOfAJob() async throws {
        _ = Secret("state-secret-77")
        let run = try await open(plan("a/1"))
        let failure = Failure(phase: .submit, kind: .permanent, message: "no: state-secret-77")
        try await store.record([StateEntry(job: Self.job("a/1"), progress: .failed(failure), attempt: 1)], run: run.id, now: now)
        let text = try SQLiteConnection(path: folder.file("state.db")).value("SELECT progress FROM jobs")?.text
        #expect(text?.contains("no: ***") == true)
    }
}
