import Basics
import Geography

/// One level of a tile cache. The number names the level; it is not a zoom (formats.md 1.1).
public struct CacheLevel: Sendable, Hashable, Codable {
    public var level: Int
    /// Map units a pixel.
    public var resolution: Double
    public var scale: Double

    public init(level: Int, resolution: Double, scale: Double) {
        self.level = level
        self.resolution = resolution
        self.scale = scale
    }
}

/// How a cache cuts the plane into tiles: `tileInfo` of root.json, `TileCacheInfo` of conf.xml.
public struct CacheScheme: Sendable, Hashable, Codable {
    public var spatialReference: SpatialReference
    /// Top left corner of tile 0, 0 in map units.
    public var origin: Coordinate
    /// Pixels of a tile.
    public var rows: Int
    public var columns: Int
    public var dpi: Int
    /// The whole scheme; a cache need not hold tiles of every level.
    public var levels: [CacheLevel]

    public init(spatialReference: SpatialReference, origin: Coordinate, rows: Int, columns: Int, dpi: Int, levels: [CacheLevel]) {
        self.spatialReference = spatialReference
        self.origin = origin
        self.rows = rows
        self.columns = columns
        self.dpi = dpi
        self.levels = levels
    }

    public func level(_ id: Int) -> CacheLevel? { levels.first { $0.level == id } }

    /// The box of a tile in map units; nil for a level that the scheme does not have.
    public func envelope(of tile: TileAddress) -> Envelope? {
        guard let resolution = level(tile.level)?.resolution else { return nil }
        let width = Double(columns) * resolution
        let height = Double(rows) * resolution
        let left = origin.x + Double(tile.column) * width
        let top = origin.y - Double(tile.row) * height
        return Envelope(xmin: left, ymin: top - height, xmax: left + width, ymax: top)
    }

    /// The XYZ zoom of a level, derived from its resolution, when the scheme is the usual Web Mercator one; else nil
    /// (formats.md 1.1). `pixels` of 512 shift by one, as in vector tiles.
    public func webMercatorZoom(ofLevel id: Int) -> Int? {
        guard spatialReference.isWebMercator, rows == columns, rows > 0, let resolution = level(id)?.resolution, resolution > 0,
            abs(origin.x + Self.worldHalf) < 1, abs(origin.y - Self.worldHalf) < 1
        else { return nil }
        var expected = 2 * Self.worldHalf / Double(rows)
        for zoom in 0...30 {
            if abs(resolution / expected - 1) < 1e-6 { return zoom }
            expected /= 2
        }
        return nil
    }

    private static let worldHalf = 20_037_508.342787

    /// `tileInfo` as Esri's packages write it.
    public func tileInfo(format: String? = nil) -> JSON {
        var info: JSON = ["rows": JSON(rows), "cols": JSON(columns), "dpi": JSON(dpi)]
        if let format { info["format"] = .string(format) }
        info["origin"] = ["x": .number(origin.x), "y": .number(origin.y)]
        info["spatialReference"] = spatialReference.json
        info["lods"] = .array(
            levels.map {
                ["level": JSON($0.level), "resolution": .number($0.resolution), "scale": .number($0.scale)]
            })
        return info
    }
}

extension Envelope {
    func json(_ spatialReference: SpatialReference) -> JSON {
        [
            "xmin": .number(xmin), "ymin": .number(ymin), "xmax": .number(xmax), "ymax": .number(ymax),
            "spatialReference": spatialReference.json,
        ]
    }
}
