import ArcGIS
import Basics
import Foundation
import Geography
import Manifest
import Planning

/// A small night, as values: one area, a tiled base map that failed, a replica that is done.
enum Samples {
    static let started = Date(timeIntervalSince1970: 1_700_000_000)
    static let secret = "SENTINEL-9f3c"

    static let basemap = LayerLabel(id: "base-1", title: "World Street Map")
    static let hydrant = LayerLabel(id: "hydrant-2", title: "Hydrant")
    static let main = LayerLabel(id: "main-3", title: "Main")

    static func job(
        _ id: String, _ kind: Job.Kind, _ state: JobReport.State, layers: [LayerLabel] = [], attempts: Int = 1, bytes: Int = 0,
        seconds: Double = 0, warnings: [String] = [], error: Failure? = nil
    ) -> JobReport {
        JobReport(
            id: id, kind: kind, area: Paths.parent(id).split(separator: "/").first.map(String.init) ?? "", layers: layers,
            state: state, attempts: attempts, bytes: bytes, seconds: seconds, warnings: warnings, error: error)
    }

    static let serverError = Failure(
        phase: .submit, kind: .permanent, code: 500, message: "Unable to create replica. Please check your parameters.",
        details: ["Layer 4 is not sync enabled."])

    static let report = RunReport(
        name: "naperville-water", outcome: .partial, started: started, finished: started + 64, planHash: "abc123",
        areas: [
            AreaReport(id: "downtown", state: .partial, generation: "downtown/generations/20231114T221320Z", bytes: 12_300_000)
        ],
        jobs: [
            job("downtown/street/tiles", .tiles, .done, layers: [basemap], bytes: 12_300_000, seconds: 12),
            job("downtown/storm/tiles", .vectorTiles, .reused, layers: [main], attempts: 0, bytes: 500),
            job(
                "downtown/water/replica", .replica, .failed, layers: [hydrant, main], attempts: 5, seconds: 3.2,
                error: serverError),
            job(
                "downtown/water/style", .style, .skipped, attempts: 0,
                error: Failure(phase: .package, kind: .upstream, message: "upstream failed", details: ["downtown/water/replica"])),
            job("downtown/package", .package, .done, seconds: 0.4, warnings: ["2 damaged tiles in the original"]),
        ])

    static let plan = Plan(
        name: "naperville-water", portal: "https://www.arcgis.com",
        map: PlannedMap(
            itemID: "acc027394bc84c2fb04d1ed317aac674", title: "Naperville water network", document: [:], item: [:],
            thumbnailURL: nil),
        areas: [
            PlannedArea(
                id: "downtown", shape: .envelope(Envelope(xmin: 0, ymin: 0, xmax: 1, ymax: 1)), spatialReference: .wgs84)
        ],
        layers: [
            layer("base-1", "World Street Map", [], .tiles, "the service exports its tiles", "street"),
            layer("hydrant-2", "Hydrant", ["Water"], .replica, "the service syncs", "water"),
            layer("traffic-4", "Traffic", [], .onlineOnly, "the service does not allow exportTiles", nil),
            layer("storm-6", "Storm", [], .tiles, "the service exports its tiles", "storm"),
            layer("valve-5", "System Valve", ["Water"], .excluded, "left out by the manifest", nil),
        ],
        gaps: [PlannedGap(area: "downtown", layer: LayerLabel(id: "storm-6", title: "Storm"))],
        jobs: [
            Job(
                id: "downtown/street/tiles", area: "downtown", layers: [basemap], reason: "new",
                estimate: Estimate(
                    tiles: 1204,
                    bytes: ByteEstimate(likely: 18_000_000, low: 9_100_000, high: 26_900_000, sampled: 24, sample: .tiles)),
                key: "k1",
                work: .tiles(
                    TileWork(
                        serviceURL: "https://h/MapServer", service: .map,
                        request: ServiceRequest(
                            url: "https://h/MapServer/exportTiles?token=\(secret)",
                            parameters: ["exportBy": "levelID", "levels": "12,13", "token": secret]),
                        levels: [TileCount(level: 12, count: 4), TileCount(level: 13, count: 1200)]))),
            Job(
                id: "downtown/water/replica", area: "downtown", layers: [hydrant], reason: "new", estimate: Estimate(rows: 310),
                key: "k2",
                work: .replica(
                    ReplicaWork(
                        serviceURL: "https://h/FeatureServer",
                        request: ServiceRequest(
                            url: "https://h/FeatureServer/createReplica", parameters: ["layers": "0", "syncModel": "none"]),
                        layers: [], registration: .none))),
            Job(
                id: "downtown/package", area: "downtown", layers: [], reason: "a \"quoted\" \\ reason",
                dependsOn: ["downtown/street/tiles", "downtown/water/replica"], key: "k3", work: .package),
        ],
        limits: PlannedLimits(LimitSettings(), continueOnErrors: true), keep: 7)

    private static func layer(
        _ id: String, _ title: String, _ groups: [String], _ verdict: Verdict, _ reason: String, _ source: String?
    ) -> PlannedLayer {
        PlannedLayer(
            id: id, title: title, groups: groups, url: "https://h", verdict: verdict, rule: "rule", reason: reason, source: source
        )
    }
}
