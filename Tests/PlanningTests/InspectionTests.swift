import ArcGIS
import Basics
import TestSupport
import Testing
import Transport

@testable import Planning

@Suite("Inspection")
struct InspectionTests {
    private static let isAvailable = SharedFiles.isAvailable

    @Test("every recorded map is listed whole", .enabled(if: isAvailable, "\(SharedFiles.skipReason)"))
    func recorded() throws {
        var total = 0
        for file in try Files.list(SharedFiles.path("recorded/webmaps")) {
            let inspection = try Inspection.inspect(file: Files.read(SharedFiles.path("recorded/webmaps/" + file)), title: file)
            let layers = try #require(inspection.json["layers"]?.array)
            total += layers.count
            #expect(!inspection.title.isEmpty)
            for layer in layers {
                let keys = ["id", "title", "kind", "url", "verdict", "rule", "reason"]
                #expect(layer.object?.keys.filter { $0 != "group" } == keys, "\(file)")
                #expect(layer["rule"]?.string.flatMap(LayerRule.init(rawValue:)) != nil)
                #expect(layer["url"]?.string?.contains("token") != true)
            }
        }
        // The sum of the table in WebMapTests, and three layers of the web scene: counted by the same Python script.
        #expect(total == 233)
    }

    @Test("one map in full", .enabled(if: isAvailable, "\(SharedFiles.skipReason)"))
    func wayback() throws {
        let file = SharedFiles.path("recorded/webmaps/wayback-group-layer-fragment.json")
        let json = try Inspection.inspect(file: Files.read(file), title: "wayback").json
        #expect(json["title"] == "wayback")
        let service =
            "https://services.arcgis.com/jIL9msH9OI208GCb/arcgis/rest/services/Vivid_Advanced_Blocks_Publication_View/FeatureServer/0"
        let expected: JSON = [
            "id": "1965e9f780a-layer-63", "title": "symbology", "kind": "ArcGISFeatureLayer", "url": .string(service),
            "verdict": "replica",
            "rule": "OB001 replica", "reason": "Taken as a replica, if the service allows Sync or Extract (not asked).",
            "group": "Group Layer",
        ]
        #expect(json["layers"]?[0] == expected)
    }

    @Test("verdicts of recorded maps", .enabled(if: isAvailable, "\(SharedFiles.skipReason)"))
    func verdicts() throws {
        func rules(_ file: String) throws -> [String] {
            try Inspection.inspect(file: Files.read(SharedFiles.path("recorded/webmaps/" + file)), title: "").layers.map {
                String($0.rule.prefix(5))
            }
        }
        #expect(try rules("collector-homesites-with-tables.json") == ["OB008"] + Array(repeating: "OB001", count: 7))
        #expect(try rules("troy-v2.34-timezone-vectortile-basemap.json") == ["OB007", "OB007", "OB022"])
        #expect(try rules("v2.0-csv-layers.json") == ["OB008", "OB030", "OB030"])
        #expect(try rules("storymap-tour-v2.11-featurecollections.json") == ["OB008", "OB007", "OB004", "OB004", "OB004"])
        #expect(try rules("webscene-unsupported-layers.json") == ["OB032", "OB032", "OB032"])
        #expect(try rules("solutions-v2.15-one-layer.json") == ["OB008", "OB034"])
    }

    @Test("a map of the portal: each service is asked once, one that is down is named")
    func item() async throws {
        let transport = MapTransport()
        let client = ArcGISClient(
            transport: transport, portal: "https://gis.example.org/portal", credentials: CredentialStore(.none))
        let inspection = try await Inspection.inspect(item: "map1", client: client)
        #expect(inspection.title == "Water")
        #expect(
            inspection.layers.map { "\($0.layer.id) \($0.rule)" } == [
                "base OB008 export-twin", "hydrants OB001 replica", "mains OB001 replica", "by-item OB006 tile-export",
                "down OB040 could-not-look", "csv OB030 online-kind", "visits OB001 replica",
            ])
        #expect(inspection.layers[0].serviceURL == "https://tiles.example.org/a/rest/services/World/MapServer")
        #expect(inspection.layers[3].serviceURL == "https://h.example.org/a/rest/services/T/MapServer")
        #expect(inspection.layers[3].exportService == .map)
        #expect(inspection.layers[6].layerID == 2)
        #expect(await transport.journal.count(of: "https://h.example.org/a/rest/services/W/FeatureServer") == 1)
    }
}

private struct MapTransport: HTTPTransport {
    actor Journal {
        private var paths: [String: Int] = [:]
        func add(_ path: String) { paths[path, default: 0] += 1 }
        func count(of path: String) -> Int { paths[path] ?? 0 }
    }

    let journal = Journal()
    private static let scheme =
        #""tileInfo":{"rows":256,"cols":256,"origin":{"x":0,"y":0},"spatialReference":{"wkid":102100},"lods":[{"level":0,"resolution":1,"scale":1}]}"#
    private static let map = """
        {"baseMap":{"baseMapLayers":[{"id":"base","layerType":"ArcGISTiledMapServiceLayer","url":"https://live.example.org/a/rest/services/World/MapServer"}]},
        "operationalLayers":[
          {"layerType":"GroupLayer","id":"g","title":"Water","layers":[
            {"id":"hydrants","url":"https://h.example.org/a/rest/services/W/FeatureServer/0"},
            {"id":"mains","url":"https://h.example.org/a/rest/services/W/FeatureServer/1/"}]},
          {"id":"by-item","itemId":"tiles"},
          {"id":"down","url":"https://down.example.org/a/rest/services/W/FeatureServer/0"},
          {"id":"csv","layerType":"CSV","url":"https://h.example.org/x.csv"}],
        "tables":[{"id":"visits","url":"https://h.example.org/a/rest/services/W/FeatureServer/2"}]}
        """

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let path = request.url.split(separator: "?")[0].description
        await journal.add(path)
        let portal = "https://gis.example.org/portal/sharing/rest"
        let answer: String? =
            switch path {
            case portal + "/content/items/map1": #"{"id":"map1","type":"Web Map","title":"Water"}"#
            case portal + "/content/items/map1/data": Self.map
            case portal + "/content/items/tiles":
                #"{"id":"tiles","type":"Map Service","url":"https://h.example.org/a/rest/services/T/MapServer"}"#
            case portal + "/portals/self":
                #"{"helperServices":{"packaging":{"exportTilesMap":[{"source":"https://live.example.org","export":"https://tiles.example.org"}]}}}"#
            case "https://h.example.org/a/rest/services/W/FeatureServer":
                #"{"capabilities":"Query,Sync","syncCapabilities":{"supportsSyncModelNone":true},"layers":[{"id":0},{"id":1}],"tables":[{"id":2}]}"#
            case "https://h.example.org/a/rest/services/W/FeatureServer/layers":
                #"{"layers":[{"id":0,"fields":[]},{"id":1,"fields":[]}],"tables":[{"id":2,"fields":[]}]}"#
            case "https://h.example.org/a/rest/services/T/MapServer", "https://tiles.example.org/a/rest/services/World/MapServer":
                "{\"singleFusedMapCache\":true,\"exportTilesAllowed\":true,\(Self.scheme)}"
            default: nil
            }
        guard let answer else { return HTTPResponse(status: 503, url: request.url) }
        return HTTPResponse(status: 200, body: Array(answer.utf8), url: request.url)
    }

    func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome {
        .response(try await send(request))
    }
}

@Suite("Inspection of the demo portal")
struct DemoPortalInspectionTests {
    @Test("the water map: every layer and table, with what its service says")
    func waterMap() async throws {
        let portal = try PortalFixture()
        let client = ArcGISClient(transport: CurlTransport(), portal: portal.portalURL, credentials: CredentialStore(.none))
        let inspection = try await Inspection.inspect(item: "acc027394bc84c2fb04d1ed317aac674", client: client)
        let verdicts = Dictionary(uniqueKeysWithValues: inspection.layers.map { ($0.layer.id, $0.verdict) })
        #expect(verdicts["street-map-vector"] == .vectorTiles)
        #expect(verdicts["world-street-map"] == .tiles)
        #expect(verdicts["districts"] == .replica)
        // A layer of a service that cannot sync.
        #expect(verdicts["parcels"] == .onlineOnly)
        #expect(inspection.layers.first { $0.layer.id == "parcels" }?.rule == "OB010 no-sync")
        let hydrants = try #require(inspection.layers.first { $0.layer.title == "Hydrant" })
        #expect(hydrants.verdict == .replica && hydrants.layer.groupTitles == ["Water Network"])
        #expect(inspection.layers.last?.layer.isTable == true && inspection.layers.last?.verdict == .replica)
        let vector = try #require(inspection.layers.first { $0.layer.id == "street-map-vector" })
        #expect(vector.serviceURL == portal.service("Street_Map/VectorTileServer"))
    }
}
