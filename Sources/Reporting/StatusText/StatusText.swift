import Basics
import Foundation

/// `status` for people; times are local.
public struct StatusText: Sendable {
    public var status: StatusReport
    public var page: Page

    public init(status: StatusReport, page: Page) {
        self.status = status
        self.page = page
    }

    public var lines: [String] {
        if status.areas.isEmpty { return ["\(status.name): the state knows no area; no run has come that far"] }
        let columns: [TextTable.Column] = [
            .init(title: "STATE"), .init(title: "AREA", isFlexible: true), .init(title: "LAST SUCCESS"),
            .init(title: "AGE", alignment: .right), .init(title: "PENDING", alignment: .right),
            .init(title: "FAILED", alignment: .right), .init(title: "GENERATION", isFlexible: true),
        ]
        let rows = status.areas.flatMap { area in [row(area)] + area.layers.map(row) }
        return TextTable(columns: columns, rows: rows).lines(page: page) + problems + others
    }

    private var others: [String] {
        if status.others.isEmpty { return [] }
        let names = status.others.map { "\($0.area) (\(time($0.lastSuccess)))" }.joined(separator: ", ")
        return ["", Wording.clean("Not of this manifest, or not any more, so not looked at: \(names)")]
    }

    private func row(_ area: AreaStatus) -> [TextTable.Cell] {
        let state = status.state(of: area)
        return [
            .init(state.rawValue, colour(of: state)), .init(area.area), .init(time(area.lastSuccess)),
            .init(age(area.lastSuccess)), .init("\(area.pendingJobs)"), .init("\(area.failedJobs)"),
            .init(area.generation ?? "-"),
        ]
    }

    private func row(_ layer: AreaStatus.Layer) -> [TextTable.Cell] {
        ["", .init("  " + layer.title), .init(time(layer.lastSuccess)), .init(age(layer.lastSuccess)), "", "", ""]
    }

    private func time(_ date: Date?) -> String { date.map { Moment.local($0, in: page.zone) } ?? "never" }
    private func age(_ date: Date?) -> String { status.age(of: date).map(Quantity.duration) ?? "-" }

    private func colour(of state: StatusReport.State) -> Ink.Colour {
        switch state {
        case .current: .green
        case .unfinished: .yellow
        case .stale, .missing, .failing: .red
        }
    }

    private var problems: [String] {
        guard let maxAge = status.maxAge else { return [] }
        let old = status.areas.flatMap { area -> [String] in
            if [.missing, .stale].contains(status.state(of: area)) { return [area.area] }
            return status.oldLayers(of: area).map { "\(area.area)/\($0.title)" }
        }
        if old.isEmpty { return [] }
        return ["", "Older than \(Quantity.duration(maxAge)) or missing: " + old.joined(separator: ", ").printable]
    }
}

/// `status --json`; times are UTC.
public enum StatusJSON {
    public static func json(_ status: StatusReport) -> JSON {
        [
            "name": .string(status.name),
            "checked": .string(ISOTime.text(status.now)),
            "maxAgeSeconds": status.maxAge.map(JSON.number) ?? .null,
            "fresh": .bool(status.isFresh),
            "areas": .array(status.areas.map { json($0, in: status) }),
            "others": .array(status.others.map { ["id": .string($0.area), "lastSuccess": time($0.lastSuccess)] }),
        ]
    }

    private static func json(_ area: AreaStatus, in status: StatusReport) -> JSON {
        [
            "id": .string(area.area), "state": .string(status.state(of: area).rawValue), "lastSuccess": time(area.lastSuccess),
            "ageSeconds": age(area.lastSuccess, status), "generation": area.generation.map(JSON.string) ?? .null,
            "pendingJobs": JSON(area.pendingJobs), "failedJobs": JSON(area.failedJobs),
            "layers": .array(
                area.layers.map {
                    ["id": .string($0.id), "title": .string($0.title), "lastSuccess": time($0.lastSuccess)]
                }),
        ]
    }

    private static func time(_ date: Date?) -> JSON { date.map { .string(ISOTime.text($0)) } ?? .null }
    private static func age(_ date: Date?, _ status: StatusReport) -> JSON {
        status.age(of: date).map { JSON(Int($0)) } ?? .null
    }
}
