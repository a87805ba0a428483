import ArcGIS
import Basics
import Planning

/// One layer or table of an inspected map.
public struct InspectRow: Sendable, Equatable {
    public var id: String
    public var title: String
    /// The layer's own type: "feature layer", "tiled map layer" …
    public var kind: String
    public var url: String?
    public var verdict: Verdict
    /// The named rule behind the verdict.
    public var rule: String
    public var reason: String
    /// Titles of the group layers around it, outermost first.
    public var groups: [String]
    /// nil when its service was not asked, or does not say.
    public var size: SizeHints?

    public init(
        id: String, title: String, kind: String, url: String?, verdict: Verdict, rule: String, reason: String, groups: [String],
        size: SizeHints? = nil
    ) {
        self.id = id
        self.title = title
        self.kind = kind
        self.url = url
        self.verdict = verdict
        self.rule = rule
        self.reason = reason
        self.groups = groups
        self.size = size
    }
}

/// `inspect`: every layer of a map, and whether it can be taken offline.
public struct InspectText: Sendable {
    public var title: String
    public var rows: [InspectRow]
    /// What is odd about the map, and how far the verdicts can be trusted.
    public var notes: [String]
    public var page: Page

    public init(title: String, rows: [InspectRow], notes: [String] = [], page: Page) {
        self.title = title
        self.rows = rows
        self.notes = notes
        self.page = page
    }

    public var lines: [String] {
        // ArcGIS's class names are long, and the first thing to do without on a small terminal.
        let full = table(showsKind: true)
        let table = full.fits(page) ? full : table(showsKind: false)
        return [page.ink(title.printable, .bold)] + table.lines(page: page) + ["", totals] + notes.map { "Note: \($0)" }
    }

    private func table(showsKind: Bool) -> TextTable {
        let kind: [TextTable.Column] = showsKind ? [.init(title: "KIND")] : []
        let showsSize = rows.contains { $0.size != nil }
        let size: [TextTable.Column] = showsSize ? [.init(title: "SIZE")] : []
        let columns: [TextTable.Column] =
            [.init(title: "VERDICT"), .init(title: "LAYER", isFlexible: true, minimum: 24)] + kind + size
            + [.init(title: "ID", isFlexible: true), .init(title: "REASON", isFlexible: true, wraps: true)]
        let cells: [[TextTable.Cell]] = rows.map { row in
            let reason = Redaction.text(row.reason) + (page.isVerbose ? " [\(row.rule)]" : "")
            let title = (row.groups + [row.title]).joined(separator: " / ")
            return [.init(Wording.words(for: row.verdict), colour(of: row.verdict)), .init(title)]
                + (showsKind ? [.init(row.kind)] : []) + (showsSize ? [.init(row.size.map(words) ?? "-")] : [])
                + [.init(row.id), .init(reason)]
        }
        return TextTable(columns: columns, rows: cells)
    }

    private func words(_ size: SizeHints) -> String {
        if let rows = size.rows { return Quantity.count(rows, "row") }
        guard let levels = size.levels else { return "-" }
        return levels.count == 1 ? "level \(levels.lowerBound)" : "levels \(levels.lowerBound)-\(levels.upperBound)"
    }

    private var totals: String {
        let counts = Verdict.allCases.compactMap { verdict -> String? in
            let count = rows.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(Wording.words(for: verdict))"
        }
        return Quantity.count(rows.count, "layer or table", "layers and tables") + (counts.isEmpty ? "" : ": ")
            + counts.joined(separator: ", ")
    }

    private func colour(of verdict: Verdict) -> Ink.Colour? {
        switch verdict {
        case .replica, .tiles, .vectorTiles, .style: .green
        case .onlineOnly: .yellow
        case .unsupported: .red
        case .keptInMap, .excluded: nil
        }
    }
}
