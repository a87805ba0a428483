/// A place in the units of its spatial reference: metres or degrees, x = east / longitude.
public struct Coordinate: Sendable, Hashable, Codable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// An axis-parallel box; `xmin <= xmax` and `ymin <= ymax` are the maker's business.
public struct Envelope: Sendable, Hashable, Codable {
    public var xmin: Double
    public var ymin: Double
    public var xmax: Double
    public var ymax: Double

    public init(xmin: Double, ymin: Double, xmax: Double, ymax: Double) {
        self.xmin = xmin
        self.ymin = ymin
        self.xmax = xmax
        self.ymax = ymax
    }

    /// The box around the coordinates; nil when there are none.
    public init?(around coordinates: some Sequence<Coordinate>) {
        var iterator = coordinates.makeIterator()
        guard let first = iterator.next() else { return nil }
        self.init(xmin: first.x, ymin: first.y, xmax: first.x, ymax: first.y)
        while let next = iterator.next() {
            xmin = min(xmin, next.x)
            ymin = min(ymin, next.y)
            xmax = max(xmax, next.x)
            ymax = max(ymax, next.y)
        }
    }

    public var width: Double { xmax - xmin }
    public var height: Double { ymax - ymin }
    public var center: Coordinate { Coordinate(x: (xmin + xmax) / 2, y: (ymin + ymax) / 2) }

    public func intersects(_ other: Envelope) -> Bool {
        xmin <= other.xmax && other.xmin <= xmax && ymin <= other.ymax && other.ymin <= ymax
    }

    public func intersection(_ other: Envelope) -> Envelope? {
        guard intersects(other) else { return nil }
        return Envelope(
            xmin: max(xmin, other.xmin), ymin: max(ymin, other.ymin), xmax: min(xmax, other.xmax), ymax: min(ymax, other.ymax))
    }

    public func contains(_ coordinate: Coordinate) -> Bool {
        (xmin...xmax).contains(coordinate.x) && (ymin...ymax).contains(coordinate.y)
    }

    public func union(_ other: Envelope) -> Envelope {
        Envelope(
            xmin: min(xmin, other.xmin), ymin: min(ymin, other.ymin), xmax: max(xmax, other.xmax), ymax: max(ymax, other.ymax))
    }

    /// The four corners as a closed ring, clockwise as Esri writes outer rings.
    public var ring: [Coordinate] {
        [
            Coordinate(x: xmin, y: ymin), Coordinate(x: xmin, y: ymax), Coordinate(x: xmax, y: ymax),
            Coordinate(x: xmax, y: ymin), Coordinate(x: xmin, y: ymin),
        ]
    }
}

/// Closed rings in Esri's order: outer rings clockwise, holes counter-clockwise; several outer rings make a multipart polygon.
public struct Polygon: Sendable, Hashable, Codable {
    public var rings: [[Coordinate]]

    public init(rings: [[Coordinate]]) { self.rings = rings }
    public init(_ envelope: Envelope) { self.init(rings: [envelope.ring]) }

    public var envelope: Envelope? { Envelope(around: rings.joined()) }
}

/// An area of interest in one spatial reference. An envelope stays an envelope, so that the requests made of it stay short.
public enum AreaShape: Sendable, Hashable, Codable {
    case envelope(Envelope)
    case polygon(Polygon)

    public var polygon: Polygon {
        switch self {
        case .envelope(let envelope): Polygon(envelope)
        case .polygon(let polygon): polygon
        }
    }

    public var envelope: Envelope? {
        switch self {
        case .envelope(let envelope): envelope
        case .polygon(let polygon): polygon.envelope
        }
    }
}
