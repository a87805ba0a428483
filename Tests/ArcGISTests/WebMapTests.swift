import Basics
import TestSupport
import Testing

@testable import ArcGIS

@Suite("Web maps")
struct WebMapTests {
    /// Layers in the base map, in the operational layers and among the tables, counted by a Python script that knows only
    /// `layerType == "GroupLayer"`.
    static let recorded: [(file: String, base: Int, operational: Int, tables: Int)] = [
        ("boilerplate-demo-map-item-and-data.json", 1, 1, 0),
        ("borisbikes-item-data.json", 1, 3, 0),
        ("cips-dashboard-intranet-mixed.json", 1, 20, 0),
        ("cips-modeler.json", 1, 10, 0),
        ("collector-homesites-with-tables.json", 1, 3, 4),
        ("collector-three-feature-layers.json", 1, 3, 0),
        ("inei-localised-item-type-intranet.json", 2, 1, 0),
        ("lithuania-wkid2600-39-tiled-layers.json", 3, 40, 0),
        ("print-export-webmap-large.json", 0, 20, 0),
        ("print-export-webmap-small.json", 0, 2, 0),
        ("rest-js-v2.8.json", 1, 1, 0),
        ("solutions-v-none-layers-by-itemid.json", 2, 4, 0),
        ("solutions-v2.15-12-layers-5-tables.json", 1, 12, 5),
        ("solutions-v2.15-one-layer.json", 1, 1, 0),
        ("storymap-basic-v2.28-newviewer.json", 3, 3, 0),
        ("storymap-basic-vectortile-operational.json", 2, 2, 0),
        ("storymap-journal-default.json", 1, 0, 0),
        ("storymap-swipe-v1.9-minimal.json", 1, 1, 0),
        ("storymap-swipe-v1.9-no-operational.json", 1, 0, 0),
        ("storymap-swipe-v2.12-wkid102100-only.json", 3, 5, 0),
        ("storymap-swipe-v2.23.json", 3, 2, 0),
        ("storymap-tour-v1.9-no-layertypes.json", 1, 1, 0),
        ("storymap-tour-v2.11-featurecollections.json", 2, 3, 0),
        ("storymap-tour-v2.9-two-basemaps.json", 2, 1, 0),
        ("troy-v2.34-timezone-vectortile-basemap.json", 2, 1, 0),
        ("v1.1-private-ip-no-ids.json", 2, 1, 0),
        ("v1.1-silverlight.json", 2, 1, 0),
        ("v1.6-featurecollection-from-python.json", 1, 1, 0),
        ("v1.6-single-layer-mapserver-1.json", 2, 1, 0),
        ("v1.6-two-basemaps-utf8-bom.json", 2, 1, 0),
        ("v2.0-csv-layers.json", 1, 2, 0),
        ("wayback-group-layer-fragment.json", 0, 2, 0),
        ("wsdot-dynamic-services-and-table.json", 1, 15, 1),
        ("wsdot-witpa-map-services.json", 1, 7, 0),
    ]

    static func map(_ file: String) throws -> WebMap {
        try WebMap(bytes: Files.read(SharedFiles.path("recorded/webmaps/" + file)))
    }

    @Test("no recorded map loses a layer", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func counts() throws {
        for expected in Self.recorded {
            let map = try Self.map(expected.file)
            let counts = [WebMapLayer.Section.basemap, .operational, .table].map { section in
                map.layers.count { $0.section == section }
            }
            #expect(counts == [expected.base, expected.operational, expected.tables], "\(expected.file)")
            #expect(Set(map.layers.map(\.id)).count == map.layers.count, "ids are unique in \(expected.file)")
            for layer in map.layers {
                #expect(map.document.value(at: layer.path) == layer.raw, "\(expected.file) \(layer.id)")
                #expect(!layer.title.isEmpty && !layer.id.isEmpty)
            }
        }
        let files = Set(try Files.list(SharedFiles.path("recorded/webmaps")))
        #expect(files == Set(Self.recorded.map(\.file)).union(["webscene-unsupported-layers.json"]))
    }

    @Test("kinds of layers without a layerType", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func inferredKinds() throws {
        let print = try Self.map("print-export-webmap-large.json")
        #expect(print.layers[0].kind == .mapService && print.layers[0].title == "World_Topo_Map")
        #expect(print.layers[1].kind == .featureCollection)
        #expect(print.layers[2].kind == .feature && print.layers[2].layerID == 1)
        #expect(print.warnings.contains(.printDocument))
        let old = try Self.map("v1.6-single-layer-mapserver-1.json")
        #expect(old.layers.map(\.kind) == [.tiledMap, .tiledMap, .feature])
        #expect(
            old.layers[2].serviceURL == "https://sampleserver6.arcgisonline.com/arcgis/rest/services/WorldTimeZones/MapServer")
        #expect(old.warnings == [.version("1.6")])
        let csv = try Self.map("v2.0-csv-layers.json")
        #expect(csv.layers.dropFirst().map(\.kind) == [.online("CSV"), .online("CSV")])
        let bare = try Self.map("v1.1-private-ip-no-ids.json")
        #expect(bare.layers.map(\.id) == ["basemap-0", "basemap-1", "CaneBaseMap"])
        #expect(bare.layers[0].title == "World Imagery")
        let byItem = try Self.map("solutions-v-none-layers-by-itemid.json")
        #expect(byItem.layers.map(\.kind) == [.tiledMap, .vectorTile, .feature, .feature, .undetermined, .feature])
        let table = try #require(try Self.map("wsdot-dynamic-services-and-table.json").layers.last)
        #expect(table.isTable && table.kind == .feature && table.address?.type == .map && table.layerID == 1)
        let template = try Self.map("solutions-v2.15-one-layer.json")
        #expect(template.layers[1].url == "{{4efe5f693de34620934787ead6693f19.layer2.url}}" && template.layers[1].address == nil)
    }

    @Test("wrappers and titles", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func wrappers() throws {
        #expect(try Self.map("cips-modeler.json").title == "CIPS_Modeler_Prod")
        #expect(try Self.map("borisbikes-item-data.json").title == nil)
        let group = try Self.map("wayback-group-layer-fragment.json")
        #expect(group.layers.map(\.groupTitles) == [["Group Layer"], ["Group Layer"]])
        #expect(group.layers[0].definitionExpression == "PubState <> 'Cancelled'")
    }

    @Test("a web scene is refused, but can be listed", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func scene() throws {
        let bytes = try Files.read(SharedFiles.path("recorded/webmaps/webscene-unsupported-layers.json"))
        #expect(throws: WebMapError.webScene) { try WebMap(bytes: bytes) }
        let scene = try WebMap(bytes: bytes, acceptingScenes: true)
        #expect(scene.isWebScene && scene.layers.count == 3)
    }

    @Test("files that are no maps")
    func refused() {
        func error(_ text: String) -> WebMapError? {
            do throws(WebMapError) {
                _ = try WebMap(bytes: Array(text.utf8))
                return nil
            } catch { return error }
        }
        #expect(error(#"{"id":"abc","owner":"me","type":"Web Map","title":"T"}"#) == .item(id: "abc", type: "Web Map"))
        #expect(error(#"{"layers":[],"currentVersion":11}"#) == .notAWebMap(members: ["layers", "currentVersion"]))
        #expect(error("[1,2]") == .notAWebMap(members: []))
        guard case .notJSON? = error("version: 1") else {
            Issue.record("YAML passed as JSON")
            return
        }
        #expect(error("cb({\"operationalLayers\":[]});") == nil)
        #expect(error(#"{"item":{"type":"Web Scene"},"itemData":{"operationalLayers":[]}}"#) == .webScene)
    }

    @Test("damaged maps keep their layers")
    func damaged() throws {
        let map = try WebMap(
            document: JSON.parse(
                """
                {"operationalLayers":[null,7,{},{"id":"a","title":""},{"id":"a"},{"id":12,"url":"//h.org/s/rest/services/W/MapServer/"},
                  {"layerType":"GroupLayer","id":"g","layers":[{"layerType":"GroupLayer","title":"Inner","layers":[{"id":"a-2"},{}]},"x"]},
                  {"layerType":"GroupLayer","id":"e","layers":[]}],
                 "baseMap":{"baseMapLayers":"none"},"tables":{"id":1},"version":2}
                """))
        #expect(map.layers.map(\.id) == ["operational-2", "a", "a-3", "12", "a-2", "operational-6-0-1", "e"])
        #expect(map.layers[3].serviceURL == "https://h.org/s/rest/services/W/MapServer")
        #expect(map.layers[4].groupTitles == ["g", "Inner"])
        #expect(
            map.warnings == [
                .notALayer(section: "operational", index: 0), .notALayer(section: "operational", index: 1), .duplicateID("a"),
                .notALayer(section: "operational", index: 1),
            ])
    }

    @Test("members are written back where the layer stands")
    func setting() throws {
        let map = try WebMap(
            document: JSON.parse(
                #"{"operationalLayers":[{"layerType":"GroupLayer","id":"g","layers":[{"id":"x","url":"u","title":"T"},{"id":"y"}]}]}"#
            ))
        let changed = map.setting(["path": "a.geodatabase", "url": nil], atLayer: "x")
        #expect(
            changed.serialized()
                == #"{"operationalLayers":[{"layerType":"GroupLayer","id":"g","layers":[{"id":"x","title":"T","path":"a.geodatabase"},{"id":"y"}]}]}"#
        )
        #expect(map.setting(["path": "p"], atLayer: "z") == map.document)
        #expect(map.removing(layers: ["x", "y"]).serialized() == #"{"operationalLayers":[]}"#)
        #expect(map.removing(layers: ["y"]).serialized().contains(#""layers":[{"id":"x""#))
    }
}
