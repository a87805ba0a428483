import ArcGIS
import Basics
import Foundation
import Geography
import Testing

@testable import Planning

@Suite struct AreaOutlineTests {
    @Test("An envelope keeps its corners, counter-clockwise, in longitude and latitude")
    func envelope() throws {
        // Web Mercator: x = longitude × 20037508.342789 / 180; y = 0 at the equator.
        let shape = AreaShape.envelope(Envelope(xmin: 0, ymin: 0, xmax: 1_113_194.9079, ymax: 1_118_889.9749))
        let outline = try #require(AreaOutline(shape, in: .webMercator))
        #expect(outline.parts.count == 1 && outline.parts[0].count == 1 && outline.parts[0][0].count == 5)
        #expect(outline.envelope == Envelope(xmin: 0, ymin: 0, xmax: 10, ymax: 10))
        #expect(outline.parts[0][0].signedArea > 0)
    }

    @Test("A circle of 20,000 corners is drawn with few, none farther off than a four hundredth of its size")
    func circle() throws {
        let ring = (0...20_000).map { step in
            let angle = -Double(step) / 20_000 * 2 * .pi
            return Coordinate(x: 10 + cos(angle), y: 50 + sin(angle))
        }
        let outline = try #require(AreaOutline(.polygon(Polygon(rings: [ring])), in: .wgs84))
        let corners = outline.parts[0][0]
        #expect(corners.first == corners.last)
        #expect((16...80).contains(corners.count), "\(corners.count)")
        // A chord of a circle with radius 1 lies at least 1 less 2/400 from its middle.
        for (a, b) in zip(corners, corners.dropFirst()) {
            let middle = Coordinate(x: (a.x + b.x) / 2 - 10, y: (a.y + b.y) / 2 - 50)
            #expect((middle.x * middle.x + middle.y * middle.y).squareRoot() > 1 - 2.0 / 400 - 1e-6)
        }
    }

    @Test("Holes stay holes; the outline reads back from its GeoJSON")
    func holes() throws {
        let outer = Envelope(xmin: 0, ymin: 0, xmax: 4, ymax: 4).ring
        let hole = Array(Envelope(xmin: 1, ymin: 1, xmax: 2, ymax: 2).ring.reversed())
        let outline = try #require(AreaOutline(.polygon(Polygon(rings: [outer, hole])), in: .wgs84))
        #expect(outline.parts.count == 1 && outline.parts[0].count == 2)
        #expect(outline.parts[0][0].signedArea == 16 && outline.parts[0][1].signedArea == -1)
        #expect(outline.json["type"] == "MultiPolygon")
        #expect(try outline.json.decoded(as: AreaOutline.self) == outline)
        #expect(try JSON.encoding(outline).decoded(as: AreaOutline.self) == outline)
    }
}

@Suite struct FollowingTests {
    private static let first = Date(timeIntervalSince1970: 1_700_000_000)
    private static let second = first + 86_400
    private static let hydrant = LayerLabel(id: "h", title: "Hydrant")
    private static let main = LayerLabel(id: "m", title: "Main")
    private static let failure = Failure(phase: .submit, kind: .permanent, message: "no")

    private static func layer(
        _ area: String, _ label: LayerLabel, _ state: JobReport.State?, rows: Int? = nil, bytes: Int? = nil
    ) -> LayerReport {
        LayerReport(
            area: area, layer: label, verdict: .replica, rule: "OB001 replica", state: state, rows: rows, bytes: bytes,
            reason: "new", error: state == .failed ? failure : nil)
    }

    private static func report(
        _ started: Date, _ outcome: Outcome, areas: [AreaReport], layers: [LayerReport]
    ) -> RunReport {
        var report = RunReport(name: "water", outcome: outcome, started: started, finished: started + 60, areas: areas)
        report.layers = layers
        return report
    }

    private static func published(_ id: String, _ bytes: Int) -> AreaReport {
        AreaReport(id: id, state: .published, generation: "\(id)/generations/1", bytes: bytes)
    }
    private static func failed(_ id: String) -> AreaReport { AreaReport(id: id, state: .failed, generation: nil, bytes: 0) }

    /// North and south are published; the state says when.
    private static let goodNight = report(
        first, .ok, areas: [published("north", 100), published("south", 200)],
        layers: [layer("north", hydrant, .done, rows: 10, bytes: 90), layer("south", hydrant, .done, rows: 20, bytes: 190)]
    ).following(nil, isPartial: false, published: ["north": first + 30, "south": first + 40])

    @Test("What is new has the time of its publication; a first report has nothing to compare with")
    func firstNight() {
        #expect(Self.goodNight.changes == nil)
        #expect(Self.goodNight.areas.map(\.lastSuccess) == [Self.first + 30, Self.first + 40])
        #expect(Self.goodNight.layers.map(\.lastSuccess) == [Self.first + 30, Self.first + 40])
    }

    @Test("A failed area keeps the numbers and the age of the map that is current, and the difference names it")
    func failedNight() throws {
        let report = Self.report(
            Self.second, .partial, areas: [Self.published("north", 130), Self.failed("south")],
            layers: [
                Self.layer("north", Self.hydrant, .done, rows: 15, bytes: 120),
                Self.layer("north", Self.main, .done, rows: 7, bytes: 5),
                Self.layer("south", Self.hydrant, .failed), Self.layer("south", Self.main, .skipped),
            ]
        ).following(Self.goodNight, isPartial: false, published: ["north": Self.second + 30, "south": Self.first + 40])
        #expect(report.areas.map(\.bytes) == [130, 200])
        #expect(report.areas[1].lastSuccess == Self.first + 40)
        #expect(report.layers[2].rows == 20 && report.layers[2].bytes == 190)
        #expect(report.layers[2].lastSuccess == Self.first + 40)
        #expect(report.layers[3].lastSuccess == nil)
        let changes = try #require(report.changes)
        #expect(changes.since == Self.first + 60 && changes.outcome == .ok)
        // 15 + 7 + 20 rows now, 10 + 20 before; 130 + 200 bytes now, 300 before.
        #expect(changes.rows == 12 && changes.bytes == 30)
        #expect(changes.addedLayers == [Self.main] && changes.removedLayers.isEmpty)
        #expect(
            changes.newlyFailing == [
                .init(area: "south"), .init(area: "south", layer: Self.hydrant), .init(area: "south", layer: Self.main),
            ])
        #expect(changes.differences.map(\.area) == ["north"])
        #expect(changes.differences[0].rowsBefore == 10 && changes.differences[0].rows == 15)

        let third = Self.report(
            Self.second + 86_400, .ok, areas: [Self.published("south", 210)],
            layers: [Self.layer("south", Self.hydrant, .done, rows: 21, bytes: 195)]
        ).following(report, isPartial: false, published: ["south": Self.second + 86_430])
        #expect(third.changes?.recovered == [.init(area: "south"), .init(area: "south", layer: Self.hydrant)])
        #expect(third.changes?.removedAreas == ["north"])
        #expect(third.changes?.removedLayers == [Self.main])
    }

    @Test("A night on which nothing could be planned still shows every area, and calls nothing gone or recovered")
    func refusedNight() throws {
        let bad = Self.report(
            Self.second, .partial, areas: [Self.published("north", 130), Self.failed("south")],
            layers: [Self.layer("north", Self.hydrant, .done, rows: 10), Self.layer("south", Self.hydrant, .failed)]
        ).following(Self.goodNight, isPartial: false, published: ["north": Self.second + 30, "south": Self.first + 40])
        let report = Self.report(Self.second + 86_400, .denied, areas: [], layers: []).following(
            bad, isPartial: false, published: ["north": Self.second + 30, "south": Self.first + 40, "west": Self.first])
        #expect(report.areas.map(\.id) == ["north", "south", "west"])
        #expect(report.areas.allSatisfy { $0.state == .untouched })
        #expect(report.areas.map(\.bytes) == [130, 200, 0])
        #expect(report.layers.map(\.state) == [.pending, .pending])
        #expect(report.layers.map(\.rows) == [10, 20])
        let changes = try #require(report.changes)
        #expect(changes.recovered.isEmpty && changes.removedAreas.isEmpty && changes.newlyFailing.isEmpty)
        #expect(changes.rows == 0 && changes.bytes == 0)
    }

    @Test("A run of one area leaves the others as they were")
    func oneArea() throws {
        let report = Self.report(
            Self.second, .ok, areas: [Self.published("south", 205)],
            layers: [Self.layer("south", Self.hydrant, .done, rows: 22, bytes: 191)]
        ).following(Self.goodNight, isPartial: true, published: ["north": Self.first + 30, "south": Self.second + 40])
        #expect(report.areas.map(\.id) == ["south", "north"])
        #expect(report.areas[1].state == .untouched && report.areas[1].bytes == 100)
        #expect(report.changes?.rows == 2 && report.changes?.removedAreas == [])
    }
}

@Suite struct LayerReportTests {
    @Test("Rows are those of the layer's own number, attachments and longer numbers apart; tiles are the sum of the levels")
    func counts() {
        func job(_ kind: Job.Kind, _ counts: [String: Int]) -> JobReport {
            var job = JobReport(id: "a/b/c", kind: kind, area: "a", layers: [], state: .done, attempts: 1, bytes: 0, seconds: 0)
            job.counts = counts
            return job
        }
        let replica = job(.replica, ["1 Main": 5, "1 Main attachments": 2, "11 Valve": 7])
        #expect(replica.rows(ofLayer: 1) == 5)
        #expect(replica.rows(ofLayer: 11) == 7)
        #expect(replica.rows(ofLayer: 2) == nil)
        #expect(replica.tiles == nil)
        #expect(job(.tiles, ["level 12": 4, "level 13": 9]).tiles == 13)
        #expect(job(.style, ["files": 9]).tiles == nil)
    }
}
