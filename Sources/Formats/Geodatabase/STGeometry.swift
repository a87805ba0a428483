import Geography

/// The grid of a geometry blob: `world = stored / units + false origin` (formats.md 3.5).
public struct STGeometryGrid: Sendable, Hashable, Codable {
    public var falseX: Double
    public var falseY: Double
    public var xyUnits: Double
    public var falseZ: Double
    public var zUnits: Double

    public init(falseX: Double, falseY: Double, xyUnits: Double, falseZ: Double = -100_000, zUnits: Double = 10_000) {
        self.falseX = falseX
        self.falseY = falseY
        self.xyUnits = xyUnits
        self.falseZ = falseZ
        self.zUnits = zUnits
    }

    /// What servers use for Web Mercator: a tenth of a millimetre.
    public static let webMercator = STGeometryGrid(falseX: -20_037_700, falseY: -30_241_100, xyUnits: 10_000)
    /// What extents in `GDB_Items.Shape` use for degrees.
    public static let degrees = STGeometryGrid(falseX: -400, falseY: -400, xyUnits: 1e9)
}

/// A shape as a geodatabase stores it.
public struct STGeometry: Sendable, Hashable {
    public enum Kind: UInt8, Sendable, Hashable {
        case point = 4
        case multipoint = 8
        case line = 20
        case polygon = 24
    }

    /// EPSG id, or a number of the file's own from 300000 up.
    public var srid: Int
    public var kind: Kind
    /// One part for points and multipoints. Rings are closed; outer rings run counter-clockwise, and a hole follows its
    /// outer ring inside the same part. No part: an empty shape.
    public var parts: [[Coordinate]]
    /// Heights, shaped like `parts`; nil for flat shapes.
    public var heights: [[Double]]?

    public init(srid: Int, kind: Kind, parts: [[Coordinate]], heights: [[Double]]? = nil) {
        self.srid = srid
        self.kind = kind
        self.parts = parts
        self.heights = heights
    }

    public static func point(_ place: Coordinate, srid: Int) -> STGeometry {
        STGeometry(srid: srid, kind: .point, parts: [[place]])
    }

    public static func line(_ paths: [[Coordinate]], srid: Int) -> STGeometry {
        STGeometry(srid: srid, kind: .line, parts: paths)
    }

    /// Takes Esri's order (outer rings clockwise) and turns every ring round. A counter-clockwise ring becomes a hole in the
    /// part of the outer ring before it; how Esri stores holes is not known (formats.md 3.5), this is what readers expect.
    public static func polygon(_ polygon: Polygon, srid: Int) -> STGeometry {
        var parts: [[Coordinate]] = []
        for ring in polygon.rings {
            let turned = Array(ring.reversed())
            if let last = parts.indices.last, Self.area(turned) < 0 {
                parts[last] += turned
            } else {
                parts.append(turned)
            }
        }
        return STGeometry(srid: srid, kind: .polygon, parts: parts)
    }

    public var envelope: Envelope? { Envelope(around: parts.joined()) }

    /// The rings in Esri's order: a part is cut where it returns to its first place, and every ring is turned round.
    public var polygon: Polygon { Polygon(rings: parts.flatMap(Self.rings).map { Array($0.reversed()) }) }

    static func rings(of part: [Coordinate]) -> [[Coordinate]] {
        var rings: [[Coordinate]] = []
        var current: [Coordinate] = []
        for place in part {
            current.append(place)
            if current.count > 2, place == current[0] {
                rings.append(current)
                current = []
            }
        }
        if !current.isEmpty { rings.append(current) }
        return rings
    }

    /// Positive for counter-clockwise rings.
    static func area(_ ring: [Coordinate]) -> Double {
        guard let origin = ring.first else { return 0 }
        return zip(ring, ring.dropFirst()).reduce(0) { sum, edge in
            sum + ((edge.0.x - origin.x) * (edge.1.y - origin.y) - (edge.1.x - origin.x) * (edge.0.y - origin.y)) / 2
        }
    }
}

/// Why a geometry blob could not be read or made.
public enum STGeometryError: Error, Hashable, Sendable {
    /// Over before its content is.
    case truncated(offset: Int)
    /// The first byte is not 0x64.
    case notAGeometry(firstByte: UInt8)
    /// Measures, curves, multipatches: not known, so not guessed.
    case unknownKind(UInt8)
    /// The length in the slot is not that of the bytes that follow.
    case wrongLength(stated: Int, present: Int)
    /// Fewer points than the bytes hold, or more.
    case wrongPointCount(Int)
    /// The point counts of the parts do not add up.
    case wrongPartCounts
    /// A part does not end with the separator.
    case missingSeparator(part: Int)
    /// A coordinate does not fit the grid.
    case coordinateOutOfRange
}
