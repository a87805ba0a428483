import CGEOS

extension Polygon {
    public var vertexCount: Int { rings.reduce(0) { $0 + $1.count } }

    /// A polygon of fewer vertices that covers this one: no border moves outward by more than the distance on the ground, and none
    /// inward. Holes may get smaller or vanish.
    ///
    /// Grown by half of the distance and then simplified by less than that half (Douglas and Peucker, rings kept apart); that it
    /// covers is checked by GEOS. Straight edges stay straight in the polygon's own system.
    /// - Throws: `.geometryFailed` when the check fails, which nobody has seen.
    public func simplifiedOutward(metres: Double, in reference: SpatialReference) throws(GeographyError) -> Polygon {
        guard metres.isFinite else { throw .notFinite }
        guard metres > 0, let box = envelope else { return self }
        let frame = try WorldFrame.of(reference)
        let units = try GroundUnits(in: box, of: reference)
        let session = GEOSSession()
        let original = try session.polygon(isValid ? self : makeValid())
        let flat = try session.polygon(original.polygon.scaled(1 / units.x, 1 / units.y))
        let grown = try session.polygon(try session.buffer(flat, metres * 0.5))
        let simple = try session.adopt(GEOSTopologyPreserveSimplify_r(session.handle, grown.pointer, metres * 0.45))
        var result = try session.polygon(simple.polygon.scaled(units.x, units.y))
        if let frame { result = try session.polygon(try session.intersection(result, try session.box(frame.box)).polygon) }
        guard try session.covers(result, original) else {
            throw .geometryFailed("the simplified polygon does not cover the original")
        }
        let polygon = result.polygon
        return polygon.vertexCount < vertexCount ? polygon : self
    }

    private func scaled(_ x: Double, _ y: Double) -> Polygon {
        Polygon(rings: rings.map { $0.map { Coordinate(x: $0.x * x, y: $0.y * y) } })
    }
}

/// How much of x and of y a metre on the ground is at least, within a box.
private struct GroundUnits {
    var x: Double
    var y: Double

    init(in box: Envelope, of reference: SpatialReference) throws(GeographyError) {
        // A step of about a millionth of the world.
        let step = try Projection.isGeographic(reference) ? 1e-4 : 10
        var steps = (x: [Double](), y: [Double]())
        // On a parallel a metre is the fewest degrees nearest to the equator, which may be inside of the box.
        let middle = min(max(0, box.ymin), box.ymax)
        for place in box.ring + [box.center, Coordinate(x: box.center.x, y: middle)] {
            let places = [
                place, Coordinate(x: place.x - step, y: place.y), Coordinate(x: place.x, y: place.y - step * place.y.sign1),
            ]
            let degrees = try Projection.project(places, from: reference, to: .wgs84)
            steps.x.append(step / degrees[0].metres(to: degrees[1]))
            steps.y.append(step / degrees[0].metres(to: degrees[2]))
        }
        guard let x = steps.x.filter(\.isFinite).min(), let y = steps.y.filter(\.isFinite).min() else { throw .empty }
        self.x = x
        self.y = y
    }
}

extension Double {
    /// 1 or -1.
    fileprivate var sign1: Double { self < 0 ? -1 : 1 }
}

extension Coordinate {
    /// On the ground, between neighbours in degrees.
    fileprivate func metres(to other: Coordinate) -> Double {
        var turn = (x - other.x).magnitude
        if turn > 180 { turn = 360 - turn }
        let (dx, dy) = (
            turn * GroundBox.metresPerDegreeOfLongitude(at: y), (y - other.y) * GroundBox.metresPerDegreeOfLatitude(at: y)
        )
        return (dx * dx + dy * dy).squareRoot()
    }
}
