import Basics
import Foundation
import Planning

/// The difference to the run before: what began to fail, what is good again, what grew and what shrank.
struct ChangesSection {
    let report: RunReport
    let zone: TimeZone

    /// So many layers are listed; report.json has them all.
    private static let listed = 20
    private static let named = 12

    var section: Markup {
        element("section", ["aria-labelledby": "changes"]) {
            element("h2", ["id": "changes"]) { "Since the last run" }
            if let changes = report.changes {
                element("p") {
                    "Compared with the run that ended "
                    time(changes.since)
                    " with \(changes.outcome.rawValue)."
                }
                content(changes)
            } else {
                element("p") { "There is no earlier report to compare with." }
            }
        }
    }

    @MarkupBuilder private func content(_ changes: ReportChanges) -> Markup {
        if changes.isEmpty {
            element("p") { "Nothing is different." }
        } else {
            element("ul", ["class": "changes"]) {
                places("Fails now", changes.newlyFailing, .bad, "✕")
                places("Good again", changes.recovered, .good, "✓")
                names("New areas", changes.addedAreas)
                names("Areas that are gone", changes.removedAreas)
                names("New layers", changes.addedLayers.map(\.title))
                names("Layers that are gone", changes.removedLayers.map(\.title))
                if changes.rows != 0 { total("Rows", Quantity.signed(changes.rows, Quantity.count)) }
                if changes.bytes != 0 { total("Size", Quantity.signed(changes.bytes, Quantity.bytes)) }
            }
            if !changes.differences.isEmpty { table(changes.differences) }
        }
    }

    @MarkupBuilder private func places(_ title: String, _ places: [ReportChanges.Place], _ tone: Tone, _ sign: String) -> Markup {
        if !places.isEmpty {
            element("li") {
                badge(tone, sign, title)
                ": "
                list(Self.byArea(places))
            }
        }
    }

    /// "riverwalk (Hydrant, Mains)": each area once.
    private static func byArea(_ places: [ReportChanges.Place]) -> [String] {
        let layers = Dictionary(grouping: places, by: \.area).mapValues { $0.compactMap { $0.layer?.title } }
        return places.map(\.area).uniqued.map { area in
            let titles = layers[area] ?? []
            return titles.isEmpty ? area : "\(area) (\(titles.joined(separator: ", ")))"
        }
    }

    @MarkupBuilder private func names(_ title: String, _ names: [String]) -> Markup {
        if !names.isEmpty {
            element("li") {
                element("strong") { "\(title): " }
                list(names)
            }
        }
    }

    private func total(_ title: String, _ words: String) -> Markup {
        element("li") {
            element("strong") { "\(title): " }
            words
        }
    }

    private func list(_ names: [String]) -> Markup {
        let rest = names.count - Self.named
        return foreign(names.prefix(Self.named).joined(separator: ", ") + (rest > 0 ? " and \(Quantity.count(rest)) more" : ""))
    }

    private func table(_ differences: [ReportChanges.Difference]) -> Markup {
        func size(_ difference: ReportChanges.Difference) -> Int { abs((difference.bytes ?? 0) - (difference.bytesBefore ?? 0)) }
        func rows(_ difference: ReportChanges.Difference) -> Int { abs((difference.rows ?? 0) - (difference.rowsBefore ?? 0)) }
        let ordered = differences.sorted { (rows($0), size($0)) > (rows($1), size($1)) }
        let shown = ordered.prefix(Self.listed)
        return element("div", ["class": "wide", "role": "region", "aria-label": "Layers that changed", "tabindex": "0"]) {
            element("table") {
                element("caption") {
                    shown.count < ordered.count
                        ? "The \(shown.count) largest of \(Quantity.count(ordered.count)) differences"
                        : "Layers with other numbers than before"
                }
                element("thead") {
                    element("tr") {
                        for title in ["Area", "Layer"] { element("th", ["scope": "col"]) { title } }
                        for title in ["Rows before", "Rows now", "Rows ±", "Size ±"] {
                            element("th", ["scope": "col", "class": "number"]) { title }
                        }
                    }
                }
                element("tbody") { for difference in shown { row(difference) } }
            }
        }
    }

    private func row(_ difference: ReportChanges.Difference) -> Markup {
        func delta(_ before: Int?, _ now: Int?, _ words: (Int) -> String) -> String {
            if before == nil, now == nil { return "–" }
            // What a map did not have, or has no more, counts nothing.
            let change = (now ?? 0) - (before ?? 0)
            return change == 0 ? "±0" : Quantity.signed(change, words)
        }
        let numbers = [
            difference.rowsBefore.map(Quantity.count) ?? "–", difference.rows.map(Quantity.count) ?? "–",
            delta(difference.rowsBefore, difference.rows, Quantity.count),
            delta(difference.bytesBefore, difference.bytes, Quantity.bytes),
        ]
        return element("tr") {
            element("td") { foreign(difference.area) }
            element("th", ["scope": "row"]) { foreign(difference.layer.title) }
            for number in numbers { element("td", ["class": "number"]) { number } }
        }
    }

    private func time(_ date: Date) -> Markup {
        element("time", ["datetime": ISOTime.text(date)]) { Moment.local(date, in: zone) }
    }
}
