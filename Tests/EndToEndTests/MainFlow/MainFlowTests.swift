import Basics
import Foundation
import TestSupport
import Testing

/// The main job as a user does it: plan, run, look, run again.
@Suite(.serialized) struct MainFlowTests {
    @Test(arguments: ["server", "agol"])
    func `A map goes offline, is whole, and comes anew the next night`(flavour: String) async throws {
        let portal = try await PortalProcess("--flavour", flavour)
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)

        let plan = try await plannedJobs(workspace, portal)
        let planning = portal.journal.count
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        #expect(run.stdout.contains("water: ok (exit 0)"))
        JournalCheck(requests: Array(portal.journal.dropFirst(planning)), text: portal.journalText).check(plan: plan)

        let map = try PublishedMap(output: workspace.file("out"), area: "downtown")
        try checkFolder(map)
        try await checkDocument(map, portal)
        try await checkRows(map, portal)
        try checkReport(workspace.json("out/report.json"))
        try await checkGenerations(workspace, first: map.link)
    }

    /// `plan --json` twice: the contract's keys, the same hash, nothing started. Returns the jobs.
    private func plannedJobs(_ workspace: Workspace, _ portal: PortalProcess) async throws -> [JSON] {
        let first = try await workspace.run("plan", "manifest.yaml", "--json")
        #expect(first.code == 0, "\(first.stderr)")
        let plan = try JSON.parse(first.stdout)
        #expect(plan["hash"]?.string?.count == 64)
        let again = try JSON.parse(try await workspace.run("plan", "--json", "manifest.yaml").stdout)
        #expect(again["hash"] == plan["hash"])
        let jobs = try #require(plan["jobs"]?.array)
        #expect(jobs.compactMap { $0["kind"]?.string } == ["vectorTiles", "style", "tiles", "replica", "package", "publish"])
        for job in jobs {
            for key in ["id", "kind", "area", "layer", "reason", "dependsOn", "estimate", "request"] {
                #expect(job[key] != nil, "\(key) of \(job["id"]?.string ?? "?")")
            }
            #expect(
                job["estimate"]?.object?.keys.sorted() == [
                    "bytes", "bytesHigh", "bytesLow", "layers", "rows", "sampled", "sizeFrom", "sizeProblem", "tiles",
                ])
        }
        let tiles = try await tileCount(portal, levels: 13...17)
        #expect(jobs.first { $0["kind"] == "tiles" }?["estimate"]?["tiles"]?.int == tiles)
        #expect(!portal.journal.contains { $0.path.hasSuffix("/createReplica") || $0.path.hasSuffix("/exportTiles") })
        return jobs
    }

    /// By the well-known formula of Web Mercator tiles, for the part of the area that the service has.
    private func tileCount(_ portal: PortalProcess, levels: ClosedRange<Int>) async throws -> Int {
        let extent = try await portal.ask(portal.service("World_Street_Map/MapServer"))["fullExtent"]
        let edge = 20_037_508.342789
        func side(_ name: String, _ area: Double, _ choose: (Double, Double) -> Double) throws -> Double {
            choose(area, try #require(extent?[name]?.double))
        }
        let west = try side("xmin", -9_813_926.308, max) + edge
        let east = try side("xmax", -9_811_699.918, min) + edge
        let south = edge - (try side("ymin", 5_125_842.327, max))
        let north = edge - (try side("ymax", 5_128_081.267, min))
        return levels.reduce(0) { sum, level in
            let tile = 2 * edge / Double(1 << level)
            let columns = Int(east / tile) - Int(west / tile) + 1
            let rows = Int(south / tile) - Int(north / tile) + 1
            return sum + columns * rows
        }
    }

    private func checkFolder(_ map: PublishedMap) throws {
        #expect(map.link.wholeMatch(of: /generations\/\d{8}T\d{6}Z(-\d+)?/) != nil)
        #expect(map.information["type"] == "Mobile Map Package")
        #expect(map.information["maps"] == ["mobile_map"])
        #expect(map.information["spatialReference"] == "WGS_1984_Web_Mercator_Auxiliary_Sphere")
        #expect(map.information["extent"] == [[-88.16, 41.765], [-88.14, 41.78]])
        #expect(map.information["guid"]?.string?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        let listed = try #require(map.inventory["files"]?.array)
        #expect(Set(listed.compactMap { $0["path"]?.string }).union(["inventory.json"]) == (try map.files()))
        for file in listed {
            let path = try #require(file["path"]?.string)
            let bytes = try Files.read("\(map.folder)/\(path)")
            #expect(file["sha256"]?.string == SHA256.hex(of: bytes), "\(path)")
            #expect(file["bytes"]?.int == bytes.count, "\(path)")
        }
        for name in try map.files() where name.hasSuffix(".geodatabase") || name.hasSuffix(".tpkx") || name.hasSuffix(".vtpk") {
            #expect(name.wholeMatch(of: /p13\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z]+/) != nil, "\(name)")
        }
    }

    /// Every layer of the web map is there, in its order, with its own members; those with data point to it.
    private func checkDocument(_ map: PublishedMap, _ portal: PortalProcess) async throws {
        let online = try await portal.ask(
            portal.url + "/sharing/rest/content/items/acc027394bc84c2fb04d1ed317aac674/data")
        let originals = PublishedMap.layers(of: online)
        #expect(map.layers.compactMap { $0["id"]?.string } == originals.compactMap { $0["id"]?.string })
        for (layer, original) in zip(map.layers, originals) {
            let title = layer["title"]?.string ?? "?"
            for member in original.object?.members ?? [] { #expect(layer[member.key] == member.value, "\(title): \(member.key)") }
            guard title != "Parcels" else {
                #expect(layer["path"] == nil)
                continue
            }
            let path = try #require(layer["path"]?.string, "\(title)")
            let parts = path.split(separator: "?")
            #expect(path.hasPrefix("file:./"))
            #expect(Files.exists("\(map.folder)/p13/\(parts[0].dropFirst(7))"), "\(title): \(path)")
            if let url = original["url"]?.string, url.contains("/FeatureServer/") {
                #expect(parts.last == "itemId=\(Paths.name(url))", "\(title): \(path)")
            }
        }
        let item = map.document["item"]
        #expect(item?["originalPortalItemId"] == "acc027394bc84c2fb04d1ed317aac674")
        #expect(item?["portalUrl"]?.string == portal.url)
        // The area in Web Mercator: x = longitude × 20037508.342789 / 180; y from the Mercator formula, worked out with pyproj.
        let view = map.document["map"]?["initialState"]?["viewpoint"]?["targetGeometry"]
        for (key, value) in ["xmin": -9_813_926.308, "ymin": 5_125_842.327, "xmax": -9_811_699.918, "ymax": 5_128_081.267] {
            #expect(abs((view?[key]?.double ?? 0) - value) < 0.01, "\(key)")
        }
    }

    /// The counts of the inventory are what the service itself answers for the same filter.
    private func checkRows(_ map: PublishedMap, _ portal: PortalProcess) async throws {
        let counts = try #require(map.source("replica")?["counts"])
        let area = [
            "geometry": "-88.160,41.765,-88.140,41.780", "geometryType": "esriGeometryEnvelope", "inSR": "4326",
            "spatialRel": "esriSpatialRelIntersects", "returnCountOnly": "true",
        ]
        for (layer, clause) in [
            "0 Hydrant": "1=1", "1 System Valve": "1=1", "2 Service Connection": "STATUS <> 'Abandoned'", "3 Main": "1=1",
            "4 Districts": "1=1",
        ] {
            let answer = try await portal.ask(
                portal.service("Water_Network/FeatureServer/\(layer.prefix(1))/query"), area.merging(["where": clause]) { $1 })
            let count = try #require(answer["count"]?.int)
            #expect(count > 0)
            #expect(counts[layer]?.int == count, "\(layer)")
            let about = try await portal.ask(portal.service("Water_Network/FeatureServer/\(layer.prefix(1))"))
            let edited = try #require(about["editingInfo"]?["lastEditDate"]?.int)
            #expect(map.source("replica")?["lastEditDates"]?[layer]?.int == edited, "\(layer)")
        }
    }

    private func checkReport(_ report: JSON) throws {
        #expect(report["outcome"] == "ok")
        #expect(report["exitCode"] == 0)
        for key in ["started", "finished"] {
            #expect(report[key]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil, "\(key)")
        }
        #expect(report["areas"]?[0]?["id"] == "downtown")
        let jobs = try #require(report["jobs"]?.array)
        #expect(jobs.count == 6)
        for job in jobs {
            #expect(job["state"] == "done")
            #expect(job["error"] == .null)
            for key in ["id", "attempts", "bytes", "seconds"] { #expect(job[key]?.isNull == false, "\(key)") }
        }
    }

    /// A second map is a second generation; the third leaves the two that `keep` names.
    private func checkGenerations(_ workspace: Workspace, first: String) async throws {
        var links = [first]
        for _ in 0..<2 {
            let run = try await workspace.run("run", "--refresh", "manifest.yaml")
            #expect(run.code == 0, "\(run.stderr)")
            links.append(try PublishedMap(output: workspace.file("out"), area: "downtown").link)
        }
        #expect(Set(links).count == 3)
        let kept = try Files.list(workspace.file("out/downtown/generations"))
        #expect(kept.map { "generations/" + $0 } == Array(links.dropFirst()))
        let status = try await workspace.run("status", "manifest.yaml", "--json")
        #expect(status.code == 0)
        let area = try #require(try JSON.parse(status.stdout)["areas"]?[0])
        #expect(area["generation"]?.string == "downtown/" + (links.last ?? ""))
        #expect(area["state"] == "current")
        let text = try await workspace.run("status", "manifest.yaml")
        #expect(text.stdout.contains("downtown/" + (links.last ?? "")))
    }
}
