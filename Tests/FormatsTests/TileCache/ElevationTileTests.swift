import Basics
import Geography
import TestSupport
import Testing

@testable import Formats

struct ElevationTileTests {
    /// A slope of half a metre a column and two metres a row.
    private static func slope(_ width: Int = 257, _ height: Int = 257) -> ElevationTile {
        ElevationTile(
            width: width, height: height,
            heights: (0..<width * height).map { Float($0 % width) / 2 + Float($0 / width) * 2 })
    }

    @Test func heightsComeBackWithinTheError() throws {
        let tile = Self.slope()
        let bytes = try tile.encoded(maxError: 0.1)
        #expect(bytes.starts(with: Array("Lerc2".utf8)) && TileSignature(bytes) == .lerc)
        // 264,196 bytes of numbers.
        #expect(bytes.count < 100_000)
        let read = try ElevationTile(lerc: bytes)
        #expect(read.width == 257 && read.height == 257)
        #expect(zip(read.heights, tile.heights).allSatisfy { abs($0 - $1) <= 0.1001 })
        let exact = Self.slope(5, 3)
        #expect(try ElevationTile(lerc: exact.encoded(maxError: 0)) == exact)
    }

    @Test func whatIsNotKnownStaysUnknown() throws {
        var tile = Self.slope(4, 4)
        tile.heights[5] = .nan
        let read = try ElevationTile(lerc: tile.encoded(maxError: 0))
        #expect(read.heights[5].isNaN && read.heights.count { $0.isNaN } == 1 && read.heights[6] == 3)
    }

    @Test func damageIsNotDecoded() throws {
        let bytes = try Self.slope().encoded(maxError: 0.1)
        func fails(_ bytes: [UInt8]) -> Bool { (try? ElevationTile(lerc: bytes)) == nil }
        #expect(fails([]) && fails(Array("Lerc2".utf8)) && fails(Array(bytes.dropLast())) && fails(Array(bytes.prefix(200))))
        // The checksum sees what the header does not.
        var changed = bytes
        changed[bytes.count - 9] ^= 0x10
        #expect(try LercHeader(changed).width == 257)
        #expect(throws: LercError(.malformed)) { try ElevationTile(lerc: changed) }
        // A header that claims 2^30 columns (at byte 18 of LERC 2.4) is not allocated for.
        var large = bytes
        large[21] = 0x40
        #expect(fails(large))
    }

    @Test func aPackageNamesItsDamagedTiles() throws {
        let folder = try TemporaryFolder()
        let scheme = TilingScheme.webMercator()
        let box = Envelope(xmin: 0, ymin: 0, xmax: 1, ymax: 1)
        let good = try Self.slope().encoded(maxError: 0.1)
        var changed = good
        changed[good.count - 9] ^= 0x10
        let tiles = [
            good, changed, try Self.slope(16, 16).encoded(maxError: 0.1), try Self.slope(256, 256).encoded(maxError: 0.1),
        ]
        try TilePackageWriter.write(
            tiles.enumerated().map { (TileAddress(level: 3, row: 1, column: $0.offset), $0.element) },
            description: PackageDescription(
                name: "heights", scheme: scheme, extent: box, geographicExtent: box, presentLevels: [3], thumbnail: []),
            image: TileImageInfo(format: "LERC", lercError: 0.1), to: folder.file("a.tpkx"))
        let facts = try TilePackage.inspect(folder.file("a.tpkx"))
        #expect(facts.tiles == 4 && facts.imageFormat == "LERC")
        #expect(
            facts.damaged == [
                DamagedTile(address: TileAddress(level: 3, row: 1, column: 1), reason: .brokenElevation(code: 1)),
                DamagedTile(address: TileAddress(level: 3, row: 1, column: 2), reason: .wrongSize(width: 16, height: 16)),
            ])
    }

    /// Esri's own decoder reads what we write.
    @Test(.enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)"))
    func anotherDecoderReadsTheSame() throws {
        let folder = try TemporaryFolder()
        var tile = Self.slope()
        tile.heights[3] = .nan
        try Files.writeAtomically(tile.encoded(maxError: 0), to: folder.file("tile.lerc"))
        let verdict = try PythonJudge.run(
            """
            import sys, lerc
            code, grid, valid = lerc.decode(open(sys.argv[1], "rb").read())[:3]
            print(code, grid.shape, grid.dtype, (valid == 0).sum(), valid[0, 3], grid[0, 4], grid[256, 256], grid[10, 1])
            """, [folder.file("tile.lerc")])
        // 4/2; 256/2 + 512; 1/2 + 20.
        #expect(verdict.output == "0 (257, 257) float32 1 False 2.0 640.0 20.5\n", "\(verdict.errors)")
    }
}
