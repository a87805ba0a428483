import Basics
import Testing

@testable import ArcGIS

/// Shapes of maps that other programs than Esri's write; small ones of our own making.
@Suite("Maps of other makers")
struct ForeignMapTests {
    private static func map(_ text: String) throws -> WebMap { try WebMap(document: JSON.parse(text)) }

    @Test("a print document with a list of base maps loses none of their layers")
    func listedBaseMaps() throws {
        let map = try Self.map(
            """
            {"operationalLayers":[{"url":"https://h/a/rest/services/Parcels/MapServer"}],"exportOptions":{"dpi":90},
             "baseMap":[{"title":"Town","baseMapLayers":[{"id":"a","url":"https://h/a/rest/services/Base/MapServer"}]},
                        {"baseMapLayers":[{"id":"b","url":"https://h/a/rest/services/Names/MapServer"}]},null]}
            """)
        #expect(map.layers.map(\.id) == ["a", "b", "operational-0"])
        #expect(map.layers.map(\.section) == [.basemap, .basemap, .operational])
        #expect(map.document["baseMap"]?["title"] == "Town" && map.warnings == [.printDocument])
        let changed = map.setting(["path": "file:./b.tpkx"], atLayer: "b")
        #expect(changed["baseMap"]?["baseMapLayers"]?[1]?["path"] == "file:./b.tpkx")
    }

    @Test("a map as JavaScript applications save it: itemInfo around item and data")
    func itemInformation() throws {
        let map = try Self.map(
            """
            {"itemInfo":{"item":{"title":"Aerial"},"itemData":{"baseMap":{"baseMapLayers":[{"id":"a"}]}}},"theme":"flat"}
            """)
        #expect(map.title == "Aerial" && map.layers.map(\.id) == ["a"] && map.document["theme"] == nil)
    }

    @Test("names where the map gives none: of the style's service, of the service behind its WMS")
    func names() throws {
        let map = try Self.map(
            """
            {"operationalLayers":[
              {"id":"1","layerType":"VectorTileLayer","styleUrl":"https://h/a/rest/services/Night/VectorTileServer/resources/styles/root.json"},
              {"id":"2","layerType":"WMS","url":"https://h/a/services/Zoning_Plan/MapServer/WMSServer"},
              {"id":"3","title":"   ","url":"https://h/a/rest/services/webgis/cx/MapServer"}]}
            """)
        #expect(map.layers.map(\.title) == ["Night", "Zoning Plan", "cx"])
    }

    @Test("tokens that somebody left in a map are in nothing that is made of it; all else is as it was")
    func tokens() throws {
        let map = try Self.map(
            """
            {"operationalLayers":[
              {"id":"g","layerType":"GroupLayer","layers":[
                {"id":"h","token":"SECRET","url":"https://h/a/rest/services/W/FeatureServer/3?token=SECRET&x=%201#top"}]},
              {"id":"w","layerType":"WMS","url":"http://h/wms?map=m&TOKEN=SECRET","customParameters":{"access_token":"SECRET","k":"v"},
               "popupInfo":{"description":"A <b>token=</b> is needed? Yes","mediaInfos":[{"value":{"sourceURL":"https://h/p.png?token=SECRET"}}]}},
              {"id":"v","layerType":"VectorTileLayer","styleUrl":"https://h/s/root.json?f=json&token=SECRET"},
              {"id":"c","featureCollection":{"layers":[{"featureSet":{"features":[{"attributes":{"token":"T-1"}}]}}]}}],
             "token":7,"baseMap":{"baseMapLayers":[]}}
            """)
        #expect(!"\(map)".contains("SECRET"))
        #expect(
            map.document.serialized()
                == #"{"operationalLayers":[{"id":"g","layerType":"GroupLayer","layers":[{"id":"h","#
                + #""url":"https://h/a/rest/services/W/FeatureServer/3?x=%201#top"}]},"#
                + #"{"id":"w","layerType":"WMS","url":"http://h/wms?map=m","customParameters":{"k":"v"},"#
                + #""popupInfo":{"description":"A <b>token=</b> is needed? Yes","mediaInfos":[{"value":{"sourceURL":"https://h/p.png"}}]}},"#
                + #"{"id":"v","layerType":"VectorTileLayer","styleUrl":"https://h/s/root.json?f=json"},"#
                + #"{"id":"c","featureCollection":{"layers":[{"featureSet":{"features":[{"attributes":{"token":"T-1"}}]}}]}}],"#
                + #""token":7,"baseMap":{"baseMapLayers":[]}}"#)
        #expect(map.layers[0].address?.layerURL == "https://h/a/rest/services/W/FeatureServer/3")
    }

    @Test("groups within groups, as deep as JSON goes, are walked, written and cut like any other")
    func deepGroups() throws {
        let depth = 500
        let group = #"{"id":"g","title":"g","layerType":"GroupLayer","layers":["#
        let text = [
            #"{"operationalLayers":["#, String(repeating: group, count: depth),
            #"{"id":"w","url":"https://h/a/rest/services/W/FeatureServer/0"}"#, String(repeating: "]}", count: depth), "]}",
        ].joined()
        let map = try Self.map(text)
        let layer = try #require(map.layers.last)
        #expect(layer.id == "w" && layer.groups.count == depth)
        #expect(map.document.serialized() == text)
        #expect(map.removing(layers: ["w"]).serialized() == #"{"operationalLayers":[]}"#)
        #expect(throws: JSONSyntaxError.self) { try Self.map(String(repeating: #"{"layers":["#, count: 600)) }
    }
}
