import Planning
import Testing

@testable import Scheduling

/// `run --finish-by`: what still begins, what is left, when the run ends.
@Suite struct NightWindowTests {
    private static func export(_ area: String, _ source: String = "s", key: String? = nil) -> Job {
        let id = "\(area)/\(source)/replica"
        let work = ReplicaWork(
            serviceURL: "https://h/\(source)", request: ServiceRequest(url: "u", parameters: [:]), layers: [], registration: .none
        )
        return Job(id: id, area: area, layers: [], reason: "new", key: key ?? id, work: .replica(work))
    }

    private static func area(_ name: String, key: String? = nil) -> [Job] {
        let export = export(name, key: key)
        let package = Job(
            id: name + "/package", area: name, layers: [], reason: "new", dependsOn: [export.id], key: name, work: .package)
        return [export, package]
    }

    private func scheduler(_ jobs: [Job], _ window: NightWindow?, perService: Int = 1) -> Scheduler {
        var limits = PlannedLimits(.init(), continueOnErrors: true)
        limits.jobsPerService = perService
        var policy = SchedulingPolicy(limits)
        policy.window = window
        return Scheduler(jobs: jobs, policy: policy, draw: { 0 })
    }

    private func begun(_ actions: [ScheduleAction]) -> [String] {
        actions.compactMap { action in
            switch action {
            case .submit(let id), .perform(let id): id
            default: nil
            }
        }
    }

    @Test func anAreaThatNoLongerFitsIsLeftWhole() {
        let window = NightWindow(end: 100_000, expected: ["a": 60_000, "b": 60_000, "c": 30_000])
        var scheduler = scheduler(["a", "b", "c"].flatMap { Self.area($0) }, window)
        #expect(begun(scheduler.on(.begin(restored: [:]), at: 0)) == ["a/s/replica"])
        // At 50 s the server is done with a: b would need until 110 s, c until 80 s.
        let next = scheduler.on(.resultReady(job: "a/s/replica", resultURL: "u", sendsCredentials: false), at: 50_000)
        #expect(begun(next) == ["c/s/replica"])
        #expect(begun(scheduler.on(.finished(job: "a/s/replica", nil), at: 51_000)) == ["a/package"])
        _ = scheduler.on(.finished(job: "a/package", nil), at: 52_000)
        _ = scheduler.on(.resultReady(job: "c/s/replica", resultURL: "u", sendsCredentials: false), at: 60_000)
        _ = scheduler.on(.finished(job: "c/s/replica", nil), at: 61_000)
        let end = scheduler.on(.finished(job: "c/package", nil), at: 62_000)
        #expect(end.last == .end)
        let left = scheduler.progress.filter { $0.progress == .planned }.map(\.job.id)
        #expect(left == ["b/s/replica", "b/package"])
    }

    @Test func whatIsNotKnownIsTriedUntilTheEnd() {
        let window = NightWindow(end: 100_000)
        #expect(window.admits("a", at: 99_999))
        #expect(!window.admits("a", at: 100_000))
        var late = scheduler(Self.area("a"), window)
        let actions = late.on(.begin(restored: [:]), at: 100_000)
        #expect(begun(actions).isEmpty && actions.last == .end)
    }

    @Test func anAreaThatHasBegunGoesOn() {
        let window = NightWindow(end: 100_000, expected: ["a": 10_000])
        var scheduler = scheduler(Self.area("a"), window)
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.resultReady(job: "a/s/replica", resultURL: "u", sendsCredentials: false), at: 98_000)
        #expect(begun(scheduler.on(.finished(job: "a/s/replica", nil), at: 99_000)) == ["a/package"])
    }

    @Test func whatAnEarlierProcessBeganGoesOn() {
        let window = NightWindow(end: 100_000, expected: ["a": 90_000])
        var scheduler = scheduler(Self.area("a"), window)
        let actions = scheduler.on(.begin(restored: ["a/s/replica": .submitted(jobURL: "j", at: 0)]), at: 50_000)
        #expect(actions.contains(.poll(job: "a/s/replica", jobURL: "j")))
        _ = scheduler.on(.resultReady(job: "a/s/replica", resultURL: "u", sendsCredentials: false), at: 51_000)
        #expect(begun(scheduler.on(.finished(job: "a/s/replica", nil), at: 52_000)) == ["a/package"])
    }

    /// b needs the file that a's job brings: the job begins for b although a does not fit.
    @Test func aSharedFileIsFetchedForWhoFits() {
        let window = NightWindow(end: 100_000, expected: ["a": 200_000, "b": 10_000])
        var shared = scheduler(Self.area("a", key: "k") + Self.area("b", key: "k"), window)
        #expect(begun(shared.on(.begin(restored: [:]), at: 0)) == ["a/s/replica"])
        _ = shared.on(.resultReady(job: "a/s/replica", resultURL: "u", sendsCredentials: false), at: 1_000)
        #expect(begun(shared.on(.finished(job: "a/s/replica", nil), at: 2_000)) == ["b/package"])
        #expect(shared.on(.finished(job: "b/package", nil), at: 3_000).last == .end)
    }

    @Test func aSharedFileThatNobodyHasTimeForIsLeft() {
        let window = NightWindow(end: 100_000, expected: ["a": 200_000, "b": 200_000])
        var shared = scheduler(Self.area("a", key: "k") + Self.area("b", key: "k"), window)
        let actions = shared.on(.begin(restored: [:]), at: 0)
        #expect(begun(actions).isEmpty && actions.last == .end)
    }

    @Test func withoutAnEndNothingIsLeft() {
        var free = scheduler(Self.area("a"), nil)
        #expect(begun(free.on(.begin(restored: [:]), at: .max / 2)) == ["a/s/replica"])
    }

    @Test func theOldestMapComesFirst() {
        let order = NightWindow.order(["a", "b", "c", "d", "e"], lastSuccess: ["a": 300, "b": 100, "d": 200, "e": 100])
        #expect(order == ["c", "b", "e", "d", "a"])
    }
}
