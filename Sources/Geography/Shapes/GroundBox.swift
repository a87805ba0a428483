import Foundation

/// Growing a box in degrees on the WGS 84 ellipsoid.
enum GroundBox {
    private static let equatorRadius = 6378137.0
    private static let eccentricitySquared = 0.00669437999014

    /// Beyond this latitude a box is a poor picture of what is near it: its sides would run around the whole pole.
    private static let steepest = 89.0

    /// Every edge moved by at least the distance; longitudes may run over ±180. Nil near a pole.
    static func grown(_ box: Envelope, metres: Double) throws(GeographyError) -> Envelope? {
        let south = box.ymin - metres / metresPerDegreeOfLatitude(at: box.ymin)
        let north = box.ymax + metres / metresPerDegreeOfLatitude(at: box.ymax)
        // Degrees of longitude are shortest at the end nearest to a pole, so there they must be the most.
        let narrowest = max(south.magnitude, north.magnitude, box.ymin.magnitude, box.ymax.magnitude)
        if narrowest > steepest { return nil }
        let sideways = metres / metresPerDegreeOfLongitude(at: narrowest)
        let grown = Envelope(xmin: box.xmin - sideways, ymin: south, xmax: box.xmax + sideways, ymax: north)
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
