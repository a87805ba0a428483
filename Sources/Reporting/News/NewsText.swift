import Foundation
import Planning

/// The verdict as plain text, for mails and pings: what the morning page says, without its pictures.
public struct NewsText: Sendable {
    /// More areas than this are told by their number; those that need a look come first.
    private static let manyAreas = 30
    private static let width = 76

    public var report: RunReport
    public var zone: TimeZone
    /// Where report.json is; nil when it could not be written.
    public var reportPath: String?

    public init(report: RunReport, zone: TimeZone, reportPath: String? = nil) {
        self.report = report
        self.zone = zone
        self.reportPath = reportPath
    }

    /// One line: "✕ naperville-water: partial, riverwalk keeps its last good map, 2 d 4 h old."
    public var subject: String {
        let headline = Headline(report: report)
        return "\(headline.tone.sign) \(Wording.foreign(report.name)): \(report.outcome.rawValue). \(headline.sentence)"
    }

    public var lines: [String] {
        var lines = Self.wrapped(Headline(report: report).sentence)
        lines.append("\(report.outcome.rawValue) (exit \(report.exitCode)): \(Wording.words(for: report.outcome))")
        if let left = Wording.left(by: report, in: zone) { lines += Self.wrapped(left) }
        let length = Quantity.duration(report.finished.timeIntervalSince(report.started))
        lines.append("\(Moment.local(report.started, in: zone)) to \(Moment.local(report.finished, in: zone)) (\(length))")
        for (index, entry) in ToDo(report: report).entries.enumerated() { lines += [""] + Self.lines(entry, number: index + 1) }
        if !report.areas.isEmpty { lines += [""] + areas }
        if let changes { lines += ["", changes] }
        if let reportPath { lines += ["", "Report: \(reportPath)", "Page:   \(MorningPage.path(beside: reportPath))"] }
        return lines
    }

    private static func lines(_ entry: ToDo.Entry, number: Int) -> [String] {
        var facts = entry.place.isEmpty ? [] : [entry.place]
        facts += ([entry.what] + entry.details).map(Wording.foreign)
        if let origin = entry.origin { facts.append("manifest: \(Wording.clean(origin))") }
        facts.append("Next: \(Wording.clean(entry.next))")
        return facts.enumerated().flatMap { index, fact in
            wrapped(fact).enumerated().map { line, text in
                (index == 0 && line == 0 ? "\(number). " : "   ") + text
            }
        }
    }

    private var areas: [String] {
        let shown = report.areasWorstFirst.prefix(Self.manyAreas)
        let width = shown.map { DisplayWidth.columns(of: $0.id) }.max() ?? 0
        let lines = shown.map { area in
            let age = report.age(area.lastSuccess).map { ", \($0) old" } ?? ""
            return "\(area.standing.sign) \(Wording.foreign(area.id).padded(to: width))  \(area.standing.words)\(age)"
        }
        let rest = report.areas.count - shown.count
        return lines + (rest > 0 ? ["  and \(Quantity.count(rest, "more area"))"] : [])
    }

    private var changes: String? {
        guard let changes = report.changes, !changes.isEmpty else { return nil }
        var parts: [String] = []
        if !changes.newlyFailing.isEmpty { parts.append("\(Quantity.count(changes.newlyFailing.count)) newly failing") }
        if !changes.recovered.isEmpty { parts.append("\(Quantity.count(changes.recovered.count)) good again") }
        if changes.rows != 0 { parts.append("\(Quantity.signed(changes.rows, Quantity.count)) rows") }
        if changes.bytes != 0 { parts.append(Quantity.signed(changes.bytes, Quantity.bytes)) }
        return parts.isEmpty ? nil : "Since the last run: " + parts.joined(separator: ", ")
    }

    private static func wrapped(_ text: String) -> [String] { text.wrapped(to: width) }
}

extension Quantity {
    static func signed(_ number: Int, _ words: (Int) -> String) -> String { (number < 0 ? "−" : "+") + words(abs(number)) }
}
