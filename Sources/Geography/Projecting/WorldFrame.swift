/// The rectangle that the earth fills in a spatial reference whose x axis is the longitude: degrees, and Web Mercator. East of its
/// right edge, the antimeridian, the world begins again at the left one.
public struct WorldFrame: Sendable, Hashable {
    public let box: Envelope

    /// A full turn.
    public var width: Double { box.width }

    /// About a metre: published corners of the world differ by less.
    var slack: Double { width * 2.5e-8 }

    public static let degrees = WorldFrame(box: .wgs84World)
    public static let webMercator: WorldFrame = {
        let half = WebMercator.radius * .pi
        return WorldFrame(box: Envelope(xmin: -half, ymin: -half, xmax: half, ymax: half))
    }()

    /// Degrees north and south of the equator where Web Mercator's square world ends.
    public static let webMercatorLatitude = WebMercator.maximumLatitude

    /// nil for systems without one, such as a UTM zone. The first question about a system takes milliseconds.
    public static func of(_ reference: SpatialReference) throws(GeographyError) -> WorldFrame? {
        if reference.isWGS84 { return .degrees }
        if reference.isWebMercator { return .webMercator }
        let turn = try ProjectionPool.withContext { (context) throws(GeographyError) in
            try context.fullTurn(.reference(reference))
        }
        return turn.map { turn in
            WorldFrame(box: Envelope(xmin: -turn / 2, ymin: -turn / 4, xmax: turn / 2, ymax: turn / 4))
        }
    }
}

/// Rings and paths in one piece, as people mean them: 179 → -179 is a short step to the east.
extension WorldFrame {
    /// A step of more than half a turn goes the other way round, so that x runs on past the edge. A step of exactly a turn is an
    /// edge along the whole parallel and stays.
    public func unwrapped(path: [Coordinate]) -> [Coordinate] { Self.unwrapped(path, turn: width, keepsWholeTurns: true) }

    static func unwrapped(_ path: [Coordinate], turn: Double, keepsWholeTurns: Bool) -> [Coordinate] {
        guard var previous = path.first?.x else { return [] }
        var shift = 0.0
        return path.map { place in
            let step = place.x - previous
            previous = place.x
            let isWhole = keepsWholeTurns && step.magnitude > turn * (1 - 1e-9)
            if step.magnitude > turn / 2 && !isWhole { shift -= (step / turn).rounded() * turn }
            return Coordinate(x: place.x + shift, y: place.y)
        }
    }

    /// As a path; a ring that comes back a full turn away goes around a pole and is closed over that one on whose side it is.
    public func unwrapped(ring: [Coordinate]) -> [Coordinate] {
        let path = unwrapped(path: ring.closed)
        let middle = path.reduce(0) { $0 + $1.y } / Double(max(1, path.count))
        return closedOverPole(path, isNorth: middle > (box.ymin + box.ymax) / 2)
    }

    /// Closes an unwrapped ring along the upper or lower edge of the world if its ends lie a turn apart.
    func closedOverPole(_ path: [Coordinate], isNorth: Bool) -> [Coordinate] {
        guard let first = path.first, let last = path.last, (first.x - last.x).magnitude > width / 2 else { return path }
        let edge = isNorth ? box.ymax : box.ymin
        return path + [Coordinate(x: last.x, y: edge), Coordinate(x: first.x, y: edge), first]
    }

    /// Rings that belong together in one plane: each in one piece, and those that lie in a ring that crosses the antimeridian moved
    /// by a turn to where that ring is, so that holes find their outer rings.
    public func gathered(_ rings: [[Coordinate]]) -> [[Coordinate]] {
        let whole = rings.map(unwrapped(ring:))
        let crossing = whole.compactMap { Envelope(around: $0) }.filter { !isWithin($0.xmin, $0.xmax) }
        if crossing.isEmpty { return whole }
        return whole.map { ring in
            guard let own = Envelope(around: ring) else { return ring }
            for turns in [0.0, -1, 1] {
                let moved = own.moved(turns * width)
                if crossing.contains(where: { $0.width > own.width && $0.union(moved) == $0 }) {
                    return ring.moved(turns * width)
                }
            }
            return ring
        }
    }

    func isWithin(_ xmin: Double, _ xmax: Double) -> Bool { xmin >= box.xmin - slack && xmax <= box.xmax + slack }
}

extension Envelope {
    func moved(_ x: Double) -> Envelope { Envelope(xmin: xmin + x, ymin: ymin, xmax: xmax + x, ymax: ymax) }
}

extension [Coordinate] {
    func moved(_ x: Double) -> [Coordinate] { x == 0 ? self : map { Coordinate(x: $0.x + x, y: $0.y) } }
}
