import Foundation
import Planning

/// What ran when: a bar a job with its phases, or, with many jobs, bars packed into as few lanes as there was work at once.
struct Timeline {
    let report: RunReport
    let zone: TimeZone

    /// More jobs than this are packed.
    private static let manyJobs = 40
    private static let longest = 10

    private struct Bar {
        var job: JobReport
        var start: Double
        var end: Double
    }

    private var bars: [Bar] {
        report.jobs.compactMap { job in
            guard let start = job.times.started ?? job.times.submitted, let end = job.times.done ?? job.times.ready else {
                return nil
            }
            return Bar(job: job, start: start, end: max(start, end))
        }.sorted { $0.start < $1.start }
    }

    @MarkupBuilder var section: Markup {
        let bars = bars
        if let first = bars.map({ min($0.start, $0.job.times.queued ?? $0.start) }).min(), let last = bars.map(\.end).max() {
            let axis = TimeAxis(start: first, end: last)
            element("section", ["aria-labelledby": "jobs"]) {
                element("h2", ["id": "jobs"]) { "Jobs over time" }
                element("figure", ["class": "timeline"]) {
                    if bars.count > Self.manyJobs { packed(bars, axis) } else { listed(bars, axis) }
                    element("figcaption") { legend(isPacked: bars.count > Self.manyJobs) }
                }
                table(bars)
            }
        }
    }

    // MARK: - Pictures

    private static let top = 22.0

    private func listed(_ bars: [Bar], _ axis: TimeAxis) -> Markup {
        picture(axis, bars.count, height: Double(bars.count) * 30) {
            for (index, bar) in bars.enumerated() { row(bar, Self.top + Double(index) * 30, axis) }
        }
    }

    private func row(_ bar: Bar, _ y: Double, _ axis: TimeAxis) -> Markup {
        let sign = bar.job.state.isGood ? "" : "\(Wording.words(for: bar.job.state)) – "
        let label = sign + Wording.clean(bar.job.id).elidedInMiddle(to: 38).isolated
        let place = Self.place(of: label, from: axis.percent(bar.start), to: axis.percent(bar.end))
        return element("g", ["class": bar.job.state.tone.rawValue]) {
            element("title") { tip(bar) }
            element(
                "text",
                [
                    "x": Self.percent(place.x), "y": AreaMap.number(y + 12), "text-anchor": place.anchor,
                ]
            ) { label }
            if let queued = bar.job.times.queued, queued < bar.start {
                rect("queued", queued, bar.start, y + 19, 2, axis)
            }
            for phase in phases(bar) { rect(phase.name, phase.start, phase.end, y + 16, 8, axis) }
        }
    }

    /// Where a label stays inside the picture, on a phone, too: behind the bar's start, before its end, or at the left edge.
    static func place(of label: String, from start: Double, to end: Double) -> (x: Double, anchor: String) {
        // A sign is at most seven of a phone's 345 pixels.
        let width = Double(DisplayWidth.columns(of: label)) * 2.1
        if start + width <= 100 { return (start, "start") }
        return end >= width ? (end, "end") : (0, "start")
    }

    private func packed(_ bars: [Bar], _ axis: TimeAxis) -> Markup {
        var ends: [Double] = []
        let lanes = bars.map { bar in
            let lane = ends.firstIndex { $0 <= bar.start } ?? ends.count
            if lane == ends.count { ends.append(bar.end) } else { ends[lane] = bar.end }
            return lane
        }
        return picture(axis, bars.count, height: Double(ends.count) * 12) {
            for (bar, lane) in zip(bars, lanes) {
                element("g", ["class": bar.job.state.tone.rawValue]) {
                    element("title") { tip(bar) }
                    rect("all", bar.start, bar.end, Self.top + 4 + Double(lane) * 12, 9, axis)
                }
            }
        }
    }

    private func picture(_ axis: TimeAxis, _ count: Int, height: Double, @MarkupBuilder _ content: () -> Markup) -> Markup {
        let zero = report.started.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: report.started))
        return element(
            "svg",
            ["width": "100%", "height": AreaMap.number(height + Self.top + 4), "role": "img", "aria-labelledby": "time-title"]
        ) {
            element("title", ["id": "time-title"]) {
                "\(Quantity.count(count, "job")) between \(clock(axis.start)) and \(clock(axis.end)); the longest are in the table below"
            }
            element("g", ["class": "axis", "aria-hidden": "true"]) {
                for tick in axis.ticks(zero: zero) {
                    let x = Self.percent(axis.percent(tick))
                    element("line", ["x1": x, "y1": "16", "x2": x, "y2": "100%"])
                    element(
                        "text",
                        [
                            "x": x, "y": "11",
                            "text-anchor": axis.percent(tick) > 92 ? "end" : axis.percent(tick) < 4 ? "start" : "middle",
                        ]
                    ) {
                        clock(tick)
                    }
                }
            }
            content()
        }
    }

    private func rect(_ name: String, _ start: Double, _ end: Double, _ y: Double, _ height: Double, _ axis: TimeAxis) -> Markup {
        let (from, to) = (axis.percent(start), axis.percent(end))
        // What took no time is still seen.
        let width = max(0.25, to - from)
        return element(
            "rect",
            [
                "class": name, "x": Self.percent(min(from, 100 - width)), "y": AreaMap.number(y), "width": Self.percent(width),
                "height": AreaMap.number(height),
            ])
    }

    private func phases(_ bar: Bar) -> [(name: String, start: Double, end: Double)] {
        let times = bar.job.times
        let marks: [(name: String, end: Double?)] = [
            ("asking", times.submitted), ("serving", times.ready), ("fetching", times.fetched), ("making", bar.end),
        ]
        var start = bar.start
        return marks.compactMap { mark in
            guard let end = mark.end, end >= start else { return nil }
            defer { start = end }
            return (mark.name, start, end)
        }
    }

    // MARK: - Words

    private func legend(isPacked: Bool) -> Markup {
        element("ul", ["class": "legend keys"]) {
            if isPacked {
                for (name, words) in [("good", "done"), ("bad", "failed"), ("kept", "skipped or not reached")] {
                    element("li") { key("all \(name)", words) }
                }
            } else {
                for (name, words) in [
                    ("queued", "waiting"), ("asking", "asking"), ("serving", "server at work"), ("fetching", "downloading"),
                    ("making", "verifying, packaging"),
                ] { element("li") { key(name, words) } }
            }
        }
    }

    private func key(_ name: String, _ words: String) -> Markup {
        .group([element("span", ["class": "key \(name)", "aria-hidden": "true"]), .text(" " + words)])
    }

    private func tip(_ bar: Bar) -> String {
        "\(Wording.foreign(bar.job.id)): \(Wording.words(for: bar.job.state)), \(clock(bar.start))–\(clock(bar.end)), \(Quantity.duration(bar.end - bar.start))"
    }

    private func table(_ bars: [Bar]) -> Markup {
        let longest = bars.sorted { $0.end - $0.start > $1.end - $1.start }.prefix(Self.longest)
        return element("div", ["class": "wide", "role": "region", "aria-label": "The longest jobs", "tabindex": "0"]) {
            element("table") {
                element("caption") {
                    bars.count > longest.count
                        ? "The \(longest.count) longest of \(Quantity.count(bars.count)) jobs" : "The jobs, the longest first"
                }
                element("thead") {
                    element("tr") {
                        for title in ["Job", "State"] { element("th", ["scope": "col"]) { title } }
                        for title in ["Began", "Server ready", "Fetched", "Ended", "Time", "Tries"] {
                            element("th", ["scope": "col", "class": "number"]) { title }
                        }
                    }
                }
                element("tbody") {
                    for bar in longest { row(bar) }
                }
            }
        }
    }

    private func row(_ bar: Bar) -> Markup {
        element("tr") {
            element("th", ["scope": "row"]) { foreign(bar.job.id) }
            element("td") { badge(bar.job.state.tone, bar.job.state.tone.sign, Wording.words(for: bar.job.state)) }
            for time in [bar.start, bar.job.times.ready, bar.job.times.fetched, bar.end] {
                element("td", ["class": "number"]) { time.map(clock) ?? "–" }
            }
            element("td", ["class": "number"]) { Quantity.duration(bar.end - bar.start) }
            element("td", ["class": "number"]) { bar.job.attempts > 0 ? String(bar.job.attempts) : "–" }
        }
    }

    private func clock(_ seconds: Double) -> String { Moment.clock(report.started + seconds, in: zone) }

    private static func percent(_ value: Double) -> String { "\((value * 100).rounded() / 100)%" }
}
