import Basics
import Foundation
import Geography
import Planning
import TestSupport
import Testing

@testable import Reporting

@Suite struct MarkupTests {
    @Test("Text and attribute values are escaped, and control characters shown, whatever they are")
    func escapes() {
        let hostile = "<script>\"a\" & 'b'</script>\u{0}\u{1B}[31m"
        let markup = element("p", ["title": hostile, "lang": nil]) { hostile }
        let escaped = "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;\u{FFFD}\u{FFFD}[31m"
        #expect(markup.source == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test("Elements without content have no end tag; absent pieces leave nothing behind")
    func structure() {
        let show = false
        let markup = element("div") {
            element("br")
            if show { element("p") { "never" } }
            for name in ["a", "b"] { element("i") { name } }
        }
        #expect(markup.source == "<div><br><i>a</i><i>b</i></div>")
    }
}

@Suite struct HeadlineTests {
    private func sentence(_ report: RunReport) -> String { Headline(report: report).sentence }

    @Test("The first sentence says which areas have a new map and how old the others are")
    func sentences() {
        #expect(sentence(Night.report(areas: 1)) == "downtown has a new map.")
        #expect(sentence(Night.report(areas: 4)) == "All 4 areas have a new map.")
        #expect(sentence(Night.report(areas: 2)) == "Both areas have a new map.")
        // The kept map is of 02:25:00 two days before. The second area's tiles began after 41.5 s and took 53.6 s, so that the run
        // ended at 02:01:37: 47 h 36 m later.
        #expect(
            sentence(Night.report(areas: 2, failing: 2))
                == "downtown has a new map; riverwalk keeps its last good map, 47 h 36 m old.")
        #expect(
            sentence(Night.report(areas: 4, failing: 2))
                == "2 of 4 areas have a new map; 2 keep their last good map, the oldest 47 h 37 m old.")
        #expect(sentence(Night.report(areas: 2, failing: 2, missing: 1)) == "downtown has a new map; riverwalk has no map.")
        var quiet = Night.report(areas: 3)
        for index in 0..<3 { quiet.areas[index].state = .unchanged }
        #expect(sentence(quiet) == "All 3 areas are unchanged, and so are their maps.")
        quiet.areas[0].state = .published
        #expect(sentence(quiet) == "downtown has a new map; 2 are unchanged, and so are their maps.")
        var refused = Night.report(areas: 3)
        refused.outcome = .refused
        for index in 0..<3 { refused.areas[index].state = .untouched }
        #expect(sentence(refused).hasPrefix("All 3 areas keep their last good map, the oldest "))
        refused.areas = []
        #expect(sentence(refused) == "Nothing was made: the plan was refused; nothing was started.")
    }

    @Test("Layers of one job tell why once; a night that was too short says what it left")
    func reasons() {
        var report = Night.report(areas: 4, failing: 2)
        let page = MorningPage(report: report, zone: .gmt).html
        // In "What to do" and in the table, once for each of the two areas.
        #expect(page.matches(of: /Ask the service&#39;s owner to enable Sync/).count == 3)
        #expect(page.matches(of: /comes with <bdi>Hydrant<\/bdi>/).count == 2)
        report.finishBy = Night.started + 3600
        report.areas[3].state = .notPublished
        let left = "Left for the next run, because this one had to finish by 2026-11-30 03:00: harbour"
        #expect(MorningPage(report: report, zone: .gmt).html.contains(left))
        #expect(NewsText(report: report, zone: .gmt).lines.joined(separator: " ").contains(left))
    }

    @Test("A map with stale layers is told from one that lacks some, and from one that stays; each says why")
    func losses() {
        let report = Night.losses()
        #expect(
            Headline(report: report).sentence
                == "harbour has a new map; riverwalk has a new map that is not complete; downtown has a new map with stale layers; "
                + "north-plant keeps its last good map, 3 d 0 h old.")
        let page = MorningPage(report: report, zone: .gmt).html
        #expect(page.contains("<code>riverwalk/generations/20261130T020000Z</code>, without <bdi>World Street Map</bdi>"))
        #expect(page.contains("The map has it as it came 2026-11-27 02:00. "))
        #expect(
            page.contains(
                "keeps its last good map of 2026-11-27 02:00: <bdi>no new map without World Street Map</bdi>"
                    + "<code class=\"path\">north-plant/generations/20261127T020000Z</code>"))
        #expect(page.matches(of: /class="badge kept"[^>]*><span aria-hidden="true">.<\/span> new, partly stale</).count == 2)
    }

    @Test("What is to be typed is set as code; a backtick in a name is none")
    func typed() {
        #expect(advice("Try `a <b>` now").source == "<bdi>Try <code>a &lt;b&gt;</code> now</bdi>")
        #expect(advice("Look at x`y").source == "<bdi>Look at x`y</bdi>")
    }

    @Test("An area that a run was not about keeps its map, and has no time of its own")
    func untouched() {
        var area = AreaReport(id: "a", state: .untouched, generation: "a/generations/1", bytes: 1)
        area.since = Night.started
        #expect(Wording.words(for: area, in: .gmt) == "not part of this run, its map of 2026-11-30 02:00 stays")
        area.state = .unchanged
        #expect(Wording.words(for: area, in: .gmt) == "unchanged since 2026-11-30 02:00")
        area.state = .kept
        #expect(Wording.words(for: area, in: .gmt) == "keeps its last good map of 2026-11-30 02:00")
    }

    @Test("Hundreds of areas that are as they should be wait behind one line, and have a line each on paper")
    func folded() throws {
        func areas(_ text: some StringProtocol) -> Int { String(text).matches(of: /<tr class="area" role="row">/).count }
        let many = MorningPage(report: Night.report(areas: 50, failing: 10), zone: .gmt).html
        let fold = try #require(many.firstMatch(of: /<details>.*<\/details>/.dotMatchesNewlines()))
        #expect(fold.0.hasPrefix("<details><summary>45 areas with a new or unchanged map</summary>"))
        #expect(areas(fold.0) == 45 && areas(many) == 50)
        #expect(fold.0.matches(of: /<tbody role="rowgroup" class="brief">/).count == 45)
        #expect(many.contains(".brief tr:not(.area) { display: none; }") && fold.0.contains("On paper, these areas"))
        let good = MorningPage(report: Night.report(areas: 50), zone: .gmt).html
        #expect(areas(good) == 50 && good.contains("50 areas with a new or unchanged map"))
        #expect(good.matches(of: /<table class="layers"/).count == 1)
        let few = MorningPage(report: Night.report(areas: 4, failing: 2), zone: .gmt).html
        #expect(!few.contains("class=\"brief\"") && !few.contains("On paper, these areas") && !few.contains("<details>"))
    }

    @Test("A layer that was gone or is new counts with all of its rows")
    func appearing() {
        let place = LayerLabel(id: "a", title: "Hydrant")
        var report = Night.report(areas: 1)
        report.changes = ReportChanges(
            since: Night.started, outcome: .ok,
            differences: [
                .init(area: "downtown", layer: place, rowsBefore: 40, bytesBefore: 3_000_000),
                .init(area: "riverwalk", layer: place, bytes: 2_000_000),
            ])
        let page = ChangesSection(report: report, zone: .gmt).section.source
        func cells(_ texts: String...) -> String { texts.map { "<td class=\"number\">\($0)</td>" }.joined() }
        #expect(page.contains(cells("40", "–", "−40", "−3.0 MB")), "\(page)")
        #expect(page.contains(cells("–", "–", "–", "+2.0 MB")))
    }

    @Test("One entry for each reason, whatever the number of areas that share it")
    func toDo() {
        let entries = ToDo(report: Night.report(areas: 100, failing: 10)).entries
        #expect(entries.count == 1)
        #expect(entries.first?.areas.count == 10)
        #expect(entries.first?.layers == ["Hydrant", "Water mains"])
        #expect(entries.first?.next == "Ask the service's owner to enable Sync on it, or exclude the layer in the manifest.")
    }
}

@Suite struct ToDoTests {
    private func entries(_ details: [[String]]) -> [ToDo.Entry] {
        var report = Night.report(areas: 4)
        let tiles = report.jobs.indices.filter { report.jobs[$0].kind == .tiles }
        for (index, details) in zip(tiles, details) {
            report.jobs[index].state = .failed
            report.jobs[index].error = Failure(
                phase: .poll, kind: .transient, code: 500, message: "Error exporting tiles", details: details)
        }
        return ToDo(report: report).entries
    }

    @Test("The address of each server job makes no reason of its own; the server's words do")
    func addresses() {
        let job = "https://h/MapServer/exportTiles/jobs/j"
        let one = entries([[job + "1", "no room"], [job + "2", "no room"]])
        #expect(one.map(\.areas) == [["downtown", "riverwalk"]] && one.map(\.details) == [["no room"]])
        #expect(entries([[job + "1"]]).map(\.details) == [[job + "1"]])
        #expect(entries([[job], [job]]).map(\.details) == [[job]])
        #expect(entries([["no room"], ["no right"]]).map(\.areas) == [["downtown"], ["riverwalk"]])
    }
}

@Suite struct MapTests {
    @Test("Mercator keeps shapes: a degree of latitude at 60° is drawn twice as long as one of longitude")
    func projection() throws {
        let box = Envelope(xmin: 20, ymin: 59.99, xmax: 20.04, ymax: 60.01)
        let map = try #require(MapProjection([box]))
        let corner = map(Coordinate(x: 20, y: 60.01))
        let opposite = map(Coordinate(x: 20.04, y: 59.99))
        // 1 / cos 60° = 2, so both sides are equally long: 460 less twice 44, the shorter side of the picture.
        #expect(abs(opposite.x - corner.x - 372) < 0.01)
        #expect(abs(opposite.y - corner.y - 372) < 0.1)
        #expect(abs(map.height - 460) < 0.1)
        // 0.04° of longitude at 60° are 2,224 m.
        #expect(abs(map.metresPerPixel * (opposite.x - corner.x) - 2_224) < 30)
    }

    @Test("Areas on both sides of the antimeridian are neighbours on the map")
    func antimeridian() throws {
        let boxes = [
            Envelope(xmin: 177, ymin: -19, xmax: 180, ymax: -16), Envelope(xmin: -180, ymin: -19, xmax: -178, ymax: -16),
        ]
        let map = try #require(MapProjection(boxes))
        let (west, east) = (map(Coordinate(x: 177, y: -17)), map(Coordinate(x: -178, y: -17)))
        #expect(west.x < east.x)
        #expect((0...480).contains(west.x) && (0...480).contains(east.x))
        #expect(Graticule(projection: map).lines.source.contains("° W"))
    }

    @Test("A single point, the whole world and the poles have a picture")
    func extremes() throws {
        for box in [
            Envelope(xmin: 5, ymin: 5, xmax: 5, ymax: 5), Envelope(xmin: -180, ymin: -90, xmax: 180, ymax: 90),
            Envelope(xmin: 0, ymin: 89, xmax: 1, ymax: 90),
        ] {
            let map = try #require(MapProjection([box]))
            for place in box.ring.map({ map($0) }) {
                #expect(place.x.isFinite && place.y.isFinite)
                #expect((-1...481).contains(place.x) && (-1...(map.height + 1)).contains(place.y))
            }
        }
    }

    @Test("Names never lie on each other and never leave the picture")
    func names() {
        var placement = LabelPlacement(width: 480, height: 300, shapes: [])
        let labels = (0..<200).compactMap { index in
            let (x, y) = (Double(index % 20) * 24, Double(index / 20) * 30)
            return placement.place("area-\(index)", at: Envelope(xmin: x, ymin: y, xmax: x + 10, ymax: y + 10))
        }
        #expect(labels.count > 20 && labels.count < 200)
        let boxes = labels.map { label in
            let half = Double(label.text.count) * 14 * 0.34
            return Envelope(xmin: label.x - half, ymin: label.y - 13, xmax: label.x + half, ymax: label.y + 2)
        }
        for (index, box) in boxes.enumerated() {
            #expect(box.xmin >= 0 && box.xmax <= 480)
            for other in boxes[(index + 1)...] { #expect(box.intersection(other).map { $0.width * $0.height < 1 } ?? true) }
        }
    }

    @Test(arguments: [(0.7, 0.5), (1, 1), (3, 2), (49, 20), (999, 500)]) func niceSteps(limit: Double, step: Double) {
        #expect(abs(NiceStep.notOver(limit) - step) < 1e-9)
    }

    @Test func degrees() {
        #expect(Graticule.degrees(-88.15, 0.05, "E", "W") == "88.15° W")
        #expect(Graticule.degrees(0, 10, "E", "W") == "0°")
        #expect(Graticule.degrees(40, 20, "N", "S") == "40° N")
        #expect(Graticule.multiples(of: 0.5, in: 1.2...2.6) == [1.5, 2, 2.5])
    }

    @Test("Labels of bars stay inside the picture, which may be a phone's")
    func labels() {
        let name = String(repeating: "x", count: 30)
        for (start, end, x, anchor) in [
            (10.0, 20.0, 10.0, "start"), (41, 80, 80, "end"), (41, 45, 0, "start"), (36, 36.5, 36, "start"),
        ] {
            let place = Timeline.place(of: name, from: start, to: end)
            #expect(place.x == x && place.anchor == anchor, "\(start)")
        }
    }

    @Test("Ticks are round times of the local clock, five at most")
    func ticks() {
        // From 02:00:07 on, 14 minutes long: every 5 minutes, at 02:05 and 02:10.
        let axis = TimeAxis(start: 0, end: 840)
        #expect(axis.ticks(zero: 7_207) == [293, 593])
        #expect(axis.percent(420) == 50)
        #expect(TimeAxis(start: 3, end: 3).percent(3) == 0)
    }
}
