import Basics
import Formats
import Geography
import TestSupport
import Testing

/// The numbers of formats.md 11.4 and samples/README.md.
@Suite(.enabled(if: SharedFiles.isAvailable, "needs the recorded files: set OFFLINE_BATCH_SHARED"))
struct TilePackageTests {
    private func inspect(_ sample: String) throws -> TilePackageFacts {
        try TilePackage.inspect(SharedFiles.path("samples/" + sample))
    }

    struct Expectation: Sendable, CustomTestStringConvertible {
        var file: String
        var storage: CacheStorage
        var format: String
        var levels: [Int: Int]
        var damaged: Int = 0
        var testDescription: String { file }
    }

    static let expectations = [
        Expectation(
            file: "tpkx/Usa.tpkx", storage: .compactV2, format: "PNG", levels: [0: 1, 1: 1, 2: 4, 3: 9, 4: 30, 5: 99], damaged: 2),
        Expectation(
            file: "compactcache-v2/esri-sample_cache", storage: .compactV2, format: "JPEG", levels: [0: 1, 1: 4, 2: 16]),
        Expectation(file: "compactcache-v2/geowebcache", storage: .compactV2, format: "JPEG", levels: [4: 8, 5: 28]),
        Expectation(file: "compactcache-v1/geowebcache", storage: .compactV1, format: "JPEG", levels: [5: 28, 6: 84]),
        Expectation(
            file: "mmpk/canyonlands-exploded/p13/07a691d9-dbdf-4fa2-bda1-021481fdbe8d.tpk", storage: .compactV1, format: "JPEG",
            levels: [10: 12, 11: 30]),
        Expectation(
            file: "tpk/states_filled.tpk", storage: .compactV1, format: "PNG8", levels: [0: 1, 1: 1, 2: 2, 3: 4, 4: 16]),
        Expectation(file: "tpk/nonstandard_zoom_levels.tpk", storage: .compactV1, format: "PNG8", levels: [0: 2, 1: 4, 2: 16]),
        Expectation(file: "tpk/alt_root_name.tpk", storage: .compactV1, format: "PNG8", levels: [0: 1, 1: 1]),
        Expectation(file: "tpk/geotools-sample_v1.tpk", storage: .compactV1, format: "JPEG", levels: [1: 4, 2: 16]),
        Expectation(file: "tpk/geotools-sample_v2.tpkx", storage: .compactV2, format: "JPEG", levels: [0: 1, 1: 4, 2: 16]),
        Expectation(file: "tpk/geotools-sample_v3.tpk", storage: .compactV1, format: "PNG", levels: [0: 1]),
    ]

    @Test(arguments: expectations)
    func tilesPerLevel(expected: Expectation) throws {
        let facts = try inspect(expected.file)
        #expect(facts.storage == expected.storage)
        #expect(facts.imageFormat == expected.format)
        #expect(Dictionary(uniqueKeysWithValues: facts.levels.map { ($0.level, $0.tiles) }) == expected.levels)
        #expect(facts.damaged.count == expected.damaged)
        #expect(facts.scheme.spatialReference.isWebMercator)
    }

    /// Both start at PNG byte 4 (formats.md 1.2).
    @Test func theTwoDamagedTilesOfUsaAreNamed() throws {
        let facts = try inspect("tpkx/Usa.tpkx")
        let reason = DamagedTile.Reason.unknownSignature(firstBytes: "0d 0a 1a 0a 00 00 00 0d")
        #expect(facts.damaged.map(\.reason) == [reason, reason])
        #expect(facts.damaged.map(\.address.level) == [0, 1])
        #expect(facts.totalBytes == 1_635_803)
        #expect(facts.scheme.levels.count == 24)
        #expect(facts.tiles == 144)
    }

    @Test func canyonlandsLiesWhereItShould() throws {
        let package = try TilePackage(
            opening: SharedFiles.path("samples/mmpk/canyonlands-exploded/p13/07a691d9-dbdf-4fa2-bda1-021481fdbe8d.tpk"))
        var places: [Int: Set<[Int]>] = [:]
        try package.forEachTile { (address, _) throws(FormatError) in
            places[address.level, default: []].insert([address.column, address.row])
        }
        #expect(places[10] == Set((198...200).flatMap { x in (392...395).map { [x, $0] } }))
        #expect(places[11] == Set((396...400).flatMap { x in (785...790).map { [x, $0] } }))
    }

    @Test func aLevelIsNotAZoom() throws {
        let package = try TilePackage(opening: SharedFiles.path("samples/tpk/nonstandard_zoom_levels.tpk"))
        // Level 0 is what the usual scheme calls zoom 2 (formats.md 1.1).
        let resolution = try #require(package.scheme[level: 0]?.resolution)
        #expect(abs(resolution - 39_135.76) < 0.01)
    }

    /// The two caches of GeoWebCache are twins, V1 column-major and V2 row-major: the same addresses, and the eight tiles
    /// whose JPEG is the same in both lie at the same address (counted with a script over the raw files).
    @Test func v1AndV2TwinsAgree() throws {
        func tiles(_ cache: String) throws -> [TileAddress: [UInt8]] {
            var tiles: [TileAddress: [UInt8]] = [:]
            let package = try TilePackage(opening: SharedFiles.path("samples/" + cache))
            try package.forEachTile { (address, data) throws(FormatError) in if address.level == 5 { tiles[address] = data } }
            return tiles
        }
        let first = try tiles("compactcache-v1/geowebcache")
        let second = try tiles("compactcache-v2/geowebcache")
        #expect(Set(first.keys) == Set(second.keys))
        #expect(first.count { second[$0.key] == $0.value } == 8)
        let one = try #require(second.first)
        let package = try TilePackage(opening: SharedFiles.path("samples/compactcache-v2/geowebcache"))
        #expect(try package.tile(one.key) == one.value)
        #expect(try package.tile(TileAddress(level: 5, row: 127, column: 127)) == nil)
    }
}
