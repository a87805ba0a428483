import ArcGIS
import Foundation
import Geography
import Planning

/// Invented nights for the morning page: any number of areas, some of which fail, with the night before.
enum Night {
    static let started = Date(timeIntervalSince1970: 1_796_004_000)  // 2026-11-30 02:00:00 UTC
    static let dayBefore = started - 86_400 + 1_500

    static let hydrant = LayerLabel(id: "hydrant-2", title: "Hydrant")
    static let mains = LayerLabel(id: "mains-3", title: "Water mains")
    static let street = LayerLabel(id: "street-1", title: "World Street Map")
    static let parcels = LayerLabel(id: "parcels-4", title: "Parcels")

    static let failure = Failure(
        phase: .submit, kind: .permanent, code: 500, message: "Unable to create replica. Please check your parameters.",
        details: ["Layer 4 is not sync enabled."])

    /// Area number `index`: a lopsided hexagon in a grid around Naperville.
    static func outline(_ index: Int, of count: Int) -> AreaOutline? {
        let columns = max(1, Int(Double(count).squareRoot().rounded(.up)))
        let (column, row) = (index % columns, index / columns)
        let west = -88.2 + Double(column) * 0.03 + Double(row % 2) * 0.012
        let south = 41.7 + Double(row) * 0.022
        let corners = [(0.3, 0), (0.9, 0.1), (1, 0.6), (0.6, 1), (0.1, 0.8), (0, 0.3)]
        let ring = corners.map { Coordinate(x: west + $0.0 * 0.022, y: south + $0.1 * 0.017) }
        return AreaOutline(.polygon(Polygon(rings: [ring.reversed() + [ring[ring.count - 1]]])), in: .wgs84)
    }

    /// - Parameters:
    ///   - failing: every so many-th area has a replica that failed; 0 for none.
    ///   - missing: of those, every so many-th has no earlier map.
    static func report(areas count: Int, failing: Int = 0, missing: Int = 0, titles: [String] = []) -> RunReport {
        let names = count <= 4 ? ["downtown", "riverwalk", "north-plant", "harbour"] : (0..<count).map { "district-\($0 + 1)" }
        var areas: [AreaReport] = []
        var layers: [LayerReport] = []
        var jobs: [JobReport] = []
        var clock = 1.5
        for index in 0..<count {
            let name = names[index]
            let fails = failing > 0 && index % failing == failing - 1
            let isMissing = fails && missing > 0 && index % (failing * missing) == failing * missing - 1
            let start = clock
            clock += count > 50 ? 2.5 : 40
            var area = AreaReport(
                id: name, state: fails ? .failed : .published, generation: fails ? nil : "\(name)/generations/20261130T020000Z",
                bytes: isMissing ? 0 : 24_300_000 + index * 1_234_567, outline: outline(index, of: count))
            area.lastSuccess = fails ? (isMissing ? nil : dayBefore - 86_400) : started + (start + 80).rounded()
            areas.append(area)
            jobs += Self.jobs(name, fails: fails, start: start)
            layers += Self.layers(area, fails: fails, isMissing: isMissing, titles: titles, index)
        }
        let failed = areas.count { $0.state == .failed }
        var report = RunReport(
            name: "naperville-water", outcome: failed == 0 ? .ok : failed == count ? .failed : .partial, started: started,
            finished: started + ((jobs.compactMap(\.times.done).max() ?? 0) + 1.2).rounded(.up),
            planHash: String(repeating: "ab12", count: 16),
            areas: areas, jobs: jobs)
        report.layers = layers
        report.notes = ["includeBasemap follows the map's offline settings: true"]
        report.versions = ["offline-batch": "0.1.0", "libcurl": "7.88.1", "sqlite": "3.40.1"]
        return report
    }

    /// What `onError` and `publish` make of a base map that does not come: a stale layer, a missing one, a map that is not replaced,
    /// and an area where it came.
    static func losses() -> RunReport {
        var report = report(areas: 4)
        let failure = Failure(
            phase: .submit, kind: .transient, code: 503, message: "Service World_Street_Map/MapServer is stopped.")
        let before = started - 3 * 86_400
        for (index, state) in [AreaReport.State.partial, .partial, .kept].enumerated() {
            report.areas[index].state = state
            if index == 1 { report.areas[index].missingLayers = [street.title] }
            let area = report.areas[index].id
            for job in report.jobs.indices where report.jobs[job].area == area && report.jobs[job].kind == .tiles {
                report.jobs[job].state = .failed
                report.jobs[job].error = failure
                report.jobs[job].attempts = 4
                report.jobs[job].staleSince = index == 0 ? before : nil
            }
            for layer in report.layers.indices where report.layers[layer].area == area && report.layers[layer].layer == street {
                report.layers[layer].state = .failed
                report.layers[layer].error = failure
                report.layers[layer].staleSince = index == 0 ? before : nil
                report.layers[layer].lastSuccess = index == 1 ? nil : before
                if index == 1 { (report.layers[layer].tiles, report.layers[layer].bytes) = (nil, nil) }
            }
        }
        report.areas[2].reason = "no new map without World Street Map"
        report.areas[2].since = before
        report.areas[2].lastSuccess = before
        report.areas[2].generation = "north-plant/generations/20261127T020000Z"
        report.outcome = .partial
        report.exitCode = 2
        return report
    }

    /// Names from right to left, long ones, and ones that are alike; the second area has no map.
    static func names() -> RunReport {
        var report = report(
            areas: 4, failing: 2, missing: 1, titles: ["مضخات المياه", String(repeating: "Häuser und Straßen ", count: 16)])
        report.name = "רשת המים של העיר"
        let ids = [
            "downtown": "مركز المدينة", "riverwalk": String(repeating: "a-very-long-name-of-an-area-", count: 7),
            "north-plant": "עיר", "harbour": "港-北",
        ]
        for index in report.areas.indices { report.areas[index].id = ids[report.areas[index].id] ?? "" }
        for index in report.layers.indices { report.layers[index].area = ids[report.layers[index].area] ?? "" }
        for index in report.jobs.indices {
            let area = report.jobs[index].area
            report.jobs[index].area = ids[area] ?? ""
            report.jobs[index].id = report.jobs[index].id.replacing(area, with: ids[area] ?? "")
        }
        return report
    }

    static func jobs(_ name: String, fails: Bool, start: Double) -> [JobReport] {
        func job(_ id: String, _ kind: Job.Kind, _ layers: [LayerLabel], _ times: JobTimes, bytes: Int) -> JobReport {
            var job = JobReport(
                id: "\(name)/\(id)", kind: kind, area: name, layers: layers, state: .done, attempts: 1, bytes: bytes,
                seconds: milliseconds((times.done ?? 0) - (times.started ?? 0)))
            job.times = times
            return job
        }
        func times(_ from: Double, _ asks: Double, _ serves: Double, _ fetches: Double, _ proves: Double) -> JobTimes {
            let submitted = start + from + asks
            return JobTimes(
                queued: 1.5, started: start + from, submitted: milliseconds(submitted), ready: milliseconds(submitted + serves),
                fetched: milliseconds(submitted + serves + fetches), done: milliseconds(submitted + serves + fetches + proves))
        }
        func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
        var tiles = job("world-street-map/tiles", .tiles, [street], times(0, 0.4, 38, 14, 1.2), bytes: 21_400_000)
        tiles.counts = ["level 14": 12, "level 15": 40, "level 16": 151]
        tiles.warnings = ["level 16: 151 of 154 tiles are in the package"]
        var replica = job("water/replica", .replica, [hydrant, mains], times(2, 0.3, 21, 4, 2.5), bytes: 2_900_000)
        replica.counts = ["0 Hydrant": 311, "1 Water mains": 1204]
        var package = job(
            "package", .package, [], JobTimes(queued: start + 54, started: start + 54, done: start + 55.1), bytes: 24_300_000)
        var publish = job(
            "publish", .publish, [], JobTimes(queued: start + 55.1, started: start + 55.1, done: start + 55.3), bytes: 24_300_000)
        if fails {
            replica.state = .failed
            replica.error = failure
            replica.bytes = 0
            replica.attempts = 1
            replica.times.ready = nil
            replica.times.fetched = nil
            replica.times.done = start + 3.1
            package = skipped(package)
            publish = skipped(publish)
        }
        return [tiles, replica, package, publish]
    }

    private static func skipped(_ job: JobReport) -> JobReport {
        JobReport(
            id: job.id, kind: job.kind, area: job.area, layers: [], state: .skipped, attempts: 0, bytes: 0, seconds: 0,
            error: Failure(phase: .plan, kind: .upstream, message: "upstream failed", details: ["\(job.area)/water/replica"]))
    }

    private static func layers(
        _ area: AreaReport, fails: Bool, isMissing: Bool, titles: [String], _ index: Int
    ) -> [LayerReport] {
        func title(_ label: LayerLabel, _ number: Int) -> LayerLabel {
            titles.indices.contains(number) ? LayerLabel(id: label.id, title: titles[number]) : label
        }
        let water = "\(area.id)/water/replica"
        func replica(_ label: LayerLabel, _ number: Int, rows: Int) -> LayerReport {
            LayerReport(
                area: area.id, layer: title(label, number), groups: ["Water network"], verdict: .replica, rule: "OB001 replica",
                state: fails ? .failed : .done, jobs: [water], rows: isMissing ? nil : rows, bytes: isMissing ? nil : 2_900_000,
                seconds: fails ? 1.1 : 27.8, lastSuccess: area.lastSuccess, reason: "new", error: fails ? failure : nil)
        }
        return [
            replica(hydrant, 0, rows: 311 + index), replica(mains, 1, rows: 1204),
            LayerReport(
                area: area.id, layer: title(parcels, 2), verdict: .onlineOnly, rule: "OB010 no-sync",
                reason: "the service allows neither Sync nor Extract"),
            LayerReport(
                area: area.id, layer: title(street, 3), verdict: .tiles, rule: "OB008 export-twin", state: .done,
                jobs: ["\(area.id)/world-street-map/tiles"], tiles: isMissing ? nil : 203, bytes: isMissing ? nil : 21_400_000,
                seconds: 53.6, lastSuccess: area.lastSuccess, reason: "new"),
        ]
    }

    /// The report with its difference to a night on which the second area was good and the first one failed.
    static func withChanges(areas count: Int, failing: Int) -> RunReport {
        var before = report(areas: count)
        before.started -= 86_400
        before.finished -= 86_400
        for index in before.areas.indices {
            before.areas[index].lastSuccess = before.areas[index].lastSuccess.map { $0 - 86_400 }
        }
        for index in before.layers.indices {
            before.layers[index].lastSuccess = before.layers[index].lastSuccess.map { $0 - 86_400 }
        }
        before.layers[0].rows = 298
        before.layers[0].bytes = 2_870_000
        before.layers[0].state = .failed
        before.layers[0].error = failure
        let now = report(areas: count, failing: failing)
        let published = now.areas.reduce(into: [String: Date]()) { $0[$1.id] = $1.lastSuccess }
        return now.following(before, isPartial: false, published: published)
    }
}
