/// The layout of a compact cache V2 bundle (formats.md 1.2): header, index of 128 × 128 entries, then the tiles, each
/// behind its own size.
public enum CompactBundle {
    /// Tiles along one side of a bundle.
    public static let side = 128
    static let tileCount = side * side
    static let headerSize = 64
    static let indexSize = tileCount * 8
    /// Where the first tile's size field goes.
    static let dataStart = headerSize + indexSize
    /// Sizes have 24 bits.
    public static let largestTile = 0xFF_FFFF

    /// Position of a tile in the row-major index.
    static func slot(row: Int, column: Int) -> Int { side * (row % side) + column % side }

    /// A whole bundle in memory, in the order given. Tiles over `largestTile` bytes are the caller's mistake and are refused.
    public static func encode(_ tiles: [(address: TileAddress, data: [UInt8])]) throws(FormatError) -> [UInt8] {
        var layout = CompactBundleLayout()
        var body: [UInt8] = []
        for tile in tiles {
            try layout.place(tile.address, size: tile.data.count)
            body.appendLittleEndian(UInt32(tile.data.count))
            body += tile.data
        }
        return layout.header + body
    }
}

/// Where the tiles of one bundle lie: fed in file order, it gives header and index in the end.
struct CompactBundleLayout {
    private(set) var index = [UInt64](repeating: 0, count: CompactBundle.tileCount)
    private(set) var fileSize = CompactBundle.dataStart
    private var largest = 0
    private(set) var count = 0

    /// Takes the next place. Each tile may come once, with at least one byte.
    mutating func place(_ address: TileAddress, size: Int) throws(FormatError) {
        func misuse(_ detail: String) -> FormatError {
            FormatError(.misuse, file: "", entry: "\(address.level)/\(address.row)/\(address.column)", detail: detail)
        }
        guard size > 0 else { throw misuse("a tile without bytes") }
        guard size <= CompactBundle.largestTile else { throw misuse("a tile over \(CompactBundle.largestTile) bytes") }
        let slot = CompactBundle.slot(row: address.row, column: address.column)
        guard index[slot] == 0 else { throw misuse("a tile given twice") }
        index[slot] = UInt64(fileSize + 4) | UInt64(size) << 40
        fileSize += 4 + size
        largest = max(largest, size)
        count += 1
    }

    /// The first 131,136 bytes. Record count is 16384 although readers ignore it: one of them shows blanks otherwise.
    var header: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(CompactBundle.dataStart)
        for word in [3, CompactBundle.tileCount, largest, 5] { bytes.appendLittleEndian(UInt32(word)) }
        bytes.appendLittleEndian(UInt64(0))
        bytes.appendLittleEndian(UInt64(fileSize))
        bytes.appendLittleEndian(UInt64(40))
        for word in [20 + CompactBundle.indexSize, 3, 16, CompactBundle.tileCount, 5, CompactBundle.indexSize] {
            bytes.appendLittleEndian(UInt32(word))
        }
        for entry in index { bytes.appendLittleEndian(entry) }
        return bytes
    }
}

extension Array where Element == UInt8 {
    mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

extension Collection where Element == UInt8, Index == Int {
    /// The little-endian number of `count` bytes, at most 8, at `offset` from the start; the bytes must be there.
    func littleEndian(at offset: Int, count: Int) -> Int {
        var value: UInt64 = 0
        for position in (0..<count).reversed() { value = value << 8 | UInt64(self[startIndex + offset + position]) }
        return Int(truncatingIfNeeded: value)
    }
}
