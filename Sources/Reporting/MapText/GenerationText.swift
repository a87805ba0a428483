import Basics
import Foundation
import Planning

/// `generations` for people; times are local.
public struct GenerationText: Sendable {
    public var generations: [Generation]
    /// What all of them take on the disk; what they share counts once.
    public var diskBytes: Int
    public var now: Date
    public var page: Page

    public init(generations: [Generation], diskBytes: Int, now: Date, page: Page) {
        self.generations = generations
        self.diskBytes = diskBytes
        self.now = now
        self.page = page
    }

    public var lines: [String] {
        if generations.isEmpty { return ["No map is there: no run has published one yet."] }
        let columns: [TextTable.Column] = [
            .init(title: "AREA", isFlexible: true), .init(title: "MADE"), .init(title: "AGE", alignment: .right),
            .init(title: "SIZE", alignment: .right), .init(title: "CURRENT"), .init(title: "NAME"),
            .init(title: "CONDITION", isFlexible: true, wraps: true),
        ]
        let rows: [[TextTable.Cell]] = generations.map { map in
            [
                .init(map.area), .init(Moment.local(map.time, in: page.zone)),
                .init(Quantity.duration(max(0, now.timeIntervalSince(map.time)))),
                .init(map.isOurs ? Quantity.bytes(map.bytes) : "-"), .init(map.isCurrent ? "current" : "", .green),
                .init(map.name), .init(Wording.condition(of: map), Wording.colour(of: map)),
            ]
        }
        let listed = generations.map(\.bytes).reduce(0, +)
        return TextTable(columns: columns, rows: rows).lines(page: page) + [
            "",
            "\(Quantity.count(generations.count, "map")), \(Quantity.bytes(listed)) in all; on the disk "
                + "\(Quantity.bytes(diskBytes)), where what they share counts once",
        ]
    }
}

/// The same with `--json`; times are UTC.
public enum GenerationJSON {
    public static func json(_ generations: [Generation], diskBytes: Int) -> JSON {
        ["generations": .array(generations.map(json)), "diskBytes": JSON(diskBytes)]
    }

    static func json(_ map: Generation) -> JSON {
        var json: JSON = [
            "area": .string(map.area), "name": .string(map.name), "path": .string(map.path),
            "made": .string(ISOTime.text(map.time)), "bytes": JSON(map.bytes), "current": .bool(map.isCurrent),
            "complete": .bool(map.isComplete), "missing": .array(map.missingLayers.map(JSON.string)),
        ]
        switch map.condition {
        case .whole: break
        case .damaged(let paths): json["damaged"] = .array(paths.map(JSON.string))
        case .unknown(let reason): json["unknown"] = .string(reason)
        }
        return json
    }
}

extension Wording {
    static func condition(of map: Generation) -> String {
        switch map.condition {
        case .whole where map.isComplete: "complete"
        case .whole: "incomplete: without \(map.missingLayers.joined(separator: ", "))"
        case .damaged(let paths):
            "damaged: \(paths[0])" + (paths.count > 1 ? " and \(Quantity.count(paths.count - 1, "other file"))" : "")
        case .unknown(let reason): "not known as ours, left alone: \(reason)"
        }
    }

    static func colour(of map: Generation) -> Ink.Colour? {
        switch map.condition {
        case .whole: map.isComplete ? nil : .yellow
        case .damaged: .red
        case .unknown: .yellow
        }
    }
}
