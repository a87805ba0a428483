import Basics

/// One level of a tile cache. `level` is the id that requests and folders use; it says nothing about a position in a list.
public struct LevelOfDetail: Sendable, Hashable, Codable {
    public var level: Int
    /// Map units a pixel.
    public var resolution: Double
    /// The denominator: 4,000 is finer than 8,000.
    public var scale: Double

    public init(level: Int, resolution: Double, scale: Double) {
        self.level = level
        self.resolution = resolution
        self.scale = scale
    }
}

/// How a cache cuts the plane into tiles: rows count down and columns count right from `origin`, the top-left corner
/// (formats 1.1, REST reference 6.1).
public struct TilingScheme: Sendable, Hashable, Codable {
    public var origin: Coordinate
    /// Pixels; `cols` in JSON.
    public var tileWidth: Int
    /// Pixels; `rows` in JSON.
    public var tileHeight: Int
    public var dpi: Double
    public var spatialReference: SpatialReference
    /// From coarse to fine, whatever order the service listed them in, each id once. Ids may start anywhere and have gaps.
    public let levels: [LevelOfDetail]

    public init(
        origin: Coordinate, tileWidth: Int, tileHeight: Int, dpi: Double = 96, spatialReference: SpatialReference,
        levels: [LevelOfDetail]
    ) {
        self.origin = origin
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        self.dpi = dpi
        self.spatialReference = spatialReference
        var seen: Set<Int> = []
        self.levels = levels.filter { seen.insert($0.level).inserted }.sorted { $0.resolution > $1.resolution }
    }

    /// The level with this id.
    public subscript(level id: Int) -> LevelOfDetail? { levels.first { $0.level == id } }

    /// The ladder of ArcGIS Online: 256 px tiles start at 1 : 591,657,527.591555; 512 px tiles are the same ladder shifted by one.
    public static func webMercator(tileSize: Int = 256, maxLevel: Int = 23) -> TilingScheme {
        let factor = 256 / Double(tileSize)
        var power = 1.0
        let levels = (0...max(0, maxLevel)).map { level in
            defer { power *= 2 }
            return LevelOfDetail(
                level: level, resolution: 156543.03392800014 * factor / power, scale: 591657527.591555 * factor / power)
        }
        return TilingScheme(
            origin: Coordinate(x: -20037508.342787, y: 20037508.342787), tileWidth: tileSize, tileHeight: tileSize,
            spatialReference: .webMercator, levels: levels)
    }
}

extension TilingScheme {
    /// Reads a service's `tileInfo`. Levels without id, resolution or scale are left out; nil when no level remains, or the
    /// origin, the tile size or the spatial reference is missing.
    public init?(json tileInfo: JSON?, spatialReference fallback: SpatialReference? = nil) {
        guard let tileInfo, let x = tileInfo["origin"]?["x"]?.double, let y = tileInfo["origin"]?["y"]?.double,
            let columns = tileInfo["cols"]?.int, let rows = tileInfo["rows"]?.int, columns > 0, rows > 0,
            let spatialReference = SpatialReference(json: tileInfo["spatialReference"]) ?? fallback
        else { return nil }
        let levels = (tileInfo["lods"]?.array ?? []).compactMap(LevelOfDetail.init(json:))
        if levels.isEmpty { return nil }
        self.init(
            origin: Coordinate(x: x, y: y), tileWidth: columns, tileHeight: rows, dpi: tileInfo["dpi"]?.double ?? 96,
            spatialReference: spatialReference, levels: levels)
    }

    /// The members of `tileInfo` that a scheme knows; image format and storage are the service's own.
    public var json: JSON {
        [
            "rows": JSON(tileHeight), "cols": JSON(tileWidth), "dpi": .number(dpi),
            "origin": ["x": .number(origin.x), "y": .number(origin.y)], "spatialReference": spatialReference.json,
            "lods": .array(
                levels.map { ["level": JSON($0.level), "resolution": .number($0.resolution), "scale": .number($0.scale)] }),
        ]
    }
}

extension LevelOfDetail {
    /// Reads one entry of `lods`; numbers may be quoted or in exponent form (REST reference 0.1).
    public init?(json: JSON) {
        guard let level = json["level"]?.int, let resolution = json["resolution"]?.double, let scale = json["scale"]?.double,
            resolution > 0, scale > 0
        else { return nil }
        self.init(level: level, resolution: resolution, scale: scale)
    }
}
