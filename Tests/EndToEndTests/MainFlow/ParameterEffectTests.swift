import Basics
import TestSupport
import Testing

/// Parameters of replicas and tiles by what they leave in the published files, read with SQLite and unzip.
@Suite(.serialized) struct ParameterEffectTests {
    private static func manifest(_ more: String) -> String {
        """
        version: 1
        name: water
        webMap: map.json
        areas:
          - id: downtown
            envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }
        scale: { min: 40000, max: 8000 }
        output: { directory: out, keep: 1 }
        \(more)

        """
    }

    private static func map(_ portal: PortalProcess) -> String {
        let water = portal.service("Water_Network/FeatureServer")
        return """
            {"baseMap":{"title":"Base","baseMapLayers":[
              {"id":"pictures","title":"Imagery","layerType":"ArcGISTiledMapServiceLayer","url":"\(portal.service("Town_Imagery/MapServer"))"},
              {"id":"streets","title":"Streets","layerType":"VectorTileLayer","url":"\(portal.service("Street_Map/VectorTileServer"))"}]},
             "operationalLayers":[
              {"id":"hydrants","title":"Hydrant","layerType":"ArcGISFeatureLayer","url":"\(water)/0"},
              {"id":"valves","title":"Valve","layerType":"ArcGISFeatureLayer","url":"\(water)/1"},
              {"id":"mains","title":"Main","layerType":"ArcGISFeatureLayer","url":"\(water)/3"}],
             "tables":[{"id":"visits","title":"Visits","layerType":"ArcGISFeatureLayer","url":"\(water)/5"}],
             "spatialReference":{"wkid":102100,"latestWkid":3857},"version":"2.31"}
            """
    }

    private struct Night {
        let portal: PortalProcess
        /// Its folder goes with it.
        let workspace: Workspace
        let map: PublishedMap
        let replica: SQLiteConnection

        /// Current rows: of a registered replica the view, of a copy the table itself.
        func rows(_ table: String) throws -> Int? {
            let views = try replica.rows("SELECT name FROM sqlite_master NOT INDEXED WHERE name = ?", [.text(table + "_evw")])
            return try replica.rows("SELECT count(*) FROM \"\(views.isEmpty ? table : table + "_evw")\"")[0][0].int
        }

        func count(_ layer: Int, _ parameters: [String: String] = [:]) async throws -> Int? {
            let form = ["where": "1=1", "returnCountOnly": "true"].merging(parameters) { $1 }
            return try await portal.ask(portal.service("Water_Network/FeatureServer/\(layer)/query"), form)["count"]?.int
        }
    }

    private static let area = [
        "geometry": "-88.160,41.765,-88.140,41.780", "geometryType": "esriGeometryEnvelope", "inSR": "4326",
    ]

    private func run(_ portal: PortalProcess, _ more: String) async throws -> Night {
        let workspace = try Workspace(manifest: Self.manifest(more), portal: portal)
        try workspace.write("map.json", Self.map(portal))
        let run = try await workspace.run("run", "manifest.yaml")
        try #require(run.code == 0, "\(run.stdout)\(run.stderr)")
        let map = try PublishedMap(output: workspace.file("out"), area: "downtown")
        return Night(
            portal: portal, workspace: workspace, map: map,
            replica: try SQLiteConnection(path: map.file(of: "replica"), access: .readOnlyImmutable))
    }

    @Test func `queryOption, attachments, online, out spatial reference and sync model are in the geodatabase`() async throws {
        let portal = try await PortalProcess()
        let night = try await run(
            portal,
            """
            layers:
              - { match: { title: Hydrant }, attachments: true }
              - { match: { title: Valve }, queryOption: none }
              - { match: { title: Main }, online: true }
              - { match: { title: Visits }, queryOption: all }
            options: { returnLayerAttachmentOption: none, outSpatialReference: 4326, syncModel: geodatabase }
            """)
        // Attachments for the one layer that asks for them, each with its hydrant.
        let pictures = try #require(try night.rows("Hydrant__ATTACH"))
        let owned = try night.replica.rows(
            "SELECT count(*) FROM Hydrant__ATTACH_evw a WHERE a.REL_GLOBALID IN (SELECT GlobalID FROM Hydrant_evw)")[0][0].int
        #expect(pictures > 0 && owned == pictures)
        #expect(try night.rows("Hydrant") == (try await night.count(0, Self.area)))
        // The shape of the table, and no row.
        #expect(try night.rows("System_Valve") == 0)
        #expect((try await night.count(1, Self.area) ?? 0) > 0)
        // All rows, related or not.
        #expect(try night.rows("Inspections") == (try await night.count(5)))
        // The layer that stays online is in the map with its address, and not in the replica.
        let main = try #require(night.map.layers.first { $0["title"] == "Main" })
        #expect(main["url"]?.string == portal.service("Water_Network/FeatureServer/3") && main["path"] == nil)
        let tables = try night.replica.rows("SELECT ItemId FROM GDB_ServiceItems NOT INDEXED WHERE ItemType = 1 ORDER BY ItemId")
        #expect(tables.compactMap { $0[0].int } == [0, 1, 5])
        // Degrees, around Naperville.
        let layer = try #require(
            try night.replica.rows("SELECT srid, minx, maxy FROM GDB_Layers NOT INDEXED WHERE table_name = 'Hydrant'").first)
        #expect(layer[0].int == 4326)
        #expect((-89.0...(-88.0)).contains(layer[1].double ?? 0) && (41.0...42.0).contains(layer[2].double ?? 0))
        // One account of the whole geodatabase, given back after the download.
        let definition = try night.replica.rows(
            "SELECT Definition FROM GDB_Items NOT INDEXED WHERE Definition LIKE '%esriSyncModelPerReplica%'")
        #expect(definition.count == 1)
        #expect(portal.submissions(of: "createReplica").map { $0.parameters["syncModel"] } == ["perReplica"])
        #expect(portal.journal.count { $0.path.hasSuffix("/unRegisterReplica") } == 1)
    }

    @Test func `includeRelated, no attachments, a sync model by layer, quality and maxLevel`() async throws {
        let portal = try await PortalProcess("--flavour", "agol")
        let usual = try await run(portal, "")
        let night = try await run(
            portal,
            """
            layers:
              - { match: { title: Imagery }, compressionQuality: 10 }
              - { match: { title: Streets }, maxLevel: 12 }
              - { match: { title: Hydrant }, attachments: false }
              - { match: { title: Visits }, queryOption: none, includeRelated: true }
            options: { syncModel: layer }
            """)
        // The visits of the hydrants that were taken, and no others.
        let visits = try #require(try night.rows("Inspections"))
        let related = try night.replica.rows(
            "SELECT count(*) FROM Inspections_evw WHERE HYDRANTGUID IN (SELECT GlobalID FROM Hydrant_evw)")[0][0].int
        let all = try await night.count(5) ?? 0
        #expect(visits > 0 && visits < all && related == visits)
        // Pictures come by default, and not against the manifest.
        #expect((try usual.rows("Hydrant__ATTACH") ?? 0) > 0)
        let attachments = try night.replica.rows("SELECT name FROM sqlite_master NOT INDEXED WHERE name = 'Hydrant__ATTACH'")
        #expect(try attachments.isEmpty || night.rows("Hydrant__ATTACH") == 0)
        #expect(
            try night.replica.rows("SELECT 1 FROM GDB_Items NOT INDEXED WHERE Definition LIKE '%esriSyncModelPerLayer%'").count
                == 1)

        // The same tiles in fewer bytes, and the package says how they were made.
        func pictures(_ night: Night) throws -> (bytes: Int, quality: Int?, levels: [String]) {
            let file = night.map.file(of: "tiles")
            let root = try Command.run("unzip", ["-p", file, "root.json"])
            let quality = try JSON.parse(root.output)["tileImageInfo"]?["compressionQuality"]?.int
            return (try Files.size(file), quality, night.map.source("tiles")?["counts"]?.object?.keys.sorted() ?? [])
        }
        let (before, after) = (try pictures(usual), try pictures(night))
        #expect(before.quality == 80 && after.quality == 10 && before.levels == after.levels)
        #expect(after.bytes < before.bytes, "\(after.bytes) of \(before.bytes) bytes")

        let levels = night.map.source("vectorTiles")?["counts"]?.object?.keys.filter { $0.hasPrefix("level ") } ?? []
        #expect(Set(levels) == Set((0...12).map { "level \($0)" }))
        let deepest = usual.map.source("vectorTiles")?["counts"]?.object?.keys.filter { $0.hasPrefix("level ") } ?? []
        #expect(deepest.count > levels.count)
    }
}
