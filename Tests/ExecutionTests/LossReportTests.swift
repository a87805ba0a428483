import Planning
import Testing

@testable import Execution

/// What reports and exit codes make of layers that did not come.
@Suite struct LossReportTests {
    private static let lost = LayerLabel(id: "1", title: "Hydrant")
    private static let map = PublishedMap(
        area: "a", generation: "a/generations/1", created: 0, mapID: nil, packageKey: "k", parts: [])

    private static func job(_ id: String, _ kind: Job.Kind, _ state: JobReport.State) -> JobReport {
        JobReport(
            id: id, kind: kind, area: "a", layers: kind.isLocal ? [] : [lost], state: state, attempts: 1, bytes: 0, seconds: 0,
            error: state == .failed ? Failure(phase: .poll, kind: .serverJob, message: "no") : nil)
    }

    struct Row: Sendable {
        var part = JobReport.State.failed
        var publish: JobReport.State
        var isSkippable = false
        var lacksLayer = false
        var hasMap = true
        var area: AreaReport.State
        var outcome: Outcome
    }

    @Test(arguments: [
        Row(publish: .done, area: .partial, outcome: .partial),
        Row(publish: .skipped, area: .failed, outcome: .failed),
        Row(publish: .skipped, isSkippable: true, area: .kept, outcome: .partial),
        Row(publish: .skipped, isSkippable: true, hasMap: false, area: .failed, outcome: .failed),
        Row(part: .done, publish: .done, area: .published, outcome: .ok),
        Row(part: .done, publish: .done, lacksLayer: true, area: .partial, outcome: .partial),
        Row(part: .unchanged, publish: .unchanged, area: .unchanged, outcome: .ok),
        Row(part: .unchanged, publish: .unchanged, lacksLayer: true, area: .kept, outcome: .partial),
        Row(part: .done, publish: .pending, lacksLayer: true, area: .notPublished, outcome: .failed),
    ])
    func table(_ row: Row) {
        let jobs = [Self.job("a/x/replica", .replica, row.part), Self.job("a/publish", .publish, row.publish)]
        let losses = Ledger.Losses(
            layers: row.lacksLayer ? [Self.lost] : [], skippable: row.isSkippable ? ["a/x/replica"] : [])
        let area = Ledger().areaReport("a", jobs: jobs, map: row.hasMap ? Self.map : nil, losses: losses)
        #expect(area.state == row.area)
        #expect(Outcome.of(jobs, areas: [area]) == row.outcome)
        if row.area == .kept { #expect(area.reason == "no new map without Hydrant") }
    }

    @Test("a published map names what it lacks; a stale layer is not missing")
    func missing() {
        var stale = Self.job("a/x/replica", .replica, .failed)
        let publish = Self.job("a/publish", .publish, .done)
        #expect(Ledger().areaReport("a", jobs: [stale, publish]).missingLayers == ["Hydrant"])
        let lost = Ledger.Losses(layers: [LayerLabel(id: "2", title: "Main"), Self.lost])
        #expect(Ledger().areaReport("a", jobs: [stale, publish], losses: lost).missingLayers == ["Main", "Hydrant"])
        stale.staleSince = .init(timeIntervalSince1970: 0)
        #expect(Ledger().areaReport("a", jobs: [stale, publish]).missingLayers.isEmpty)
        #expect(Ledger().areaReport("a", jobs: [stale]).missingLayers.isEmpty)
    }
}
