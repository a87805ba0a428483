/// What a tile is, by its first bytes. `MIXED` caches hold two kinds, so the metadata does not decide.
public enum TileSignature: String, Sendable, Hashable, Codable {
    case png, jpeg, gif, webp, tiff, lerc, gzip

    public init?(_ data: some Collection<UInt8>) {
        func starts(_ bytes: [UInt8]) -> Bool { data.starts(with: bytes) }
        if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if starts([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if starts(Gzip.magic) {
            self = .gzip
        } else if starts(Array("Lerc2".utf8)) || starts(Array("CntZImage".utf8)) {
            self = .lerc
        } else if starts(Array("GIF8".utf8)) {
            self = .gif
        } else if starts(Array("RIFF".utf8)) && data.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A]) {
            self = .tiff
        } else {
            return nil
        }
    }
}

/// A tile that is there but not good: reported, not fatal, for Esri's own sample has two of them (formats.md 1.2).
public struct DamagedTile: Sendable, Hashable, Codable {
    public enum Reason: Sendable, Hashable, Codable {
        /// Not the start of any tile format; the first bytes in hex.
        case unknownSignature(firstBytes: String)
        /// The size in front of the tile is not the one in the index.
        case sizeMismatch(index: Int, prefix: Int)
        /// The gzip stream does not open; zlib's code.
        case badCompression(String)
        /// Not a vector tile once opened; what is wrong.
        case notAVectorTile(String)
        /// liblerc does not decode it; the library's code.
        case brokenElevation(code: Int)
        /// As many heights as no tile of the scheme has.
        case wrongSize(width: Int, height: Int)
        /// The level is not in the tiling scheme.
        case unknownLevel
    }

    public var address: TileAddress
    public var reason: Reason

    public init(address: TileAddress, reason: Reason) {
        self.address = address
        self.reason = reason
    }
}

/// How many tiles a level holds.
public struct LevelCount: Sendable, Hashable, Codable {
    public var level: Int
    public var tiles: Int
    public var bytes: Int

    public init(level: Int, tiles: Int, bytes: Int) {
        self.level = level
        self.tiles = tiles
        self.bytes = bytes
    }
}
