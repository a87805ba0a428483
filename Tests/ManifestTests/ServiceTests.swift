import Manifest
import Testing

/// `services:` of a manifest: what is made of it, and what is said about mistakes.
@Suite struct ServiceTests {
    private static let water = "https://h/rest/services/Water/FeatureServer"

    private func decoded(_ services: String, webMap: String = "") -> ManifestResult {
        decode(
            """
            version: 1
            name: n
            \(webMap)areas: [{ id: a, envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 } }]
            services:
            \(services)
            """)
    }

    @Test func everyKeyArrives() throws {
        let result = decoded(
            """
              - url: \(Self.water)
                title: Network
                buffer: 1 km
                syncModel: geodatabase
                outSpatialReference: 25832
                attachments: false
                layers:
                  - { id: 0, title: Hydrants, where: FLOW >= 500, useGeometry: false }
                  - { id: 5, queryOption: none, includeRelated: true }
              - { itemId: ACC027394BC84C2FB04D1ED317AAC674, vectorTiles: style }
              - { url: "https://h/Base/VectorTileServer", maxLevel: 14, vectorTiles: tiles }
              - { url: "https://h/Photos/ImageServer", levelIDs: 3-5, compressionQuality: 60 }
            """)
        #expect(result.allText == "")
        let manifest = try #require(result.manifest)
        #expect(manifest.webMap == nil)
        #expect(manifest.webMapOrigin == "/m/x.yaml:5:3")
        let services = manifest.services
        #expect(
            services.map(\.source) == [
                .url(Self.water), .item("acc027394bc84c2fb04d1ed317aac674"), .url("https://h/Base/VectorTileServer"),
                .url("https://h/Photos/ImageServer"),
            ])
        #expect(services.map(\.title) == ["Network", nil, nil, nil])
        #expect(
            services[0].settings
                == LayerOverride(
                    match: .init(), buffer: 1000, attachments: false, syncModel: .geodatabase, outSpatialReference: 25832,
                    origin: "/m/x.yaml:5:5"))
        #expect(
            services[0].layers == [
                ServiceEntry.Layer(
                    id: 0, title: "Hydrants",
                    settings: LayerOverride(
                        match: .init(), whereClause: "FLOW >= 500", useGeometry: false, origin: "/m/x.yaml:12:9")),
                ServiceEntry.Layer(
                    id: 5,
                    settings: LayerOverride(
                        match: .init(), queryOption: LayerOverride.QueryOption.none, includeRelated: true,
                        origin: "/m/x.yaml:13:9")),
            ])
        #expect(services[1].settings.vectorTiles == .style)
        #expect(services[2].settings.maxLevel == 14 && services[2].settings.vectorTiles == .tiles)
        #expect(services[3].settings.levelIDs == [3, 4, 5] && services[3].settings.compressionQuality == 60)
    }

    @Test func besideAWebMap() throws {
        let result = decoded("  - url: \(Self.water)", webMap: "webMap: acc027394bc84c2fb04d1ed317aac674\n")
        let manifest = try #require(result.manifest)
        #expect(manifest.webMap == .item("acc027394bc84c2fb04d1ed317aac674") && manifest.services.count == 1)
        #expect(manifest.webMapOrigin == "/m/x.yaml:3:9")
    }

    @Test func neitherWebMapNorServices() {
        let result = decode("version: 1\nname: n\nareas: [{ id: a, envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 } }]\n")
        #expect(result.summary == ["1:1 `webMap` is missing"])
        #expect(result.diagnostics[0].hint == "it may be left out only where `services` is given")
    }

    @Test(arguments: [
        // entry, what is said, the hint
        (
            "url: https://h/Base/VectorTileServer, where: A = 1", "5:49 `where` is not for a VectorTileServer",
            "it is for a FeatureServer"
        ),
        (
            "url: https://h/Base/MapServer, maxLevel: 3", "5:42 `maxLevel` is not for a MapServer", "it is for a VectorTileServer"
        ),
        (
            "url: https://h/W/FeatureServer/1, levelIDs: 3", "5:45 `levelIDs` is not for a FeatureServer",
            "it is for a MapServer or ImageServer or VectorTileServer"
        ),
        (
            "url: https://h/W/FeatureServer/1, layers: [{ id: 1 }]", "5:45 `layers` cannot stand beside the address of one layer",
            "end the address with /FeatureServer, or leave `layers` out"
        ),
        (
            "url: https://h/W/MapServer/1",
            "5:16 `url` must be the address of a FeatureServer, MapServer, ImageServer or VectorTileServer",
            "only feature services have single layers: leave out the number"
        ),
        (
            "url: \"https://h/W/FeatureServer?f=json\"",
            "5:16 `url` must be the address of a FeatureServer, MapServer, ImageServer or VectorTileServer",
            "leave out user names, tokens and everything after `?`; signing in is `portal: auth`"
        ),
        (
            "url: https://h/W/FeatureServer, layers: [{ id: 1 }, { id: 1 }]", "5:69 layer 1 is named twice",
            "the first one is in line 5: join the two"
        ),
        ("title: T", "5:9 one of `url`, `itemId` is missing", nil),
        (
            "url: https://h/W/FeatureServer, vectorTile: tiles", "5:43 unknown key `vectorTile`", "did you mean `vectorTiles`?"
        ),
    ])
    func mistakes(_ entry: String, _ message: String, _ hint: String?) {
        let result = decoded("      - { \(entry) }")
        #expect(result.manifest == nil)
        #expect(result.summary == [message])
        #expect(result.diagnostics.first?.hint == hint)
    }

    @Test(arguments: [
        (
            "url: https://h/W/FeatureServer, layers: [{ id: 1 }, { id: 2, exclude: true }]",
            "5:72 `exclude` has no effect: only the other layers of the list are taken"
        ),
        (
            "itemId: acc027394bc84c2fb04d1ed317aac674, vectorTiles: style, maxLevel: 3",
            "5:73 `maxLevel` has no effect: `vectorTiles: style` takes no tiles"
        ),
        ("url: https://h/W/FeatureServer, exclude: true, buffer: 5", "5:58 `buffer` has no effect: the layer is excluded"),
    ])
    func keysWithoutEffect(_ entry: String, _ message: String) {
        let result = decoded("      - { \(entry) }")
        #expect(result.manifest != nil)
        #expect(result.summary == [message])
    }
}
