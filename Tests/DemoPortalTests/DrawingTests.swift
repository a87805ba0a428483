import Basics
import Geography
import TestSupport
import Testing

@testable import DemoPortal

@Suite struct DrawingTests {
    static let hamlet = TownDataset.make(.hamlet)
    static let picture = TownPicture(hamlet)
    static let png = RasterTiles(picture: picture, extent: hamlet.extent, format: .png)
    static let jpeg = RasterTiles(picture: picture, extent: hamlet.extent, format: .jpeg)

    /// Naperville is in tile 16/16793…/24400… of the world: 360° / 2^16 a column.
    private static func tile(of place: Coordinate, level: Int) -> (row: Int, column: Int, x: Double, y: Double) {
        let side = 2 * 20_037_508.342787 / Double(1 << level)
        let (x, y) = ((place.x + 20_037_508.342787) / side, (20_037_508.342787 - place.y) / side)
        return (Int(y), Int(x), (x - x.rounded(.down)) * 256, (y - y.rounded(.down)) * 256)
    }

    @Test func tilesArePicturesOf256Pixels() throws {
        let place = Self.tile(of: Self.hamlet.plan.center, level: 16)
        let bytes = try #require(Self.png.tile(level: 16, row: place.row, column: place.column))
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(Array(bytes[16..<24]) == [0, 0, 1, 0, 0, 0, 1, 0])
        let photo = try #require(Self.jpeg.tile(level: 16, row: place.row, column: place.column))
        #expect(photo.starts(with: [0xFF, 0xD8, 0xFF]) && photo.suffix(2) == [0xFF, 0xD9])
    }

    @Test func tilesEndWhereTheTownEnds() throws {
        let center = Self.tile(of: Self.hamlet.plan.center, level: 14)
        #expect(Self.png.tile(level: 14, row: center.row, column: center.column) != nil)
        // A tile at level 14 is 2,446 m: the hamlet reaches 900 m, so three tiles on there is nothing.
        #expect(Self.png.tile(level: 14, row: center.row, column: center.column + 3) == nil)
        #expect(Self.png.tile(level: 20, row: 0, column: 0) == nil)
        #expect(Self.png.tile(level: 3, row: 8, column: 0) == nil)
        #expect(Self.png.tile(level: 3, row: -1, column: 0) == nil)
        // At the first levels the world is there, blank and the same everywhere.
        let blank = try #require(Self.png.tile(level: 3, row: 0, column: 0))
        #expect(Self.png.tile(level: 5, row: 31, column: 31) == blank)
    }

    @Test func theSameTileIsTheSameFromManyThreads() async throws {
        let place = Self.tile(of: Self.hamlet.plan.center, level: 17)
        let first = try #require(Self.png.tile(level: 17, row: place.row, column: place.column))
        await withTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<16 { group.addTask { Self.png.tile(level: 17, row: place.row, column: place.column) } }
            for await bytes in group { #expect(bytes == first) }
        }
    }

    @Test(.enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)"))
    func aHydrantAndAMainAreDrawnWhereTheyAre() throws {
        let folder = try TemporaryFolder()
        let script = """
            import sys, rasterio
            with rasterio.open(sys.argv[1]) as picture:
                pixels = picture.read()
            for spot in sys.argv[2:]:
                x, y = map(int, spot.split(","))
                print(*pixels[:3, y, x])
            """
        func colour(at place: Coordinate, level: Int) throws -> String? {
            let spot = Self.tile(of: place, level: level)
            let bytes = try #require(Self.png.tile(level: level, row: spot.row, column: spot.column))
            try Files.writeAtomically(bytes, to: folder.file("tile.png"))
            let verdict = try PythonJudge.run(script, [folder.file("tile.png"), "\(Int(spot.x)),\(Int(spot.y))"])
            #expect(verdict.status == 0, "\(verdict.errors)")
            return verdict.output.split(separator: "\n").first.map(String.init)
        }
        guard case .point(let hydrant) = Self.hamlet.water[0].rows[2].shape else { return #expect(Bool(false)) }
        // 0xD62F27
        #expect(try colour(at: hydrant, level: 18) == "214 47 39")
        let main = try #require(
            Self.hamlet.water[3].rows.first { $0.values.contains(.text("Ductile iron")) && $0.values.contains(.integer(8)) })
        guard case .polyline(let paths) = main.shape else { return #expect(Bool(false)) }
        // 0x1F5FD6, a third along the main, where no name, valve or hydrant has to be.
        let place = Line.point(on: paths[0], at: 0.37).place
        #expect(try colour(at: place, level: 19) == "31 95 214")
    }
}
