import ArcGIS
import Basics
import Testing

@testable import Planning

/// One layer, what its service says, and the rule that decides.
struct LayerCase: Sendable {
    var name: String
    var layer: String
    /// The service's root document; nil: not asked.
    var service: String? = nil
    var verdict: Verdict
    var rule: LayerRule
}

@Suite("Layer rules")
struct CapabilityTests {
    private static let feature = #""layerType":"ArcGISFeatureLayer","url":"https://h/a/rest/services/W/FeatureServer/0""#
    private static let tiled = #""layerType":"ArcGISTiledMapServiceLayer","url":"https://h/a/rest/services/T/MapServer""#
    private static let dynamic = #""layerType":"ArcGISMapServiceLayer","url":"https://h/a/rest/services/T/MapServer""#
    private static let vector = #""layerType":"VectorTileLayer","url":"https://h/a/rest/services/V/VectorTileServer""#
    private static let scheme =
        #""tileInfo":{"rows":256,"cols":256,"dpi":96,"origin":{"x":-2.0E7,"y":2.0E7},"spatialReference":{"wkid":102100},"lods":[{"level":0,"resolution":156543.03,"scale":591657527.59}]}"#

    static let byDocument: [LayerCase] = [
        LayerCase(name: "feature layer", layer: feature, verdict: .replica, rule: .replica),
        LayerCase(
            name: "table without a type", layer: #""url":"https://h/a/rest/services/W/FeatureServer/1""#, verdict: .replica,
            rule: .replica),
        LayerCase(
            name: "subtype group",
            layer: #""layerType":"SubtypeGroupLayer","layers":[{}],"url":"https://h/a/rest/services/W/FeatureServer/2""#,
            verdict: .replica, rule: .replica),
        LayerCase(
            name: "layer of a map service",
            layer: #""layerType":"ArcGISFeatureLayer","url":"https://h/a/rest/services/W/MapServer/3""#,
            verdict: .onlineOnly, rule: .mapServiceLayer),
        LayerCase(
            name: "proxied URL", layer: #""layerType":"ArcGISFeatureLayer","url":"https://h/gis/layers/4""#, verdict: .onlineOnly,
            rule: .wrongService),
        LayerCase(
            name: "template", layer: #""layerType":"ArcGISFeatureLayer","url":"{{x.url}}""#, verdict: .unsupported, rule: .badURL),
        LayerCase(
            name: "by item", layer: #""layerType":"ArcGISFeatureLayer","itemId":"i""#, verdict: .onlineOnly, rule: .itemNotRead),
        LayerCase(name: "nothing", layer: #""layerType":"ArcGISFeatureLayer""#, verdict: .unsupported, rule: .noSource),
        LayerCase(name: "notes", layer: #""featureCollection":{"layers":[{}]}"#, verdict: .keptInMap, rule: .dataInMap),
        LayerCase(
            name: "collection in an item", layer: #""type":"Feature Collection","itemId":"i""#, verdict: .onlineOnly,
            rule: .dataInItem),
        LayerCase(name: "tiled", layer: tiled, verdict: .tiles, rule: .tileExport),
        LayerCase(
            name: "base map of Esri",
            layer:
                #""layerType":"ArcGISTiledMapServiceLayer","url":"http://services.arcgisonline.com/ArcGIS/rest/services/World_Topo_Map/MapServer""#,
            verdict: .tiles, rule: .exportTwin),
        LayerCase(name: "dynamic", layer: dynamic, verdict: .onlineOnly, rule: .dynamicMap),
        LayerCase(
            name: "old map service", layer: #""url":"https://h/a/rest/services/T/MapServer""#, verdict: .onlineOnly,
            rule: .cacheUnknown),
        LayerCase(
            name: "image service",
            layer: #""layerType":"ArcGISImageServiceLayer","url":"https://h/a/rest/services/I/ImageServer""#,
            verdict: .onlineOnly, rule: .cacheUnknown),
        LayerCase(name: "vector tiles", layer: vector, verdict: .vectorTiles, rule: .vectorTileExport),
        LayerCase(
            name: "vector tiles by style", layer: #""layerType":"VectorTileLayer","styleUrl":"https://h/root.json""#,
            verdict: .vectorTiles,
            rule: .vectorTileExport),
        LayerCase(name: "CSV", layer: #""layerType":"CSV","url":"https://h/x.csv""#, verdict: .onlineOnly, rule: .onlineKind),
        LayerCase(
            name: "annotation by its type",
            layer: #""layerType":"ArcGISAnnotationLayer","url":"https://h/a/rest/services/W/FeatureServer/5""#,
            verdict: .onlineOnly, rule: .annotation),
        LayerCase(
            name: "dimensions by their type",
            layer: #""layerType":"ArcGISDimensionLayer","url":"https://h/a/rest/services/W/FeatureServer/6""#,
            verdict: .onlineOnly, rule: .dimension),
        LayerCase(
            name: "tiles of an old base map",
            layer: #""layerType":"DefaultTileLayer","url":"https://h/a/rest/services/T/MapServer""#, verdict: .tiles,
            rule: .tileExport),
        LayerCase(name: "WCS", layer: #""layerType":"WCS","url":"https://h/wcs""#, verdict: .onlineOnly, rule: .onlineKind),
        LayerCase(
            name: "video", layer: #""layerType":"ArcGISVideoLayer","url":"https://h/a/rest/services/W/VideoServer/0""#,
            verdict: .onlineOnly, rule: .onlineKind),
        LayerCase(
            name: "Parquet", layer: #""layerType":"ParquetLayer","urls":["https://h/x.parquet"]"#, verdict: .onlineOnly,
            rule: .onlineKind),
        LayerCase(name: "WMS", layer: #""layerType":"WMS","url":"https://h/wms""#, verdict: .onlineOnly, rule: .onlineKind),
        LayerCase(name: "Bing", layer: #""layerType":"BingMapsHybrid""#, verdict: .onlineOnly, rule: .onlineKind),
        LayerCase(
            name: "new kind", layer: #""layerType":"SomethingNew2031","url":"https://h/x""#, verdict: .unsupported,
            rule: .unknownKind),
        LayerCase(
            name: "scene layer", layer: #""layerType":"ArcGISSceneServiceLayer","url":"https://h/a/rest/services/S/SceneServer""#,
            verdict: .unsupported, rule: .scene),
        LayerCase(name: "empty group", layer: #""layerType":"GroupLayer","layers":[]"#, verdict: .keptInMap, rule: .emptyGroup),
    ]

    static let byService: [LayerCase] = [
        LayerCase(
            name: "sync", layer: feature,
            service:
                #"{"capabilities":"Query,Sync","syncCapabilities":{"supportsSyncModelNone":true},"layers":[{"id":0,"type":"Feature Layer"}]}"#,
            verdict: .replica, rule: .replica),
        LayerCase(
            name: "sync without copies", layer: feature, service: #"{"capabilities":"Query,Sync","layers":[{"id":0}]}"#,
            verdict: .replica,
            rule: .registeredCopy),
        LayerCase(
            name: "no sync", layer: feature, service: #"{"capabilities":"Query","syncEnabled":false,"layers":[{"id":0}]}"#,
            verdict: .onlineOnly,
            rule: .noSync),
        LayerCase(
            name: "extract", layer: feature,
            service: #"{"capabilities":"Query,Extract","supportedExportFormats":"csv,sqlite","layers":[{"id":0}]}"#,
            verdict: .replica,
            rule: .extractCopy),
        LayerCase(
            name: "number gone", layer: feature,
            service: #"{"capabilities":"Query,Sync","layers":[{"id":1,"name":"Salute Reports"}]}"#,
            verdict: .onlineOnly, rule: .layerMissing),
        LayerCase(
            name: "one layer, no number",
            layer: #""layerType":"ArcGISFeatureLayer","url":"https://h/a/rest/services/W/FeatureServer""#,
            service: #"{"capabilities":"Sync","syncCapabilities":{"supportsSyncModelNone":true},"layers":[{"id":4}]}"#,
            verdict: .replica, rule: .replica),
        LayerCase(
            name: "two layers, no number",
            layer: #""layerType":"ArcGISFeatureLayer","url":"https://h/a/rest/services/W/FeatureServer""#,
            service: #"{"capabilities":"Sync","layers":[{"id":4},{"id":5}]}"#, verdict: .onlineOnly, rule: .noLayerNumber),
        LayerCase(
            name: "utility network", layer: feature,
            service: #"{"capabilities":"Sync","layers":[{"id":0,"type":"Utility Network Layer"}]}"#,
            verdict: .onlineOnly, rule: .layerType),
        LayerCase(
            name: "annotation", layer: feature,
            service:
                #"{"capabilities":"Sync","layers":[{"id":0,"type":"Annotation Layer","geometryType":"esriGeometryPolygon"}]}"#,
            verdict: .onlineOnly, rule: .annotation),
        LayerCase(
            name: "dimensions", layer: feature,
            service:
                #"{"capabilities":"Sync","layers":[{"id":0,"type":"Dimension Layer","geometryType":"esriGeometryPolygon"}]}"#,
            verdict: .onlineOnly, rule: .dimension),
        LayerCase(
            name: "subtype group table",
            layer: #""layerType":"SubtypeGroupTable","layers":[{}],"url":"https://h/a/rest/services/W/FeatureServer/2""#,
            service:
                #"{"capabilities":"Sync","syncCapabilities":{"supportsSyncModelNone":true},"tables":[{"id":2,"type":"Table"}]}"#,
            verdict: .replica, rule: .replica),
        LayerCase(
            name: "join view", layer: feature,
            service: #"{"capabilities":"Sync","layers":[{"id":0,"isView":true,"isMultiServicesView":true}]}"#,
            verdict: .onlineOnly, rule: .joinView),
        LayerCase(
            name: "exportable", layer: tiled, service: "{\"singleFusedMapCache\":true,\"exportTilesAllowed\":true,\(scheme)}",
            verdict: .tiles, rule: .tileExport),
        LayerCase(
            name: "export off", layer: tiled, service: "{\"singleFusedMapCache\":true,\"exportTilesAllowed\":false,\(scheme)}",
            verdict: .onlineOnly, rule: .exportNotAllowed),
        LayerCase(
            name: "export not said", layer: tiled, service: "{\"singleFusedMapCache\":true,\(scheme)}", verdict: .onlineOnly,
            rule: .exportNotAllowed),
        LayerCase(
            name: "not cached", layer: tiled, service: #"{"singleFusedMapCache":false,"exportTilesAllowed":true}"#,
            verdict: .onlineOnly, rule: .notCached),
        LayerCase(
            name: "no scheme", layer: tiled, service: #"{"singleFusedMapCache":true,"exportTilesAllowed":true}"#,
            verdict: .onlineOnly, rule: .notCached),
        LayerCase(
            name: "dynamic and cached", layer: dynamic,
            service: "{\"singleFusedMapCache\":true,\"exportTilesAllowed\":true,\(scheme)}", verdict: .tiles, rule: .tileExport),
        LayerCase(
            name: "part of a cached map", layer: dynamic + #","visibleLayers":[1]"#,
            service: "{\"singleFusedMapCache\":true,\"exportTilesAllowed\":true,\(scheme)}", verdict: .onlineOnly,
            rule: .dynamicMap),
        LayerCase(
            name: "dynamic", layer: dynamic, service: #"{"singleFusedMapCache":false}"#, verdict: .onlineOnly, rule: .dynamicMap),
        LayerCase(
            name: "vector export", layer: vector, service: "{\"exportTilesAllowed\":true,\(scheme)}", verdict: .vectorTiles,
            rule: .vectorTileExport),
        LayerCase(
            name: "no vector export", layer: vector, service: "{\"exportTilesAllowed\":false,\(scheme)}", verdict: .onlineOnly,
            rule: .exportNotAllowed),
    ]

    private static func layer(_ members: String) throws -> WebMapLayer {
        try #require(try WebMap(document: JSON.parse(#"{"operationalLayers":[{"id":"x",\#(members)}]}"#)).layers.first)
    }

    private static func metadata(_ layer: WebMapLayer, _ text: String?) throws -> ServiceMetadata? {
        guard let text else { return nil }
        let json = try JSON.parse(text)
        let url = layer.serviceURL ?? ""
        switch layer.kind {
        case .feature, .subtypeGroup: return .feature(FeatureServiceInfo(url: url, root: json))
        case .vectorTile: return .vectorTile(VectorTileServiceInfo(url: url, json: json))
        default: return .tiled(TiledServiceInfo(url: url, json: json))
        }
    }

    @Test("rules", arguments: byDocument + byService)
    func rules(_ expected: LayerCase) throws {
        let layer = try Self.layer(expected.layer)
        let found = assess(layer, metadata: try Self.metadata(layer, expected.service))
        #expect(
            found.verdict == expected.verdict && found.rule == expected.rule.rawValue,
            "\(expected.name): \(found.rule) \(found.reason)")
        #expect(!found.reason.isEmpty)
        let fetches: [Verdict] = [.replica, .tiles, .vectorTiles]
        if expected.service != nil, fetches.contains(found.verdict) { #expect(found.serviceURL == layer.serviceURL) }
    }

    @Test("global ids count for registered replicas only")
    func globalIDs() throws {
        let layer = try Self.layer(Self.feature)
        let root = try JSON.parse(
            #"{"capabilities":"Sync","syncCapabilities":{"supportsSyncModelNone":true},"layers":[{"id":0}]}"#)
        let bare = ServiceMetadata.feature(
            FeatureServiceInfo(url: "u", root: root, details: [0: ["id": 0, "globalIdField": "", "fields": []]]))
        #expect(assess(layer, metadata: bare).rule == "OB001 replica")
        #expect(assess(layer, metadata: bare, options: AssessmentOptions(registersReplicas: true)).rule == "OB012 no-global-id")
        let whole = ServiceMetadata.feature(
            FeatureServiceInfo(url: "u", root: root, details: [0: ["id": 0, "globalIdField": "G", "fields": []]]))
        let registered = assess(layer, metadata: whole, options: AssessmentOptions(registersReplicas: true))
        #expect(registered.verdict == .replica && registered.registersReplica)
        #expect(!assess(layer, metadata: whole).registersReplica)
    }

    @Test("what could not be asked is said so, and never that it cannot")
    func unreachable() throws {
        let layer = try Self.layer(Self.feature)
        func reason(_ kind: ArcGISError.Kind) -> LayerAssessment {
            assess(layer, metadata: .unreachable(ArcGISError(kind: kind, url: "https://h/a?token=SECRET", httpStatus: 200)))
        }
        let down = reason(.service(code: 503, messageCode: nil, message: "Service W not started", details: []))
        #expect(down.verdict == .onlineOnly && down.rule == "OB040 could-not-look")
        #expect(down.reason == "Could not look: h gave no usable answer (503): Service W not started")
        let secret = reason(.service(code: 499, messageCode: nil, message: "Token Required", details: []))
        #expect(secret.rule == "OB041 sign-in-needed" && secret.verdict == .onlineOnly)
        // A verdict that needs no service stands without one.
        let csv = try Self.layer(#""layerType":"CSV","url":"https://h/x.csv""#)
        let error = ArcGISError(kind: .httpStatus(title: nil), url: "https://h/x", httpStatus: 500)
        #expect(assess(csv, metadata: .unreachable(error)).rule == "OB030 online-kind")
    }

    /// Every kind of item that a layer may name and that has no service.
    private static let withoutService: [(AbsentService, Verdict, LayerRule)] = [
        (.item(type: "Feature Collection"), .onlineOnly, .dataInItem), (.item(type: "Group Layer"), .onlineOnly, .dataInItem),
        (.item(type: "CSV"), .onlineOnly, .itemKind), (.item(type: "Feature Service"), .onlineOnly, .itemKind),
        (.item(type: "Scene Service"), .unsupported, .scene), (.itemMissing, .onlineOnly, .itemMissing),
        (.foreignStyle, .onlineOnly, .foreignStyle),
    ]

    @Test("an answer without a service is a verdict")
    func absent() throws {
        let layer = try Self.layer(#""layerType":"ArcGISFeatureLayer","itemId":"i""#)
        for (reason, verdict, rule) in Self.withoutService {
            let found = assess(layer, metadata: .absent(reason))
            #expect(found.verdict == verdict && found.rule == rule.rawValue, "\(reason): \(found.rule)")
            #expect(found.serviceURL == nil)
        }
    }

    @Test("numbers and names of rules are each used once")
    func table() {
        let parts = LayerRule.allCases.map { $0.rawValue.split(separator: " ").map(String.init) }
        #expect(parts.allSatisfy { $0.count == 2 && $0[0].count == 5 && $0[0].hasPrefix("OB") })
        #expect(Set(parts.map { $0[0] }).count == parts.count && Set(parts.map { $0[1] }).count == parts.count)
        let used = Set((Self.byDocument + Self.byService).map(\.rule) + Self.withoutService.map(\.2))
        #expect(Set(LayerRule.allCases).subtracting(used) == [.noGlobalID, .couldNotLook, .signInNeeded, .styleOnly])
    }
}
