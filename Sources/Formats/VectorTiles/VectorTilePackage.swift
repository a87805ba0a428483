import Basics
import Geography

/// What a vector tile package holds.
public struct VectorTilePackageFacts: Sendable, Hashable, Codable {
    /// The default style, when it is there and parses.
    public struct Style: Sendable, Hashable, Codable {
        public var version: Int?
        public var layers: Int
        /// Names of its sources.
        public var sources: [String]
        public var sprite: String?
        public var glyphs: String?
        /// Font stacks that its text layers name outright.
        public var fonts: [String]
    }

    public var scheme: TilingScheme
    /// From `minLOD` and `maxLOD`; tools disagree on them, so they are a claim (formats.md 2).
    public var claimedLevels: ClosedRange<Int>?
    public var extent: Envelope?
    public var levels: [LevelCount]
    public var damaged: [DamagedTile]
    public var bundles: Int
    public var totalBytes: Int
    /// nil when the package has no default style.
    public var style: Style?
    /// Why there is no usable style although a file is there.
    public var styleProblem: String?
    /// Files that `resources/info/root.json` lists, as paths below the package root (`p12/resources/…`).
    public var listedResources: [String]
    /// Listed, but not in the package. Pro lists fonts that it leaves out.
    public var missingResources: [String]
    /// Sprite files that the style needs and the package lacks.
    public var missingSprites: [String]
    /// Ids of `metadata.json`.
    public var declaredLayers: [String]
    /// Names of MVT layers met in tiles, sorted.
    public var layersInTiles: [String]
    public var tileMap: TileMapTree?
    public var tileMapProblem: String?

    public var tiles: Int { levels.reduce(0) { $0 + $1.tiles } }
    public func tiles(atLevel level: Int) -> Int { levels.first { $0.level == level }?.tiles ?? 0 }
}

/// A .vtpk, zipped or in a folder. Opening reads the documents; every call blocks and holds one tile and one index at a time.
public struct VectorTilePackage: Sendable {
    public let path: String
    public let scheme: TilingScheme
    private let survey: VectorTileSurvey

    /// No tile opens to more than this.
    public static let largestTile = 1 << 26

    public init(opening path: String) throws(FormatError) {
        self.path = path
        survey = try VectorTileSurvey(PackageSource(path: path))
        scheme = survey.metadata.scheme
    }

    /// Walks the whole package: every index, every tile's gzip stream and protobuf, every checksum of the zip. A broken
    /// structure is an error; single bad tiles and missing resources are listed.
    public static func inspect(_ path: String) throws(FormatError) -> VectorTilePackageFacts {
        try VectorTilePackage(opening: path).inspect()
    }

    public func inspect() throws(FormatError) -> VectorTilePackageFacts {
        var census = TileCensus()
        var names: Set<String> = []
        let known = Set(scheme.levels.map(\.level))
        try forEachStoredTile(checkingSums: true) { (tile) throws(FormatError) in
            census.count(tile)
            if let reason = Self.damage(of: tile, known: known, names: &names) { census.damage(tile.address, reason) }
        }
        return VectorTilePackageFacts(
            scheme: scheme, claimedLevels: survey.metadata.claimedLevels, extent: survey.metadata.extent, levels: census.levels,
            damaged: census.damagedTiles, bundles: census.bundles.count, totalBytes: try survey.source.totalBytes(),
            style: survey.style, styleProblem: survey.styleProblem, listedResources: survey.listedResources,
            missingResources: survey.missingResources, missingSprites: survey.missingSprites,
            declaredLayers: survey.declaredLayers,
            layersInTiles: names.sorted(), tileMap: survey.tileMap, tileMapProblem: survey.tileMapProblem)
    }

    private static func damage(of tile: StoredTile, known: Set<Int>, names: inout Set<String>) -> DamagedTile.Reason? {
        if !known.contains(tile.address.level) { return .unknownLevel }
        if let prefix = tile.strayPrefix { return .sizeMismatch(index: tile.data.count, prefix: prefix) }
        guard tile.data.starts(with: Gzip.magic) else { return .unknownSignature(firstBytes: hexText(tile.data.prefix(8))) }
        do throws(GzipError) {
            let opened = try Gzip.decompress(tile.data, limit: largestTile)
            do throws(VectorTileProblem) { names.formUnion(try VectorTileCheck.layers(opened)) } catch {
                return .notAVectorTile("\(error.what) at \(error.offset)")
            }
        } catch {
            return .badCompression(error.code.rawValue)
        }
        return nil
    }

    /// Every tile as stored (gzip), bundle by bundle, in the order in which the bytes lie.
    public func forEachTile(_ body: (TileAddress, [UInt8]) throws(FormatError) -> Void) throws(FormatError) {
        try forEachStoredTile(checkingSums: false) { (tile) throws(FormatError) in try body(tile.address, tile.data) }
    }

    private func forEachStoredTile(
        checkingSums: Bool, _ body: (StoredTile) throws(FormatError) -> Void
    ) throws(FormatError) {
        var seen: Set<BundleAddress> = []
        try survey.source.walk(checkingSums: checkingSums) { (entry, stream) throws(FormatError) in
            guard let (address, isIndex) = survey.files.bundle(entry), !isIndex else { return }
            guard seen.insert(address).inserted else { throw stream.failure(.unexpected, expected: "one entry", found: "two") }
            try BundleReading.readV2(stream, address, body)
        }
    }
}
