import Basics
import Formats
import Geography
import TestSupport
import Testing

/// Seeded damage: a reader may refuse what it is given, it may not trap. Bounded, so that the whole takes about a second.
struct FuzzTests {
    private struct Random {
        var state: UInt64
        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, bound)
        }

        mutating func spoil(_ bytes: [UInt8]) -> [UInt8] {
            var result = bytes
            for _ in 0...next(4) where !result.isEmpty {
                let place = next(result.count)
                switch next(4) {
                case 0: result[place] = UInt8(next(256))
                case 1: result[place] ^= UInt8(1 << next(8))
                case 2: result.removeSubrange(place..<min(result.count, place + 1 + next(8)))
                default: result.replaceSubrange(place..<min(result.count, place + 4), with: [0xFF, 0xFF, 0xFF, 0xFF])
                }
            }
            return result
        }
    }

    @Test func shapes() throws {
        var random = Random(state: 1)
        let ring = (0..<30).map { Coordinate(x: Double($0 * $0 % 17), y: Double($0)) }
        let blobs = try [
            STGeometry.point(Coordinate(x: 5, y: 6), srid: 3857), STGeometry.line([ring, ring], srid: 3857),
            STGeometry.polygon(Polygon(rings: [ring + [ring[0]]]), srid: 4326),
        ].map { try $0.encoded(grid: .webMercator) }
        var refused = 0
        for _ in 0..<20_000 {
            let blob = random.spoil(blobs[random.next(blobs.count)])
            if (try? STGeometry.decode(blob, grid: .webMercator)) == nil { refused += 1 }
        }
        #expect(refused > 5_000)
    }

    @Test func packages() throws {
        var random = Random(state: 2)
        let folder = try TemporaryFolder()
        let tile: [UInt8] = [0x1A, 4, 0x0A, 2, 0x61, 0x62]
        let description = Samples.description(
            .webMercator(tileSize: 512), levels: [0], extent: Envelope(xmin: 0, ymin: 0, xmax: 1, ymax: 1))
        try VectorTilePackageWriter.write(
            [(TileAddress(level: 0, row: 0, column: 0), tile)], description: description,
            content: VectorTileContent(
                layers: [], resources: [.init(path: "styles/root.json", bytes: Array("{}".utf8))], tileMap: 1),
            to: folder.file("a.vtpk"))
        let whole = try Files.read(folder.file("a.vtpk"))
        var refused = 0
        for round in 0..<150 {
            // Damage mostly where structure is: the first 8 kB and the zip directory at the end.
            let head = random.spoil(Array(whole.prefix(8_192)))
            let tail = round % 2 == 0 ? Array(whole.suffix(1_500)) : random.spoil(Array(whole.suffix(1_500)))
            try Files.writeAtomically(head + Array(whole[8_192..<whole.count - 1_500]) + tail, to: folder.file("b.vtpk"))
            let path = folder.file("b.vtpk")
            do throws(FormatError) { _ = try VectorTilePackage.inspect(path) } catch { refused += 1 }
            do throws(FormatError) { _ = try TilePackage.inspect(path) } catch { refused += 1 }
        }
        #expect(refused > 50)
    }

    @Test(.enabled(if: SharedFiles.isAvailable, "needs the recorded files"))
    func geodatabases() throws {
        var random = Random(state: 3)
        let folder = try TemporaryFolder()
        let whole = try Files.read(SharedFiles.path("samples/geodatabase/replica-agol-edited-redacted.geodatabase"))
        var refused = 0
        for _ in 0..<40 {
            var bytes = whole
            for _ in 0..<6 { bytes[random.next(bytes.count)] = UInt8(random.next(256)) }
            try Files.writeAtomically(bytes, to: folder.file("a.geodatabase"))
            let path = folder.file("a.geodatabase")
            do throws(FormatError) { _ = try Geodatabase.inspect(path) } catch { refused += 1 }
        }
        #expect(refused > 0)
    }
}
