import Basics
import Foundation
import Planning
import Scheduling
import TestSupport
import Testing

@testable import Execution

/// The order of a short night, and how long areas take.
@Suite struct ShortNightTests {
    private static func area(_ name: String) -> [Job] {
        let request = ServiceRequest(url: "https://h/s", parameters: [:])
        let work = Work.tiles(TileWork(serviceURL: "https://h/s", service: .map, request: request, levels: []))
        let exports = ["x", "y"].map {
            Job(id: "\(name)/\($0)/tiles", area: name, layers: [], reason: "new", key: "\(name)\($0)", work: work)
        }
        let package = Job(
            id: name + "/package", area: name, layers: [], reason: "new", dependsOn: exports.map(\.id), key: name, work: .package)
        let publish = Job(
            id: name + "/publish", area: name, layers: [], reason: "new", dependsOn: [package.id], key: name + "p", work: .publish
        )
        return exports + [package, publish]
    }

    private static let plan = Plan(
        name: "test", portal: "https://portal",
        map: PlannedMap(itemID: nil, title: "Map", document: [:], item: nil, thumbnailURL: nil), areas: [], layers: [],
        jobs: area("a") + area("b") + area("c"), limits: PlannedLimits(.init(), continueOnErrors: true), keep: 2)

    @Test func theOldestMapComesFirstAndTakesAsLongAsItTook() {
        let night = ShortNight(
            plan: Self.plan, finishBy: Date(timeIntervalSince1970: 1000), lastSuccess: ["a": 500, "b": 100],
            durations: ["a/x/tiles": 30, "a/y/tiles": 50, "a/package": 2, "a/publish": 1, "b/x/tiles": 10, "c/package": 4],
            isDone: { $0 == "b/x/tiles" })
        #expect(night.plan.jobs.map(\.area) == ["c", "c", "c", "c", "b", "b", "b", "b", "a", "a", "a", "a"])
        #expect(night.plan.jobs[0...3].map(\.id) == ["c/x/tiles", "c/y/tiles", "c/package", "c/publish"])
        #expect(night.window.end == 1_000_000)
        // The slower of the exports, then what follows one after the other; what is done takes no time.
        #expect(night.window.expected == ["a": 53_000, "b": 0, "c": 4_000])
    }

    @Test func whatARunDidIsRemembered() {
        func job(_ id: String, _ state: JobReport.State, _ seconds: Double) -> JobReport {
            JobReport(id: id, kind: .tiles, area: "a", layers: [], state: state, attempts: 1, bytes: 1, seconds: seconds)
        }
        let report = RunReport(
            name: "n", outcome: .ok, started: .now, finished: .now,
            jobs: [job("1", .done, 5), job("2", .reused, 0), job("3", .failed, 9), job("4", .done, 0)])
        #expect(report.durations == ["1": 5])
    }

    @Test func onlyWholeRunsThatEndedWellCountAsTheDays() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStateStore(path: folder.file("state.db"))
        let plan = Self.plan
        func end(_ run: RunRecord, _ outcome: Outcome, done: Bool = true) async throws {
            if done {
                try await store.record(
                    plan.jobs.map { StateEntry(job: $0, progress: .done(nil), attempt: 1) }, run: run.id, now: 1)
            }
            try await store.closeRun(run.id, outcome: outcome, now: 2)
        }
        #expect(try await store.lastGoodRun(of: "test") == nil)
        // Some areas only.
        try await end(try await store.openRun(plan, isWhole: false, now: 1_000), .ok)
        #expect(try await store.lastGoodRun(of: "test") == nil)
        try await end(try await store.openRun(plan, isWhole: true, now: 2_000), .ok)
        #expect(try await store.lastGoodRun(of: "test") == 2_000)
        #expect(try await store.lastGoodRun(of: "other") == nil)
        let failed = try await store.openRun(plan, isWhole: true, now: 3_000)
        try await end(failed, .partial, done: false)
        #expect(try await store.lastGoodRun(of: "test") == 2_000)
        // A part of the failed run is finished well; the rest is still open.
        try await end(try await store.openRun(plan, isWhole: false, now: 4_000), .ok, done: false)
        #expect(try await store.lastGoodRun(of: "test") == 2_000)
    }
}
