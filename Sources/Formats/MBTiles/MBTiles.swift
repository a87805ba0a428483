import Basics
import Geography

/// What an MBTiles file holds.
public struct MBTilesFacts: Sendable, Hashable {
    public var name: String
    /// As the metadata spells it: `png`, `jpg`, `webp`, `pbf`; empty when it says nothing.
    public var format: String
    /// What the tiles are by their first bytes.
    public var signatures: Set<TileSignature>
    /// Width and height of the pictures in pixels, by the first one; nil when it is none.
    public var tileSize: Int?
    /// Zooms that hold tiles, ascending.
    public var levels: [LevelCount]
    /// Tiles without a known beginning or outside of their zoom, with rows counted from the top.
    public var damaged: [DamagedTile]
    /// Of the tiles of the deepest zoom; Web Mercator metres.
    public var extent: Envelope

    public var tiles: Int { levels.reduce(0) { $0 + $1.tiles } }
    /// Vector tiles are gzip'ed protobuf; a picture is never gzip'ed.
    public var isVector: Bool { format == "pbf" || signatures == [.gzip] }
}

/// An MBTiles file (formats.md 5.1): always Web Mercator, rows counted from the bottom. Read as it stands, without a file beside it.
/// Every call blocks; not `Sendable`.
public final class MBTiles {
    public let path: String
    private let database: SQLiteConnection

    public init(opening path: String) throws(FormatError) {
        self.path = path
        guard try ContainerKind.sniff(path) == .sqlite else { throw FormatError(.wrongKind, file: path, expected: "SQLite") }
        database = try Self.wrap(path) { () throws(SQLiteError) in try SQLiteConnection(path: path, access: .readOnlyImmutable) }
        let names = try Self.wrap(path) { () throws(SQLiteError) in
            Set(
                try database.rows("SELECT lower(name) FROM sqlite_master WHERE type IN ('table', 'view')").compactMap {
                    $0[0].text
                })
        }
        for needed in ["metadata", "tiles"] where !names.contains(needed) {
            throw FormatError(.missing, file: path, expected: "table \(needed)")
        }
    }

    /// Reads every page of the database and the beginning of every tile.
    public func inspect() throws(FormatError) -> MBTilesFacts {
        let pages = try Self.wrap(path) { () throws(SQLiteError) in try database.value("PRAGMA quick_check(1)")?.text }
        guard pages == "ok" else { throw FormatError(.damaged, file: path, detail: pages) }
        var census = TileCensus()
        var signatures: Set<TileSignature> = []
        try forEach("SELECT zoom_level, tile_column, tile_row, substr(tile_data, 1, 16), length(tile_data) FROM tiles") {
            (address, start, size) in
            guard let address, let size else { return }
            census.count(address, bytes: size)
            if !Self.isInside(address) {
                census.damage(address, .unknownLevel)
            } else if let signature = TileSignature(start) {
                signatures.insert(signature)
            } else {
                census.damage(address, .unknownSignature(firstBytes: hexText(start.prefix(8))))
            }
        }
        let first = try coarsestTile(census.levels)
        return MBTilesFacts(
            name: try value("name") ?? "", format: try value("format")?.lowercased() ?? "", signatures: signatures,
            tileSize: PictureSize.width(of: first), levels: census.levels, damaged: census.damagedTiles,
            extent: try extent(level: census.levels.last?.level ?? 0))
    }

    /// Every tile, bundle by bundle as package writers want them; its bytes as they are. Memory holds one row of a bundle.
    func forEachTile(_ body: (TileAddress, [UInt8]) throws(FormatError) -> Void) throws(FormatError) {
        for bundle in try bundles() {
            let (side, last) = (CompactBundle.side, (1 << bundle.level) - 1)
            for row in bundle.firstRow...min(bundle.firstRow + side - 1, last) {
                let line = try tiles(
                    "zoom_level = ? AND tile_row = ? AND tile_column >= ? AND tile_column < ? ORDER BY tile_column",
                    [bundle.level, last - row, bundle.firstColumn, bundle.firstColumn + side])
                for tile in line { try body(tile.address, tile.data) }
            }
        }
    }

    /// Some tile of the first zoom; empty when there is none.
    func coarsestTile(_ levels: [LevelCount]) throws(FormatError) -> [UInt8] {
        guard let first = levels.first else { return [] }
        return try tiles("zoom_level = ? ORDER BY tile_column, tile_row LIMIT 1", [first.level]).first?.data ?? []
    }

    private func bundles() throws(FormatError) -> [BundleAddress] {
        var found: Set<BundleAddress> = []
        try forEach("SELECT zoom_level, tile_column, tile_row, NULL, 1 FROM tiles") { address, _, _ in
            if let address, Self.isInside(address) { found.insert(address.bundle) }
        }
        return found.sorted { ($0.level, $0.firstRow, $0.firstColumn) < ($1.level, $1.firstRow, $1.firstColumn) }
    }

    private func tiles(_ clause: String, _ values: [Int]) throws(FormatError) -> [(address: TileAddress, data: [UInt8])] {
        var tiles: [(address: TileAddress, data: [UInt8])] = []
        try forEach("SELECT zoom_level, tile_column, tile_row, tile_data, 1 FROM tiles WHERE \(clause)", values) {
            address, data, _ in
            if let address, !data.isEmpty { tiles.append((address, data)) }
        }
        return tiles
    }

    private func extent(level: Int) throws(FormatError) -> Envelope {
        let scheme = TilingScheme.webMercator(maxLevel: level)
        let last = (1 << level) - 1
        let row = try Self.wrap(path) { () throws(SQLiteError) in
            try database.rows(
                """
                SELECT min(tile_column), max(tile_column), min(tile_row), max(tile_row) FROM tiles
                WHERE zoom_level = ? AND tile_column BETWEEN 0 AND ? AND tile_row BETWEEN 0 AND ?
                """, [level, last, last].map { .integer(Int64($0)) }
            ).first
        }
        guard let west = row?[0].int, let east = row?[1].int, let south = row?[2].int, let north = row?[3].int,
            let upper = scheme.envelope(level: level, row: last - north, column: west),
            let lower = scheme.envelope(level: level, row: last - south, column: east)
        else { return .webMercatorWorld }
        return Envelope(xmin: upper.xmin, ymin: lower.ymin, xmax: lower.xmax, ymax: upper.ymax)
    }

    private func value(_ name: String) throws(FormatError) -> String? {
        try Self.wrap(path) { () throws(SQLiteError) in
            try database.value("SELECT value FROM metadata WHERE name = ?", [.text(name)])?.text
        }
    }

    /// The columns of a tile, and what else a statement asks of it. The address is nil where a column is no number.
    private func forEach(
        _ statement: String, _ values: [Int] = [], _ body: (TileAddress?, [UInt8], Int?) -> Void
    ) throws(FormatError) {
        try Self.wrap(path) { () throws(SQLiteError) in
            try database.forEachRow(statement, values.map { .integer(Int64($0)) }) { (row) throws(SQLiteError) in
                guard let level = row[0].int, let column = row[1].int, let row0 = row[2].int, (0...30).contains(level),
                    // Far outside, where sums of numbers end.
                    Int32(exactly: column) != nil, Int32(exactly: row0) != nil
                else { return body(nil, [], nil) }
                body(TileAddress(level: level, row: (1 << level) - 1 - row0, column: column), row[3].blob ?? [], row[4].int)
            }
        }
    }

    private static func isInside(_ address: TileAddress) -> Bool {
        let side = 0..<(1 << address.level)
        return side.contains(address.row) && side.contains(address.column)
    }

    private static func wrap<Value>(_ path: String, _ body: () throws(SQLiteError) -> Value) throws(FormatError) -> Value {
        do throws(SQLiteError) { return try body() } catch {
            throw FormatError(.damaged, file: path, detail: error.message)
        }
    }
}

/// The width that the header of a picture says.
enum PictureSize {
    static func width(of data: [UInt8]) -> Int? {
        switch TileSignature(data) {
        case .png where data.count >= 20: return data[16..<20].reduce(0) { $0 << 8 | Int($1) }
        case .jpeg: return jpegWidth(data)
        default: return nil
        }
    }

    /// In the first frame header: `FF C0` to `FF CF` but for C4, C8 and CC, which are tables.
    private static func jpegWidth(_ data: [UInt8]) -> Int? {
        var place = 2
        while place + 9 < data.count, data[place] == 0xFF {
            let marker = data[place + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return Int(data[place + 7]) << 8 | Int(data[place + 8])
            }
            place += 2 + (Int(data[place + 2]) << 8 | Int(data[place + 3]))
        }
        return nil
    }
}
