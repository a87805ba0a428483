/// A tile of a cache: the level's id, then row and column from the origin, rows downwards (formats.md 1.1).
public struct TileAddress: Sendable, Hashable, Codable, Comparable {
    public var level: Int
    public var row: Int
    public var column: Int

    public init(level: Int, row: Int, column: Int) {
        self.level = level
        self.row = row
        self.column = column
    }

    public static func < (a: TileAddress, b: TileAddress) -> Bool {
        (a.level, a.row, a.column) < (b.level, b.row, b.column)
    }

    /// The block of 128 × 128 tiles that holds this one.
    public var bundle: BundleAddress {
        BundleAddress(
            level: level, firstRow: row / CompactBundle.side * CompactBundle.side,
            firstColumn: column / CompactBundle.side * CompactBundle.side)
    }
}

/// A block of a compact cache, named by its first tile.
public struct BundleAddress: Sendable, Hashable, Codable {
    public var level: Int
    public var firstRow: Int
    public var firstColumn: Int

    public init(level: Int, firstRow: Int, firstColumn: Int) {
        self.level = level
        self.firstRow = firstRow
        self.firstColumn = firstColumn
    }

    /// `R0180C0080`: lower-case hex, at least four digits (formats.md 1.2).
    public var stem: String { "R\(Self.hex(firstRow))C\(Self.hex(firstColumn))" }

    /// `L04`: the level id in at least two decimal digits (formats.md 1.1).
    public static func folder(level: Int) -> String { level < 10 ? "L0\(level)" : "L\(level)" }

    private static func hex(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Reads `R0180C0080`; nil for anything else. Upper-case digits are accepted. A `c` may be a digit as well as the sign
    /// between the numbers (`R17c80C10500`): the numbers have four digits at least, and bundles begin at multiples of 128.
    public init?(level: Int, stem: some StringProtocol) {
        let text = Array(stem.lowercased())
        guard text.first == "r" else { return nil }
        let readings = text.indices.filter { text[$0] == "c" }.compactMap { middle -> BundleAddress? in
            let (row, column) = (text[1..<middle], text[(middle + 1)...])
            guard (4...12).contains(row.count), (4...12).contains(column.count), let row = Int(String(row), radix: 16),
                let column = Int(String(column), radix: 16), row >= 0, column >= 0
            else { return nil }
            return BundleAddress(level: level, firstRow: row, firstColumn: column)
        }
        let side = CompactBundle.side
        let aligned = readings.first { $0.firstRow % side == 0 && $0.firstColumn % side == 0 }
        guard let address = aligned ?? readings.first else { return nil }
        self = address
    }

    /// The addresses of a level's tiles in the order that package writers want: bundle by bundle.
    public static func tiles(level: Int, rows: Range<Int>, columns: Range<Int>) -> some Sequence<TileAddress> {
        let side = CompactBundle.side
        func blocks(_ range: Range<Int>) -> [Range<Int>] {
            range.isEmpty
                ? []
                : (range.lowerBound / side...(range.upperBound - 1) / side).map { block in
                    max(range.lowerBound, block * side)..<min(range.upperBound, (block + 1) * side)
                }
        }
        let columnBlocks = blocks(columns)
        return blocks(rows).lazy.flatMap { rows in
            columnBlocks.lazy.flatMap { columns in
                rows.lazy.flatMap { row in columns.lazy.map { TileAddress(level: level, row: row, column: $0) } }
            }
        }
    }
}
