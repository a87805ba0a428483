import Basics
import Geography
import TestSupport
import Testing

@testable import Formats

@Suite(.enabled(if: SharedFiles.isAvailable, "needs the recorded files: set OFFLINE_BATCH_SHARED"))
struct VectorTilePackageTests {
    private let sample = SharedFiles.path("samples/vtpk/testvtpk.vtpk")

    @Test func proMadePackage() throws {
        let facts = try VectorTilePackage.inspect(sample)
        #expect(facts.levels.map(\.level) == [0, 1, 2, 3, 4])
        #expect(facts.levels.map(\.tiles) == [1, 1, 2, 4, 6])
        #expect(facts.damaged.isEmpty)
        #expect(facts.totalBytes == 708_219)
        #expect(facts.declaredLayers == ["lines", "points", "polys"] && facts.layersInTiles == facts.declaredLayers)
        #expect(facts.claimedLevels == 0...4 && facts.scheme.tileWidth == 512)
        #expect(facts.style?.layers == 3 && facts.style?.sources == ["esri"] && facts.style?.version == 8)
        #expect(facts.missingSprites.isEmpty && facts.styleProblem == nil && facts.tileMap == nil)
        // 256 font ranges are listed and left out; sprites and metadata are there.
        #expect(facts.listedResources.count == 261 && facts.missingResources.count == 256)
        #expect(facts.missingResources.first == "p12/resources/fonts/Tahoma Regular/0-255.pbf")
    }

    @Test func indexedPackageWithoutTiles() throws {
        let facts = try VectorTilePackage.inspect(SharedFiles.path("samples/vtpk/vtpk_indexed.vtpk"))
        #expect(facts.tiles == 0 && facts.style == nil)
        #expect(facts.claimedLevels == 0...14 && facts.scheme.levels.count == 20)
        #expect(facts.scheme.origin == Coordinate(x: -180, y: 90) && facts.scheme.spatialReference.isWGS84)
        #expect(facts.tileMapProblem == nil && facts.tileMap?.presentByDepth.first == 1)
    }

    /// Our package of the sample's tiles holds the same bytes, and Python opens each of them to what we open it to.
    @Test(.enabled(if: PythonJudge.isAvailable, "needs the Python judges"))
    func repackedTilesAreTheSame() throws {
        let folder = try TemporaryFolder()
        let package = try VectorTilePackage(opening: sample)
        var tiles: [(TileAddress, [UInt8])] = []
        try package.forEachTile { (address, data) throws(FormatError) in tiles.append((address, data)) }
        let path = folder.file("again.vtpk")
        let description = Samples.description(
            package.scheme, levels: [0, 1, 2, 3, 4], extent: Envelope(xmin: -2e7, ymin: -2e7, xmax: 2e7, ymax: 2e7))
        let style = try #require(try ZipReader(path: sample).read("p12/resources/styles/root.json"))
        try VectorTilePackageWriter.write(
            tiles, description: description,
            content: VectorTileContent(
                layers: [.init(id: "lines", minZoom: 0, maxZoom: 4)], resources: [.init(path: "styles/root.json", bytes: style)]),
            to: path)
        let facts = try VectorTilePackage.inspect(path)
        #expect(facts.levels.map(\.tiles) == [1, 1, 2, 4, 6] && facts.damaged.isEmpty)
        #expect(facts.missingResources.isEmpty && facts.missingSprites.count == 4 && facts.style?.layers == 3)

        let verdict = try PythonJudge.run(
            """
            import sys, gzip, hashlib, struct, zipfile, mapbox_vector_tile
            z = zipfile.ZipFile(sys.argv[1])
            lines = []
            for name in z.namelist():
                if not name.endswith(".bundle"): continue
                b = z.read(name)
                for slot in range(16384):
                    e = struct.unpack_from("<Q", b, 64 + 8 * slot)[0]
                    offset, size = e & (1 << 40) - 1, e >> 40
                    if size == 0: continue
                    tile = gzip.decompress(b[offset:offset + size])
                    mapbox_vector_tile.decode(tile)
                    lines.append(f"{int(name.split('/')[2][1:])}/{slot // 128}/{slot % 128} {hashlib.sha256(tile).hexdigest()}")
            print("\\n".join(sorted(lines)))
            """, [path])
        #expect(verdict.errors == "")
        let ours = try tiles.map { address, data in
            "\(address.level)/\(address.row)/\(address.column) \(SHA256.hex(of: try Gzip.decompress(data, limit: 1 << 24)))"
        }
        #expect(verdict.output == ours.sorted().joined(separator: "\n") + "\n")
    }

    /// Tiles that tippecanoe compressed, opened by us and by Python.
    @Test(.enabled(if: PythonJudge.isAvailable, "needs the Python judges"))
    func gunzipAgreesWithPython() throws {
        let path = SharedFiles.path("samples/mbtiles/manypoints_test.mbtiles")
        let database = try SQLiteConnection(path: path, access: .readOnlyImmutable)
        let rows = try database.rows("SELECT tile_data FROM tiles ORDER BY zoom_level, tile_column, tile_row")
        #expect(rows.count == 10)
        let ours = try rows.map { row in
            let opened = try Gzip.decompress(row[0].blob ?? [], limit: 1 << 24)
            #expect(try !VectorTileCheck.layers(opened).isEmpty)
            return SHA256.hex(of: opened)
        }
        let verdict = try PythonJudge.run(
            """
            import sys, sqlite3, gzip, hashlib
            c = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro&immutable=1", uri=True)
            for (d,) in c.execute("SELECT tile_data FROM tiles ORDER BY zoom_level, tile_column, tile_row"):
                print(hashlib.sha256(gzip.decompress(d)).hexdigest())
            """, [path])
        #expect(verdict.output == ours.joined(separator: "\n") + "\n")
    }
}

struct VectorTileCheckTests {
    @Test func aTileByHand() throws {
        // Field 3 (0x1A), 5 bytes: name (0x0A) "ab", version (0x78) 2 would be 7 bytes; here name and one unknown varint.
        #expect(try VectorTileCheck.layers([0x1A, 6, 0x0A, 2, 0x61, 0x62, 0x78, 2]) == ["ab"])
        #expect(try VectorTileCheck.layers([]) == [])
    }

    @Test(
        arguments: [
            [0x1A, 9, 0x0A, 2, 0x61, 0x62],  // the layer ends beyond the tile
            [0x1A, 2, 0x78, 2],  // no name
            [0x18, 1],  // field 3 as a number
            [0x1B],  // wire type 3, a group
            [0x80],  // a number that does not end
            [0x02, 0],  // field 0
        ] as [[UInt8]])
    func whatIsNoTile(bytes: [UInt8]) {
        #expect(throws: VectorTileProblem.self) { try VectorTileCheck.layers(bytes) }
    }

    @Test func treesOfTileMaps() throws {
        #expect(TileMapTree(json: ["index": [1, 0, [1, 1, 0, 0], 0]])?.presentByDepth == [1, 2, 2])
        #expect(TileMapTree(json: ["index": 0])?.presentByDepth == [0])
        for bad: JSON in [["index": [1, 0, 0]], ["index": 2], ["index": "x"], [:]] { #expect(TileMapTree(json: bad) == nil) }
    }
}
