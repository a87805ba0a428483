import Basics
import Formats
import Geography
import TestSupport
import Testing

@testable import DemoPortal

@Suite struct VectorTilesTests {
    static let hamlet = TownDataset.make(.hamlet)
    static let tiles = VectorTiles(dataset: hamlet)

    /// Row and column of 512 px tiles: the world is one tile at level 0.
    private static func tile(of place: Coordinate, level: Int) -> (row: Int, column: Int, x: Double, y: Double) {
        let side = 2 * 20_037_508.342787 / Double(1 << level)
        let (x, y) = ((place.x + 20_037_508.342787) / side, (20_037_508.342787 - place.y) / side)
        return (Int(y), Int(x), (x - x.rounded(.down)) * 4096, (y - y.rounded(.down)) * 4096)
    }

    @Test func aLineIsCutToTheBox() {
        let box = Envelope(xmin: 0, ymin: 0, xmax: 10, ymax: 10)
        func path(_ points: (Double, Double)...) -> [Coordinate] { points.map { Coordinate(x: $0.0, y: $0.1) } }
        #expect(TileClip.path(path((2, 2), (8, 8)), to: box) == [path((2, 2), (8, 8))])
        #expect(TileClip.path(path((-5, 5), (15, 5)), to: box) == [path((0, 5), (10, 5))])
        #expect(TileClip.path(path((20, 0), (20, 10)), to: box).isEmpty)
        // Out at the top and in again: two pieces.
        #expect(
            TileClip.path(path((2, 5), (2, 15), (4, 15), (4, 5)), to: box) == [path((2, 5), (2, 10)), path((4, 10), (4, 5))])
    }

    @Test func aRingIsCutToTheBox() {
        let box = Envelope(xmin: 0, ymin: 0, xmax: 10, ymax: 10)
        let around = Envelope(xmin: -5, ymin: -5, xmax: 15, ymax: 15).ring
        #expect(Envelope(around: TileClip.ring(around, to: box)) == box)
        let corner = TileClip.ring(Envelope(xmin: 8, ymin: 8, xmax: 20, ymax: 20).ring, to: box)
        #expect(Envelope(around: corner) == Envelope(xmin: 8, ymin: 8, xmax: 10, ymax: 10))
        #expect(TileClip.ring(Envelope(xmin: 20, ymin: 20, xmax: 30, ymax: 30).ring, to: box).isEmpty)
    }

    @Test func commandsAreThoseOfTheFormat() throws {
        // The example of the specification: a line (2,2) (2,10) (10,10), in a box where a unit is a metre.
        let box = Envelope(xmin: 0, ymin: 0, xmax: 4096, ymax: 4096)
        func at(_ x: Double, _ y: Double) -> Coordinate { Coordinate(x: x, y: 4096 - y) }
        let line = try #require(TileGeometry(.polyline([[at(2, 2), at(2, 10), at(10, 10)]]), in: box))
        #expect(line.commands == [9, 4, 4, 18, 0, 16, 16, 0])
        let point = try #require(TileGeometry(.point(at(25, 17)), in: box))
        #expect(point.commands == [9, 50, 34])
        let ring = [at(3, 6), at(8, 12), at(20, 34), at(3, 6)]
        let polygon = try #require(TileGeometry(.polygon(Polygon(rings: [ring])), in: box))
        #expect(polygon.commands == [9, 6, 12, 18, 10, 12, 24, 44, 15])
    }

    @Test func tilesAndTreeAgree() throws {
        let tree = Self.tiles.tileMap
        var present = 0
        for level in 12...16 {
            let range = try #require(Self.tiles.scheme.tiles(covering: Self.hamlet.extent, level: level))
            for row in (range.rows.lowerBound - 1)...range.rows.upperBound {
                for column in (range.columns.lowerBound - 1)...range.columns.upperBound {
                    let bytes = Self.tiles.tile(level: level, row: row, column: column)
                    #expect((bytes != nil) == tree.contains(level: level, row: row, column: column))
                    if let bytes {
                        present += 1
                        #expect(bytes.starts(with: [0x1F, 0x8B]))
                    }
                }
            }
        }
        #expect(present > 10)
        #expect(Self.tiles.tile(level: 16, row: 0, column: 0) == nil)
        #expect(Self.tiles.tile(level: 0, row: 0, column: 0) != nil)
        #expect(Self.tiles.tile(level: 17, row: 0, column: 0) == nil)
        // The JSON says the same: NW, NE, SW, SE from the root down to the town.
        let place = Self.tile(of: Self.hamlet.plan.center, level: 16)
        var node = try #require(Self.tiles.tilemap["index"])
        for depth in (0..<16).reversed() {
            node = try #require(node[(place.column >> depth & 1) + 2 * (place.row >> depth & 1)])
        }
        #expect(node == 1)
    }

    @Test(.enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)"))
    func anIndependentReaderFindsTheFeatures() throws {
        let folder = try TemporaryFolder()
        guard case .point(let hydrant) = Self.hamlet.water[0].rows[2].shape else { return #expect(Bool(false)) }
        let spot = Self.tile(of: hydrant, level: 16)
        let bytes = try #require(Self.tiles.tile(level: 16, row: spot.row, column: spot.column))
        try Files.writeAtomically(bytes, to: folder.file("tile.pbf"))
        let verdict = try PythonJudge.run(
            """
            import gzip, json, sys, mapbox_vector_tile
            data = gzip.decompress(open(sys.argv[1], "rb").read())
            tile = mapbox_vector_tile.decode(data, default_options={"y_coord_down": True})
            print(json.dumps(tile))
            """, [folder.file("tile.pbf")])
        #expect(verdict.status == 0, "\(verdict.errors)")
        let tile = try JSON.parse(verdict.output)
        for name in ["districts", "streets", "mains", "hydrants"] { #expect(tile[name] != nil, "\(name)") }
        #expect(tile["streets"]?["extent"]?.int == 4096 && tile["streets"]?["version"]?.int == 2)
        let found = try #require(tile["hydrants"]?["features"]?.array?.first { $0["id"]?.int == 3 })
        let at = found["geometry"]?["coordinates"]?.array?.compactMap(\.double) ?? []
        #expect(at.count == 2 && abs(at[0] - spot.x) <= 0.5001 && abs(at[1] - spot.y) <= 0.5001)
        #expect(
            found["properties"]?["status"]?.string == "in service" || found["properties"]?["status"]?.string == "out of service")
        for street in tile["streets"]?["features"]?.array ?? [] {
            let number = try #require(street["id"]?.int)
            #expect(street["properties"]?["name"]?.string == Self.hamlet.streets[number - 1].name)
            for place in street["geometry"]?["coordinates"]?.array ?? [] {
                for value in place.array?.compactMap(\.double) ?? [] { #expect((-64...4160).contains(value)) }
            }
        }
    }

    @Test(.enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)"))
    func polygonsKeepTheirHolesAndParts() throws {
        let folder = try TemporaryFolder()
        let spot = Self.tile(of: Self.hamlet.plan.center, level: 12)
        let bytes = try #require(Self.tiles.tile(level: 12, row: spot.row, column: spot.column))
        try Files.writeAtomically(bytes, to: folder.file("tile.pbf"))
        let verdict = try PythonJudge.run(
            """
            import gzip, sys, mapbox_vector_tile
            from shapely.geometry import shape
            tile = mapbox_vector_tile.decode(gzip.decompress(open(sys.argv[1], "rb").read()))
            for feature in tile["districts"]["features"]:
                figure = shape(feature["geometry"])
                parts = list(getattr(figure, "geoms", [figure]))
                print(feature["id"], len(parts), sum(len(p.interiors) for p in parts), figure.is_valid)
            """, [folder.file("tile.pbf")])
        #expect(verdict.status == 0, "\(verdict.errors)")
        let lines = Set(verdict.output.split(separator: "\n").map(String.init))
        // 2 is the district with a hole, 5 the one of two corners.
        #expect(lines.contains("2 1 1 True") && lines.contains("5 2 0 True") && lines.contains("1 1 0 True"))
    }

    @Test func theStyleFindsItsLayersAndFiles() throws {
        let style = try JSON.parse(try #require(Self.tiles.resource("styles/root.json")).bytes)
        let names = Set(Self.tiles.layers.map(\.name))
        for layer in style["layers"]?.array ?? [] {
            if let source = layer["source-layer"]?.string { #expect(names.contains(source), "\(source)") }
        }
        #expect(style["version"]?.int == 8 && style["sprite"]?.string == "../sprites/sprite")
        #expect(style["sources"]?["esri"]?["url"]?.string == "../../")
        let info = try JSON.parse(try #require(Self.tiles.resource("info/root.json")).bytes)
        let files = (info["resourceInfo"]?.array ?? []).compactMap(\.string)
        #expect(files.contains("../fonts/Noto%20Sans%20Regular/0-255.pbf"))
        for path in VectorTileResources.listed { #expect(Self.tiles.resource(path)?.bytes.isEmpty == false, "\(path)") }
        #expect(Self.tiles.resource("fonts/Noto Sans Regular/65280-65535.pbf") != nil)
        #expect(Self.tiles.resource("fonts/Noto Sans Regular/1-256.pbf") == nil)
        #expect(Self.tiles.resource("fonts/Other/0-255.pbf") == nil)
        // stacks { name: "Noto Sans Regular" (17 bytes), range: "0-255" (5 bytes) }
        let glyphs = try #require(Self.tiles.resource("fonts/Noto Sans Regular/0-255.pbf")).bytes
        let expected: [UInt8] = [0x0A, 26, 0x0A, 17] + Array("Noto Sans Regular".utf8) + [0x12, 5] + Array("0-255".utf8)
        #expect(glyphs == expected)
    }

    @Test func theItemsStyleIsAbsoluteAndDifferent() throws {
        func own(_ path: String) -> [UInt8]? {
            Self.tiles.customStyle(
                itemResourcesURL: "http://h/item/resources", serviceURL: "http://h/s/VectorTileServer", path: path)?
                .bytes
        }
        let style = try JSON.parse(try #require(own("styles/root.json")))
        #expect(style["sprite"]?.string == "http://h/item/resources/sprites/sprite-1717200000000")
        #expect(style["glyphs"]?.string == "http://h/s/VectorTileServer/resources/fonts/{fontstack}/{range}.pbf")
        #expect(style["sources"]?["esri"]?["url"]?.string == "http://h/s/VectorTileServer")
        #expect(own("styles/root.json") != Self.tiles.resource("styles/root.json")?.bytes)
        for path in CustomStyle.paths { #expect(own(path)?.isEmpty == false, "\(path)") }
        #expect(own("sprites/other.png") == nil)
    }
}
