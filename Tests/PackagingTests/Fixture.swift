import ArcGIS
import Basics
import Geography
import Manifest
import Planning
import TestSupport

@testable import Packaging

/// A plan with one area, the files that its jobs would have brought, and the folder that is made of them.
struct Fixture {
    static let water = "https://s.example.org/a/rest/services/Water/FeatureServer"
    static let style = "https://gis.example.org/portal/sharing/rest/content/items/s/resources/styles/root.json"
    static let created: Int64 = 1_796_051_045_000

    static let map = """
        {"baseMap":{"baseMapLayers":[
          {"id":"vector","layerType":"VectorTileLayer","title":"Streets","styleUrl":"\(style)","opacity":0.5},
          {"id":"tiled","layerType":"ArcGISTiledMapServiceLayer","title":"Hillshade",
           "url":"https://s.example.org/a/rest/services/Hills/MapServer"}]},
        "operationalLayers":[
          {"id":"emptied","layerType":"GroupLayer","title":"Old","layers":[
            {"id":"inside","layerType":"GroupLayer","title":"Older","layers":[
              {"id":"abandoned","title":"Abandoned","url":"\(water)/4"}]}]},
          {"id":"network","layerType":"GroupLayer","title":"Network","layers":[
            {"id":"hydrants","title":"Hydrant","url":"\(water)/0","popupInfo":{"title":"{TAG}"},
             "layerDefinition":{"definitionExpression":"KIND = 1"}},
            {"id":"left-out","title":"Left out","url":"\(water)/1"}]},
          {"id":"kinds","layerType":"SubtypeGroupLayer","title":"Kinds","url":"\(water)/2","layers":[
            {"id":"kind-1","title":"Kind 1","subtypeCode":1},{"id":"kind-2","title":"Kind 2","subtypeCode":2}]},
          {"id":"radar","layerType":"WMS","title":"Radar","url":"https://w.example.org/wms"}],
        "tables":[{"id":"visits","title":"Inspections","url":"\(water)/5"},{"id":"gone","title":"Gone","url":"\(water)/6"}],
        "bookmarks":[{"name":"Depot"}],"version":"2.31"}
        """

    let folder: TemporaryFolder
    var plan: Plan
    var area: PlannedArea
    var parts: [PackagedPart]
    var thumbnail: Thumbnail?

    init() throws {
        folder = try TemporaryFolder()
        area = PlannedArea(
            id: "downtown", shape: .envelope(Envelope(xmin: -88.16, ymin: 41.765, xmax: -88.14, ymax: 41.78)),
            spatialReference: .wgs84)
        let document = try JSON.parse(Self.map)
        let item: JSON = [
            "id": "map1", "title": "Water", "snippet": "The network", "tags": ["water"], "description": nil,
            "modified": 1_700_000_000_000,
        ]
        let jobs = Self.jobs
        plan = Plan(
            name: "night", portal: "https://gis.example.org/portal",
            map: PlannedMap(itemID: "map1", title: "Water", document: document, item: item, thumbnailURL: nil), areas: [area],
            layers: Self.layers, gaps: [], jobs: jobs,
            limits: PlannedLimits(LimitSettings(), continueOnErrors: true), keep: 7)
        parts = []
        for job in jobs where job.kind != .package {
            let source = folder.file("artifact-\(job.kind.rawValue)")
            if job.kind == .style {
                try StyleArchive.write(
                    [
                        ("styles/root.json", Array("{}".utf8)), ("sprites/sprite.png", [1, 2]),
                        ("fonts/Arial Bold/0-255.pbf", [3]),
                    ],
                    to: source)
            } else {
                try Files.writeAtomically(Array("data of \(job.id)".utf8), to: source)
            }
            let bytes = try Files.read(source)
            parts.append(
                PackagedPart(
                    job: job, source: source, sha256: SHA256.hex(of: bytes), bytes: bytes.count,
                    fileExtension: Self.extensions[job.kind] ?? "", counts: job.kind == .replica ? ["Hydrant": 12] : [:],
                    warnings: job.kind == .tiles ? ["level 3 is empty"] : []))
        }
    }

    private static let extensions: [Job.Kind: String] = [
        .replica: "geodatabase", .tiles: "tpkx", .vectorTiles: "vtpk", .style: "zip",
    ]

    private static var jobs: [Job] {
        func request(_ url: String) -> ServiceRequest { ServiceRequest(url: url, parameters: ["f1": "v1"]) }
        func tiles(_ service: ExportService) -> TileWork {
            TileWork(serviceURL: "https://s/x", service: service, request: request("https://s/x/exportTiles"), levels: [])
        }
        func job(_ id: String, _ layers: [String], _ work: Work) -> Job {
            Job(
                id: "downtown/" + id, area: "downtown", layers: layers.map { LayerLabel(id: $0, title: $0) }, reason: "new",
                key: id, work: work)
        }
        return [
            job("streets/vectorTiles", ["vector"], .vectorTiles(tiles(.vector))),
            job("streets/style", ["vector"], .style(StyleWork(styleURL: style, serviceURL: "https://s/x"))),
            job("hillshade/tiles", ["tiled"], .tiles(tiles(.map))),
            job(
                "water/replica", ["hydrants", "kinds", "visits"],
                .replica(
                    ReplicaWork(serviceURL: water, request: request(water + "/createReplica"), layers: [], registration: .none))),
            job("package", [], .package),
        ]
    }

    private static var layers: [PlannedLayer] {
        func layer(_ id: String, _ verdict: Verdict, _ number: Int?, _ source: String?, groups: [String] = []) -> PlannedLayer {
            PlannedLayer(
                id: id, title: id, groups: groups, url: "https://s/\(id)", serviceLayerID: number, verdict: verdict,
                rule: "OB000",
                reason: "because of \(id)", source: source)
        }
        return [
            layer("vector", .vectorTiles, nil, "streets"), layer("tiled", .tiles, nil, "hillshade"),
            layer("abandoned", .excluded, 4, nil, groups: ["Old", "Older"]),
            layer("hydrants", .replica, 0, "water", groups: ["Network"]),
            layer("left-out", .excluded, 1, nil, groups: ["Network"]), layer("kinds", .replica, 2, "water"),
            layer("radar", .onlineOnly, nil, nil), layer("visits", .replica, 5, "water"), layer("gone", .excluded, 6, nil),
        ]
    }

    /// The bytes that the maker says it wrote.
    func write(to name: String = "map") throws -> Int {
        try Files.makeDirectory(folder.file(name))
        return try MapFolder(
            plan: plan, planHash: plan.hash, area: area, parts: parts, thumbnail: thumbnail, created: Self.created
        ).write(to: folder.file(name))
    }

    func json(_ path: String, in name: String = "map") throws -> JSON {
        try JSON.parse(Files.read(folder.file("\(name)/\(path)")))
    }

    /// All files below the folder, sorted.
    func files(in name: String = "map") throws -> [String] {
        func list(_ folder: String, _ prefix: String) throws -> [String] {
            try Files.list(folder).flatMap { entry -> [String] in
                let path = "\(folder)/\(entry)"
                return Files.isDirectory(path) ? try list(path, prefix + entry + "/") : [prefix + entry]
            }
        }
        return try list(folder.file(name), "").sorted()
    }
}
