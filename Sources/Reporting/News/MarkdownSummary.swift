import Foundation
import Planning

/// The verdict as Markdown, for the summary page of a pipeline.
public struct MarkdownSummary: Sendable {
    /// GitHub takes a megabyte; nobody reads that.
    private static let listed = 100

    public var report: RunReport
    public var zone: TimeZone

    public init(report: RunReport, zone: TimeZone) {
        self.report = report
        self.zone = zone
    }

    public var text: String {
        let headline = Headline(report: report)
        var lines = [
            "## \(headline.tone.sign) \(Self.marked(headline.sentence))", "",
            "**\(Self.escaped(report.name))**: \(report.outcome.rawValue) (exit \(report.exitCode)), \(Wording.words(for: report.outcome)). "
                + "\(Moment.local(report.started, in: zone)), \(Quantity.duration(report.finished.timeIntervalSince(report.started))).",
        ]
        let entries = ToDo(report: report).entries
        if !entries.isEmpty { lines += ["", "### What to do", ""] + entries.prefix(Self.listed).enumerated().map(item) }
        if !report.areas.isEmpty { lines += ["", "### Areas", ""] + table }
        return lines.joined(separator: "\n") + "\n"
    }

    private func item(_ index: Int, _ entry: ToDo.Entry) -> String {
        let origin = entry.origin.map { [Self.escaped($0)] } ?? []
        let facts = [entry.place, Wording.foreign(entry.what)].filter { !$0.isEmpty }.map(Self.marked).joined(
            separator: ": ")
        return "\(index + 1). **\(Self.escaped(entry.next))**  \n   "
            + ([facts] + entry.details.map(Self.escaped) + origin).joined(separator: "  \n   ")
    }

    private var table: [String] {
        let areas = report.areasWorstFirst
        let failing = Dictionary(grouping: report.layers.filter(\.isFailing), by: \.area).mapValues(\.count)
        let rows = areas.prefix(Self.listed).map { area in
            let cells = [
                Self.escaped(area.id), "\(area.standing.sign) \(area.standing.words)", report.age(area.lastSuccess) ?? "–",
                area.bytes > 0 ? Quantity.bytes(area.bytes) : "–", failing[area.id].map(Quantity.count) ?? "–",
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        let rest = areas.count - rows.count
        return ["| Area | Map | Age | Size | Failed layers |", "|---|---|--:|--:|--:|"] + rows
            + (rest > 0 ? ["", "and \(Quantity.count(rest, "more area")) in report.json"] : [])
    }

    /// Text that stays text: every sign that means something to Markdown or HTML gets a backslash, and lines are joined.
    static func escaped(_ text: String) -> String { marked(Wording.foreign(text)) }

    private static let escapes = Dictionary(
        uniqueKeysWithValues: "\\`*_{}[]<>()#+!|~&@$".unicodeScalars.map { ($0, "\\\($0)") })

    private static func marked(_ text: String) -> String {
        text.escaping(escapes)
    }
}
