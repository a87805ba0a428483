import Basics
import Foundation
import Planning

/// `report.html`: one page that says which maps are good this morning, and why the others are not. One file that asks no network for
/// anything; readable on paper, in the dark, on a phone and by ear.
public struct MorningPage: Sendable {
    public var report: RunReport
    public var zone: TimeZone

    public init(report: RunReport, zone: TimeZone = .ofMachine) {
        self.report = report
        self.zone = zone
    }

    /// `report.html` for `report.json`.
    public static func path(beside report: String) -> String {
        (report.hasSuffix(".json") ? String(report.dropLast(5)) : report) + ".html"
    }

    public var html: String { page.document }

    private var page: Markup {
        element("html", ["lang": "en"]) {
            element("head") {
                element("meta", ["charset": "utf-8"])
                element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                element("meta", ["name": "color-scheme", "content": "light dark"])
                element("meta", ["name": "robots", "content": "noindex"])
                // Whatever a title may smuggle in: nothing is loaded and nothing runs.
                element(
                    "meta", ["http-equiv": "Content-Security-Policy", "content": "default-src 'none'; style-src 'unsafe-inline'"])
                element("title") {
                    "\(headline.tone.sign) \(Wording.foreign(report.name)): \(report.outcome.rawValue), \(local(report.finished))"
                }
                Markup.styleSheet(PageStyle.sheet)
            }
            element("body") {
                header
                element("main") {
                    ToDo(report: report).section
                    overview
                    LayerTable(report: report, zone: zone).section
                    ChangesSection(report: report, zone: zone).section
                    Timeline(report: report, zone: zone).section
                    NotesSection(report: report).section
                }
                footer
            }
        }
    }

    private var headline: Headline { Headline(report: report) }

    private var header: Markup {
        element("header", ["class": headline.tone.rawValue]) {
            element("p", ["class": "name"]) { foreign(report.name) }
            element("h1") {
                element("span", ["class": "sign", "aria-hidden": "true"]) { headline.tone.sign }
                " "
                headline.sentence
            }
            if let left = Wording.left(by: report, in: zone) { element("p") { left + "." } }
            element("p", ["class": "run"]) {
                element("strong") { "\(report.outcome.rawValue) (exit \(report.exitCode))" }
                ": \(Wording.words(for: report.outcome)). "
                time(report.started)
                " to "
                time(report.finished)
                " (\(Quantity.duration(report.finished.timeIntervalSince(report.started))), \(zone.abbreviation(for: report.finished) ?? zone.identifier))"
            }
        }
    }

    private var overview: Markup {
        element("section", ["class": "overview", "aria-labelledby": "overview"]) {
            element("h2", ["id": "overview"]) { "At a glance" }
            element("div", ["class": "columns"]) {
                AreaMap(report: report).figure
                element("dl", ["class": "tiles"]) {
                    for fact in facts {
                        element("div", ["class": fact.tone?.rawValue]) {
                            element("dt") { fact.title }
                            element("dd") { fact.value }
                        }
                    }
                }
            }
        }
    }

    private var facts: [(title: String, value: String, tone: Tone?)] {
        let areas = report.areas
        let fetched = report.jobs.filter { $0.state == .done && $0.kind.brings }
        let standings: [(String, String, Tone?)] = AreaReport.Standing.allCases.reversed().compactMap { standing in
            let count = areas.count { $0.standing == standing }
            return count == 0
                ? nil : (standing.words, "\(Quantity.count(count)) of \(Quantity.count(areas.count))", standing.tone)
        }
        let failing = report.layers.count(where: \.isFailing)
        let oldest = areas.compactMap(\.lastSuccess).min()
        return standings + [
            ("layers that failed", Quantity.count(failing), failing > 0 ? .bad : nil),
            ("oldest map", report.age(oldest) ?? "–", nil),
            ("rows in current maps", Quantity.count(report.layers.reduce(0) { $0 + ($1.rows ?? 0) }), nil),
            ("tiles in current maps", Quantity.count(report.layers.reduce(0) { $0 + ($1.tiles ?? 0) }), nil),
            ("size of current maps", Quantity.bytes(areas.reduce(0) { $0 + $1.bytes }), nil),
            ("fetched in this run", Quantity.bytes(fetched.reduce(0) { $0 + $1.bytes }), nil),
        ]
    }

    private var footer: Markup {
        element("footer") {
            element("p") {
                "All of this for programs: report.json beside this page"
                report.planHash.map { "; plan \($0.prefix(12))" } ?? ""
                "."
            }
            element("p") { report.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " · ") }
        }
    }

    private func time(_ date: Date) -> Markup { element("time", ["datetime": ISOTime.text(date)]) { local(date) } }
    private func local(_ date: Date) -> String { Moment.local(date, in: zone) }
}
