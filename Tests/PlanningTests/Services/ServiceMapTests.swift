import ArcGIS
import Basics
import Geography
import Manifest
import Testing

@testable import Planning

/// The map that is made of `services:`, alone and beside a web map, and the forms that are sent, worked out by hand from REST reference 4.1,
/// 4.2, 6.4 and 7.4.
@Suite("Services of the manifest: the map")
struct ServiceMapTests: ServicesSuite {
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
        guard case .tiles(let work)? = plan.jobs.first?.work else { throw NotThatKind() }
        #expect(work.service == .image && work.request.url == Self.imagery + "/exportTiles")
    }

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
}
