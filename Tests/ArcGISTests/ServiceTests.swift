import Basics
import Foundation
import Geography
import TestSupport
import Testing
import Transport

@testable import ArcGIS

@Suite("Services", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
struct ServiceTests {
    static func json(_ path: String) throws -> JSON { try JSON.parse(Files.read(SharedFiles.path("recorded/" + path))) }

    /// Counts and capabilities as a Python script read them.
    @Test(
        "feature services",
        arguments: [
            ("airports-sync-enabled.json", 2, 0, true, true, 102100),
            ("enterprise-11.2-district-border.json", 1, 0, false, true, 102100),
            ("collector-sync-template.json", 0, 0, true, true, 102100),
            ("redlands-emergency-editable.json", 3, 0, false, false, 4326),
            ("tallypad-service-definition-139kB.json", 2, 5, true, true, 4326),
            ("online-11.5-13-layers.json", 13, 0, false, false, 102100),
            ("runtime-geodatabase-service-item.json", 7, 0, true, false, 102100),
            ("victoria-10.3.json", 1, 0, false, false, 102100),
            ("utility-network-14-layers-2-tables.json", 14, 2, false, false, nil),
            ("solutions-view-updatable-no-layers-key.json", 0, 0, false, false, 102100),
        ] as [(String, Int, Int, Bool, Bool, Int?)])
    func featureServices(_ file: String, _ layers: Int, _ tables: Int, _ sync: Bool, _ copies: Bool, _ wkid: Int?) throws {
        let service = FeatureServiceInfo(url: "https://h/FeatureServer", root: try Self.json("featureservers/" + file))
        #expect(service.layers.count == layers && service.tables.count == tables)
        #expect(service.canSync == sync && service.canCopyWithoutRegistering == copies)
        #expect(service.spatialReference?.wkid == wkid)
        #expect(!service.tables.contains { !$0.isTable })
        // The service item of a mobile geodatabase lists its four tables among its layers.
        #expect(service.layers.count { $0.isTable } == (file.hasPrefix("runtime-geodatabase") ? 4 : 0))
    }

    @Test("layers and tables")
    func layers() throws {
        func layer(_ file: String) throws -> LayerInfo { LayerInfo(try Self.json("layers/" + file)) }
        let airports = try layer("airports-10.41-sync-layer.json")
        #expect(airports.objectIDField == "FID" && airports.globalIDField == "GlobalID" && airports.fields.count == 12)
        #expect(airports.lastEditDate == 1_420_399_834_916 && airports.supportsPagination && !airports.isEditable)
        let table = try layer("collector-grazing-permittees-table.json")
        #expect(table.isTable && table.relationships.count == 2 && table.isEditable && table.geometryType == nil)
        let chinese = try layer("china-layer-c.json")
        #expect(chinese.isReplicable && !chinese.supportsPagination && chinese.maxRecordCount == 1_000)
        #expect(try !layer("doc-sample-utility-network-layer.json").isReplicable)
        #expect(try !layer("mapserver-10.71-group-layer.json").isReplicable)
        #expect(try layer("shapefile-analyse-layer-maxrecord-minus1.json").maxRecordCount == nil)
        #expect(try layer("online-11.2-national-register.json").lastEditDate == nil)
        #expect(try layer("doc-sample-10.8-fc1.json").globalIDField == nil)
        #expect(try layer("carson-10.0.json").objectIDField == "OBJECTID")
        #expect(try layer("esri-test-10.3-facilities-4326.json").hasAttachments)
        #expect(try layer("act-vegmap-wkid7855-tiles-pbf.json").spatialReference?.identifiers.contains(7855) == true)
        let stamps = try layer("online-11.5-points.json")
        #expect(stamps.schemaLastEditDate == 1_607_017_294_831 && stamps.dataLastEditDate == 1_607_017_294_831)
    }

    @Test(
        "map and image services",
        arguments: [
            ("mapservers/single-fused-cache-tilesonly.json", true, false, 100_000, 24, "PNG8"),
            ("mapservers/doc-sample-tiled-4326.json", true, true, 100_000, 5, "JPEG"),
            ("mapservers/brazil-10.04-wkid29193-irregular-lods.json", true, false, nil, 11, "PNG32"),
            ("mapservers/china-wkid4610-jsonp-payload.json", true, false, nil, 12, "PNG"),
            ("mapservers/layer-with-tiles-11.1.json", false, false, nil, 14, "PNG"),
            ("mapservers/troy-mapserver.json", false, false, nil, 0, nil),
            ("mapservers/nsw-imagery-10.31-mixed-22-lods.json", true, false, nil, 22, "MIXED"),
            ("imageservers/tiled-10.91-mixed.json", true, false, nil, 20, "MIXED"),
            ("imageservers/sentinel2-landcover-11.0.json", false, false, nil, 0, nil),
        ] as [(String, Bool, Bool, Int?, Int, String?)])
    func tiledServices(_ file: String, _ cached: Bool, _ export: Bool, _ limit: Int?, _ levels: Int, _ format: String?) throws {
        let service = TiledServiceInfo(url: "https://h/MapServer", json: try Self.json(file))
        #expect(service.isCached == cached && service.exportTilesAllowed == export && service.maxExportTilesCount == limit)
        #expect(service.tilingScheme?.levels.count ?? 0 == levels && service.format == format)
    }

    @Test(
        "vector tile services",
        arguments: [
            ("doc-sample-10.4.json", true, 10_000, 20),
            ("koop-10.61.json", true, 10_000, 23),
            ("norway-geocache-wkid25833.json", true, 100_000, 21),
            ("usa-population-11.5.json", false, 100_000, 24),
            ("openfreemap-emulated-no-extension.json", false, nil, 15),
        ] as [(String, Bool, Int?, Int)])
    func vectorServices(_ file: String, _ export: Bool, _ limit: Int?, _ levels: Int) throws {
        let service = VectorTileServiceInfo(url: "https://h/s/VectorTileServer", json: try Self.json("vectortileservers/" + file))
        #expect(service.exportTilesAllowed == export && service.maxExportTilesCount == limit)
        #expect(service.tilingScheme?.levels.count == levels)
    }

    @Test("levels that are really there, limits in quotes, and where a service ends")
    func offers() throws {
        func offer(_ members: String) throws -> TileOffer {
            let lods = (0...4).map { #"{"level":\#($0),"resolution":\#(16 >> $0).0,"scale":\#(64_000 >> $0)}"# }
            let text =
                #"{"tileInfo":{"rows":256,"cols":256,"origin":{"x":0,"y":0},"spatialReference":{"wkid":3857},"#
                + #""lods":[\#(lods.joined(separator: ","))]},\#(members)}"#
            return TileOffer(url: "https://h/MapServer", json: try JSON.parse(text))
        }
        func levels(_ members: String) throws -> [Int]? { try offer(members).cachedScheme?.levels.map(\.level) }
        #expect(try levels(#""minScale":0.0,"maxScale":0"#) == [0, 1, 2, 3, 4])
        #expect(try levels(#""minLOD":1,"maxLOD":3"#) == [1, 2, 3])
        // Published with fewer digits than the levels have.
        #expect(try levels(#""minScale":31999.99,"maxScale":"8000.001""#) == [1, 2, 3])
        // A service that contradicts itself is believed in what it lists.
        #expect(try levels(#""minLOD":9,"maxLOD":12"#) == [0, 1, 2, 3, 4])
        let quoted = try offer(#""exportTilesAllowed":"true","maxExportTilesCount":"100000","currentVersion":"10.4""#)
        #expect(quoted.exportTilesAllowed && quoted.maxExportTilesCount == 100_000 && quoted.currentVersion == 10.4)
        // ArcGIS Online writes the member twice: the last one counts.
        #expect(try offer(#""exportTilesAllowed":true,"exportTilesAllowed":false"#).exportTilesAllowed == false)
        let box = #"{"xmin":0,"ymin":0,"xmax":1,"ymax":1}"#
        #expect(try offer(#""initialExtent":\#(box)"#).fullExtent == nil)
        #expect(try offer(#""extent":\#(box),"initialExtent":{}"#).fullExtent?.envelope.xmax == 1)
        #expect(try offer(#""fullExtent":{"xmin":"NaN","ymin":"NaN","xmax":"NaN","ymax":"NaN"}"#).fullExtent == nil)
        #expect(TileOffer(url: "https://h/MapServer", json: ["singleFusedMapCache": true]).cachedScheme == nil)
    }

    @Test("styles and their services")
    func styles() throws {
        let base = "https://h/a/rest/services/USA/VectorTileServer/resources/styles/root.json"
        let own = VectorStyle(url: base, document: try Self.json("styles/usa-service-root.json"))
        #expect(own.serviceURLs == ["https://h/a/rest/services/USA/VectorTileServer"])
        #expect(own.spriteURL == "https://h/a/rest/services/USA/VectorTileServer/resources/sprites/sprite")
        #expect(own.glyphsURL == "https://h/a/rest/services/USA/VectorTileServer/resources/fonts/{fontstack}/{range}.pbf")
        let item = VectorStyle(url: base, document: try Self.json("styles/usa-styled-item-root.json"))
        #expect(
            item.serviceURLs == [
                "https://vectortileservices3.arcgis.com/GVgbJbqm8hXASVYi/arcgis/rest/services/USA_States_Population_Vector_Tiles/VectorTileServer"
            ])
    }

    @Test("every recorded document decodes")
    func walk() throws {
        var count = 0
        for folder in [
            "featureservers", "layers", "mapservers", "imageservers", "vectortileservers", "items", "styles", "replicas",
        ] {
            for file in try Files.list(SharedFiles.path("recorded/" + folder)) where file.hasSuffix(".json") {
                Decoders.all(try Self.json("\(folder)/\(file)"))
                count += 1
            }
        }
        // 20 + 45 + 24 + 6 + 6 + 41 + 10 + 22 files that end in .json.
        #expect(count == 174)
    }

    @Test("items")
    func items() throws {
        let map = PortalItem(try Self.json("items/enterprise-web-map-2.json"))
        #expect(map.isWebMap && !map.isWebScene && map.extent?.envelope.xmin == -83.7037014008426)
        #expect(PortalItem(try Self.json("items/enterprise-web-scene-1.json")).isWebScene)
        let spaced = PortalItem(try Self.json("items/enterprise-feature-service-2.json"))
        #expect(
            spaced.url.flatMap(ServiceAddress.init)?.service
                == "https://services1.arcgis.com/giev3S8DZOXZarwS/arcgis/rest/services/Philadelphia%20Parking%20Tickets%20by%20Neighborhood/FeatureServer"
        )
        let portal = PortalSelf(try Self.json("items/collector-portals-self.json"))
        #expect(portal.username == "user17" && portal.exportHosts.isEmpty)
    }

    @Test("3,186 real layer URLs")
    func addresses() throws {
        let lines = String(decoding: try Files.read(SharedFiles.path("recorded/urls-openaddresses.txt")), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        let addresses = lines.compactMap { ServiceAddress(String($0)) }
        #expect(addresses.count == 3_186)
        #expect(addresses.count { $0.type == .map } == 1_785)
        #expect(addresses.count { $0.type == .feature } == 1_399)
        #expect(addresses.count { $0.type == nil } == 2)
        #expect(addresses.allSatisfy { $0.type == nil || $0.layer != nil })
        #expect(addresses.allSatisfy { !$0.service.hasSuffix("/") && !$0.service.contains("?") })
    }
}

/// All readers of one document; what they make does not matter, that they come back does.
enum Decoders {
    static func all(_ json: JSON) {
        let url = "https://h/s/FeatureServer"
        let service = FeatureServiceInfo(url: url, root: json)
        _ = (service.canSync, service.canCopyWithoutRegistering, service.layer(0), LayerInfo(json).isReplicable)
        _ = TiledServiceInfo(url: url, json: json).tilingScheme
        _ = VectorTileServiceInfo(url: url, json: json).tilingScheme
        _ = VectorStyle(url: url, document: json)
        _ = (PortalItem(json), PortalSelf(json).exportHosts.exportURL(for: url))
        _ = ServerJobStatus(url: url, answer: json)?.resultURL
        _ = ErrorEnvelope.error(in: json)
        _ = try? ReplicaAnswer(json, url: url)
    }
}

@Suite("Addresses")
struct AddressTests {
    @Test(
        "URLs as maps write them",
        arguments: [
            ("https://h.org/a/rest/services/W/FeatureServer/3", "https://h.org/a/rest/services/W/FeatureServer", 3),
            ("HTTPS://H.org:443/a/rest/services/W/FeatureServer/0/", "https://h.org/a/rest/services/W/FeatureServer", 0),
            (
                "//h.org/ArcGIS/rest/services/F/W/mapserver/7?f=json&token=x#y",
                "https://h.org/ArcGIS/rest/services/F/W/mapserver", 7
            ),
            ("http://h.org:6080/arcgis/rest/services/W/MapServer", "http://h.org:6080/arcgis/rest/services/W/MapServer", nil),
            (
                " http://services.arcgisonline.com/ArcGIS/rest/services/World_Imagery/MapServer ",
                "https://services.arcgisonline.com/ArcGIS/rest/services/World_Imagery/MapServer", nil
            ),
            (
                "https://h.org/a/rest/services/Field%20Ops/Survey view/FeatureServer/3",
                "https://h.org/a/rest/services/Field%20Ops/Survey%20view/FeatureServer", 3
            ),
            (
                "https://h.org/Geocortex/REST/sites/X/map/mapservices/1/layers/4",
                "https://h.org/Geocortex/REST/sites/X/map/mapservices/1/layers/4", nil
            ),
            ("https://h.org/a/rest/services/W/FeatureServer/layers", "https://h.org/a/rest/services/W/FeatureServer", nil),
            ("http://[fe80::1]:8080/rest/services/W/ImageServer", "http://[fe80::1]:8080/rest/services/W/ImageServer", nil),
        ] as [(String, String, Int?)])
    func parse(_ text: String, _ service: String, _ layer: Int?) {
        let address = ServiceAddress(text)
        #expect(address?.service == service && address?.layer == layer)
    }

    @Test(
        "a number that no layer can have is no missing number",
        arguments: [("-1", -1), ("99999999999999999999", Int.max), ("00", 0)])
    func oddNumbers(_ text: String, _ number: Int) {
        #expect(ServiceAddress("https://h.org/a/rest/services/W/FeatureServer/\(text)")?.layer == number)
    }

    @Test(
        "no addresses",
        arguments: [
            "", "layer.json", "{{x.url}}", "ftp://h/x", "https://", "https:///x", "http://h:99999/x", "file:///etc/passwd",
            "http://[::1/FeatureServer/0", "http://::1]/FeatureServer/0", "http://[]/FeatureServer/0",
        ])
    func refused(_ text: String) { #expect(ServiceAddress(text) == nil) }

    /// Who may see a token is decided by `Origin`, where it goes by libcurl: they must not differ.
    @Test(
        "the border of credentials is where libcurl goes",
        arguments: [
            "https://portal.example.org@evil.example/x", "https://evil.example#@portal.example.org/",
            "HTTPS://PORTAL.example.ORG/",
            "https://evil.example?@portal.example.org/", "https://evil.example/@portal.example.org",
            "https://u:p@h.example:8443/x",
            "https://portal.example.org:443/x", "http://portal.example.org:443/x", "https://h.example:/x",
            "https://evil.example/\u{301}@portal.example.org/", "https://evil.example?\u{301}.arcgis.com/",
            "https://evil.example#\u{301}@portal.example.org/", "https://evil.example:443/\u{20DD}.arcgis.com/x",
            "https://[::1]:8443/x", "https://h.example", "https://h.example?x=//other.example/", "http://h.example:80",
        ])
    func origins(_ text: String) throws {
        let origin = try #require(Origin(url: text))
        guard let address = WebAddress(text) else { return }
        #expect(address.origin == "\(origin.scheme)://\(origin.host):\(origin.port)")
    }

    @Test(
        "what libcurl reads otherwise has no origin at all, or another than the portal's",
        arguments: [
            "https://evil.example\\@portal.example.org/", "https://portal.example.org%2eevil.example/",
            "https:/portal.example.org/",
            "https:\\\\portal.example.org/", "https://portal.example.org%00.evil.example/",
            "https://portal.example.org\t.evil.example/", "https://evil.example@x@portal.example.org/",
            "https://evil.example\\\u{301}@portal.example.org/", "https://evil.example:\u{301}@portal.example.org/",
        ])
    func oddOrigins(_ text: String) {
        let portal = Origin(scheme: "https", host: "portal.example.org", port: 443)
        #expect(
            Origin(url: text) != portal || WebAddress(text) == nil || WebAddress(text)?.origin == "https://portal.example.org:443"
        )
    }

    /// A mark that combines with the slash hides it from who reads by characters.
    @Test(
        "no stranger passes for a host of ArcGIS Online",
        arguments: ["/\u{301}", "?\u{301}", "#\u{301}", "/\u{FE0F}", "/\u{200D}", "\\", "%2F", ";"])
    func strangers(_ mark: String) {
        let portal = PortalAddress("https://www.arcgis.com")
        let url = "https://evil.example\(mark).arcgis.com/a/arcgis/rest/services/W/FeatureServer/0"
        #expect(TokenScope.of(url, portal: portal) != .portal)
        for text in [ServiceAddress(url)?.service, URLText.resolve(url, against: "https://h/")].compactMap(\.self) {
            #expect(TokenScope.of(text, portal: portal) != .portal && WebAddress(text)?.host == "evil.example")
        }
    }

    @Test("a URL that is put together again leads where it led")
    func rebuilt() {
        let words = [
            "https:", "http:", "//", "/", "\\", "@", ":", "?", "#", "\u{301}", "\u{20DD}", "\u{200D}", "portal.example.org",
            "evil.example", ".arcgis.com",
            "%2f", "%2e", "%40", "[::1]", "443", "8443", " ", "\t", "\r\n", ";", "K", "ß", "a", "..", "&",
        ]
        var random = SplitMix(seed: 48)
        var (count, tried) = (0, 0)
        while tried < 20_000 {
            tried += 1
            let text = "https://" + (0...random.next(upTo: 7)).map { _ in words[random.next(upTo: words.count)] }.joined()
            guard let parts = URLParts(text) else { continue }
            count += 1
            let origin = "\(parts.origin.scheme)://\(parts.origin.host):\(parts.origin.port)"
            // As it stands, if libcurl takes it, and without white space at its ends and what stands behind the `#`.
            #expect((WebAddress(text)?.origin ?? origin) == origin, "\(text.debugDescription)")
            for place in [parts.text, parts.withoutQuery] {
                #expect(WebAddress(place)?.origin == origin, "\(text.debugDescription)")
            }
        }
        #expect(count > 1000)
    }

    @Test("server roots")
    func roots() {
        #expect(ServiceAddress.serverRoot(of: "https://h/server/rest/services/A/MapServer") == "https://h/server")
        #expect(ServiceAddress.serverRoot(of: "https://h/a/b/REST/directories/arcgisoutput/x") == "https://h/a/b")
        #expect(ServiceAddress.serverRoot(of: "https://h/portal/sharing/rest/content") == nil)
        #expect(ServiceAddress.serverRoot(of: "https://h/files/x") == nil)
    }

    @Test("portals under their spellings")
    func portals() {
        #expect(PortalAddress("gis.example.org/portal/sharing/rest/").root == "https://gis.example.org/portal")
        #expect(PortalAddress("https://h/portal/home/index.html").root == "https://h/portal")
        #expect(PortalAddress("https://H/Portal").isSame(as: PortalAddress("http://h/portal/")))
        #expect(!PortalAddress("https://h/portal").isSame(as: PortalAddress("https://h/other")))
        #expect(PortalAddress("https://www.arcgis.com").isSame(as: PortalAddress("http://org.maps.arcgis.com")))
        #expect(!PortalAddress("https://www.arcgis.com").isSame(as: PortalAddress("https://qaext.arcgis.com")))
    }
}
