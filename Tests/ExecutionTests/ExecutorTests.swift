import Basics
import Foundation
import Geography
import Planning
import Scheduling
import Synchronization
import TestSupport
import Testing

@testable import Execution

@Suite struct ExecutorTests {
    @Test func publishesAnAreaAfterAllItsParts() async throws {
        let world = try World(areas: ["north"])
        let report = await world.run()
        #expect(report.outcome == .ok)
        #expect(report.exitCode == 0)
        #expect(report.jobs.map(\.state) == [.done, .done, .done, .done])
        #expect(report.areas == [AreaReport(id: "north", state: .published, generation: "north/generations/1", bytes: 3)])
        for job in report.jobs {
            let times = job.times
            let order = [times.queued, times.started, times.submitted, times.ready, times.fetched, times.done].compactMap(\.self)
            #expect(order == order.sorted() && times.started != nil && times.done != nil, "\(job.id)")
            #expect((times.submitted != nil && times.ready != nil && times.fetched != nil) == job.kind.isExport, "\(job.id)")
        }
        // A package waits for all jobs of its area.
        let ends = report.jobs.filter(\.kind.isExport).compactMap(\.times.done)
        #expect(report.jobs.first { $0.kind == .package }?.times.queued == ends.max())
        #expect(world.performer.log.suffix(2) == ["perform north/package", "perform north/publish"])
    }

    @Test func aFailureStopsItsAreaAndNoOther() async throws {
        let world = try World(areas: ["north", "south"])
        world.performer.fail("north/a/tiles", with: Failure(phase: .submit, kind: .permanent, code: 400, message: "no"))
        let report = await world.run()
        #expect(report.outcome == .partial)
        let states = Dictionary(uniqueKeysWithValues: report.jobs.map { ($0.id, $0.state) })
        #expect(states["north/a/tiles"] == .failed)
        #expect(states["north/b/replica"] == .done)
        #expect(states["north/package"] == .skipped)
        #expect(states["north/publish"] == .skipped)
        #expect(states["south/publish"] == .done)
        let skipped = try #require(report.jobs.first { $0.id == "north/package" }?.error)
        #expect(skipped.message == "upstream failed")
        #expect(skipped.details == ["north/a/tiles"])
        #expect(report.areas.map(\.state) == [.failed, .published])
    }

    @Test func nothingPublishedIsAFailure() async throws {
        let world = try World(areas: ["north"])
        world.performer.fail("north/a/tiles", with: Failure(phase: .submit, kind: .permanent, code: 400, message: "no"))
        #expect(await world.run().outcome == .failed)
        let denied = try World(areas: ["north"])
        denied.performer.fail("north/a/tiles", with: Failure(phase: .submit, kind: .denied, code: 403, message: "no"))
        #expect(await denied.run().exitCode == 77)
    }

    @Test func continuesARunThatWasCutOff() async throws {
        let world = try World(areas: ["north"])
        // The first process dies after the tiles were submitted and the replica was done.
        let first = try await world.store.openRun(world.plan, isWhole: true, now: world.now)
        let artifact = ArtifactReference(sha256: "aa", bytes: 1, fileExtension: "geodatabase")
        try await world.store.record(
            [
                StateEntry(job: world.job("north/b/replica"), progress: .done(artifact), attempt: 1),
                StateEntry(
                    job: world.job("north/a/tiles"), progress: .submitted(jobURL: "job", at: world.now), attempt: 1),
            ], run: first.id, now: world.now)
        let report = await world.run()
        #expect(report.outcome == .ok)
        #expect(!world.performer.log.contains("submit north/a/tiles"))
        #expect(!world.performer.log.contains { $0.hasSuffix("north/b/replica") })
        #expect(world.performer.log.contains("poll north/a/tiles"))
        #expect(report.jobs.first { $0.id == "north/b/replica" }?.state == .reused)
    }

    @Test func anOldIncompleteRunIsNotContinued() async throws {
        let world = try World(areas: ["north"])
        let first = try await world.store.openRun(world.plan, isWhole: true, now: world.now - 13 * 3_600_000)
        let next = try await world.store.openRun(world.plan, isWhole: true, now: world.now)
        #expect(!next.isResumed)
        #expect(next.id != first.id)
    }

    @Test func aFinishedRunIsNotContinued() async throws {
        let world = try World(areas: ["north"])
        _ = await world.run()
        let next = try await world.store.openRun(world.plan, isWhole: true, now: world.now)
        #expect(!next.isResumed)
    }

    @Test func aSignalStopsWithoutLosingTheSubmission() async throws {
        let world = try World(areas: ["north"])
        world.performer.hang("poll north/a/tiles")
        world.performer.hang("fetch north/b/replica")
        let (stop, signal) = AsyncStream<Int32>.makeStream()
        world.performer.whenStarted("poll north/a/tiles") { signal.yield(SIGTERM) }
        let report = await world.run(stop: stop)
        #expect(report.outcome == .terminated)
        #expect(report.exitCode == 143)
        let kept = try await world.store.status().lastRun
        // When it was submitted depends on how busy the machine is.
        guard case .submitted("job north/a/tiles", _)? = kept?.jobs["north/a/tiles"] else {
            Issue.record("kept is \(String(describing: kept?.jobs["north/a/tiles"]))")
            return
        }
    }

    @Test func aSignalDuringThePublicationWaitsForItsEnd() async throws {
        let world = try World(areas: ["north"])
        world.performer.linger("perform north/publish")
        let (stop, signal) = AsyncStream<Int32>.makeStream()
        world.performer.whenStarted("perform north/publish") { signal.yield(SIGINT) }
        let report = await world.run(stop: stop)
        // The map is out, and nothing else was to be done: that is a whole run.
        #expect(report.outcome == .ok)
        #expect(report.areas.first?.generation == "north/generations/1")
        #expect(try await world.store.status().lastRun?.jobs["north/publish"] == .done(nil))
    }

    @Test func aFullDiskStopsTheOtherJobsToo() async throws {
        let world = try World(areas: ["north", "south"])
        world.performer.hang("poll south/a/tiles")
        world.performer.failFetch("north/b/replica", with: Failure(phase: .download, kind: .storage, code: 28, message: "full"))
        let report = await world.run()
        #expect(report.outcome == .storage)
        #expect(report.error?.message == "full")
        let states = Dictionary(uniqueKeysWithValues: report.jobs.map { ($0.id, $0.state) })
        #expect(states["north/b/replica"] == .failed)
        #expect(states["north/package"] == .pending)
        #expect(states["south/a/tiles"] == .pending)
        // The result is still at the server, and the next run will fetch it.
        let kept = try await world.store.status().lastRun?.jobs
        guard case .ready = kept?["north/b/replica"] else {
            Issue.record("\(String(describing: kept?["north/b/replica"]))")
            return
        }
        // When it was submitted depends on how busy the machine is.
        guard case .submitted("job south/a/tiles", _)? = kept?["south/a/tiles"] else {
            Issue.record("kept is \(String(describing: kept?["south/a/tiles"]))")
            return
        }
    }

    @Test func countsAddUp() async throws {
        let world = try World(areas: ["a", "b", "c"])
        world.performer.fail("b/a/tiles", with: Failure(phase: .submit, kind: .permanent, message: "no"))
        let report = await world.run()
        let counts = Dictionary(grouping: report.jobs, by: \.state).mapValues(\.count)
        #expect(counts == [.done: 9, .failed: 1, .skipped: 2])
        #expect(report.jobs.count == world.plan.jobs.count)
    }
}

/// A plan of areas with a tile job, a replica, a package and a publication each; a state file; a performer that does as told.
private final class World: Sendable {
    let folder: TemporaryFolder
    let store: SQLiteStateStore
    let performer = ScriptedPerformer()
    let plan: Plan
    let now: Timestamp = 1_700_000_000_000

    init(areas: [String]) throws {
        folder = try TemporaryFolder()
        store = try SQLiteStateStore(path: folder.file("state.db"))
        var limits = PlannedLimits(.init(), continueOnErrors: true)
        limits.attempts = 2
        plan = Plan(
            name: "test", portal: "https://portal",
            map: PlannedMap(itemID: nil, title: "Map", document: [:], item: nil, thumbnailURL: nil),
            areas: areas.map {
                PlannedArea(id: $0, shape: .envelope(Envelope(xmin: 0, ymin: 0, xmax: 1, ymax: 1)), spatialReference: .wgs84)
            },
            layers: [], jobs: areas.flatMap(Self.jobs), limits: limits, keep: 2)
    }

    private static func jobs(_ area: String) -> [Job] {
        let request = ServiceRequest(url: "https://h/s", parameters: [:])
        let tiles = TileWork(serviceURL: "https://h/s", service: .map, request: request, levels: [])
        let replica = ReplicaWork(serviceURL: "https://h/f", request: request, layers: [], registration: .none)
        func job(_ id: String, _ work: Work, _ needs: [String] = []) -> Job {
            Job(
                id: "\(area)/\(id)", area: area, layers: [], reason: "new", dependsOn: needs.map { "\(area)/\($0)" },
                key: "key \(area)/\(id)", work: work)
        }
        return [
            job("a/tiles", .tiles(tiles)), job("b/replica", .replica(replica)),
            job("package", .package, ["a/tiles", "b/replica"]),
            job("publish", .publish, ["package"]),
        ]
    }

    func job(_ id: String) -> Job { plan.jobs.first { $0.id == id } ?? plan.jobs[0] }

    func run(stop: AsyncStream<Int32> = AsyncStream { _ in }) async -> RunReport {
        guard let record = try? await store.openRun(plan, isWhole: true, now: now) else {
            return RunReport(name: "", outcome: .internal, started: Date(), finished: Date())
        }
        let restored = Dictionary(
            uniqueKeysWithValues: plan.jobs.compactMap { job in record.recorded[job.key].map { (job.id, $0) } })
        var executor = Executor(plan: plan, run: record, store: store, performer: performer, observe: { _ in })
        let fixed = Date(timeIntervalSince1970: Double(now) / 1000)
        let began = ContinuousClock.now
        // Real pauses, but a clock whose first seconds all begin at the same time.
        executor.now = { fixed.addingTimeInterval(began.duration(to: .now).seconds.rounded(.down)) }
        executor.draw = { 0 }
        let report = await executor(restored: restored, stop: stop)
        try? await store.closeRun(record.id, outcome: report.outcome, now: now)
        return report
    }
}

private final class ScriptedPerformer: JobPerformer {
    private struct Script {
        var failures: [String: Failure] = [:]
        var fetchFailures: [String: Failure] = [:]
        var hanging: Set<String> = []
        var lingering: Set<String> = []
        var callbacks: [String: @Sendable () -> Void] = [:]
        var log: [String] = []
    }

    private let script = Mutex(Script())

    var log: [String] { script.withLock(\.log) }
    func fail(_ job: String, with failure: Failure) { script.withLock { $0.failures[job] = failure } }
    func failFetch(_ job: String, with failure: Failure) { script.withLock { $0.fetchFailures[job] = failure } }
    /// The step cannot be cancelled, like a flush to disk.
    func linger(_ step: String) { script.withLock { _ = $0.lingering.insert(step) } }
    func hang(_ step: String) { script.withLock { _ = $0.hanging.insert(step) } }
    func whenStarted(_ step: String, _ body: @escaping @Sendable () -> Void) { script.withLock { $0.callbacks[step] = body } }

    private func enter(_ step: String, _ job: Job) async throws(Failure) {
        let (failure, hangs, callback) = script.withLock { script in
            script.log.append("\(step) \(job.id)")
            return (script.failures[job.id], script.hanging.contains("\(step) \(job.id)"), script.callbacks["\(step) \(job.id)"])
        }
        callback?()
        if script.withLock({ $0.lingering.contains("\(step) \(job.id)") }) {
            await Task.detached { try? await Task.sleep(for: .milliseconds(300)) }.value
        }
        if let failure { throw failure }
        guard hangs else { return }
        do { try await Task.sleep(for: .seconds(60)) } catch {
            throw Failure(phase: .poll, kind: .cancelled, message: "cancelled")
        }
    }

    func submit(_ job: Job) async throws(Failure) -> Submission {
        try await enter("submit", job)
        return .job(url: "job \(job.id)")
    }

    func poll(_ job: Job, jobURL: String) async throws(Failure) -> PollAnswer {
        try await enter("poll", job)
        return .ready(resultURL: "result", sendsCredentials: false, warnings: [])
    }

    func fetch(
        _ job: Job, resultURL: String, sendsCredentials: Bool, progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws(Failure) -> ArtifactReference {
        try await enter("fetch", job)
        if let failure = script.withLock({ $0.fetchFailures[job.id] }) { throw failure }
        progress(1, 1)
        return ArtifactReference(sha256: "00", bytes: 1, fileExtension: "tpkx")
    }

    func perform(_ job: Job, inputs: JobInputs) async throws(Failure) -> LocalResult {
        try await enter("perform", job)
        if job.kind == .publish { return .published(generation: "\(job.area)/generations/1", bytes: 3, warnings: []) }
        return .packaged(bytes: 3, warnings: [])
    }

    func settle(_ job: Job) async { script.withLock { $0.log.append("settle \(job.id)") } }

    func cancel(_ job: Job, jobURL: String) async { script.withLock { $0.log.append("cancel \(job.id)") } }
}
