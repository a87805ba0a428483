import ArcGIS
import Foundation

/// One layer in one area: what a person asks for in the morning.
public struct LayerReport: Codable, Sendable, Equatable {
    public var area: String
    public var layer: LayerLabel
    /// Titles of the group layers around it, outermost first.
    public var groups: [String]
    public var verdict: Verdict
    /// The named rule behind the verdict.
    public var rule: String
    /// The worst state of the jobs that bring it; nil when nothing is fetched for it here, and `reason` says why.
    public var state: JobReport.State?
    /// Ids of the jobs that bring it; other layers may come with them.
    public var jobs: [String]
    /// Of the map that is current, as all numbers but `seconds`; nil when it does not apply or was never known.
    public var rows: Int?
    public var tiles: Int?
    /// Of the files that bring it, with all layers in them.
    public var bytes: Int?
    /// What its jobs took in this run.
    public var seconds: Double
    /// When the area's map got what it holds of this layer; nil for never.
    public var lastSuccess: Date?
    /// Why it was to be fetched, or why not.
    public var reason: String
    public var error: Failure?
    /// Not nil: it did not come, and the new map has it as it came then.
    public var staleSince: Date?

    public init(
        area: String, layer: LayerLabel, groups: [String] = [], verdict: Verdict, rule: String, state: JobReport.State? = nil,
        jobs: [String] = [], rows: Int? = nil, tiles: Int? = nil, bytes: Int? = nil, seconds: Double = 0,
        lastSuccess: Date? = nil, reason: String, error: Failure? = nil
    ) {
        self.area = area
        self.layer = layer
        self.groups = groups
        self.verdict = verdict
        self.rule = rule
        self.state = state
        self.jobs = jobs
        self.rows = rows
        self.tiles = tiles
        self.bytes = bytes
        self.seconds = seconds
        self.lastSuccess = lastSuccess
        self.reason = reason
        self.error = error
    }

    public var isFailing: Bool { state == .failed || state == .skipped || error != nil }
}

extension Plan {
    /// Every layer in every area, with what its jobs came to.
    public func layerReports(_ jobs: [JobReport]) -> [LayerReport] {
        let reports = Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
        let planned = Dictionary(grouping: self.jobs, by: \.area)
        let gaps = Dictionary(grouping: self.gaps, by: \.area)
        return areas.flatMap { area in
            layers.map { layer in
                let bringing = (planned[area.id] ?? []).filter { job in job.layers.contains { $0.id == layer.id } }
                let gap = gaps[area.id]?.first { $0.layer.id == layer.id }
                return report(layer, in: area.id, gap, bringing, bringing.compactMap { reports[$0.id] })
            }
        }
    }

    private func report(
        _ layer: PlannedLayer, in area: String, _ gap: PlannedGap?, _ jobs: [Job], _ reports: [JobReport]
    ) -> LayerReport {
        let worst = JobReport.State.worstFirst.lazy.compactMap { state in reports.first { $0.state == state } }.first
        let gap = gap.map {
            $0.staysOnline ? "its service has no tiles here; it stays online" : "its service has no tiles here; it is left out"
        }
        let rows = reports.compactMap { $0.rows(ofLayer: layer.serviceLayerID) }
        let tiles = reports.compactMap(\.tiles)
        let lost = losses.skipped.first { $0.layer.id == layer.id }?.failure
        var report = LayerReport(
            area: area, layer: LayerLabel(id: layer.id, title: layer.title), groups: layer.groups, verdict: layer.verdict,
            rule: layer.rule, state: worst?.state, jobs: reports.map(\.id), rows: rows.isEmpty ? nil : rows.reduce(0, +),
            tiles: tiles.isEmpty ? nil : tiles.reduce(0, +), bytes: reports.isEmpty ? nil : reports.reduce(0) { $0 + $1.bytes },
            seconds: reports.reduce(0) { $0 + $1.seconds }, reason: gap ?? jobs.first?.reason ?? layer.reason,
            error: worst?.error ?? lost)
        report.staleSince = reports.compactMap(\.staleSince).min()
        return report
    }
}

extension JobReport {
    /// Rows of a layer of the service, as the replica has them.
    func rows(ofLayer number: Int?) -> Int? {
        guard kind == .replica, let number else { return nil }
        // Beside them stand the attachments, under a longer name.
        return counts.filter { $0.key.hasPrefix("\(number) ") }.min { $0.key.count < $1.key.count }?.value
    }

    var tiles: Int? {
        guard kind == .tiles || kind == .vectorTiles, !counts.isEmpty else { return nil }
        return counts.filter { $0.key.hasPrefix("level ") }.values.reduce(0, +)
    }
}

extension JobReport.State {
    public static let worstFirst: [JobReport.State] = [.failed, .skipped, .pending, .done, .reused, .unchanged]

    /// What the job was to bring is there and verified.
    public var isGood: Bool { self == .done || self == .reused || self == .unchanged }
}

extension RunReport {
    /// With what only the plan knows: layers, outlines, notes. Large shapes take their time: call it through `offPool`.
    public func described(by plan: Plan) -> RunReport {
        var report = self
        report.layers = plan.layerReports(jobs)
        let shapes = Dictionary(plan.areas.map { ($0.id, $0) }) { first, _ in first }
        for index in areas.indices {
            report.areas[index].outline = shapes[areas[index].id].flatMap { AreaOutline($0.shape, in: $0.spatialReference) }
        }
        report.notes = plan.notes
        return report
    }
}
