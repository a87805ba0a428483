import Basics
import Geography

/// What a raster tile package or cache holds.
public struct TilePackageFacts: Sendable, Hashable, Codable {
    public var storage: CacheStorage
    public var scheme: TilingScheme
    /// As the metadata spells it: `PNG`, `JPEG`, `MIXED` …; empty when it says nothing.
    public var imageFormat: String
    /// Of the cached data, in the scheme's units, where the package says so.
    public var extent: Envelope?
    /// Levels that hold tiles, ascending by level id.
    public var levels: [LevelCount]
    public var damaged: [DamagedTile]
    public var bundles: Int
    /// Of the package, or of all files of a folder.
    public var totalBytes: Int

    public init(
        storage: CacheStorage, scheme: TilingScheme, imageFormat: String, extent: Envelope? = nil, levels: [LevelCount],
        damaged: [DamagedTile], bundles: Int, totalBytes: Int
    ) {
        self.storage = storage
        self.scheme = scheme
        self.imageFormat = imageFormat
        self.extent = extent
        self.levels = levels
        self.damaged = damaged
        self.bundles = bundles
        self.totalBytes = totalBytes
    }

    public var tiles: Int { levels.reduce(0) { $0 + $1.tiles } }
    public func tiles(atLevel level: Int) -> Int { levels.first { $0.level == level }?.tiles ?? 0 }
}

/// A .tpkx, a .tpk, a cache in a zip, or a cache in a folder: told apart by what is inside, not by the name (formats.md 1.5).
/// Opening reads the metadata; every call blocks and holds one tile and one index at a time.
public struct TilePackage: Sendable {
    public let path: String
    public let storage: CacheStorage
    public let scheme: TilingScheme
    public let imageFormat: String
    public let extent: Envelope?
    private let source: PackageSource
    private let files: BundleFiles
    /// Records of V1 index files by bundle.
    private let indexes: [BundleAddress: [BundleReading.Record]]

    /// Reads the metadata. Fails when it is missing, does not parse or names a storage that is not compact.
    public init(opening path: String) throws(FormatError) {
        let survey = try CacheSurvey(PackageSource(path: path))
        self.path = path
        source = survey.source
        files = survey.files
        indexes = survey.indexes
        storage = survey.metadata.storage ?? (survey.indexes.isEmpty ? .compactV2 : .compactV1)
        scheme = survey.metadata.scheme
        imageFormat = survey.metadata.imageFormat
        extent = survey.metadata.extent
    }

    /// Walks the whole package: every index, every tile's bounds and signature, every checksum of the zip; of
    /// elevation tiles also what they say of themselves, and a sample is decoded. A broken structure is an error; single bad tiles
    /// are listed.
    public static func inspect(_ path: String) throws(FormatError) -> TilePackageFacts {
        try TilePackage(opening: path).inspect()
    }

    public func inspect() throws(FormatError) -> TilePackageFacts {
        var census = TileCensus()
        var elevation = ElevationCheck(width: scheme.tileWidth, height: scheme.tileHeight)
        let known = Set(scheme.levels.map(\.level))
        try forEachStoredTile(checkingSums: true) { (tile) throws(FormatError) in
            census.count(tile)
            if !known.contains(tile.address.level) {
                census.damage(tile.address, .unknownLevel)
            } else if let prefix = tile.strayPrefix {
                census.damage(tile.address, .sizeMismatch(index: tile.data.count, prefix: prefix))
            } else if let signature = TileSignature(tile.data) {
                if signature == .lerc, let problem = elevation.problem(tile) { census.damage(tile.address, problem) }
            } else {
                census.damage(tile.address, .unknownSignature(firstBytes: hexText(tile.data.prefix(8))))
            }
        }
        return TilePackageFacts(
            storage: storage, scheme: scheme, imageFormat: imageFormat, extent: extent, levels: census.levels,
            damaged: census.damagedTiles, bundles: census.bundles.count, totalBytes: try source.totalBytes())
    }

    /// Every tile, bundle by bundle, in the order in which the bytes lie.
    public func forEachTile(_ body: (TileAddress, [UInt8]) throws(FormatError) -> Void) throws(FormatError) {
        try forEachStoredTile(checkingSums: false) { (tile) throws(FormatError) in try body(tile.address, tile.data) }
    }

    /// One tile; nil when the package does not hold it. Reads up to the tile's bundle each time: for checks, not for serving.
    public func tile(_ address: TileAddress) throws(FormatError) -> [UInt8]? {
        var found: [UInt8]?
        try forEachStoredTile(only: address.bundle, checkingSums: false) { (tile) throws(FormatError) in
            if tile.address == address { found = tile.data }
        }
        return found
    }

    private func forEachStoredTile(
        only wanted: BundleAddress? = nil, checkingSums: Bool, _ body: (StoredTile) throws(FormatError) -> Void
    ) throws(FormatError) {
        var missing = Set(indexes.keys)
        var seen: Set<BundleAddress> = []
        try source.walk(checkingSums: checkingSums) { (entry, stream) throws(FormatError) in
            guard let (address, isIndex) = files.bundle(entry), !isIndex else { return }
            missing.remove(address)
            guard seen.insert(address).inserted else { throw stream.failure(.unexpected, expected: "one entry", found: "two") }
            if let wanted, wanted != address { return }
            switch storage {
            case .compactV2: try BundleReading.readV2(stream, address, body)
            case .compactV1:
                guard let records = indexes[address] else {
                    throw stream.failure(.missing, expected: address.stem + ".bundlx")
                }
                try BundleReading.readV1(stream, address, records: records, body)
            }
        }
        if storage == .compactV1, let lost = missing.first {
            throw FormatError(
                .missing, file: path, entry: BundleAddress.folder(level: lost.level), expected: lost.stem + ".bundle")
        }
    }
}

/// Counts tiles as they pass.
struct TileCensus {
    private var tiles: [Int: (tiles: Int, bytes: Int)] = [:]
    private(set) var damagedTiles: [DamagedTile] = []
    private(set) var bundles: Set<BundleAddress> = []

    mutating func count(_ tile: StoredTile) { count(tile.address, bytes: tile.data.count) }

    mutating func count(_ address: TileAddress, bytes: Int) {
        tiles[address.level, default: (0, 0)].tiles += 1
        tiles[address.level, default: (0, 0)].bytes += bytes
        bundles.insert(address.bundle)
    }

    mutating func damage(_ address: TileAddress, _ reason: DamagedTile.Reason) {
        damagedTiles.append(DamagedTile(address: address, reason: reason))
    }

    var levels: [LevelCount] {
        tiles.map { LevelCount(level: $0.key, tiles: $0.value.tiles, bytes: $0.value.bytes) }.sorted { $0.level < $1.level }
    }
}
