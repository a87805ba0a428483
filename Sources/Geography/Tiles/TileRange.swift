/// A block of tiles of one level.
public struct TileRange: Sendable, Hashable, Codable {
    public var level: Int
    public var rows: Range<Int>
    public var columns: Range<Int>

    public init(level: Int, rows: Range<Int>, columns: Range<Int>) {
        self.level = level
        self.rows = rows
        self.columns = columns
    }

    /// At most `TileCount.most`.
    public var count: Int {
        let (product, overflows) = rows.count.multipliedReportingOverflow(by: columns.count)
        return overflows ? TileCount.most : min(product, TileCount.most)
    }
}

extension TilingScheme {
    /// The world in the scheme's units, where that is known: nothing is ever cached outside.
    public var worldExtent: Envelope? {
        if spatialReference.isWebMercator { return .webMercatorWorld }
        if spatialReference.isWGS84 { return .wgs84World }
        return nil
    }

    /// The tiles that a box shares area with (REST reference 6.2), cut to the world and to `extent` (a service's full extent).
    ///
    /// Tiles are half-open: a box that ends on a tile's border does not count the next tile. Because origins and resolutions
    /// are published as rounded decimals, "on the border" allows `borderTolerance`. A box without width or height counts
    /// the tile to the right of and below it. Nil when the level is unknown or nothing is shared.
    public func tiles(covering box: Envelope, level id: Int, within extent: Envelope? = nil) -> TileRange? {
        guard let level = self[level: id] else { return nil }
        var range = block(box, level)
        for limit in [worldExtent, extent].compactMap({ $0 }) {
            let limits = block(limit, level)
            range.rows = range.rows.clamped(to: limits.rows)
            range.columns = range.columns.clamped(to: limits.columns)
        }
        range.rows = range.rows.clamped(to: 0..<Int.max)
        range.columns = range.columns.clamped(to: 0..<Int.max)
        return range.rows.isEmpty || range.columns.isEmpty ? nil : range
    }

    /// The box of one tile in map units.
    public func envelope(level id: Int, row: Int, column: Int) -> Envelope? {
        self[level: id].map { level in
            let width = Double(tileWidth) * level.resolution
            let height = Double(tileHeight) * level.resolution
            let left = origin.x + Double(column) * width
            let top = origin.y - Double(row) * height
            return Envelope(xmin: left, ymin: top - height, xmax: left + width, ymax: top)
        }
    }

    /// Map coordinates in tiles of a level, right of and below the origin.
    func tilePosition(_ place: Coordinate, _ level: LevelOfDetail) -> Coordinate {
        Coordinate(
            x: (place.x - origin.x) / (Double(tileWidth) * level.resolution),
            y: (origin.y - place.y) / (Double(tileHeight) * level.resolution))
    }

    private func block(_ box: Envelope, _ level: LevelOfDetail) -> TileRange {
        let topLeft = tilePosition(Coordinate(x: box.xmin, y: box.ymax), level)
        let bottomRight = tilePosition(Coordinate(x: box.xmax, y: box.ymin), level)
        return TileRange(
            level: level.level, rows: TileInterval.tiles(topLeft.y, bottomRight.y, orOne: true),
            columns: TileInterval.tiles(topLeft.x, bottomRight.x, orOne: true))
    }
}

/// The half-open rule for borders, in tile units.
enum TileInterval {
    /// A millionth of a tile, and what published resolutions leave uncertain: ArcGIS Online prints 0.29858214164761665 for
    /// level 19, where halving gives 0.2985821417389. Over the width of the world that is two centimetres.
    static func borderTolerance(_ position: Double) -> Double { 1e-6 + position.magnitude * 5e-10 }

    /// The tiles whose inside the interval reaches; `orOne` gives an interval that reaches none (a point, a border) one tile.
    static func tiles(_ low: Double, _ high: Double, orOne: Bool = false) -> Range<Int> {
        // Beyond any cache, and safely inside Int.
        let limit = 1e15
        let first = (low + borderTolerance(low)).rounded(.down).clamped(to: -limit...limit)
        let end = (high - borderTolerance(high)).rounded(.up).clamped(to: -limit...limit)
        return Int(first)..<max(Int(end), orOne ? Int(first) + 1 : Int(first))
    }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}

extension Envelope {
    /// What Web Mercator caches cover, up to 85.0511° north and south.
    public static let webMercatorWorld = Envelope(
        xmin: -20037508.342787, ymin: -20037508.342787, xmax: 20037508.342787, ymax: 20037508.342787)
    public static let wgs84World = Envelope(xmin: -180, ymin: -90, xmax: 180, ymax: 90)
}
