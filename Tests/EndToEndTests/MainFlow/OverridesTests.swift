import Basics
import TestSupport
import Testing

/// `manifests/naperville-overrides.yaml`, as it is in the repository.
@Suite(.serialized) struct OverridesTests {
    @Test func `Every override reaches the server, the files and the map`() async throws {
        let portal = try await PortalProcess()
        let text = String(
            decoding: try Files.read(SharedFiles.packageRoot + "/manifests/naperville-overrides.yaml"), as: UTF8.self)
        let workspace = try Workspace(manifest: text, portal: portal)
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        let map = try PublishedMap(output: workspace.file("out/naperville-overrides"), area: "downtown")

        // Excluded layers are gone from the map, the others stay; those that cannot go offline stay online.
        let titles = map.layers.compactMap { $0["title"]?.string }
        #expect(
            titles == ["Street Map (Vector)", "World Street Map", "Parcels", "Districts", "Main", "Hydrant", "Inspections"])
        let verdicts = (map.inventory["layers"]?.array ?? []).filter { $0["verdict"] == "excluded" }
        #expect(verdicts.compactMap { $0["title"]?.string } == ["Service Connection", "System Valve"])

        // And from the replica, which SQLite itself reads here.
        let replica = try SQLiteConnection(path: map.file(of: "replica"), access: .readOnlyImmutable)
        let tables = try replica.rows("SELECT ItemId FROM GDB_ServiceItems NOT INDEXED WHERE ItemType = 1 ORDER BY ItemId")
        #expect(tables.compactMap { $0[0].int } == [0, 3, 4, 5])

        // Hydrants: those of the area with flow, and the service counts as many.
        let flows = try replica.rows("SELECT FLOW FROM Hydrant").map { $0[0].double }
        #expect(flows.allSatisfy { ($0 ?? 0) >= 500 })
        #expect(!flows.isEmpty)
        let area = ["geometry": "-88.160,41.765,-88.140,41.780", "geometryType": "esriGeometryEnvelope", "inSR": "4326"]
        let hydrants = portal.service("Water_Network/FeatureServer/0/query")
        let count = try await portal.ask(hydrants, area.merging(["where": "FLOW >= 500", "returnCountOnly": "true"]) { $1 })
        #expect(count["count"]?.int == flows.count)
        let all = try await portal.ask(hydrants, area.merging(["where": "1=1", "returnCountOnly": "true"]) { $1 })
        #expect((all["count"]?.int ?? 0) > flows.count)

        // Mains: the whole network, not only the area.
        let mains = try replica.rows("SELECT count(*) FROM Main")[0][0].int
        let network = portal.service("Water_Network/FeatureServer/3/query")
        let whole = try await portal.ask(network, ["where": "1=1", "returnCountOnly": "true"])
        #expect(whole["count"]?.int == mains)
        let cut = try await portal.ask(network, area.merging(["where": "1=1", "returnCountOnly": "true"]) { $1 })
        #expect((cut["count"]?.int ?? 0) < (mains ?? 0))

        // Tiles: the levels of the override, whatever `scale` says.
        #expect(
            map.source("tiles")?["counts"]?.object?.keys.sorted()
                == ["level 12", "level 13", "level 14", "level 15", "level 16", "level 17"])

        let plan = try await workspace.run("plan", "manifest.yaml", "--no-color")
        #expect(plan.stdout.contains("createReplica, where FLOW >= 500, unchanged since"))
        #expect(plan.stdout.contains("createReplica, not cut to the area, unchanged since"))
    }
}
