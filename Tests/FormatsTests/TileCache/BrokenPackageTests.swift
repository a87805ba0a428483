import Basics
import Formats
import Geography
import TestSupport
import Testing

/// Packages spoilt on purpose: each must be refused for its own reason, with place and both values.
struct BrokenPackageTests {
    private let folder: TemporaryFolder
    private let first = TileAddress(level: 3, row: 1, column: 2)
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    init() throws { folder = try TemporaryFolder() }

    /// An exploded cache with one bundle of two tiles, changed by `change`.
    private func inspect(_ change: (inout [UInt8]) -> Void) throws -> Result<TilePackageFacts, FormatError> {
        var bundle = try CompactBundle.encode([(first, Self.png), (TileAddress(level: 3, row: 1, column: 3), Self.png + [4])])
        change(&bundle)
        try Files.makeDirectory(folder.file("tile/L03"))
        try Files.writeAtomically(bundle, to: folder.file("tile/L03/R0000C0000.bundle"))
        let root: JSON = [
            "tileInfo": TilingScheme.webMercator().json, "tileBundlesPath": "./tile",
            "storageInfo": ["StorageFormat": "esriMapCacheStorageModeCompactV2", "packetsize": 128],
        ]
        try Files.writeAtomically(Array(root.serialized().utf8), to: folder.file("root.json"))
        let path = folder.path
        return Result { () throws(FormatError) in try TilePackage.inspect(path) }
    }

    private func error(_ change: (inout [UInt8]) -> Void) throws -> FormatError? {
        if case .failure(let error) = try inspect(change) { error } else { nil }
    }

    /// The index entry of `first`: 64 + 8 · (128 + 2).
    private let entry = 64 + 8 * 130

    @Test func theUnchangedCacheIsFine() throws {
        let facts = try inspect { _ in }.get()
        #expect(facts.tiles == 2 && facts.damaged.isEmpty && facts.levels == [LevelCount(level: 3, tiles: 2, bytes: 23)])
    }

    @Test(arguments: [(0, 3), (12, 5), (60, 131072)])
    func wrongHeaderWords(offset: Int, expected: Int) throws {
        let found = try #require(try error { $0[offset] ^= 1 })
        #expect(found.code == .unexpected && found.offset == offset && found.entry == "tile/L03/R0000C0000.bundle")
        #expect(found.expected == "\(expected)" && found.found == "\(expected ^ 1)")
    }

    @Test func wordsThatReadersIgnore() throws {
        let facts = try inspect { bundle in
            for offset in [4, 8, 16, 24, 44, 48, 52, 56] { bundle[offset] ^= 0x55 }
        }.get()
        #expect(facts.tiles == 2 && facts.damaged.isEmpty)
    }

    @Test func anIndexThatPointsOutside() throws {
        let beyond = try #require(try error { $0[entry + 2] = 0xFF })
        #expect(beyond.code == .outOfBounds && beyond.offset == entry)
        let intoTheIndex = try #require(try error { $0[entry + 2] = 0 })
        #expect(intoTheIndex.code == .outOfBounds)
    }

    @Test func aBundleCutShort() throws {
        #expect(try error { $0.removeLast(1) }?.code == .outOfBounds)
        #expect(try error { $0.removeLast($0.count - 1000) }?.code == .truncated)
        #expect(try error { $0 = [] }?.code == .truncated)
    }

    @Test func badTilesAreListed() throws {
        let prefix = try inspect { $0[131_136] = 99 }.get()
        #expect(prefix.damaged == [DamagedTile(address: first, reason: .sizeMismatch(index: 11, prefix: 99))])
        let signature = try inspect { $0[131_140] = 0 }.get()
        #expect(
            signature.damaged == [DamagedTile(address: first, reason: .unknownSignature(firstBytes: "00 50 4e 47 0d 0a 1a 0a"))])
        #expect(signature.tiles == 2)
    }

    @Test func sharedTilesAreReadTwiceAndOverlapsRefused() throws {
        // The second tile's entry copied from the first: one place, two addresses.
        let shared = try inspect { $0.replaceSubrange(entry + 8..<entry + 16, with: $0[entry..<entry + 8]) }.get()
        #expect(shared.tiles == 2 && shared.damaged.isEmpty)
        let overlap = try #require(
            try error {
                $0.replaceSubrange(entry + 8..<entry + 16, with: $0[entry..<entry + 8])
                $0[entry + 8] += 1
            })
        #expect(overlap.code == .unexpected)
    }

    @Test func namesThatAreNoMultiples() throws {
        _ = try inspect { _ in }
        try Files.rename(folder.file("tile/L03/R0000C0000.bundle"), to: folder.file("tile/L03/R0000C0001.bundle"))
        do throws(FormatError) {
            _ = try TilePackage.inspect(folder.path)
            Issue.record("accepted")
        } catch {
            #expect(error.code == .unexpected && error.found == "R0000C0001")
        }
    }

    @Test func metadataThatDoesNotServe() throws {
        _ = try inspect { _ in }
        func code(_ root: String) throws -> (FormatError.Code?, String?) {
            try Files.writeAtomically(Array(root.utf8), to: folder.file("root.json"))
            do throws(FormatError) { _ = try TilePackage(opening: folder.path) } catch { return (error.code, error.expected) }
            return (nil, nil)
        }
        #expect(try code("{") == (.malformed, "JSON"))
        #expect(try code("{}") == (.malformed, "tileInfo"))
        #expect(try code("{\"tileInfo\":{\"rows\":256,\"cols\":256}}") == (.malformed, "tileInfo.origin"))
        try Files.remove(folder.file("root.json"))
        #expect(throws: FormatError(.missing, file: folder.path, expected: "root.json or conf.xml")) {
            try TilePackage(opening: folder.path)
        }
    }

    @Test func tooDeepAndBrokenConf() throws {
        _ = try inspect { _ in }
        for (text, field) in [("<CacheInfo>", "XML"), ("<CacheInfo/>", "TileCacheInfo")] {
            try Files.writeAtomically(Array(text.utf8), to: folder.file("conf.xml"))
            do throws(FormatError) {
                _ = try TilePackage(opening: folder.path)
                Issue.record("accepted \(text)")
            } catch {
                #expect(error.code == .malformed && error.expected == field)
            }
        }
    }
}
