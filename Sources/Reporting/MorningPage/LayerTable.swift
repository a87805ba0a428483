import Foundation
import Planning

/// Every layer in every area: what the current map holds of it, how old that is, and why. One group of rows an area, the worst first.
///
/// On narrow screens the style lays each row out as a card, which takes the roles of a table away; so they are written out.
struct LayerTable {
    let report: RunReport
    let zone: TimeZone

    @MarkupBuilder var section: Markup {
        if !report.areas.isEmpty {
            element("section", ["aria-labelledby": "layers"]) {
                element("h2", ["id": "layers"]) { "Areas and layers" }
                if isCrowded {
                    folded
                } else {
                    table(report.areasWorstFirst, label: "Table of the areas and their layers") { Self.introduction }
                }
            }
        }
    }

    /// So many areas fill a hundred screens; those that are as they should be wait behind one line, and have one line each on paper.
    private var isCrowded: Bool { report.areas.count > 40 }

    private static let introduction =
        "What the current map of each area holds; the worst first. Layers that come in one file share its size and time. "
        + "Ages are as of the end of the run."

    @MarkupBuilder private var folded: Markup {
        let good = report.areasWorstFirst.filter { $0.standing.tone == .good }
        let others = report.areasWorstFirst.filter { $0.standing.tone != .good }
        if !others.isEmpty { table(others, label: "Table of the areas that need a look") { Self.introduction } }
        if !good.isEmpty {
            element("details") {
                element("summary") { "\(Quantity.count(good.count, "area")) with a new or unchanged map" }
                table(good, label: "Table of the other areas") {
                    Self.introduction
                    element("span", ["class": "paper"]) { " On paper, these areas have one line each." }
                }
            }
        }
    }

    /// - Parameter label: its name among the regions of the page.
    private func table(_ areas: [AreaReport], label: String, @MarkupBuilder caption: () -> Markup) -> Markup {
        let layers = Dictionary(grouping: report.layers, by: \.area)
        let jobs = Dictionary(grouping: report.jobs, by: \.area)
        return element("div", ["class": "wide", "role": "region", "aria-label": label, "tabindex": "0"]) {
            element("table", ["class": "layers", "role": "table"]) {
                element("caption") { caption() }
                heading
                for area in areas { group(area, layers[area.id] ?? [], jobs[area.id] ?? []) }
            }
        }
    }

    private static let columns: [(title: String, isNumber: Bool)] = [
        ("Layer", false), ("State", false), ("Rows", true), ("Tiles", true), ("Size", true), ("Time", true), ("Age", true),
        ("Reason and next step", false),
    ]

    private var heading: Markup {
        element("thead", ["role": "rowgroup"]) {
            element("tr", ["role": "row"]) {
                for column in Self.columns {
                    element("th", ["scope": "col", "role": "columnheader", "class": column.isNumber ? "number" : nil]) {
                        column.title
                    }
                }
            }
        }
    }

    private func group(_ area: AreaReport, _ layers: [LayerReport], _ jobs: [JobReport]) -> Markup {
        element("tbody", ["role": "rowgroup", "class": isCrowded && area.standing.tone == .good ? "brief" : nil]) {
            element("tr", ["class": "area", "role": "row"]) {
                element("th", ["scope": "rowgroup", "role": "rowheader", "colspan": "4"]) {
                    foreign(area.id)
                    " "
                    badge(area.standing.tone, area.standing.sign, area.standing.words)
                }
                cell("Size", number: area.bytes > 0 ? Quantity.bytes(area.bytes) : nil)
                cell("Time", number: time(of: jobs))
                cell("Age", number: report.age(area.lastSuccess))
                element("td", ["role": "cell", "class": "why"]) { areaWords(area, jobs) }
            }
            for layer in layers { row(layer, area, with: layers.first { $0.jobs == layer.jobs && $0.error != nil }) }
        }
    }

    /// - Parameter first: the first layer that failed by the same job, which tells why for all of them.
    private func row(_ layer: LayerReport, _ area: AreaReport, with first: LayerReport?) -> Markup {
        element("tr", ["role": "row"]) {
            element("th", ["scope": "row", "role": "rowheader"]) {
                if !layer.groups.isEmpty {
                    element("span", ["class": "groups path"]) { foreign(layer.groups.joined(separator: " › ") + " ›") }
                    " "
                }
                foreign(layer.layer.title)
            }
            element("td", ["role": "cell", "data-title": "State"]) {
                area.state == .untouched && layer.state != nil
                    ? badge(.quiet, "–", "not part of this run") : badge(layer.tone, layer.sign, layer.words)
            }
            cell("Rows", number: layer.rows.map(Quantity.count))
            cell("Tiles", number: layer.tiles.map(Quantity.count))
            cell("Size", number: layer.bytes.map(Quantity.bytes))
            cell("Time", number: layer.seconds > 0 ? Quantity.duration(layer.seconds) : nil)
            cell("Age", number: report.age(layer.lastSuccess))
            element("td", ["role": "cell", "class": "why"]) {
                if let first, first.layer != layer.layer {
                    "comes with "
                    foreign(first.layer.title)
                } else {
                    layerWords(layer)
                }
            }
        }
    }

    /// A dash where there is no number; empty cells are read as nothing at all.
    private func cell(_ title: String, number: String?) -> Markup {
        element("td", ["role": "cell", "class": number == nil ? "number none" : "number", "data-title": title]) { number ?? "–" }
    }

    private func time(of jobs: [JobReport]) -> String? {
        let seconds = jobs.reduce(0) { $0 + $1.seconds }
        return seconds > 0 ? Quantity.duration(seconds) : nil
    }

    @MarkupBuilder private func areaWords(_ area: AreaReport, _ jobs: [JobReport]) -> Markup {
        // What stays says why; what is new needs its name only.
        let isNew = area.state == .published || area.state == .partial
        if area.generation == nil || !isNew {
            Wording.words(for: area, in: zone)
            if let reason = area.reason {
                ": "
                foreign(reason)
            }
        }
        if let generation = area.generation {
            element("code", ["class": isNew ? nil : "path"]) { generation }
            if !area.missingLayers.isEmpty {
                ", without "
                foreign(area.missingLayers.joined(separator: ", "))
            }
        }
        // Jobs that no layer answers for: packaging and publishing.
        for job in jobs where job.state == .failed && job.layers.isEmpty {
            if let error = job.error { trouble(error, next: Wording.nextStep(for: error, job: job)) }
        }
    }

    @MarkupBuilder private func layerWords(_ layer: LayerReport) -> Markup {
        if let since = layer.staleSince {
            "The map has it as it came \(Moment.local(since, in: zone)). "
        }
        if let error = layer.error {
            trouble(error, next: Wording.nextStep(for: layer))
        } else {
            foreign(layer.reason)
            if let next = Wording.nextStep(for: layer) { step(next) }
        }
    }

    @MarkupBuilder private func trouble(_ error: Failure, next: String?) -> Markup {
        foreign(Wording.summary(of: error))
        if let next { step(next) }
    }

    private func step(_ next: String) -> Markup {
        element("span", ["class": "step"]) {
            element("strong") { "Next: " }
            advice(next)
        }
    }
}
