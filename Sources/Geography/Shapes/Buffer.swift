import CGEOS
import Foundation

extension AreaShape {
    /// The area grown by metres on the ground, or shrunk by negative ones (cases C12), in its own spatial reference.
    ///
    /// - A polygon becomes the true buffer: it is taken to an azimuthal equidistant projection around its middle, grown there
    ///   by GEOS with round corners (16 segments a quarter circle), and taken back. Holes and Esri's ring order stay.
    /// - An envelope stays an envelope: every edge moves by at least the distance. In degrees and in Web Mercator the east and
    ///   west edges move by what the distance is at the box's end nearest to a pole.
    ///
    /// GEOS takes time with the number of vertices: call it through `offPool` for large shapes.
    /// - Throws: `.crossesAntimeridian`, `.touchesPole`, `.tooLarge` for what this release does not do; `.empty` when nothing
    ///   is left.
    public func buffered(metres: Double, in reference: SpatialReference) throws(GeographyError) -> AreaShape {
        guard metres.isFinite else { throw .notFinite }
        if metres == 0 { return self }
        switch self {
        case .envelope(let box) where reference.isWGS84 || reference.isWebMercator:
            let degrees = try Projection.project(box, from: reference, to: .wgs84)
            return .envelope(try Projection.project(GroundBox.grown(degrees, metres: metres), from: .wgs84, to: reference))
        case .envelope(let box):
            guard let grown = try PolygonBuffer.grown(Polygon(box), metres: metres, in: reference).envelope else { throw .empty }
            return .envelope(grown)
        case .polygon(let polygon):
            return .polygon(try PolygonBuffer.grown(polygon, metres: metres, in: reference))
        }
    }
}

/// Growing a box in degrees on the WGS 84 ellipsoid.
enum GroundBox {
    private static let equatorRadius = 6378137.0
    private static let eccentricitySquared = 0.00669437999014

    static func grown(_ box: Envelope, metres: Double) throws(GeographyError) -> Envelope {
        let south = box.ymin - metres / metresPerDegreeOfLatitude(at: box.ymin)
        let north = box.ymax + metres / metresPerDegreeOfLatitude(at: box.ymax)
        if south <= -90 || north >= 90 { throw .touchesPole }
        // Degrees of longitude are shortest at the end nearest to a pole, so there they must be the most.
        let narrowest = max(south.magnitude, north.magnitude, box.ymin.magnitude, box.ymax.magnitude)
        let sideways = metres / metresPerDegreeOfLongitude(at: narrowest)
        let grown = Envelope(xmin: box.xmin - sideways, ymin: south, xmax: box.xmax + sideways, ymax: north)
        if grown.xmin < -180 || grown.xmax > 180 { throw .crossesAntimeridian }
        if grown.width <= 0 || grown.height <= 0 { throw .empty }
        return grown
    }

    /// Along the meridian: a(1 − e²) / (1 − e² sin² φ)^1.5 for a radian.
    static func metresPerDegreeOfLatitude(at latitude: Double) -> Double {
        let sine = sin(latitude * .pi / 180)
        return equatorRadius * (1 - eccentricitySquared) / pow(1 - eccentricitySquared * sine * sine, 1.5) * .pi / 180
    }

    /// Along the parallel: a cos φ / √(1 − e² sin² φ) for a radian.
    static func metresPerDegreeOfLongitude(at latitude: Double) -> Double {
        let sine = sin(latitude * .pi / 180)
        return equatorRadius * cos(latitude * .pi / 180) / (1 - eccentricitySquared * sine * sine).squareRoot() * .pi / 180
    }
}

enum PolygonBuffer {
    /// At this distance from its centre the projection stretches by 1 part in 250 across; wider areas would be wrong by more.
    static let largestRadius = 1_000_000.0

    static func grown(_ polygon: Polygon, metres: Double, in reference: SpatialReference) throws(GeographyError) -> Polygon {
        let source = CoordinateSystem.reference(reference)
        let degrees = try Projection.project(polygon, from: source, to: .reference(.wgs84))
        guard let box = degrees.envelope else { throw .empty }
        if metres > 0 { try refuseWorldEdges(box, metres) }
        let local = CoordinateSystem.local(center: box.center)
        let planar = try Projection.project(polygon, from: source, to: local)
        let radius = planar.rings.joined().reduce(0) { max($0, hypot($1.x, $1.y)) } + metres
        if radius > largestRadius { throw .tooLarge(radius: radius) }

        let session = GEOSSession()
        let shape = try session.polygon(planar.isValid ? planar : planar.makeValid())
        let buffered = try session.adopt(
            GEOSBufferWithStyle_r(
                session.handle, shape.pointer, metres, 16, Int32(GEOSBUF_CAP_ROUND.rawValue), Int32(GEOSBUF_JOIN_ROUND.rawValue),
                5))
        let result = buffered.polygon
        if result.rings.isEmpty { throw .empty }
        return try Projection.project(result, from: local, to: source)
    }

    /// The grown box reaches at least as far as the buffer, so it tells about poles and the antimeridian beforehand.
    private static func refuseWorldEdges(_ box: Envelope, _ metres: Double) throws(GeographyError) {
        if box.width > 180 { throw .crossesAntimeridian }
        _ = try GroundBox.grown(box, metres: metres)
    }
}
