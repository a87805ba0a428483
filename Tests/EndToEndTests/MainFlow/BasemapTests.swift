import Basics
import TestSupport
import Testing

/// `referenceBasemap`: a local package in the place of the map's base map.
@Suite(.serialized) struct BasemapTests {
    @Test func `A local package takes the place of the base map, in one copy for all areas`() async throws {
        let portal = try await PortalProcess()
        // A package as a server makes it: that of an earlier run.
        let earlier = try Workspace(manifest: Workspace.naperville, portal: portal)
        #expect(try await earlier.run().code == 0)
        let made = try PublishedMap(output: earlier.file("out"), area: "downtown")
        let package = try Files.read(made.file(of: "tiles"))
        let before = portal.submissions.count

        let manifest = Workspace.water(areas: 2, extra: "options: { referenceBasemap: basemaps/town.tpkx }")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        let missing = try await workspace.run()
        #expect(missing.code == 66)
        #expect(
            missing.ending.stdout.contains("there is no file"), "\(missing.ending.stdout)"
        )
        #expect(missing.ending.stdout.contains("manifest.yaml:7:"), "\(missing.ending.stdout)")
        #expect(portal.submissions.count == before)

        try Files.makeDirectory(workspace.file("basemaps"))
        try Files.writeAtomically(package, to: workspace.file("basemaps/town.tpkx"))
        let plan = try await workspace.run("plan", "manifest.yaml")
        #expect(plan.code == 0, "\(plan.stderr)")
        #expect(plan.stdout.contains("town.tpkx takes the place of the map's base map"), "\(plan.stdout)")
        let run = try await workspace.run()
        #expect(run.code == 0, "\(run.ending.stdout)")
        #expect(portal.submissions(of: "/exportTiles").count == 2, "the two of the earlier run")
        for area in ["downtown", "riverwalk"] {
            let map = try PublishedMap(output: workspace.file("out"), area: area)
            let base = try #require(map.document["map"]?["baseMap"])
            let layers = base["baseMapLayers"]?.array ?? []
            #expect(base["title"] == "town" && layers.count == 1 && layers[0]["layerType"] == "ArcGISTiledMapServiceLayer")
            let name = try #require(layers.first?["path"]?.string?.dropFirst("file:./".count))
            #expect(try Files.read("\(map.folder)/p13/\(name)") == package)
            #expect(map.source("basemap")?["sha256"]?.string == SHA256.hex(of: package))
            let replaced = map.inventory["layers"]?.array?.first { $0["title"] == "World Street Map" }
            #expect(replaced?["verdict"] == "excluded" && replaced?["rule"] == "basemap-replaced")
        }

        // A damaged file the next night: refused, and the last map stays.
        let last = try PublishedMap(output: workspace.file("out"), area: "downtown").link
        try Files.writeAtomically(package.prefix(package.count - 100), to: workspace.file("basemaps/town.tpkx"))
        let damaged = try await workspace.run()
        #expect(
            damaged.code == 66 && damaged.ending.stdout.contains("town.tpkx is not a usable .tpkx"), "\(damaged.ending.stdout)")
        #expect(try PublishedMap(output: workspace.file("out"), area: "downtown").link == last)
    }

    @Test(.enabled(if: SharedFiles.isAvailable, "needs the recorded files: set OFFLINE_BATCH_SHARED"))
    func `Raster MBTiles come as a tile package, and that is said`() async throws {
        let portal = try await PortalProcess()
        let manifest = Workspace.water(extra: "options: { referenceBasemap: world.mbtiles }")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        try Files.copy(SharedFiles.path("samples/mbtiles/world_lakes.mbtiles"), to: workspace.file("world.mbtiles"))
        let run = try await workspace.run()
        #expect(run.code == 0, "\(run.ending.stdout)")
        #expect(run.ending.stderr.contains("does not read .mbtiles"), "\(run.ending.stderr)")
        let map = try PublishedMap(output: workspace.file("out"), area: "downtown")
        #expect(map.document["map"]?["baseMap"]?["baseMapLayers"]?[0]?["path"]?.string?.hasSuffix(".tpkx") == true)
        #expect(try Files.read(map.file(of: "basemap")).starts(with: Array("PK".utf8)))
    }
}
