import Basics
import Formats
import Geography
import TestSupport
import Testing

struct MBTilesTests {
    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0,
    ]

    /// Rows count from the bottom in the file.
    private static func write(_ tiles: [(zoom: Int, column: Int, row: Int, data: [UInt8])], format: String, to path: String)
        throws
    {
        let database = try SQLiteConnection(path: path)
        try database.execute(
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            """)
        try database.run("INSERT INTO metadata VALUES ('name', 'Town'), ('format', ?)", [.text(format)])
        for tile in tiles {
            try database.run(
                "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                [.integer(Int64(tile.zoom)), .integer(Int64(tile.column)), .integer(Int64(tile.row)), .blob(tile.data)])
        }
    }

    @Test func numbersWithoutMeasureAreNoPlaces() throws {
        let folder = try TemporaryFolder()
        try Self.write(
            [(1, 0, 0, Self.png), (1, 0, .min, Self.png), (1, .max, 0, Self.png), (.max, 0, 0, Self.png), (1, 5, 0, Self.png)],
            format: "png", to: folder.file("town.mbtiles"))
        let facts = try MBTiles(opening: folder.file("town.mbtiles")).inspect()
        #expect(facts.levels.map(\.level) == [1] && facts.damaged.map(\.address.column) == [5])
        // The south-west quarter of the world.
        #expect(abs(facts.extent.xmax) < 1 && abs(facts.extent.ymax) < 1)
    }

    @Test func rowsAreTurnedAndTilesStayAsTheyAre() throws {
        let folder = try TemporaryFolder()
        // The south-west quarter of the world, and in the deeper zoom its north-west corner and the one east of it: rows 2 from the top.
        try Self.write(
            [(1, 0, 0, Self.png + [1]), (2, 0, 1, Self.png + [2, 2]), (2, 1, 1, Self.png + [3]), (8, 130, 125, Self.png + [4])],
            format: "png", to: folder.file("town.mbtiles"))
        let file = try MBTiles(opening: folder.file("town.mbtiles"))
        let facts = try file.inspect()
        #expect(facts.name == "Town" && facts.format == "png" && facts.tileSize == 512 && !facts.isVector)
        #expect(
            facts.levels == [
                LevelCount(level: 1, tiles: 1, bytes: 21), LevelCount(level: 2, tiles: 2, bytes: 43),
                LevelCount(level: 8, tiles: 1, bytes: 21),
            ])
        #expect(facts.damaged.isEmpty && facts.signatures == [.png])
        // Zoom 8: tiles of 156,543 m; column 130 is 2 east of the meridian, row 125 from the bottom is 130 from the top, 2 below it.
        #expect(abs(facts.extent.xmin - 2 * 156_543.034) < 1 && abs(facts.extent.ymax + 2 * 156_543.034) < 1)

        try file.repack(as: facts, title: "Town", to: folder.file("town.tpkx"))
        let package = try TilePackage(opening: folder.file("town.tpkx"))
        var found: [TileAddress: [UInt8]] = [:]
        try package.forEachTile { found[$0] = $1 }
        let expected: [TileAddress: [UInt8]] = [
            TileAddress(level: 1, row: 1, column: 0): Self.png + [1],
            TileAddress(level: 2, row: 2, column: 0): Self.png + [2, 2],
            TileAddress(level: 2, row: 2, column: 1): Self.png + [3],
            TileAddress(level: 8, row: 130, column: 130): Self.png + [4],
        ]
        #expect(found == expected)
        #expect(package.scheme.tileWidth == 512 && package.imageFormat == "PNG")
        // 40,075,016.686 m / 256 tiles / 512 pixels.
        #expect(abs((package.scheme[level: 8]?.resolution ?? 0) - 305.748) < 0.001)

        try file.repack(as: facts, title: "Town", to: folder.file("again.tpkx"))
        #expect(try SHA256.hex(ofFile: folder.file("again.tpkx")) == SHA256.hex(ofFile: folder.file("town.tpkx")))
    }

    @Test func damagedTilesAreNamedAndLeftOut() throws {
        let folder = try TemporaryFolder()
        try Self.write(
            [(1, 0, 0, Self.png), (1, 1, 0, Array("<html>".utf8)), (1, 2, 0, Self.png)], format: "png",
            to: folder.file("a.mbtiles"))
        let file = try MBTiles(opening: folder.file("a.mbtiles"))
        let facts = try file.inspect()
        #expect(
            facts.damaged == [
                DamagedTile(
                    address: TileAddress(level: 1, row: 1, column: 1), reason: .unknownSignature(firstBytes: "3c 68 74 6d 6c 3e")),
                DamagedTile(address: TileAddress(level: 1, row: 1, column: 2), reason: .unknownLevel),
            ])
        try file.repack(as: facts, title: "A", to: folder.file("a.tpkx"))
        #expect(try TilePackage.inspect(folder.file("a.tpkx")).tiles == 1)
    }

    @Test func otherFilesAreRefused() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array("PK".utf8), to: folder.file("zip.mbtiles"))
        #expect((error { try MBTiles(opening: folder.file("zip.mbtiles")) })?.code == .wrongKind)
        try SQLiteConnection(path: folder.file("other.mbtiles")).execute("CREATE TABLE t (a)")
        #expect((error { try MBTiles(opening: folder.file("other.mbtiles")) })?.expected == "table metadata")
        // WebP pictures are no tiles of a package.
        let webp = Array("RIFF....WEBP".utf8)
        try Self.write([(1, 0, 0, webp)], format: "webp", to: folder.file("webp.mbtiles"))
        let file = try MBTiles(opening: folder.file("webp.mbtiles"))
        let facts = try file.inspect()
        #expect(facts.packageImage == nil)
        #expect((error { try file.repack(as: facts, title: "W", to: folder.file("w.tpkx")) })?.code == .wrongKind)
    }

    private func error<Value>(_ body: () throws -> Value) -> FormatError? {
        do { _ = try body() } catch { return error as? FormatError }
        return nil
    }

    /// The numbers of samples/README.md.
    @Test(
        .enabled(if: SharedFiles.isAvailable, "needs the recorded files: set OFFLINE_BATCH_SHARED"),
        arguments: [
            ("isle_of_man", [7: 2, 8: 4, 9: 6], false), ("mbtiles_vt", [:], true), ("manypoints_test", [:], true),
            ("madagascar", [:], true),
        ] as [(String, [Int: Int], Bool)])
    func samples(name: String, levels: [Int: Int], isVector: Bool) throws {
        let facts = try MBTiles(opening: SharedFiles.path("samples/mbtiles/\(name).mbtiles")).inspect()
        #expect(facts.isVector == isVector && facts.tiles > 0 && facts.damaged.isEmpty)
        if !levels.isEmpty { #expect(Dictionary(uniqueKeysWithValues: facts.levels.map { ($0.level, $0.tiles) }) == levels) }
    }

    /// Python's own SQLite and zip see the same tiles in both files, and GDAL opens the package where the file says it is.
    @Test(
        .enabled(if: PythonJudge.isAvailable && SharedFiles.isAvailable, "\(PythonJudge.skipReason)"),
        arguments: ["isle_of_man", "world_lakes"])
    func othersSeeTheSameTiles(name: String) throws {
        let folder = try TemporaryFolder()
        let path = SharedFiles.path("samples/mbtiles/\(name).mbtiles")
        let file = try MBTiles(opening: path)
        let facts = try file.inspect()
        try file.repack(as: facts, title: name, to: folder.file("a.tpkx"))
        let verdict = try PythonJudge.run(
            """
            import os, re, sqlite3, struct, sys, zipfile, rasterio
            database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro&immutable=1", uri=True)
            expected = {(z, 2 ** z - 1 - y, x): data for z, x, y, data in database.execute("SELECT * FROM tiles")}
            package, found = zipfile.ZipFile(sys.argv[2]), {}
            for name in package.namelist():
                parts = re.match(r"tile/L(\\d\\d)/R([0-9a-f]{4,})C([0-9a-f]{4,})\\.bundle$", name)
                if not parts: continue
                data = package.read(name)
                for slot in range(16384):
                    entry, = struct.unpack_from("<Q", data, 64 + 8 * slot)
                    if entry >> 40:
                        offset = entry & (1 << 40) - 1
                        key = int(parts[1]), int(parts[2], 16) + slot // 128, int(parts[3], 16) + slot % 128
                        found[key] = data[offset:offset + (entry >> 40)]
            print(len(found), found == expected)
            with rasterio.open(sys.argv[2]) as picture:
                print(picture.driver, picture.crs.to_epsg(), picture.read(1).mean() > 0)
            """, [path, folder.file("a.tpkx")])
        #expect(verdict.output == "\(facts.tiles) True\nESRIC 3857 True\n", "\(verdict.output)\(verdict.errors)")
    }
}
