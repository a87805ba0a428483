import CGEOS
import Foundation

extension AreaShape {
    /// The area grown by metres on the ground, or shrunk by negative ones (cases C12), in its own spatial reference.
    ///
    /// - A polygon becomes the true buffer (`GroundBuffer`). Holes and Esri's ring order stay.
    /// - An envelope stays an envelope: every edge moves by at least the distance. In degrees and in Web Mercator the east and
    ///   west edges move by what the distance is at the box's end nearest to a pole. Beyond 89° it becomes a polygon, and across
    ///   the antimeridian two boxes.
    ///
    /// GEOS takes time with the number of vertices: call it through `offPool` for large shapes.
    /// - Throws: `.tooLarge` for a buffer of more than 1,000 km, and for shrinking what is wider; `.empty` when nothing is left.
    public func buffered(metres: Double, in reference: SpatialReference) throws(GeographyError) -> AreaShape {
        guard metres.isFinite else { throw .notFinite }
        if metres == 0 { return self }
        switch self {
        case .envelope(let box) where reference.isWGS84 || reference.isWebMercator:
            let degrees = try Projection.project(box, from: reference, to: .wgs84)
            guard let grown = try GroundBox.grown(degrees, metres: metres) else {
                return .polygon(try GroundBuffer.grown(Polygon(box), metres: metres, in: reference))
            }
            return try Projection.project(try WorldFrame.degrees.fit(grown).shape, from: .wgs84, to: reference)
        case .envelope(let box):
            guard let grown = try GroundBuffer.grown(Polygon(box), metres: metres, in: reference).envelope else { throw .empty }
            return .envelope(grown)
        case .polygon(let polygon):
            return .polygon(try GroundBuffer.grown(polygon, metres: metres, in: reference))
        }
    }

    /// All that is within so many metres, on the ground, of lines or, where a path has one vertex, of places.
    /// - Throws: `.needsBuffer` without metres, `.tooLarge` for more than 1,000 km.
    public init(around paths: [[Coordinate]], metres: Double, in reference: SpatialReference) throws(GeographyError) {
        guard metres.isFinite else { throw .notFinite }
        guard metres > 0 else { throw .needsBuffer }
        self = .polygon(try GroundBuffer.around(paths, metres: metres, in: reference))
    }
}

/// Buffers in an azimuthal equidistant projection around the middle of what is buffered, where distances on the ground are true:
/// grown there by GEOS with round corners (16 segments a quarter circle), and taken back.
///
/// Far from its middle that projection stretches across: by 1 part in 250 at 1,000 km. So what is wider is buffered in pieces: a
/// polygon grows by the buffer of its border, and a line is cut into lengths.
enum GroundBuffer {
    static let largestRadius = 1_000_000.0
    /// Of a line in one local projection.
    private static let pieceLength = 800_000.0

    static func grown(_ polygon: Polygon, metres: Double, in reference: SpatialReference) throws(GeographyError) -> Polygon {
        let source = CoordinateSystem.reference(reference)
        if metres.magnitude > largestRadius { throw .tooLarge(radius: metres.magnitude) }
        let degrees = try Projection.project(polygon, from: source, to: .reference(.wgs84))
        guard let circle = GroundCircle(around: degrees.rings.joined()) else { throw .empty }
        if circle.radius + metres > largestRadius {
            if metres < 0 { throw .tooLarge(radius: circle.radius) }
            return try grownInPieces(degrees, metres, source)
        }
        let local = CoordinateSystem.local(center: circle.center)
        let planar = try Projection.project(polygon, from: source, to: local)
        let session = GEOSSession()
        let grown = try session.buffer(try session.polygon(planar.isValid ? planar : planar.makeValid()), metres)
        return try Projection.project(grown, from: local, to: source)
    }

    static func around(_ paths: [[Coordinate]], metres: Double, in reference: SpatialReference) throws(GeographyError) -> Polygon
    {
        let source = CoordinateSystem.reference(reference)
        if metres > largestRadius { throw .tooLarge(radius: metres) }
        var degrees: [[Coordinate]] = []
        for path in paths { degrees.append(try Projection.project(path: path, from: source, to: .reference(.wgs84))) }
        return try Projection.project(try around(degrees, metres), from: .reference(.wgs84), to: source)
    }

    private static func grownInPieces(
        _ degrees: Polygon, _ metres: Double, _ source: CoordinateSystem
    ) throws(GeographyError) -> Polygon {
        let session = GEOSSession()
        let border = try session.polygon(try around(degrees.rings, metres))
        let whole = try session.polygon(degrees.isValid ? degrees : degrees.makeValid())
        return try Projection.project(try session.union([whole, border]).polygon, from: .reference(.wgs84), to: source)
    }

    /// In degrees, within the world.
    private static func around(_ paths: [[Coordinate]], _ metres: Double) throws(GeographyError) -> Polygon {
        guard let circle = GroundCircle(around: paths.joined()) else { throw .empty }
        if circle.radius + metres <= largestRadius { return try around(paths, circle, metres) }
        let session = GEOSSession()
        var pieces: [GEOSShape] = []
        for path in paths.flatMap(lengths) {
            guard let circle = GroundCircle(around: path) else { continue }
            pieces.append(try session.polygon(try around([path], circle, metres)))
        }
        return try session.union(pieces).polygon
    }

    private static func around(
        _ paths: [[Coordinate]], _ circle: GroundCircle, _ metres: Double
    ) throws(GeographyError) -> Polygon {
        let local = CoordinateSystem.local(center: circle.center)
        let session = GEOSSession()
        var shapes: [GEOSShape] = []
        for path in paths {
            let planar = try Projection.project(path: path, from: .reference(.wgs84), to: local)
            shapes.append(try planar.count == 1 ? session.point(planar[0]) : session.line(planar))
        }
        return try Projection.project(
            try session.buffer(try session.collection(shapes), metres), from: local, to: .reference(.wgs84))
    }

    /// A path in degrees cut into lengths that a local projection holds; neighbours share a vertex.
    private static func lengths(of path: [Coordinate]) -> [[Coordinate]] {
        guard var piece = path.first.map({ [$0] }) else { return [] }
        var pieces: [[Coordinate]] = []
        var length = 0.0
        for (start, end) in zip(path, path.dropFirst()) {
            let metres = GroundCircle(around: [start, end]).map { $0.radius * 2 } ?? 0
            let parts = max(1, (metres / (pieceLength / 4)).rounded(.up))
            for part in stride(from: 1, through: parts, by: 1) {
                let t = part / parts
                piece.append(Coordinate(x: start.x + (end.x - start.x) * t, y: start.y + (end.y - start.y) * t))
                length += metres / parts
                if length >= pieceLength, let last = piece.last {
                    pieces.append(piece)
                    piece = [last]
                    length = 0
                }
            }
        }
        if piece.count > 1 || pieces.isEmpty { pieces.append(piece) }
        return pieces
    }
}

extension GEOSSession {
    /// In the units of the shape, with round corners and ends.
    func buffer(_ shape: GEOSShape, _ distance: Double, segments: Int32 = 16) throws(GeographyError) -> Polygon {
        let buffered = try adopt(
            GEOSBufferWithStyle_r(
                handle, shape.pointer, distance, segments, Int32(GEOSBUF_CAP_ROUND.rawValue),
                Int32(GEOSBUF_JOIN_ROUND.rawValue), 5))
        let result = buffered.polygon
        if result.rings.isEmpty { throw .empty }
        return result
    }
}
