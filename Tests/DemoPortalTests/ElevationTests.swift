import Basics
import Formats
import Geography
import TestSupport
import Testing

@testable import DemoPortal

@Suite struct ElevationTests {
    static let hamlet = TownDataset.make(.hamlet)
    static let terrain = Terrain(plan: hamlet.plan)
    static let tiles = ElevationTiles(plan: hamlet.plan, picture: TownPicture(hamlet))

    @Test func theRiverOfTheMapRunsInTheValley() {
        let box = Self.hamlet.extent
        for (height, share) in [(196.0, 0.0), (199.0, 0.5), (202.0, 1.0)] {
            let y = box.ymin + share * box.height
            #expect(abs(Self.terrain.height(at: Coordinate(x: Self.hamlet.plan.riverX(y), y: y)) - height) < 1e-6)
        }
        // Thirteen widths of the valley to the west only hills are left: 215 + 9 · sin(0.7) · cos(0).
        #expect(abs(Self.terrain.height(at: Coordinate(x: box.xmin, y: box.ymin)) - 220.797_959) < 1e-5)
        for step in 0..<400 {
            let place = Coordinate(x: box.xmin + Double(step % 20) * box.width / 5, y: box.ymin - Double(step / 20) * box.height)
            #expect(Terrain.range.contains(Self.terrain.height(at: place)))
        }
    }

    @Test func tilesHoldTheHeightsOfTheirCorners() throws {
        let center = Self.hamlet.plan.center
        let range = try #require(Self.tiles.scheme.tiles(covering: Envelope(center: center), level: 15))
        let (row, column) = (range.rows.lowerBound, range.columns.lowerBound)
        let box = try #require(Self.tiles.scheme.envelope(level: 15, row: row, column: column))
        let bytes = try #require(Self.tiles.tile(level: 15, row: row, column: column))
        let tile = try ElevationTile(lerc: bytes)
        #expect(tile.width == 257 && tile.height == 257)
        for (x, y, index) in [
            (box.xmin, box.ymax, 0), (box.xmax, box.ymax, 256), (box.xmin, box.ymin, 256 * 257),
            (box.xmax, box.ymin, 257 * 257 - 1),
        ] {
            #expect(abs(Double(tile.heights[index]) - Self.terrain.height(at: Coordinate(x: x, y: y))) < 0.101)
        }
        #expect(Self.tiles.tile(level: 17, row: row * 4, column: column * 4) == nil)
        #expect(Self.tiles.tile(level: 15, row: row + 3, column: column) == nil)
    }

    @Test func theServiceSaysThatItHasHeights() throws {
        let portal = try PortalFixture()
        let service = portal.service("Town_Elevation/ImageServer")
        let root = try Browser.get(service + "?f=json").json
        #expect(root["cacheType"] == "Elevation" && root["pixelType"] == "F32" && root["bandCount"]?.int == 1)
        #expect(root["serviceDataType"] == "esriImageServiceDataTypeElevation" && root["exportTilesAllowed"] == true)
        #expect(root["tileInfo"]?["format"] == "LERC" && root["tileInfo"]?["lercError"]?.double == 0.1)
        #expect(root["tileInfo"]?["cols"]?.int == 256 && root["tileInfo"]?["lods"]?.array?.count == 17)
        #expect(root["minValues"]?[0]?.double == 196 && root["maxValues"]?[0]?.double == 228)
        // Naperville is in tile 8/95/65 of the world.
        let tile = try Browser.get(service + "/tile/8/95/65")
        #expect(tile.status == 200 && tile.body.starts(with: Array("Lerc2".utf8)))
        #expect(try Browser.get(service + "/tile/8/95/66").status == 404)
        #expect(
            try Browser.get(portal.sharingURL + "/content/items/17fde4cf9a6c4d54e7fce9d4c5b6a7f2/data?f=json").json[
                "operationalLayers"]?
                .array?.map { $0["layerType"]?.string } == ["ArcGISTiledImageServiceLayer", "ArcGISTiledElevationServiceLayer"])
    }

    /// A reader of its own finds the tile of a place by the package's own words, and the right height in it.
    @Test(.enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)"))
    func heightsOfAPackageAreWhereTheyBelong() throws {
        let folder = try TemporaryFolder()
        let levels = [12, 15]
        let count = try TileExport.writeTPKX(
            path: folder.file("a.tpkx"), tiles: Self.tiles, levels: levels, area: .envelope(Self.hamlet.extent))
        let facts = try TilePackage.inspect(folder.file("a.tpkx"))
        #expect(facts.damaged.isEmpty && facts.imageFormat == "LERC" && facts.tiles == count)
        let (box, center) = (Self.hamlet.extent, Self.hamlet.plan.center)
        let places = [
            center, Coordinate(x: Self.hamlet.plan.riverX(center.y), y: center.y),
            Coordinate(x: box.xmin + 100, y: box.ymax - 50),
            Coordinate(x: box.xmax - 10, y: box.ymin + 400),
        ]
        let verdict = try PythonJudge.run(
            """
            import json, struct, sys, zipfile, lerc
            package = zipfile.ZipFile(sys.argv[1])
            root = json.loads(package.read("root.json"))
            info = root["tileInfo"]
            resolution = {lod["level"]: lod["resolution"] for lod in info["lods"]}[15]
            for text in sys.argv[2:]:
                x, y = map(float, text.split(","))
                right, down = (x - info["origin"]["x"]) / resolution, (info["origin"]["y"] - y) / resolution
                column, row = int(right // info["cols"]), int(down // info["rows"])
                data = package.read("tile/L15/R%04xC%04x.bundle" % (row // 128 * 128, column // 128 * 128))
                entry, = struct.unpack_from("<Q", data, 64 + 8 * (128 * (row % 128) + column % 128))
                offset = entry & (1 << 40) - 1
                code, grid = lerc.decode(data[offset:offset + (entry >> 40)])[:2]
                assert code == 0
                print(grid[round(down - row * info["rows"]), round(right - column * info["cols"])])
            """, [folder.file("a.tpkx")] + places.map { "\($0.x),\($0.y)" })
        #expect(verdict.status == 0, "\(verdict.errors)")
        let found = verdict.output.split(separator: "\n").compactMap { Double($0) }
        try #require(found.count == places.count)
        // Half a cell of 4.8 m on the steep side of the valley is less than half a metre.
        for (height, place) in zip(found, places) { #expect(abs(height - Self.terrain.height(at: place)) < 0.6, "\(place)") }
    }
}

extension Envelope {
    /// A point.
    fileprivate init(center: Coordinate) { self.init(xmin: center.x, ymin: center.y, xmax: center.x, ymax: center.y) }
}
