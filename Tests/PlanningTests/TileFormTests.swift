import ArcGIS
import Basics
import Geography
import Manifest
import Testing

@testable import Planning

/// Forms of exportTiles, worked out by hand from REST reference 6.4 and 7.4.
@Suite("exportTiles forms")
struct TileFormTests {
    private static let triangle = Polygon(
        rings: [
            [(-9_813_000.0, 5_123_000.0), (-9_812_500, 5_124_000), (-9_812_000, 5_123_000), (-9_813_000, 5_123_000)].map {
                Coordinate(x: $0.0, y: $0.1)
            }
        ])
    private static let rings =
        #"{"rings":[[[-9813000,5123000],[-9812500,5124000],[-9812000,5123000],[-9813000,5123000]]],"#
        + #""spatialReference":{"wkid":102100,"latestWkid":3857}}"#

    @Test("a map service and a vector tile service, by envelope")
    func envelope() async throws {
        let plan = try await PlanStage().plan()
        #expect(
            plan.form("world-street-map/tiles") == [
                "tilePackage": "true", "exportBy": "levelId", "levels": "0-19",
                "exportExtent": "-9813000,5123000,-9812000,5124000", "optimizeTilesForSize": "false",
                "storageFormatType": "CompactV2", "storageFormat": "esriMapCacheStorageModeCompactV2",
            ])
        #expect(
            plan.form("street-map-vector/vectorTiles") == [
                "exportBy": "levelId", "levels": "0-16", "exportExtent": "-9813000,5123000,-9812000,5124000",
                "extent": "-9813000,5123000,-9812000,5124000",
            ])
        #expect(
            plan.jobs.map(\.request?.url).prefix(2) == [PlanStage.vector + "/exportTiles", PlanStage.streets + "/exportTiles"])
    }

    @Test("by polygon: the extent is its box")
    func polygon() async throws {
        let plan = try await PlanStage().plan { $0.areas = [PlanStage.area("downtown", .polygon(Self.triangle))] }
        let tiles = try #require(plan.form("world-street-map/tiles"))
        #expect(tiles["exportExtent"] == "-9813000,5123000,-9812000,5124000")
        #expect(tiles["areaOfInterest"] == "{\"features\":[{\"geometry\":\(Self.rings)}]}")
        #expect(tiles["polygon"] == nil)
        let vector = try #require(plan.form("street-map-vector/vectorTiles"))
        #expect(vector["polygon"] == Self.rings)
        #expect(vector["areaOfInterest"] == nil && vector["exportExtent"] == "-9813000,5123000,-9812000,5124000")
    }

    @Test("an image service is asked like a map service")
    func image() async throws {
        let imagery = "https://s.example.org/a/rest/services/Photos/ImageServer"
        var stage = try PlanStage()
        stage.documents[imagery] = Documents.tiles(tileSize: 256, levels: 0...19, firstScale: 591657527.591555)
        try stage.changeMapLayer("base-streets", ["layerType": "ArcGISTiledImageServiceLayer", "url": .string(imagery)])
        let plan = try await stage.plan()
        #expect(plan.form("world-street-map/tiles")?["tilePackage"] == "true")
        guard case .tiles(let work)? = plan.jobs.first(where: { $0.kind == .tiles })?.work else { return }
        #expect(work.service == .image && work.request.url == imagery + "/exportTiles")
    }

    @Test(
        "servers before 10.7 write the older package", arguments: [(10.6, "Compact"), (10.7, "CompactV2"), (10.81, "CompactV2")])
    func storageFormat(_ version: Double, _ format: String) async throws {
        var stage = try PlanStage()
        stage.change(PlanStage.streets, ["currentVersion": .number(version)])
        let form = try await stage.plan().form("world-street-map/tiles")
        #expect(form?["storageFormatType"] == format)
        #expect(form?["storageFormat"] == "esriMapCacheStorageMode" + format)
    }

    @Test("a base map of Esri is exported from its twin")
    func twin() async throws {
        let live = "https://services.arcgisonline.com/ArcGIS/rest/services/World_Topo_Map/MapServer"
        let twin = "https://tiledbasemaps.arcgis.com/ArcGIS/rest/services/World_Topo_Map/MapServer"
        var stage = try PlanStage()
        stage.documents[PlanStage.portal + "/sharing/rest/portals/self"] = nil
        stage.documents[twin] = stage.documents[PlanStage.streets]
        try stage.changeMapLayer("base-streets", ["url": .string(live)])
        let job = try #require(try await stage.plan().jobs.first { $0.kind == .tiles })
        #expect(job.request?.url == twin + "/exportTiles")
        #expect(!stage.asked.all.contains(live))
    }

    @Test("a style of its own becomes a job of its own")
    func style() async throws {
        let style = PlanStage.portal + "/sharing/rest/content/items/style1/resources/styles/root.json"
        var stage = try PlanStage()
        stage.documents[style] = [
            "version": 8, "layers": [], "sources": ["esri": ["type": "vector", "url": .string(PlanStage.vector)]],
        ]
        try stage.changeMapLayer("base-vector", ["url": nil, "itemId": "style1", "styleUrl": .string(style)])
        let plan = try await stage.plan()
        let job = try #require(plan.jobs.first { $0.kind == .style })
        #expect(job.id == "downtown/street-map-vector/style")
        #expect(job.work == .style(StyleWork(styleURL: style, serviceURL: PlanStage.vector)))
        #expect(plan.jobs.first { $0.kind == .package }?.dependsOn.contains(job.id) == true)
        #expect(plan.jobs.first { $0.kind == .vectorTiles }?.request?.url == PlanStage.vector + "/exportTiles")
        // The service's own style is in the package already.
        try stage.changeMapLayer("base-vector", ["styleUrl": .string(PlanStage.vector + "/resources/styles/root.json")])
        stage.documents[PlanStage.vector + "/resources/styles/root.json"] = [
            "version": 8, "layers": [], "sources": ["esri": ["type": "vector", "url": "../../"]],
        ]
        #expect(try await stage.plan().jobs.contains { $0.kind == .style } == false)
    }

    /// Metres on the ground: 1,000 m along the meridian, and along the parallel at the north end, integrated by hand on WGS 84.
    @Test("the area with the layer's own buffer, projected")
    func buffer() async throws {
        let degrees = Envelope(xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780)
        let plan = try await PlanStage().plan {
            $0.areas = [AreaSource(id: "downtown", place: .shape(.envelope(degrees), .wgs84))]
            $0.layers = [LayerOverride(match: .init(title: "World Street Map"), buffer: 1000)]
        }
        func near(_ text: String?, _ expected: [Double]) throws {
            let numbers = try #require(text).split(separator: ",").compactMap { Double($0) }
            #expect(numbers.count == 4 && zip(numbers, expected).allSatisfy { abs($0 - $1) < 1 }, "\(numbers)")
        }
        try near(
            plan.form("world-street-map/tiles")?["exportExtent"], [-9815265.508, 5124498.700, -9810360.719, 5129425.391])
        // The others keep the area as it is.
        try near(
            plan.form("street-map-vector/vectorTiles")?["exportExtent"], [-9813926.308, 5125842.327, -9811699.919, 5128081.267])
        let geometry = try JSON.parse(try #require(plan.form("water/replica")?["geometry"]))
        try near(
            ["xmin", "ymin", "xmax", "ymax"].compactMap { geometry[$0]?.serialized() }.joined(separator: ","),
            [-9813926.308, 5125842.327, -9811699.919, 5128081.267])
        #expect(geometry["spatialReference"] == ["wkid": 102100, "latestWkid": 3857])
    }
}

/// A change of a service or manifest, and the levels that are asked for.
struct LevelCase: Sendable, CustomTestStringConvertible {
    var name: String
    var scale = ScaleRange()
    var service: JSON = [:]
    var levelIDs: [Int]?
    var levels: String
    var testDescription: String { name }
}

/// Level ids by REST reference 10.5. Scales of the 256 px ladder: 15 is 1:18,056, 16 1:9,028, 17 1:4,514, 18 1:2,257, 19 1:1,128;
/// vector tiles have the ladder shifted by one: 14 is 1:18,056, 15 1:9,028, 16 1:4,514.
@Suite("Levels")
struct LevelTests {
    static let tiles: [LevelCase] = [
        LevelCase(name: "no scale: all", levels: "0-19"),
        // 10,000 lies between 15 and 16: the coarser one; nothing is as fine as 500: the last.
        LevelCase(name: "between two levels", scale: ScaleRange(min: 10_000, max: 500), levels: "15-19"),
        LevelCase(name: "between two levels, both ends", scale: ScaleRange(min: 10_000, max: 3_000), levels: "15-18"),
        LevelCase(
            name: "exactly a level, by published digits", scale: ScaleRange(min: 9027.977411, max: 4513.988705), levels: "16-17"),
        LevelCase(name: "one end open", scale: ScaleRange(min: 0, max: 300_000_000), levels: "0-1"),
        LevelCase(name: "coarser than the first", scale: ScaleRange(min: 1_000_000_000, max: 500_000_000), levels: "0-1"),
        LevelCase(
            name: "the reference's example", scale: ScaleRange(min: 750_000, max: 250_000),
            service: ["tileInfo": ladder([2_000_000, 1_000_000, 500_000, 250_000])], levels: "1-3"),
        LevelCase(name: "cached levels by number", service: ["minLOD": 2, "maxLOD": 17], levels: "2-17"),
        LevelCase(
            name: "cached levels by scale", service: ["minScale": 18055.954822, "maxScale": 2256.994353], levels: "15-18"),
        LevelCase(
            name: "cached levels and scales", scale: ScaleRange(min: 10_000, max: 500), service: ["maxLOD": 17], levels: "15-17"),
        // A base map that ends at 1:577,791 (10): its finest level is all there is for a detailed map.
        LevelCase(
            name: "asked finer than there is", scale: ScaleRange(min: 10_000, max: 500), service: ["maxLOD": 10], levels: "10"),
        LevelCase(
            name: "asked coarser than there is", scale: ScaleRange(min: 0, max: 500_000), service: ["minLOD": 15], levels: "15"),
        LevelCase(
            name: "explicit levels win over scales", scale: ScaleRange(min: 10_000, max: 500), levelIDs: [0, 1, 2, 5, 7, 8],
            levels: "0-2,5,7-8"),
        LevelCase(name: "explicit levels win over what is cached", service: ["maxLOD": 10], levelIDs: [11, 13], levels: "11,13"),
    ]

    static let vector: [LevelCase] = [
        LevelCase(name: "no scale: all", levels: "0-16"),
        LevelCase(name: "minScale does not count", scale: ScaleRange(min: 10_000, max: 500), levels: "0-16"),
        LevelCase(name: "the deepest level follows maxScale", scale: ScaleRange(min: 0, max: 10_000), levels: "0-15"),
        LevelCase(name: "cached levels", scale: ScaleRange(min: 0, max: 500), service: ["maxLOD": 12], levels: "0-12"),
        LevelCase(name: "explicit levels", scale: ScaleRange(min: 0, max: 10_000), levelIDs: [12, 13, 16], levels: "12-13,16"),
    ]

    private static func ladder(_ scales: [Double]) -> JSON {
        let lods = scales.enumerated().map { level, scale -> JSON in
            ["level": JSON(level), "resolution": .number(scale * 0.0254 / 96), "scale": .number(scale)]
        }
        return [
            "rows": 256, "cols": 256, "dpi": 96, "origin": ["x": -20037508.342787, "y": 20037508.342787],
            "spatialReference": ["wkid": 102100], "lods": .array(lods),
        ]
    }

    private func levels(_ expected: LevelCase, of title: String, _ service: String, _ job: String) async throws -> String? {
        var stage = try PlanStage()
        stage.change(service, expected.service)
        return try await stage.plan {
            $0.scale = expected.scale
            if let levels = expected.levelIDs { $0.layers = [LayerOverride(match: .init(title: title), levelIDs: levels)] }
        }.form(job)?["levels"]
    }

    @Test("tiles", arguments: tiles)
    func tileLevels(_ expected: LevelCase) async throws {
        #expect(
            try await levels(expected, of: "World Street Map", PlanStage.streets, "world-street-map/tiles") == expected.levels)
    }

    @Test("vector tiles", arguments: vector)
    func vectorLevels(_ expected: LevelCase) async throws {
        #expect(
            try await levels(expected, of: "Street Map (Vector)", PlanStage.vector, "street-map-vector/vectorTiles")
                == expected.levels)
    }

    @Test("a level that the service does not have is refused")
    func unknownLevel() async throws {
        let refusal = await (try PlanStage()).refusal {
            $0.layers = [LayerOverride(match: .init(title: "World Street Map"), levelIDs: [18, 19, 20, 21])]
        }
        let problem = try #require(refusal?.problems.first)
        #expect(problem.layer?.title == "World Street Map" && problem.area == "downtown")
        #expect(problem.failure.message == "level IDs 20-21 are not levels of the service, which has 0-19")
    }

    /// Level n of the world has 4ⁿ tiles: 1 + 4 + 16 + 64 = 85.
    @Test("a plan over maxExportTilesCount is refused with both numbers")
    func limit() async throws {
        var stage = try PlanStage()
        let change: @Sendable (inout Manifest) -> Void = {
            $0.areas = [PlanStage.area("world", .envelope(.webMercatorWorld))]
            $0.layers = [
                LayerOverride(match: .init(title: "World Street Map"), levelIDs: [0, 1, 2, 3]),
                LayerOverride(match: .init(title: "Street Map (Vector)"), exclude: true),
            ]
        }
        stage.change(PlanStage.streets, ["maxExportTilesCount": 85])
        let plan = try await stage.plan(change)
        #expect(plan.exports.first?.estimate == Estimate(tiles: 85))
        stage.change(PlanStage.streets, ["maxExportTilesCount": 84])
        let refusal = try #require(await stage.refusal(change))
        #expect(refusal.outcome == .refused && refusal.problems.count == 1)
        let failure = refusal.problems[0].failure
        #expect(failure.message == "the area needs 85 tiles, the service exports at most 84 at once")
        #expect(
            failure.details == [
                "level 0: 1 tiles", "level 1: 4 tiles", "level 2: 16 tiles", "level 3: 64 tiles", "up to level 2 it would fit",
            ])
        // A service that does not say its limit has none that we know.
        stage.change(PlanStage.streets, ["maxExportTilesCount": 0])
        #expect(await stage.refusal(change) == nil)
    }

    @Test("an extent that cannot be projected limits nothing")
    func oddExtent() async throws {
        var stage = try PlanStage()
        let whole = try await stage.plan().exports
        let odd: JSON = ["xmin": -500, "ymin": -200, "xmax": 500, "ymax": 200, "spatialReference": ["wkid": 999_999]]
        for service in [PlanStage.streets, PlanStage.vector] { stage.change(service, ["fullExtent": odd]) }
        #expect(try await stage.plan().exports.map(\.estimate) == whole.map(\.estimate))
    }

    /// Tiles of level 15 are 1,222.99 m wide: the box goes from column 10.5 to 12.5 and from row 20.25 to 20.75.
    @Test("tiles are counted exactly, level by level")
    func counts() async throws {
        let box = Envelope(xmin: -20024666.922, ymin: 20012131.249, xmax: -20022220.937, ymax: 20012742.746)
        let plan = try await PlanStage().plan {
            $0.areas = [PlanStage.area("corner", .envelope(box))]
            $0.layers = ["World Street Map", "Street Map (Vector)"].map {
                LayerOverride(match: .init(title: $0), levelIDs: [14, 15])
            }
        }
        for job in plan.exports.prefix(2) {
            guard case .tiles(let work) = job.work.asTiles else { continue }
            #expect(work.levels == [TileCount(level: 14, count: 2), TileCount(level: 15, count: 3)])
            #expect(job.estimate.tiles == 5)
        }
    }
}

extension Work {
    fileprivate var asTiles: Work {
        if case .vectorTiles(let work) = self { .tiles(work) } else { self }
    }
}
