/// How many tiles of one level an area takes.
public struct TileCount: Sendable, Hashable, Codable {
    /// Twice what the world has at level 23. Schemes can be written that have more; so many that counts cannot be added are no use.
    public static let most = 1 << 47

    public var level: Int
    public var count: Int

    public init(level: Int, count: Int) {
        self.level = level
        self.count = count
    }
}

/// Neighbouring tiles of one row.
public struct TileSpan: Sendable, Hashable {
    public var row: Int
    public var columns: Range<Int>

    public init(row: Int, columns: Range<Int>) {
        self.row = row
        self.columns = columns
    }
}

extension TilingScheme {
    /// The exact number of tiles that share area with the shape, which is in the scheme's spatial reference. Levels that the
    /// scheme does not have count 0. Boxes are counted by arithmetic; polygons take time by the number of tile rows that their
    /// edges cross, not by the number of tiles. Where those rows are more than the world has at level 22, their box is counted:
    /// nobody exports so many.
    public func tileCount(covering shape: AreaShape, levels ids: [Int], within extent: Envelope? = nil) -> [TileCount] {
        ids.map { id in
            guard let box = shape.envelope, let limits = tiles(covering: box, level: id, within: extent) else {
                return TileCount(level: id, count: 0)
            }
            if case .envelope = shape { return TileCount(level: id, count: limits.count) }
            if limits.rows.count > 1 << 22 { return TileCount(level: id, count: limits.count) }
            var count = 0
            forEachSpan(covering: shape, level: id, within: extent) { count += $0.columns.count }
            return TileCount(level: id, count: count)
        }
    }

    /// The tiles themselves, row by row from the top, left to right; the count of `tileCount` is theirs.
    public func tileSpans(covering shape: AreaShape, level id: Int, within extent: Envelope? = nil) -> [TileSpan] {
        var spans: [TileSpan] = []
        forEachSpan(covering: shape, level: id, within: extent) { spans.append($0) }
        return spans
    }

    /// As `tileSpans`, without holding them all; a box's rows come one by one as well.
    public func forEachSpan(
        covering shape: AreaShape, level id: Int, within extent: Envelope? = nil, _ body: (TileSpan) -> Void
    ) {
        guard let box = shape.envelope, let level = self[level: id], let limits = tiles(covering: box, level: id, within: extent)
        else { return }
        switch shape {
        case .envelope:
            for row in limits.rows { body(TileSpan(row: row, columns: limits.columns)) }
        case .polygon(let polygon):
            let rings = polygon.rings.map { ring in ring.map { tilePosition($0, level) } }
            TileScan(rings: rings, limits: limits).run(body)
        }
    }
}
