import Basics
import Formats
import Geography
import TestSupport
import Testing

@testable import DemoPortal

@Suite struct PackagesTests {
    static let hamlet = TownDataset.make(.hamlet)
    static let raster = RasterTiles(dataset: hamlet, format: .png)
    static let vector = VectorTiles(dataset: hamlet)

    /// The south-west half of the hamlet.
    static var triangle: AreaShape {
        let box = hamlet.extent
        return .polygon(
            Polygon(rings: [
                [
                    Coordinate(x: box.xmin, y: box.ymin), Coordinate(x: box.xmin, y: box.ymax),
                    Coordinate(x: box.xmax, y: box.ymin),
                    Coordinate(x: box.xmin, y: box.ymin),
                ]
            ]))
    }

    @Test func countsAreOfTheAreaOnly() {
        let all = TileExport.count(
            levels: [12, 18], area: .envelope(Self.hamlet.extent), scheme: Self.raster.scheme, within: Self.hamlet.extent)
        let half = TileExport.count(
            levels: [12, 18], area: Self.triangle, scheme: Self.raster.scheme, within: Self.hamlet.extent)
        // 1,800 m in tiles of 152.874 m are 12 or 13 a side.
        #expect((144...169).contains(all[18] ?? 0))
        #expect((half[18] ?? 0) < (all[18] ?? 0) * 2 / 3 && (half[18] ?? 0) > (all[18] ?? 0) / 3)
        // The world beyond the service's extent adds nothing.
        let world = TileExport.count(
            levels: [18], area: .envelope(.webMercatorWorld), scheme: Self.raster.scheme, within: Self.hamlet.extent)
        #expect(world[18] == all[18])
    }

    /// The client's own readers prove downloads by these facts.
    @Test func theClientsReadersAgree() throws {
        let folder = try TemporaryFolder()
        let photos = RasterTiles(dataset: Self.hamlet, format: .jpeg)
        let levels = [11, 14, 16]
        try TileExport.writeTPKX(path: folder.file("a.tpkx"), tiles: photos, levels: levels, area: Self.triangle)
        let facts = try TilePackage.inspect(folder.file("a.tpkx"))
        let planned = TileExport.count(levels: levels, area: Self.triangle, scheme: photos.scheme, within: Self.hamlet.extent)
        for level in levels { #expect(facts.tiles(atLevel: level) == planned[level], "\(level)") }
        #expect(facts.tiles == planned.values.reduce(0, +) && facts.damaged.isEmpty && facts.imageFormat == "JPEG")

        let count = try TileExport.writeVTPK(path: folder.file("a.vtpk"), tiles: Self.vector, maxLevel: 14, area: Self.triangle)
        let vector = try VectorTilePackage.inspect(folder.file("a.vtpk"))
        #expect(vector.tiles == count && vector.damaged.isEmpty && vector.claimedLevels == 0...14)
        #expect(vector.missingResources.isEmpty && vector.missingSprites.isEmpty && vector.styleProblem == nil)
        #expect(vector.tileMapProblem == nil && vector.tileMap != nil)
        #expect(Set(vector.layersInTiles).isSubset(of: Set(vector.declaredLayers)))
    }

    @Test func lowerQualityMakesSmallerPictures() throws {
        let folder = try TemporaryFolder()
        let photos = RasterTiles(dataset: Self.hamlet, format: .jpeg)
        func size(_ tiles: RasterTiles) throws -> Int {
            try TileExport.writeTPKX(path: folder.file("a.tpkx"), tiles: tiles, levels: [14, 15], area: Self.triangle)
            return try Files.size(folder.file("a.tpkx"))
        }
        let (whole, reduced) = (try size(photos), try size(photos.reduced(to: 10)))
        // The indexes of the two bundles are most of it, and stay: 64 bytes and 8 for each of 128 x 128 tiles.
        let indexes = 2 * (64 + 131_072)
        #expect(reduced - indexes < (whole - indexes) * 4 / 5, "\(reduced) of \(whole) bytes")
        #expect(photos.reduced(to: 10).image.compressionQuality == 10 && photos.reduced(to: 95).image.compressionQuality == 80)
        #expect(Self.raster.reduced(to: 10).image.compressionQuality == Self.raster.image.compressionQuality)
    }

    @Test(.enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)"))
    func anotherReaderSeesThePixels() throws {
        let folder = try TemporaryFolder()
        let levels = Array(13...18)
        let count = try TileExport.writeTPKX(path: folder.file("a.tpkx"), tiles: Self.raster, levels: levels, area: Self.triangle)
        let planned = TileExport.count(
            levels: levels, area: Self.triangle, scheme: Self.raster.scheme, within: Self.hamlet.extent)
        #expect(count == planned.values.reduce(0, +))
        // A hydrant well inside the triangle.
        let hydrant = try #require(
            Self.hamlet.water[0].rows.lazy.compactMap { row -> Coordinate? in
                guard case .point(let place) = row.shape else { return nil }
                let (u, v) = (place.x - Self.hamlet.extent.xmin, place.y - Self.hamlet.extent.ymin)
                return u + v < 1200 && u > 200 && v > 200 ? place : nil
            }.first)
        let verdict = try PythonJudge.run(
            """
            import json, sys, zipfile, rasterio
            package = zipfile.ZipFile(sys.argv[1])
            print(package.testzip(), {e.compress_type for e in package.infolist()})
            root = json.loads(package.read("root.json"))
            print(root["minLOD"], root["maxLOD"], root["tileImageInfo"]["format"], len(root["tileInfo"]["lods"]))
            with rasterio.open(sys.argv[1]) as picture:
                print(picture.driver, picture.crs.to_epsg())
                x, y = float(sys.argv[2]), float(sys.argv[3])
                print(*next(picture.sample([(x, y)]))[:3])
            """, [folder.file("a.tpkx"), "\(hydrant.x)", "\(hydrant.y)"])
        #expect(verdict.status == 0, "\(verdict.errors)")
        #expect(
            verdict.output.split(separator: "\n").map(String.init)
                == ["None {0}", "13 18 PNG24 20", "ESRIC 3857", "214 47 39"])
    }

    @Test(.enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)"))
    func everyVectorTileOfThePackageIsRead() throws {
        let folder = try TemporaryFolder()
        let count = try TileExport.writeVTPK(path: folder.file("a.vtpk"), tiles: Self.vector, maxLevel: 15, area: Self.triangle)
        let verdict = try PythonJudge.run(
            """
            import gzip, json, re, struct, sys, zipfile, mapbox_vector_tile
            package = zipfile.ZipFile(sys.argv[1])
            found = set()
            for name in package.namelist():
                parts = re.match(r"p12/tile/L(\\d\\d)/R([0-9a-f]{4,})C([0-9a-f]{4,})\\.bundle$", name)
                if not parts: continue
                level, row0, col0 = int(parts[1]), int(parts[2], 16), int(parts[3], 16)
                data = package.read(name)
                for slot in range(16384):
                    entry, = struct.unpack_from("<Q", data, 64 + 8 * slot)
                    size, offset = entry >> 40, entry & (1 << 40) - 1
                    if not size: continue
                    tile = mapbox_vector_tile.decode(gzip.decompress(data[offset:offset + size]))
                    assert tile and all(layer["features"] for layer in tile.values())
                    found.add((level, row0 + slot // 128, col0 + slot % 128))
            tree = set()
            def walk(node, level, row, col):
                if node == 0: return
                tree.add((level, row, col))
                if node != 1:
                    for i, child in enumerate(node): walk(child, level + 1, row * 2 + i // 2, col * 2 + i % 2)
            walk(json.loads(package.read("p12/tilemap/root.json"))["index"], 0, 0, 0)
            root = json.loads(package.read("p12/root.json"))
            style = json.loads(package.read("p12/resources/styles/root.json"))
            print(len(found), tree == found, root["minLOD"], root["maxLOD"], root["tileInfo"]["rows"], style["version"])
            print(all(e.compress_type == 0 for e in package.infolist()))
            print(*sorted(n for n in package.namelist() if n.startswith("p12/resources/fonts")))
            """, [folder.file("a.vtpk")])
        #expect(verdict.status == 0, "\(verdict.errors)")
        #expect(
            verdict.output.split(separator: "\n").map(String.init) == [
                "\(count) True 0 15 512 8", "True",
                "p12/resources/fonts/Noto Sans Regular/0-255.pbf p12/resources/fonts/Noto Sans Regular/256-511.pbf "
                    + "p12/resources/fonts/Noto Sans Regular/8192-8447.pbf",
            ])
        #expect(count > 16)
    }
}
