import Basics
import Planning

/// What differs from the maps that are out, for people and for programs.
enum DriftText {
    /// Those that act first.
    static func lines(_ drift: [Drift], page: Page) -> [String] {
        guard !drift.isEmpty else { return [] }
        let sorted = drift.filter(\.isBreaking) + drift.filter { !$0.isBreaking }
        return [page.ink("Since the last good run:", .bold)]
            + sorted.flatMap { drift in
                let mark = drift.isBreaking ? page.ink("!", .yellow) : "+"
                let areas =
                    drift.areas.count > 3 ? Quantity.count(drift.areas.count, "area") : drift.areas.joined(separator: ", ")
                let lines = Wording.clean("\(drift.words) [\(areas)]").wrapped(to: page.textWidth - 4)
                return lines.enumerated().map { ($0 == 0 ? "  \(mark) " : "    ") + $1 }
            }
    }

    static func json(_ drift: Drift) -> JSON {
        [
            "layer": ["id": .string(drift.layer.id), "title": .string(drift.layer.title)],
            "change": (try? JSON.encoding(drift.change)) ?? .null, "breaking": .bool(drift.isBreaking),
            "message": .string(Redaction.text(drift.words)), "areas": .array(drift.areas.map(JSON.string)),
        ]
    }
}
