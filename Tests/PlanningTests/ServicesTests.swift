import ArcGIS
import Basics
import Geography
import Manifest
import Testing

@testable import Planning

/// `services:` of a manifest, alone and beside a web map: the layers that are made of them, and the forms that are sent, worked out
/// by hand from REST reference 4.1, 4.2, 6.4, 7.4 and 7.5.
@Suite("Services of the manifest")
struct ServicesTests {
    private static let imagery = "https://s.example.org/a/rest/services/Photos/ImageServer"
    private static let items = PlanStage.portal + "/sharing/rest/content/items/"
    private static let style = items + "dark/resources/styles/root.json"

    /// The portal's items beside the web map: the feature service, the vector tiles, and those with a style of their own.
    private static func stage() throws -> PlanStage {
        var stage = try PlanStage()
        func add(_ id: String, _ type: String, _ title: String, _ url: String?) {
            stage.documents[items + id] = [
                "id": .string(id), "type": .string(type), "title": .string(title), "url": url.map(JSON.string) ?? .null,
            ]
        }
        add("network", "Feature Service", "Water network", PlanStage.water)
        add("light", "Vector Tile Service", "Streets by day", PlanStage.vector)
        add("dark", "Vector Tile Service", "Streets by night", PlanStage.vector)
        stage.documents[items + "light/resources"] = ["total": 0, "resources": [], "nextStart": -1]
        stage.documents[items + "dark/resources"] = [
            "total": 2, "resources": [["resource": "info/root.json"], ["resource": "styles/root.json"]], "nextStart": -1,
        ]
        stage.documents[style] = [
            "version": 8, "layers": [], "sources": ["esri": ["type": "vector", "url": .string(PlanStage.vector)]],
        ]
        stage.documents[imagery] = Documents.tiles(tileSize: 256, levels: 0...19, firstScale: 591657527.591555)
        return stage
    }

    private static func entry(
        _ url: String, title: String? = nil, _ settings: LayerOverride = LayerOverride(match: .init(), origin: "night.yaml:5:5"),
        layers: [ServiceEntry.Layer] = []
    ) -> ServiceEntry {
        let source: ServiceEntry.Source = url.contains("/") ? .url(url) : .item(url)
        return ServiceEntry(source: source, title: title, settings: settings, layers: layers)
    }

    private static func set(_ change: (inout LayerOverride) -> Void) -> LayerOverride {
        var settings = LayerOverride(match: .init(), origin: "night.yaml:5:5")
        change(&settings)
        return settings
    }

    private func plan(_ services: [ServiceEntry], stage: PlanStage? = nil, _ change: (inout Manifest) -> Void = { _ in })
        async throws -> Plan
    {
        try await (stage ?? Self.stage()).plan {
            $0.webMap = nil
            $0.services = services
            change(&$0)
        }
    }

    private func refusal(
        _ services: [ServiceEntry], stage: PlanStage? = nil, _ change: (inout Manifest) -> Void = { _ in }
    ) async throws -> PlanRefusal {
        let refusal = await (try stage ?? Self.stage()).refusal {
            $0.webMap = nil
            $0.services = services
            change(&$0)
        }
        return try #require(refusal)
    }

    // MARK: - The map

    @Test("without a web map: a map with a layer for each, tiles at the bottom, tables apart")
    func alone() async throws {
        let stage = try Self.stage()
        let plan = try await plan(
            [Self.entry(PlanStage.water), Self.entry(PlanStage.streets), Self.entry("light")], stage: stage)
        let layers = plan.map.document["operationalLayers"]
        #expect(layers?.array?.compactMap { $0["id"]?.string } == ["streets", "base", "water"])
        #expect(
            layers?[0] == [
                "id": "streets", "layerType": "ArcGISTiledMapServiceLayer", "title": "Streets", "url": .string(PlanStage.streets),
                "visibility": true, "opacity": 1,
            ])
        #expect(
            layers?[1] == [
                "id": "base", "layerType": "VectorTileLayer", "title": "Streets by day", "url": .string(PlanStage.vector),
                "visibility": true, "opacity": 1, "itemId": "light",
            ])
        #expect(layers?[2]?["layerType"] == "GroupLayer" && layers?[2]?["title"] == "Water")
        // The service lists hydrants first, so they are on top; a map's first layer is the lowest.
        #expect(
            layers?[2]?["layers"]?.array?.compactMap { $0["title"]?.string } == ["Main", "System Valve", "Hydrant"])
        #expect(
            layers?[2]?["layers"]?[2] == [
                "id": "water-0", "layerType": "ArcGISFeatureLayer", "title": "Hydrant", "url": .string(PlanStage.water + "/0"),
                "visibility": true, "opacity": 1,
            ])
        #expect(plan.map.document["tables"]?.array?.compactMap { $0["id"]?.string } == ["water-5", "water-6"])
        #expect(plan.map.isMadeOfServices && plan.map.title == "night" && plan.map.itemID == nil && plan.map.item == .null)
        #expect(plan.layers.map(\.id) == ["streets", "base", "water-3", "water-1", "water-0", "water-5", "water-6"])
        #expect(plan.layers.map(\.verdict.rawValue) == ["tiles", "vectorTiles"] + Array(repeating: "replica", count: 5))
        #expect(plan.layers[4].groups == ["Water"])
        // Nobody is asked twice.
        for service in [PlanStage.water, PlanStage.water + "/layers", PlanStage.streets, PlanStage.vector] {
            #expect(stage.asked.all.count { $0 == service } == 1, "\(service)")
        }
    }

    @Test("the forms are those of a web map with the same layers")
    func forms() async throws {
        let plan = try await plan([Self.entry(PlanStage.water), Self.entry(PlanStage.streets), Self.entry(PlanStage.vector)])
        #expect(
            plan.jobs.map(\.id) == [
                "downtown/streets/tiles", "downtown/base/vectorTiles", "downtown/water/replica", "downtown/package",
                "downtown/publish",
            ])
        #expect(
            plan.form("water/replica") == [
                "replicaName": "ob_night_downtown_water", "layers": "0,1,3,5,6",
                "layerQueries": #"{"0":{"queryOption":"useFilter","useGeometry":true},"#
                    + #""1":{"queryOption":"useFilter","useGeometry":true},"3":{"queryOption":"useFilter","useGeometry":true},"#
                    + #""5":{"queryOption":"none","useGeometry":false,"includeRelated":true},"6":{"queryOption":"all"}}"#,
                "geometry": #"{"xmin":-9813000,"ymin":5123000,"xmax":-9812000,"ymax":5124000,"#
                    + #""spatialReference":{"wkid":102100,"latestWkid":3857}}"#,
                "geometryType": "esriGeometryEnvelope", "inSR": "102100", "replicaSR": "102100",
                "transportType": "esriTransportTypeUrl", "returnAttachments": "true", "returnAttachmentsDataByUrl": "false",
                "attachmentsSyncDirection": "bidirectional", "async": "true", "syncModel": "none", "dataFormat": "sqlite",
            ])
        #expect(
            plan.form("streets/tiles") == [
                "tilePackage": "true", "exportBy": "levelId", "levels": "0-19",
                "exportExtent": "-9813000,5123000,-9812000,5124000", "optimizeTilesForSize": "false",
                "storageFormatType": "CompactV2", "storageFormat": "esriMapCacheStorageModeCompactV2",
            ])
        #expect(
            plan.form("base/vectorTiles") == [
                "exportBy": "levelId", "levels": "0-16", "exportExtent": "-9813000,5123000,-9812000,5124000",
                "extent": "-9813000,5123000,-9812000,5124000",
            ])
    }

    @Test("beside a web map: tiles below its layers, features above them, and nothing of it is changed")
    func beside() async throws {
        let stage = try Self.stage()
        let plan = try await stage.plan {
            $0.services = [Self.entry(PlanStage.water + "/3", title: "All mains"), Self.entry(Self.imagery)]
        }
        let original = try WebMap(document: stage.map).document
        let layers = try #require(plan.map.document["operationalLayers"]?.array)
        #expect(layers.compactMap { $0["id"]?.string } == ["photos", "mains", "group", "water-3"])
        #expect(Array(layers[1...2]) == original["operationalLayers"]?.array)
        #expect(plan.map.document["baseMap"] == original["baseMap"] && plan.map.document["tables"] == original["tables"])
        #expect(layers[3]["title"] == "All mains")
        #expect(plan.map.itemID == "map1" && plan.map.title == "Water" && !plan.map.isMadeOfServices)
        // One replica for the service, whoever shows its layers.
        #expect(plan.jobs.count { $0.kind == .replica } == 1)
        #expect(plan.layer("water-3")?.source == plan.layer("mains")?.source)
        #expect(stage.asked.all.count { $0 == PlanStage.water } == 1)
    }

    @Test("ids keep out of the way of the map's own")
    func ids() async throws {
        var stage = try Self.stage()
        try stage.changeMapLayer("mains", ["id": "water-3"])
        let plan = try await stage.plan {
            $0.services = [Self.entry(PlanStage.water + "/3"), Self.entry(PlanStage.water + "/3")]
        }
        #expect(plan.layers.map(\.id).filter { $0.hasPrefix("water-3") } == ["water-3", "water-3-2", "water-3-3"])
        #expect(Set(plan.layers.map(\.id)).count == plan.layers.count)
    }

    @Test("a heights service is no picture", arguments: ["LERC", "LERC2D", nil])
    func elevation(_ format: String?) async throws {
        var stage = try Self.stage()
        if let format {
            let tileInfo = try #require(stage.documents[Self.imagery]?["tileInfo"])
            stage.change(Self.imagery, ["tileInfo": tileInfo.with(["format": .string(format)])])
        } else {
            stage.change(Self.imagery, ["cacheType": "Elevation"])
        }
        let plan = try await plan([Self.entry(Self.imagery, title: "Heights")], stage: stage)
        let layer = plan.map.document["operationalLayers"]?[0]
        #expect(layer?["layerType"] == "ArcGISTiledElevationServiceLayer" && layer?["title"] == "Heights")
        #expect(plan.layers[0].verdict == .tiles)
        guard case .tiles(let work)? = plan.jobs.first?.work else { throw NoTiles() }
        #expect(work.service == .image && work.request.url == Self.imagery + "/exportTiles")
    }

    private struct NoTiles: Error {}

    @Test("the map has the coordinate system of its first tiles, else of its features")
    func reference() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.water, ["spatialReference": ["wkid": 26916]])
        let features = Self.entry(PlanStage.water)
        let alone = try await plan([features], stage: stage)
        #expect(alone.map.spatialReference == SpatialReference(wkid: 26916))
        #expect(alone.form("water/replica")?["replicaSR"] == "26916")
        let tiled = try await plan([features, Self.entry(PlanStage.streets)], stage: stage)
        #expect(tiled.map.spatialReference == .webMercator)
        #expect(tiled.form("water/replica")?["inSR"] == "26916" && tiled.form("water/replica")?["replicaSR"] == "102100")
    }

    // MARK: - Which layers, and how

    @Test("layers that are named are taken, with what is said for them and for the service")
    func selection() async throws {
        let layers = [
            ServiceEntry.Layer(id: 5, settings: Self.set { $0.queryOption = .all }),
            ServiceEntry.Layer(id: 0, title: "Big hydrants", settings: Self.set { $0.whereClause = "FLOW >= 500" }),
        ]
        let settings = Self.set {
            $0.attachments = false
            $0.syncModel = .geodatabase
            $0.outSpatialReference = 4326
            $0.whereClause = "KIND = 1"
        }
        let plan = try await plan([Self.entry(PlanStage.water, settings, layers: layers)])
        #expect(plan.layers.map(\.title) == ["Big hydrants", "Inspections"])
        let form = try #require(plan.form("water/replica"))
        #expect(form["layers"] == "0,5" && form["syncModel"] == "perReplica" && form["replicaSR"] == "4326")
        #expect(form["returnAttachments"] == "false" && form["attachmentsSyncDirection"] == "none")
        #expect(
            form["layerQueries"]
                == #"{"0":{"queryOption":"useFilter","useGeometry":true,"where":"FLOW >= 500"},"5":{"queryOption":"all"}}"#)
        guard case .replica(let work)? = plan.jobs.first?.work else { throw NoTiles() }
        #expect(work.registration == .untilFetched)
    }

    @Test("a list of exclusions takes all others, and the plan shows what it leaves out")
    func exclusions() async throws {
        let layers = [3, 6].map { ServiceEntry.Layer(id: $0, settings: Self.set { $0.exclude = true }) }
        let plan = try await plan([Self.entry(PlanStage.water, layers: layers)])
        #expect(plan.form("water/replica")?["layers"] == "0,1,5")
        #expect(plan.layers.filter { $0.verdict == .excluded }.map(\.id) == ["water-3", "water-6"])
    }

    @Test("groups of the service are no layers, an annotation layer is one with a reason")
    func otherLayers() async throws {
        var stage = try Self.stage()
        let root = try #require(stage.documents[PlanStage.water]?["layers"]?.array)
        stage.change(PlanStage.water, ["layers": .array(root + [["id": 7, "name": "All"], ["id": 8, "name": "Labels"]])])
        let details = try #require(stage.documents[PlanStage.water + "/layers"]?["layers"]?.array)
        stage.change(
            PlanStage.water + "/layers",
            [
                "layers": .array(
                    details + [
                        ["id": 7, "name": "All", "type": "Group Layer"],
                        [
                            "id": 8, "name": "Labels", "type": "Annotation Layer", "geometryType": "esriGeometryPolygon",
                            "fields": [],
                        ],
                    ])
            ])
        let plan = try await plan([Self.entry(PlanStage.water)], stage: stage)
        #expect(!plan.layers.contains { $0.title == "All" })
        let labels = try #require(plan.layer("water-8"))
        #expect(labels.verdict == .onlineOnly && labels.rule == "OB017 annotation")
        #expect(plan.form("water/replica")?["layers"] == "0,1,3,5,6")
    }

    @Test("the entries of `layers:` reach the services' layers, and have the last word")
    func overridesAfter() async throws {
        let plan = try await plan([Self.entry(PlanStage.water + "/0", Self.set { $0.whereClause = "A = 1" })]) {
            $0.layers = [LayerOverride(match: .init(title: "Hydrant"), whereClause: "B = 2")]
        }
        #expect(
            plan.form("water/replica")?["layerQueries"]
                == #"{"0":{"queryOption":"useFilter","useGeometry":true,"where":"B = 2"}}"#)
    }

    @Test("a service by its item: the item's title, and the service of its address")
    func item() async throws {
        let plan = try await plan([Self.entry("network")])
        #expect(plan.layers.first?.groups == ["Water network"])
        #expect(plan.map.document["operationalLayers"]?[0]?["layers"]?[0]?["itemId"] == "network")
        var stage = try Self.stage()
        stage.change(Self.items + "network", ["url": .string(PlanStage.water + "/1")])
        let one = try await self.plan([Self.entry("network")], stage: stage)
        #expect(one.layers.map(\.title) == ["Water network"] && one.form("water/replica")?["layers"] == "1")
    }

    @Test("a service can be left out, or kept online")
    func excludedAndOnline() async throws {
        let stage = try Self.stage()
        let plan = try await plan(
            [
                Self.entry(PlanStage.water, Self.set { $0.online = true }),
                Self.entry(PlanStage.vector, Self.set { $0.exclude = true }), Self.entry(PlanStage.streets),
            ], stage: stage)
        #expect(plan.exports.map(\.id) == ["downtown/streets/tiles"])
        #expect(plan.layer("base")?.verdict == .excluded)
        #expect(Set(plan.layers.filter { $0.verdict == .onlineOnly }.map(\.rule)) == ["kept-online"])
        #expect(!stage.asked.all.contains(PlanStage.vector))
    }

    // MARK: - Vector tiles

    @Test(
        "the three ways to take vector tiles",
        arguments: [
            // item, vectorTiles, kinds of jobs, verdict
            ("light", nil, ["vectorTiles"], "vectorTiles"), ("dark", nil, ["vectorTiles", "style"], "vectorTiles"),
            ("dark", LayerOverride.VectorTileParts.tiles, ["vectorTiles"], "vectorTiles"),
            ("dark", .tilesAndStyle, ["vectorTiles", "style"], "vectorTiles"), ("dark", .style, ["style"], "style"),
            ("light", .tiles, ["vectorTiles"], "vectorTiles"),
        ])
    func vectorTiles(
        _ item: String, _ parts: LayerOverride.VectorTileParts?, _ kinds: [String], _ verdict: String
    ) async throws {
        let plan = try await plan([Self.entry(item, Self.set { $0.vectorTiles = parts })])
        #expect(plan.jobs.map(\.kind.rawValue) == kinds + ["package", "publish"])
        #expect(plan.layers.map(\.verdict.rawValue) == [verdict])
        if kinds.contains("style") {
            let job = try #require(plan.jobs.first { $0.kind == .style })
            #expect(job.work == .style(StyleWork(styleURL: Self.style, serviceURL: PlanStage.vector)))
        }
        if kinds.contains("vectorTiles") {
            let tiles = try #require(plan.jobs.first { $0.kind == .vectorTiles })
            #expect(tiles.request?.url == PlanStage.vector + "/exportTiles" && tiles.request?.parameters["levels"] == "0-16")
        }
        #expect(plan.map.document["operationalLayers"]?[0]?["styleUrl"] == (item == "dark" ? .string(Self.style) : nil))
    }

    @Test("a style alone needs no export of tiles, and no tiles in the area")
    func styleOfClosedService() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.vector, ["exportTilesAllowed": false])
        let plan = try await plan([Self.entry("dark", Self.set { $0.vectorTiles = .style })], stage: stage)
        #expect(plan.layers[0].rule == "OB009 style-only")
        #expect(plan.jobs.map(\.kind) == [.style, .package, .publish])
    }

    @Test("a style that is not there is refused", arguments: ["light", PlanStage.vector])
    func noStyle(_ source: String) async throws {
        for parts in [LayerOverride.VectorTileParts.style, .tilesAndStyle] {
            let refusal = try await refusal([Self.entry(source, Self.set { $0.vectorTiles = parts })])
            #expect(refusal.outcome == .refused && refusal.problems.count == 1)
            #expect(refusal.problems[0].origin == "night.yaml:5:5")
            #expect(
                refusal.problems[0].failure.message.hasPrefix(
                    "vectorTiles: \(parts.rawValue), and the layer has no style of its own"))
        }
    }

    @Test("the layers of a web map can be taken in the same three ways")
    func vectorTilesOfTheMap() async throws {
        var stage = try Self.stage()
        try stage.changeMapLayer("base-vector", ["url": nil, "itemId": "dark", "styleUrl": .string(Self.style)])
        for (parts, kinds) in [
            (LayerOverride.VectorTileParts.tiles, [Job.Kind.vectorTiles]), (.tilesAndStyle, [.vectorTiles, .style]),
            (.style, [.style]),
        ] {
            let plan = try await stage.plan { $0.layers = [LayerOverride(match: .init(id: "base-vector"), vectorTiles: parts)] }
            #expect(plan.jobs.filter { $0.id.contains("/street-map-vector/") }.map(\.kind) == kinds)
        }
    }

    // MARK: - Refusals

    @Test(
        "an item that could not be read is a layer that does not come; without a memory of it the map has one layer in its place")
    func unreadItem() async throws {
        var stage = try Self.stage()
        stage.refusals[Self.items + "network"] = .json([:], Self.items + "network", status: 503)
        let entries = [Self.entry("network", title: "Network"), Self.entry(PlanStage.streets)]
        let refusal = try await refusal(entries, stage: stage)
        #expect(refusal.outcome == .unavailable && refusal.problems.map(\.origin) == ["night.yaml:5:5"])
        let plan = try await plan(entries, stage: stage) { $0.onError = .skip }
        #expect(plan.losses.skipped.map(\.layer) == [LayerLabel(id: "network", title: "Network")])
        #expect(plan.map.document["operationalLayers"]?.array?.map { $0["title"] } == ["Network", "Streets"])
        #expect(plan.jobs.map(\.id) == ["downtown/streets/tiles", "downtown/package", "downtown/publish"])
        #expect(plan.map.services.map(\.name) == [PlanStage.streets])
    }

    @Test("what a map remembers of a service stands in for its answer: the same layers with the same ids")
    func remembered() async throws {
        var stage = try Self.stage()
        let entry = Self.entry("network", layers: [ServiceEntry.Layer(id: 0), ServiceEntry.Layer(id: 3)])
        let others = Self.entry(PlanStage.streets)
        let good = try await plan([entry, others], stage: stage)
        stage.memory = good.map.services
        stage.refusals[Self.items + "network"] = .json([:], Self.items + "network", status: 503)
        let blind = try await plan([entry, others], stage: stage) { $0.onError = .skip }
        #expect(blind.map.document == good.map.document && blind.map.services == good.map.services)
        #expect(blind.losses.skipped.map(\.layer.id) == ["water-3", "water-0"])
        #expect(blind.layers.filter { !$0.isOfManifest }.isEmpty)
        // A layer that the manifest names since then is not said to be missing where nobody could look.
        var more = entry
        more.layers.append(ServiceEntry.Layer(id: 9))
        let added = try await plan([more, others], stage: stage) { $0.onError = .skip }
        #expect(added.losses.skipped.map(\.layer.title).first == "layer 9")
    }

    @Test("layers that no service has refuse the plan, all at once, with their places")
    func missingLayers() async throws {
        let refusal = try await refusal([
            Self.entry(PlanStage.water, layers: [ServiceEntry.Layer(id: 2, settings: Self.set { $0.origin = "night.yaml:7:9" })]),
            Self.entry(PlanStage.water + "/9"),
        ])
        #expect(refusal.outcome == .refused)
        #expect(refusal.problems.map(\.origin) == ["night.yaml:7:9", "night.yaml:5:5"])
        #expect(refusal.problems.map(\.failure.message) == ["the service has no layer 2", "the service has no layer 9"])
        #expect(
            refusal.problems[0].failure.details == [
                "it has 0 Hydrant, 1 System Valve, 3 Main, 5 Inspections, 6 Notes", PlanStage.water,
            ])
    }

    @Test("items that are no services, and items that are not there")
    func wrongItems() async throws {
        let refusal = try await refusal([Self.entry("map1"), Self.entry("nothing")])
        #expect(
            refusal.problems[0].failure.message
                == "the item map1 is no feature, map, image or vector tile service but a Web Map")
        #expect(refusal.problems[0].failure.details == ["Water", "a web map is named by webMap"])
        #expect(refusal.problems[1].failure.details.first == "service nothing")
        #expect(refusal.problems.allSatisfy { $0.origin == "night.yaml:5:5" })
    }

    @Test("a service that cannot be asked is a problem, not an absence")
    func unreachable() async throws {
        var stage = try Self.stage()
        stage.refusals[PlanStage.water] = .json([:], PlanStage.water, status: 503)
        let refusal = try await refusal([Self.entry(PlanStage.water), Self.entry(PlanStage.streets)], stage: stage)
        #expect(refusal.outcome == .unavailable)
        #expect(refusal.problems.map(\.layer?.title) == ["Water"] && refusal.problems.map(\.origin) == ["night.yaml:5:5"])
        let client = ArcGISClient(transport: stage, portal: PlanStage.portal, credentials: CredentialStore(.none))
        await #expect(throws: PlanRefusal.self) {
            try await Inspection.inspect(service: .url(PlanStage.water), client: client)
        }
    }

    @Test("services that cannot go offline: each layer with its rule")
    func cannot() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.water, ["capabilities": "Query", "syncEnabled": false])
        stage.change(PlanStage.streets, ["exportTilesAllowed": false])
        let services = [Self.entry(PlanStage.water + "/0"), Self.entry(PlanStage.streets)]
        let refusal = try await refusal(services, stage: stage)
        #expect(refusal.problems.map(\.failure.message) == ["nothing of the map can be taken offline"])
        #expect(refusal.problems[0].failure.details.count == 2)
        // Beside something that can, they stay online.
        let plan = try await plan(services + [Self.entry(PlanStage.vector)], stage: stage)
        #expect(plan.layers.map(\.rule) == ["OB021 export-not-allowed", "OB007 vector-tile-export", "OB010 no-sync"])
        #expect(plan.exports.map(\.kind) == [.vectorTiles])
    }

    @Test("keys for other kinds, which only the portal can tell of an item")
    func wrongKeys() async throws {
        let refusal = try await refusal([
            Self.entry("light", Self.set { $0.whereClause = "A = 1" }),
            Self.entry("network", Self.set { $0.vectorTiles = .tiles }),
        ])
        #expect(refusal.problems.first?.failure.message == "where is for feature layers; this one comes as tiles")
        // Once for each layer of the service.
        #expect(
            refusal.problems.dropFirst().map(\.failure.message)
                == Array(repeating: "vectorTiles is for vector tiles; this one comes as a replica", count: 5))
    }

    @Test("layers of one service that want two replicas")
    func twoModels() async throws {
        let refusal = try await refusal([
            Self.entry(PlanStage.water + "/0", Self.set { $0.syncModel = .layer }),
            Self.entry(PlanStage.water + "/1", Self.set { $0.syncModel = .geodatabase }),
        ])
        #expect(
            refusal.problems.map(\.failure.message)
                == ["syncModel differs from that of Hydrant, and the layers of a service share one replica"])
    }

    @Test("a sync model that the service cannot do")
    func syncModel() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.water, ["syncCapabilities": ["supportsSyncModelNone": true]])
        let refusal = try await refusal(
            [Self.entry(PlanStage.water + "/0", Self.set { $0.syncModel = .layer })], stage: stage)
        #expect(
            refusal.problems.first?.failure.message == "syncModel: layer, and the service does not say supportsPerLayerSync")
        #expect(refusal.problems.first?.origin == "night.yaml:5:5")
    }

    // MARK: - Lint

    @Test("lint finds the layers of services, at the lines of their entries")
    func lint() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.water, ["capabilities": "Query", "syncEnabled": false])
        var manifest = Manifest(
            name: "night", path: "/m/night.yaml", portal: PortalSettings(url: PlanStage.portal), webMap: nil,
            services: [
                Self.entry(PlanStage.water + "/1"), Self.entry("dark"),
                Self.entry("dark", Self.set { $0.vectorTiles = .style }),
            ],
            areas: [PlanStage.area()], output: OutputSettings(directory: "/m/out"))
        manifest.webMapOrigin = "night.yaml:4:1"
        let client = ArcGISClient(transport: stage, portal: PlanStage.portal, credentials: CredentialStore(.none))
        var findings = try await Linter(client: client).lint(manifest)
        #expect(findings.map(\.ruleID) == ["OB010"])
        #expect(findings[0].origin == "night.yaml:5:5" && findings[0].layer?.title == "System Valve")
        manifest.services[0] = Self.entry(PlanStage.water + "/2")
        findings = try await Linter(client: client).lint(manifest)
        #expect(findings.map(\.ruleID) == ["OB069"] && findings[0].level == .error)
    }
}
