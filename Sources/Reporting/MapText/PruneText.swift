import Basics
import Foundation
import Planning

/// What `prune` did or would do.
public struct PruneReport: Sendable, Equatable {
    public var rows: [PruneRow]
    public var freedBytes: Int
    /// Replicas that no map needs any more: "id at service".
    public var replicas: [String]
    public var replicaFailure: Failure?
    public var isRehearsal: Bool

    public init(
        rows: [PruneRow], freedBytes: Int, replicas: [String], replicaFailure: Failure? = nil, isRehearsal: Bool
    ) {
        self.rows = rows
        self.freedBytes = freedBytes
        self.replicas = replicas
        self.replicaFailure = replicaFailure
        self.isRehearsal = isRehearsal
    }

    /// Something that had to go is still there.
    public var hasFailed: Bool { rows.contains { if case .failed = $0.result { true } else { false } } }
}

/// `prune` for people.
public struct PruneText: Sendable {
    public var report: PruneReport
    public var page: Page

    public init(report: PruneReport, page: Page) {
        self.report = report
        self.page = page
    }

    public var lines: [String] {
        if report.rows.isEmpty { return ["No map is there: nothing to prune."] + replicas }
        let columns: [TextTable.Column] = [
            .init(title: "WHAT"), .init(title: "AREA", isFlexible: true), .init(title: "MADE"),
            .init(title: "SIZE", alignment: .right), .init(title: "NAME"), .init(title: "WHY", isFlexible: true, wraps: true),
        ]
        let rows: [[TextTable.Cell]] = report.rows.map { row in
            let map = row.generation
            return [
                .init(word(row), row.goes ? .yellow : nil), .init(map.area), .init(Moment.local(map.time, in: page.zone)),
                .init(map.isOurs ? Quantity.bytes(map.bytes) : "-"), .init(map.name), .init(why(row)),
            ]
        }
        let count = report.rows.count(where: \.goes)
        let sum =
            count == 0
            ? "Nothing has to go."
            : "\(Quantity.count(count, "map")) \(report.isRehearsal ? "would go" : count == 1 ? "goes" : "go"), "
                + "\(Quantity.bytes(report.freedBytes)) of the disk; what other maps share stays"
        let ending = report.isRehearsal ? ["Nothing was removed."] : []
        return TextTable(columns: columns, rows: rows).lines(page: page) + ["", sum] + replicas + ending
    }

    private func word(_ row: PruneRow) -> String {
        switch row.result {
        case .decided: row.goes ? "goes" : "stays"
        case .removed, .removedButForeign: "removed"
        case .failed: "failed"
        }
    }

    private func why(_ row: PruneRow) -> String {
        switch row.result {
        case .failed(let reason): reason
        case .removedButForeign: Wording.words(for: row.verdict) + "; files that are not ours stay in its folder"
        case .decided, .removed: Wording.words(for: row.verdict)
        }
    }

    private var replicas: [String] {
        if report.replicas.isEmpty { return [] }
        let count = Quantity.count(report.replicas.count, "replica")
        if let failure = report.replicaFailure {
            return [
                "\(count) that no map needs any more could not be unregistered: \(Wording.summary(of: failure)). The next run tries again."
            ]
        }
        return ["\(count) that no map needs any more \(report.isRehearsal ? "would be" : "were asked to be") unregistered:"]
            + report.replicas.map { "  \($0.printable)" }
    }
}

/// `prune --json`.
public enum PruneJSON {
    public static func json(_ report: PruneReport) -> JSON {
        [
            "dryRun": .bool(report.isRehearsal), "freedBytes": JSON(report.freedBytes),
            "replicas": .array(report.replicas.map(JSON.string)),
            "replicaError": report.replicaFailure.map { .string(Wording.summary(of: $0)) } ?? .null,
            "maps": .array(
                report.rows.map { row in
                    var json = GenerationJSON.json(row.generation)
                    json["goes"] = .bool(row.goes)
                    json["why"] = .string(Wording.words(for: row.verdict))
                    switch row.result {
                    case .decided: json["removed"] = false
                    case .removed: json["removed"] = true
                    case .removedButForeign:
                        json["removed"] = true
                        json["foreignFiles"] = true
                    case .failed(let reason):
                        json["removed"] = false
                        json["error"] = .string(reason)
                    }
                    return json
                }),
        ]
    }
}

extension Wording {
    static func words(for verdict: RetentionVerdict) -> String {
        switch verdict {
        case .stays(.current): "it is current"
        case .stays(.nothingIsCurrent): "no map of the area is current, so none goes"
        case .stays(.newerThanCurrent): "it is newer than the current one; it goes when a newer one is current"
        case .stays(.beforeCurrent): "the one before the current, to roll back to"
        case .stays(.lastComplete): "the newest map that lacks no layer; it stays until a newer one is current"
        case .stays(.withinLimits): "within the limits"
        case .stays(.notOurs): "not known as ours"
        case .goes(.beyondCount(let newer)): "\(Quantity.count(newer, "newer map is", "newer maps are")) there"
        case .goes(.olderThan(let seconds)): "older than \(Quantity.duration(Double(seconds)))"
        }
    }
}
