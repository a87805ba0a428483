import Basics
import Foundation
import TestSupport
import Testing

/// Manifests without a web map, from the plan to a map that other people's readers open.
@Suite(.serialized) struct ServicesTests {
    /// `manifests/services.yaml`, as it is in the repository.
    @Test func `Services without a web map become a map that is whole`() async throws {
        let portal = try await PortalProcess()
        let text = String(decoding: try Files.read(SharedFiles.packageRoot + "/manifests/services.yaml"), as: UTF8.self)
        let workspace = try Workspace(manifest: text, portal: portal)

        let plan = try await workspace.run("plan", "manifest.yaml", "--no-color")
        #expect(plan.code == 0, "\(plan.stderr)")
        #expect(plan.stdout.hasPrefix("naperville-services: services from \(portal.url)"))
        #expect(!portal.journal.contains { $0.path.hasSuffix("/createReplica") || $0.path.hasSuffix("/exportTiles") })
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        let map = try PublishedMap(output: workspace.file("out/naperville-services"), area: "downtown")

        try checkDocument(map)
        try await checkRows(map, portal)
        try checkStyles(map)
        #expect(map.information["title"] == "naperville-services – downtown")
        #expect(map.inventory["webMap"] == .null)
        let inspection = try await workspace.run("inspect", portal.service("Water_Network/FeatureServer"))
        #expect(inspection.code == 0 && inspection.stdout.contains("Service Connection"), "\(inspection.stderr)")
        let lint = try await workspace.run("lint", "manifest.yaml")
        #expect(lint.code == 0, "\(lint.stdout)")
        let status = try await workspace.run("status", "manifest.yaml")
        #expect(status.stdout.contains("downtown/" + map.link))
        try await judge(workspace.file("out/naperville-services"))
    }

    private func checkDocument(_ map: PublishedMap) throws {
        #expect(
            map.layers.compactMap { $0["title"]?.string } == [
                "Heights", "Street tiles", "Streets by day", "Streets by night", "Main", "Large hydrants", "Inspections",
            ])
        let document = try #require(map.document["map"])
        #expect(document["spatialReference"] == ["wkid": 102100, "latestWkid": 3857])
        #expect(document["baseMap"]?["baseMapLayers"] == [])
        #expect(document["operationalLayers"]?[4]?["title"] == "Water network")
        #expect(map.layers[0]["layerType"] == "ArcGISTiledElevationServiceLayer")
        for layer in map.layers {
            let path = try #require(layer["path"]?.string)
            let file = path.dropFirst("file:./".count).prefix { $0 != "?" }
            #expect(Files.exists("\(map.folder)/p13/\(file)"), "\(path)")
            #expect(layer["popupInfo"] == nil)
        }
        // The tiles by night are those by day.
        #expect(map.layers[2]["path"] == map.layers[3]["path"] && map.layers[2]["itemPath"] == nil)
        #expect(
            (map.inventory["sources"]?.array ?? []).compactMap { $0["kind"]?.string }
                == ["tiles", "tiles", "vectorTiles", "style", "replica"])
        let levels = (map.inventory["sources"]?.array ?? []).prefix(2).map { $0["counts"]?.object?.keys.sorted() }
        #expect(levels == [["level 12", "level 13"], ["level 13", "level 14", "level 15", "level 16", "level 17"]])
    }

    /// SQLite reads the replica, and counts what the service counts.
    private func checkRows(_ map: PublishedMap, _ portal: PortalProcess) async throws {
        let replica = try SQLiteConnection(path: map.file(of: "replica"), access: .readOnlyImmutable)
        func rows(_ table: String) throws -> Int? { try replica.rows("SELECT count(*) FROM \(table)")[0][0].int }
        let service = portal.service("Water_Network/FeatureServer")
        let area = ["geometry": "-88.160,41.765,-88.140,41.780", "geometryType": "esriGeometryEnvelope", "inSR": "4326"]
        let hydrants = try await portal.ask(
            service + "/0/query", area.merging(["where": "FLOW >= 500", "returnCountOnly": "true"]) { $1 })
        let mains = try await portal.ask(service + "/3/query", ["where": "1=1", "returnCountOnly": "true"])
        #expect(try rows("Hydrant") == hydrants["count"]?.int && hydrants["count"]?.int ?? 0 > 0)
        #expect(try rows("Main") == mains["count"]?.int)
        let tables = try replica.rows("SELECT ItemId FROM GDB_ServiceItems NOT INDEXED WHERE ItemType = 1 ORDER BY ItemId")
        #expect(tables.compactMap { $0[0].int } == [0, 3, 5])
        #expect(map.source("replica")?["parameters"]?["replicaSR"] == "4326")
    }

    private func checkStyles(_ map: PublishedMap) throws {
        let folder = try #require(map.layers[3]["itemPath"]?.string).dropFirst("file:./".count)
        let style = try JSON.parse(Files.read("\(map.folder)/p13/\(folder)/styles/root.json"))
        #expect(style["version"] == 8 && style["sprite"] == "../sprites/sprite")
        #expect(Files.exists("\(map.folder)/p13/\(folder)/sprites/sprite.png"))
    }

    /// zipfile, sqlite3, GDAL, and the decoders of heights and vector tiles.
    private func judge(_ output: String) async throws {
        guard let python = PythonJudge.interpreter else { return }
        let script = SharedFiles.packageRoot + "/scripts/judge-demo.py"
        let verdict = try await offPool { try Command.run(python, [script, "--online", output]) }
        #expect(verdict.status == 0 && verdict.output.contains("0 failed"), "\(verdict.output)\(verdict.errors)")
    }

    @Test func `Services by address are added to a web map, with their own styles and rules`() async throws {
        let portal = try await PortalProcess("--flavour", "agol")
        let services = """

            services:
              - { url: "\(portal.service("Parcels/FeatureServer"))", title: Parcels again }
              - { url: "\(portal.service("Utilities/Storm_Water/FeatureServer"))", syncModel: layer, attachments: false }
              - { itemId: b19d8e6f3a0c47fee1fce3decfb0a191, title: Night, vectorTiles: tilesAndStyle, maxLevel: 13 }
            options: { includeBasemap: false }
            """
        let workspace = try Workspace(manifest: Workspace.naperville + services, portal: portal)
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        let map = try PublishedMap(output: workspace.file("out"), area: "downtown")
        let verdicts = (map.inventory["layers"]?.array ?? []).reduce(into: [String: String]()) {
            $0[$1["title"]?.string ?? ""] = $1["verdict"]?.string
        }
        #expect(verdicts["Night"] == "vectorTiles" && verdicts["Parcels again"] == "online only")
        #expect(verdicts["World Street Map"] == "excluded" && verdicts["Hydrant"] == "replica")
        // The web map's own layers and those of the service: two services, two replicas.
        let replicas = (map.inventory["sources"]?.array ?? []).filter { $0["kind"] == "replica" }
        #expect(replicas.count == 2)
        #expect(
            replicas[1]["parameters"]?["syncModel"] == "perLayer" && replicas[1]["parameters"]?["returnAttachments"] == "false")
        #expect(map.layers.first?["title"] == "Night" && map.layers.first?["itemPath"] != nil)
        // A registered replica that nobody will synchronise is not left behind.
        #expect(portal.journal.contains { $0.path.hasSuffix("Storm_Water/FeatureServer/unRegisterReplica") })
        let replicaList = try await workspace.run("replicas", "list", "manifest.yaml")
        #expect(replicaList.code == 0, "\(replicaList.stderr)")
    }

    @Test func `What is no service is refused before anything starts`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(
            manifest: """
                version: 1
                name: wrong
                areas: [{ id: a, envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 } }]
                services:
                  - itemId: acc027394bc84c2fb04d1ed317aac674
                """, portal: portal)
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 66)
        let plan = try await workspace.run("plan", "manifest.yaml")
        #expect(plan.code == 66)
        #expect(plan.stderr.contains("manifest.yaml:5:5"), "\(plan.stderr)")
        #expect(plan.stderr.contains("but a Web Map"), "\(plan.stderr)")
    }
}
