import Basics
import Foundation
import Planning

/// `plan` for people: for each area, what becomes of each layer and why, then each job with its tiles and parameters.
public struct PlanText: Sendable {
    public var plan: Plan
    public var page: Page

    public init(plan: Plan, page: Page) {
        self.plan = plan
        self.page = page
    }

    public var lines: [String] {
        heading + plan.areas.flatMap { [""] + section($0) } + [""] + ending
    }

    private var heading: [String] {
        let item = plan.map.itemID.map { " (\($0))" } ?? ""
        let map = plan.map.isMadeOfServices ? "services" : plan.map.title.printable + item
        let title = page.ink(plan.name, .bold) + ": \(map) from \(Redaction.text(plan.portal))"
        let notes = plan.notes + Wording.synchronousReplicas(of: plan)
        return [title] + ServerTable.lines(plan.servers, page: page)
            + notes.flatMap { "Note: \($0)".printable.wrapped(to: page.textWidth) } + DriftText.lines(plan.drift, page: page)
            + (plan.areas.contains { plan.held[$0.id] != nil && plan.driftedAreas.contains($0.id) }
                ? "next: \(Wording.driftStep)".wrapped(to: page.textWidth - 2).map { "  " + $0 } : [])
    }

    private func section(_ area: PlannedArea) -> [String] {
        let jobs = plan.jobs.filter { $0.area == area.id }
        let fetched = jobs.filter { $0.work.request != nil || $0.kind == .basemap }
        let exports = fetched.filter { $0.unchangedSince == nil || page.isVerbose }
        let local = jobs.filter { $0.work.request == nil && $0.kind != .basemap }
        let remarks = area.remarks.flatMap { "Note: \($0.words)".wrapped(to: page.textWidth - 2).map { "  " + $0 } }
        let extent = area.degrees.map {
            "  from \($0.xmin), \($0.ymin) to \($0.xmax), \($0.ymax) in degrees, its buffer included"
        }
        let stays = jobs.first { $0.kind == .publish }?.unchangedSince.map {
            ": unchanged, its map of \(Moment.local(Date(timeIntervalSince1970: Double($0) / 1000), in: page.zone)) stays"
        }
        if let reason = plan.held[area.id] {
            let words = "\(area.id): \(Wording.words(for: AreaReport.State.kept)), nothing is fetched: \(reason)"
            return Wording.clean(words).wrapped(to: page.textWidth)
        }
        var lines = [page.ink(area.id, .bold) + (stays ?? "")]
        lines += (page.isVerbose ? [extent].compactMap { $0 } : []) + remarks + table(area.id)
        lines += exports.flatMap { [""] + block($0) }
        if !local.isEmpty {
            lines += [
                "", "  then " + local.map { "\($0.id) (\(Wording.reason($0.reason, in: page.zone)))" }.joined(separator: ", "),
            ]
        }
        return lines
    }

    private func table(_ area: String) -> [String] {
        let rows: [[TextTable.Cell]] = PlannedRow.rows(of: plan, area: area).map { row in
            [
                .init(Wording.words(for: row.layer.verdict), colour(of: row)), .init(row.layer.titleInGroups), .init(why(row)),
            ]
        }
        let columns: [TextTable.Column] = [
            .init(title: "VERDICT"), .init(title: "LAYER", isFlexible: true),
            .init(title: "WHAT AND WHY", isFlexible: true, wraps: true),
        ]
        return TextTable(columns: columns, rows: rows).lines(page: page, indent: "  ")
    }

    private func colour(of row: PlannedRow) -> Ink.Colour? {
        if row.gap != nil { return .yellow }
        return switch row.layer.verdict {
        case .replica, .tiles, .vectorTiles, .style: .green
        case .onlineOnly, .unsupported: .yellow
        case .excluded, .keptInMap: .dim
        }
    }

    private func why(_ row: PlannedRow) -> String {
        if let job = row.job {
            return ([what(job)] + selection(row.layer, job) + [Wording.reason(job.reason, in: page.zone)]).joined(separator: ", ")
                + ": " + row.layer.reason
        }
        if let gap = row.gap {
            return "The service has nothing in this area: the layer \(gap.staysOnline ? "stays online" : "is left out") here."
        }
        return row.layer.expectedKind == nil ? row.layer.reason : "nothing to fetch in this area: \(row.layer.reason)"
    }

    private func what(_ job: Job) -> String {
        switch job.kind {
        case .replica: "createReplica"
        case .tiles, .vectorTiles: "exportTiles"
        case .style: "style and its resources"
        case .basemap: "copied from the local file"
        case .package, .publish: Wording.words(for: job.kind)
        }
    }

    /// Which of the layer's data comes, where that is not simply all of the area.
    private func selection(_ layer: PlannedLayer, _ job: Job) -> [String] {
        if let levels = job.work.request?.parameters["levels"], job.kind != .replica { return ["levels \(levels)"] }
        guard job.kind == .replica, let id = layer.serviceLayerID, let text = job.work.request?.parameters["layerQueries"],
            let query = (try? JSON.parse(text))?[String(id)]
        else { return [] }
        if query["queryOption"] == "none" {
            return [query["includeRelated"] == true ? "only rows related to those of other layers" : "no rows"]
        }
        if query["queryOption"] == "all" { return ["all rows"] }
        let clause = query["where"]?.string.flatMap { $0 == "1=1" ? nil : "where \($0.printable)" }
        return [clause, query["useGeometry"] == false ? "not cut to the area" : nil].compactMap { $0 }
    }

    /// One job: its estimate, its tiles level by level, and what will be sent.
    private func block(_ job: Job) -> [String] {
        var lines = [
            "  \(page.ink(job.id, .cyan)): "
                + ([Wording.reason(job.reason, in: page.zone)] + Self.estimate(job)).joined(separator: ", ")
        ]
        let levels = job.work.levels
        if !levels.isEmpty {
            lines += fact("tiles", "by level " + LevelRun.runs(of: levels).map(\.text).joined(separator: ", "))
        }
        let rows = job.estimate.layerRows
        if rows.count > 1 {
            lines += fact(
                "rows", "by layer " + rows.map { "\($0.name):\u{A0}\(Quantity.count($0.rows))" }.joined(separator: ", "))
        }
        if case .basemap(let file) = job.work {
            let levels =
                file.levels.lowerBound == file.levels.upperBound
                ? "level \(file.levels.lowerBound)" : "levels \(file.levels.lowerBound)-\(file.levels.upperBound)"
            lines += fact(
                "copies", "\(file.path): \(Quantity.count(file.tiles, "tile")), \(levels), \(Quantity.bytes(file.bytes))")
        }
        if job.unreachable != nil { return lines + fact("keeps", "the file of the last good map; nothing is sent") }
        guard let request = job.work.request?.masked else { return lines }
        lines += fact(request.parameters.isEmpty ? "GET" : "POST", request.url)
        return lines + parameters(request)
    }

    /// Exact where it is exact, and called an estimate where it is one.
    static func estimate(_ job: Job) -> [String] {
        var parts: [String] = []
        if let tiles = job.estimate.tiles { parts.append(Quantity.count(tiles, "tile")) }
        if let rows = job.estimate.rows { parts.append("about \(Quantity.count(rows, "row"))") }
        if let bytes = job.estimate.bytes { parts.append(Quantity.bytes(bytes)) }
        if let problem = job.estimate.sizeProblem { parts.append("size unknown: \(problem.message)") }
        return parts
    }

    private func parameters(_ request: ServiceRequest) -> [String] {
        let sorted = request.parameters.sorted { $0.key < $1.key }
        if sorted.isEmpty { return [] }
        if page.isVerbose { return sorted.enumerated().map { label($0 == 0 ? "sends" : "") + "\($1.key)=\($1.value.printable)" } }
        return fact("sends", sorted.map { "\($0.key)=\($0.value.printable.elided(to: 48))" }.joined(separator: " "))
    }

    private func fact(_ name: String, _ text: String) -> [String] {
        let lines = text.printable.wrapped(to: page.textWidth - 12)
        return lines.enumerated().map { (label($0 == 0 ? name : "")) + $1 }
    }

    private func label(_ name: String) -> String { "    " + page.ink(name.padded(to: 8), .dim) }

    private var ending: [String] {
        let tiles = plan.jobs.reduce(0) { $0 + ($1.estimate.tiles ?? 0) }
        let rows = plan.jobs.compactMap(\.estimate.rows)
        let sizes = plan.jobs.withoutRepeats.compactMap(\.estimate.bytes)
        let unsized = plan.jobs.count { $0.estimate.sizeProblem != nil }
        var totals = [
            Quantity.count(plan.areas.count, "area"), Quantity.count(plan.layers.count, "layer"),
            Quantity.count(plan.jobs.count, "job"), Quantity.count(tiles, "tile"),
        ]
        if !rows.isEmpty { totals.append("about \(Quantity.count(rows.reduce(0, +), "row"))") }
        if !sizes.isEmpty {
            totals.append("≈ \(Quantity.bytes(sizes.reduce(0) { $0 + $1.likely }))")
            if unsized > 0 { totals.append("\(Quantity.count(unsized, "job")) of unknown size") }
        }
        let unchanged = plan.jobs.count { $0.unchangedSince != nil }
        if unchanged > 0 { totals.append("\(Quantity.count(unchanged)) of the jobs unchanged") }
        let kept = plan.layers.count { $0.verdict == .onlineOnly || $0.verdict == .unsupported }
        var lines = ["Total: " + totals.joined(separator: ", ")]
        if kept > 0 { lines.append("\(Quantity.count(kept, "layer")) \(kept == 1 ? "needs" : "need") a network: reasons above.") }
        let uncounted = plan.jobs.count(where: \.isUncounted)
        if uncounted > 0 {
            lines.append(
                "No rows were counted for \(Quantity.count(uncounted, "job")): a filter that a service refuses would be found by the run only."
            )
        }
        if sizes.contains(where: { $0.sample == .service }) {
            return lines + ["Plan \(plan.hash.prefix(12)). Services estimated sizes; no export was started."]
        }
        let looked = sizes.isEmpty ? "Nothing was started or downloaded." : "Nothing was started; samples were looked at."
        return lines + ["Plan \(plan.hash.prefix(12)). \(looked)"]
    }
}

extension Job {
    /// Its rows could have been counted beforehand.
    fileprivate var isUncounted: Bool {
        guard case .replica(let work) = work, estimate.rows == nil else { return false }
        return work.layers.contains { $0.countQuery != nil }
    }
}
