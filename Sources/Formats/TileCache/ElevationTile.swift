import CLerc

/// A grid of heights as LERC stores it: what the tiles of an elevation cache are (formats.md 1.4).
///
/// A tile of 256 × 256 cells holds 257 × 257 heights, those of the cells' corners: neighbours share the heights of their common edge.
public struct ElevationTile: Sendable, Hashable {
    public var width: Int
    public var height: Int
    /// Metres, row by row from the top left corner; NaN where nothing is known.
    public var heights: [Float]

    public init(width: Int, height: Int, heights: [Float]) {
        precondition(heights.count == width * height, "a grid of \(width) × \(height) heights")
        self.width = width
        self.height = height
        self.heights = heights
    }

    /// Decodes the first band, whatever number type it is stored in. Blocks for about a millisecond. Fails on all that is no whole
    /// LERC tile; newer versions of the format carry a checksum, which is compared.
    public init(lerc bytes: [UInt8]) throws(LercError) {
        let header = try LercHeader(bytes)
        let cells = header.width * header.height
        var values = [Double](repeating: .nan, count: cells * header.depth * header.bands)
        var valid = [UInt8](repeating: 1, count: cells)
        let status = lerc_decodeToDouble(
            bytes, UInt32(bytes.count), header.masks > 0 ? 1 : 0, &valid, Int32(header.depth), Int32(header.width),
            Int32(header.height), Int32(header.bands), &values)
        guard status == 0 else { throw LercError(status) }
        self.init(
            width: header.width, height: header.height,
            heights: (0..<cells).map { valid[$0] == 0 ? .nan : Float(values[$0 * header.depth]) })
    }

    /// LERC 2.4, which clients of any age read. No height is off by more than `maxError`; NaN becomes "unknown".
    public func encoded(maxError: Double) throws(LercError) -> [UInt8] {
        let valid = heights.map { UInt8($0.isNaN ? 0 : 1) }
        let values = heights.map { $0.isNaN ? 0 : $0 }
        let masks: Int32 = valid.contains(0) ? 1 : 0
        let (version, float): (Int32, UInt32) = (4, 6)
        var size: UInt32 = 0
        var status = lerc_computeCompressedSizeForVersion(
            values, version, float, 1, Int32(width), Int32(height), 1, masks, masks == 0 ? nil : valid, maxError, &size)
        guard status == 0 else { throw LercError(status) }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        status = lerc_encodeForVersion(
            values, version, float, 1, Int32(width), Int32(height), 1, masks, masks == 0 ? nil : valid, maxError, &bytes, size,
            &size)
        guard status == 0 else { throw LercError(status) }
        return Array(bytes.prefix(Int(size)))
    }
}

/// What the start of a LERC tile says. Reading it costs next to nothing.
public struct LercHeader: Sendable, Hashable {
    public var width: Int
    public var height: Int
    public var bands: Int
    /// Numbers a cell.
    var depth: Int
    var masks: Int
    /// Bytes that the tile must have.
    var size: Int

    /// Cells that a tile of a cache may have: those of 4,096 × 4,096 pixels. A header that claims more is damage, and is not
    /// allocated for.
    private static let largest = 1 << 24

    /// Fails when it is no LERC, and when bytes are missing at the end.
    public init(_ bytes: [UInt8]) throws(LercError) {
        // version, data type, depth, columns, rows, bands, valid pixels, blob size, masks
        var info = [UInt32](repeating: 0, count: 9)
        let status = lerc_getBlobInfo(bytes, UInt32(bytes.count), &info, nil, Int32(info.count), 0)
        guard status == 0 else { throw LercError(status) }
        width = Int(info[3])
        height = Int(info[4])
        bands = Int(info[5])
        depth = Int(info[2])
        size = Int(info[7])
        masks = Int(info[8])
        let sides = [width, height, bands, depth]
        guard sides.allSatisfy({ (1...Self.largest).contains($0) }), sides.reduce(1, *) <= Self.largest, size <= bytes.count
        else {
            throw LercError(.malformed)
        }
    }
}

/// Why liblerc refuses a tile, by its own codes.
public struct LercError: Error, Hashable {
    public enum Code: UInt32, Sendable, Hashable {
        case malformed = 1
        case wrongParameter, bufferTooSmall, notANumber, hasNoData
    }

    public var code: Code

    init(_ code: Code) { self.code = code }
    init(_ status: lerc_status) { code = Code(rawValue: status) ?? .malformed }
}
