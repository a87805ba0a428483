import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// The checks of REST reference 10.7 that change no verdict, each on a document of its own.
@Suite("Warnings of lint")
struct LintTests {
    private func layer(_ members: String) throws -> [LayerWarning] {
        let json = try JSON.parse(#"{"id":0,"name":"Pipes","type":"Feature Layer",\#(members)}"#)
        return LayerWarnings.of(LayerInfo(json))
    }

    private func field(_ name: String, _ type: String = "String") -> String {
        #"{"name":"\#(name)","type":"esriFieldType\#(type)"}"#
    }

    @Test("a sound layer has none")
    func sound() throws {
        let exactly31 = String(repeating: "a", count: 31)
        let warnings = try layer(
            #""fields":[\#(field("OBJECTID", "OID")),\#(field(exactly31)),\#(field("ordering", "Date"))],"#
                + #""indexes":[{"name":"PK_1","fields":"OBJECTID"}],"subtypeField":"","#
                + #""relationships":[{"id":0,"relatedTableId":1,"keyField":"objectid"}]"#)
        #expect(warnings.isEmpty)
    }

    @Test("field types of newer servers", arguments: ["BigInteger", "DateOnly", "TimeOnly", "TimestampOffset"])
    func types(_ type: String) throws {
        let warnings = try layer(#""fields":[\#(field("WHEN_MADE", type)),\#(field("N", "Integer"))]"#)
        #expect(warnings.map(\.rule) == [.fieldType])
        #expect(warnings.first?.reason.contains("WHEN_MADE (\(type))") == true)
    }

    @Test("object ids of 64 bits, and services that are new enough for all of them")
    func newerServices() throws {
        let json = try JSON.parse(
            #"{"id":0,"fields":[{"name":"OBJECTID","type":"esriFieldTypeOID","length":8},\#(field("DAY", "DateOnly"))]}"#)
        let info = LayerInfo(json)
        for version in [nil, 10.91, 11.4] {
            let reason = LayerWarnings.of(info, version: version).first?.reason
            #expect(reason?.contains("OBJECTID (OID of 64 bits), DAY (DateOnly)") == true, "\(version ?? 0)")
        }
        for version in [11.5, 12.0] { #expect(LayerWarnings.of(info, version: version).isEmpty) }
        #expect(try layer(#""fields":[{"name":"OBJECTID","type":"esriFieldTypeOID","length":4}]"#).isEmpty)
    }

    @Test("flags of true curves that say the same")
    func trueCurves() throws {
        func flags(_ all: Bool, _ some: Bool) throws -> [WarningRule] {
            try layer(#""allowTrueCurvesUpdates":\#(all),"onlyAllowTrueCurveUpdatesByTrueCurveClients":\#(some)"#).map(\.rule)
        }
        #expect(try flags(true, true) == [.trueCurves] && flags(false, false) == [.trueCurves])
        #expect(try flags(true, false).isEmpty && flags(false, true).isEmpty)
        #expect(try layer(#""allowTrueCurvesUpdates":true"#).isEmpty)
    }

    @Test("names of 32 characters, words of SQL in any case, indexes with + or -")
    func names() throws {
        #expect(try layer(#""fields":[\#(field(String(repeating: "b", count: 32)))]"#).map(\.rule) == [.longFieldName])
        #expect(try layer(#""fields":[\#(field("Order"))]"#).map(\.rule) == [.fieldKeyword])
        #expect(try layer(#""indexes":[{"name":"I+1"}]"#).map(\.rule) == [.indexName])
        #expect(try layer(#""indexes":[{"name":"user_1-2"}]"#).first?.reason.contains("user_1-2") == true)
    }

    @Test("every word of the list but two is one that SQLite refuses as a name")
    func keywords() throws {
        let database = try SQLiteConnection(path: ":memory:")
        #expect(LayerWarnings.keywords.count > 50)
        for word in LayerWarnings.keywords.subtracting(["column", "if"]) {
            #expect(throws: SQLiteError.self, "\(word)") { try database.execute("CREATE TABLE t_\(word) (\(word) TEXT)") }
        }
    }

    @Test("key and subtype fields that the layer does not have; nothing is said of a layer whose fields are not known")
    func keys() throws {
        let relationship = #""relationships":[{"id":0,"relatedTableId":1,"keyField":"PIPEID"}]"#
        #expect(try layer(#""fields":[\#(field("N"))],\#(relationship)"#).map(\.rule) == [.missingKeyField])
        #expect(try layer(#""fields":[\#(field("pipeid"))],\#(relationship)"#).isEmpty)
        #expect(try layer(#""fields":[\#(field("N"))],"subtypeField":"KIND""#).map(\.rule) == [.missingKeyField])
        #expect(try layer(relationship).isEmpty)
    }

    @Test("base maps of Esri's deprecated list, at its hosts only")
    func basemaps() {
        let deprecated = "https://tiledbasemaps.arcgis.com/arcgis/rest/services/World_Topo_Map/MapServer"
        #expect(LayerWarnings.ofBasemap(deprecated)?.rule == .deprecatedBasemap)
        let asInMaps = "http://services.arcgisonline.com/ArcGIS/rest/services/Canvas/World_Light_Gray_Base/MapServer"
        #expect(LayerWarnings.ofBasemap(asInMaps)?.rule == .deprecatedBasemap)
        for url in [
            "https://tiledbasemaps.arcgis.com/arcgis/rest/services/World_Imagery/MapServer",
            "https://maps.example.com/arcgis/rest/services/World_Topo_Map/MapServer",
            "https://tiledbasemaps.arcgis.com/arcgis/rest/services/My_World_Topo_Map/MapServer",
        ] {
            #expect(LayerWarnings.ofBasemap(url) == nil, "\(url)")
        }
    }

    @Test("a style with two sources")
    func styles() throws {
        func style(_ sources: String) throws -> LayerWarning? {
            LayerWarnings.of(
                VectorStyle(url: "https://h/root.json", document: try JSON.parse(#"{"layers":[],"sources":{\#(sources)}}"#)))
        }
        let one = #""esri":{"type":"vector","url":"../../"}"#
        #expect(try style(one) == nil)
        #expect(try style(one + #","contours":{"type":"vector","url":"https://h/c"}"#)?.rule == .severalSources)
    }

    @Test("two layers with one address: the later one, whatever its scheme and query")
    func addresses() throws {
        let base = "//h/a/rest/services/W/FeatureServer"
        let map = try WebMap(
            document: JSON.parse(
                """
                {"operationalLayers":[
                  {"id":"a","title":"A","layerType":"ArcGISFeatureLayer","url":"https:\(base)/0"},
                  {"id":"b","title":"B","layerType":"ArcGISFeatureLayer","url":"https:\(base)/1"},
                  {"id":"c","title":"C","layerType":"ArcGISFeatureLayer","url":"http:\(base)/0/?f=json"}]}
                """))
        let warnings = LayerWarnings.ofAddresses(map.layers)
        #expect(warnings.keys.sorted() == ["c"])
        #expect(warnings["c"]?.reason == "It has the same URL as the layer A (a).")
    }

    @Test("the item's keywords for offline use")
    func item() {
        func rule(_ keywords: String...) -> WarningRule? {
            LayerWarnings.of(PortalItem(["id": "m", "type": "Web Map", "typeKeywords": .array(keywords.map(JSON.string))]))?.rule
        }
        #expect(rule("Web Map", "Offline") == nil)
        #expect(rule("Web Map") == .offlineUnchecked)
        #expect(rule("Offline", "OfflineDisabled") == .offlineDisabled)
    }

    @Test("tiles that only accounts of ArcGIS Online get, in a map of another portal")
    func credentials() {
        func rule(_ service: String?, isEnterprise: Bool = true, servers: [String] = []) -> WarningRule? {
            LayerWarnings.ofCredentials(
                service, exportHosts: ExportHost.published, isEnterprise: isEnterprise, servers: servers)?.rule
        }
        let tiles = "https://tiledbasemaps.arcgis.com/arcgis/rest/services/World_Imagery/MapServer"
        #expect(rule(tiles) == .storedCredentials)
        #expect(rule("https://basemaps.arcgis.com/arcgis/rest/services/World_Basemap_v2/VectorTileServer") == .storedCredentials)
        #expect(rule(tiles, isEnterprise: false) == nil && rule(nil) == nil)
        // The portal signs for items with stored credentials, and the manifest may have an account of its own.
        #expect(rule("https://maps.example.com/portal/sharing/servers/1/rest/services/World_Imagery/MapServer") == nil)
        #expect(rule(tiles, servers: ["https://tiledbasemaps.arcgis.com/arcgis"]) == nil)
    }

    @Test("map notes and routes; other collections are not spoken of")
    func collections() throws {
        func rule(_ type: String) throws -> WarningRule? {
            let map = try WebMap(
                document: JSON.parse(
                    #"{"operationalLayers":[{"id":"n","featureCollectionType":"\#(type)","featureCollection":{"layers":[]}}]}"#))
            return map.layers.first.flatMap(LayerWarnings.ofCollection)?.rule
        }
        #expect(try rule("notes") == .notesAndRoutes && rule("route") == .notesAndRoutes)
        #expect(try rule("csv") == nil)
    }

    @Test("what is known of the item, the map and the services comes together, with its place in the manifest")
    func whole() async throws {
        var stage = try PlanStage()
        stage.change(PlanStage.portal + "/sharing/rest/content/items/map1", ["typeKeywords": ["Web Map", "OfflineDisabled"]])
        stage.change(PlanStage.water, ["currentVersion": 11.2])
        stage.changeLayer(3, ["fields": [["name": "WHEN", "type": "esriFieldTypeDateOnly"]]])
        let found = try await stage.lint()
        #expect(found.map(\.rule) == ["OB063 offline-disabled", "OB050 field-type", "OB052 field-keyword"])
        #expect(found.map(\.level) == [.error, .warning, .warning])
        #expect(found.map(\.layer?.title) == [nil, "Main", "Main"])
        let accepted = try await stage.lint { $0.options.ignoreOfflineDisabled = true }
        #expect(accepted.map(\.level) == [.warning, .warning, .warning])
    }

    @Test("a kind of layer that cannot go offline is a warning, and no reason against a plan")
    func otherKinds() async throws {
        var stage = try PlanStage()
        try stage.changeMapLayer("mains", ["layerType": "SomethingNew2031", "url": "https://h.example.org/x"])
        let found = try await stage.lint().filter { $0.layer?.title == "Main" }
        #expect(found.map(\.rule) == ["OB031 unknown-kind"] && found.map(\.level) == [.warning])
        let plan = try await stage.plan()
        #expect(plan.layer("mains")?.verdict == .unsupported && plan.exports.count == 3)
    }

    @Test("accepted findings keep their reason; an entry that fits nothing is a finding")
    func suppression() {
        let layer = LayerLabel(id: "h", title: "Hydrant")
        let findings = [
            LintFinding(rule: "OB012 no-global-id", layer: layer, reason: "r", origin: "m:1:1"),
            LintFinding(rule: "OB062 shared-url", layer: layer, reason: "r", origin: "m:1:1"),
        ]
        let result = findings.suppressing([
            LintIgnore(rule: "OB012", layer: "Hydrant", reason: "read only", origin: "m:8:5"),
            LintIgnore(rule: "OB062", layer: "Valve", reason: "x", origin: "m:9:5"),
        ])
        #expect(result.map(\.suppressed) == ["read only", nil, nil])
        #expect(result.last?.rule == "OB070 idle-ignore" && result.last?.origin == "m:9:5")
        #expect(findings.suppressing([LintIgnore(rule: "OB012", reason: "all")]).map(\.suppressed) == ["all", nil])
    }
}
