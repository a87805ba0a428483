import Foundation

/// A small circle on the ground around places in degrees: where a local projection has its centre, and how far it must reach.
struct GroundCircle {
    /// Degrees of WGS 84.
    var center: Coordinate
    /// Metres, on a sphere.
    var radius: Double

    private static let earthRadius = 6371008.8

    private struct Direction {
        var x, y, z: Double

        init(_ degrees: Coordinate) {
            let (longitude, latitude) = (degrees.x * .pi / 180, degrees.y * .pi / 180)
            x = cos(latitude) * cos(longitude)
            y = cos(latitude) * sin(longitude)
            z = sin(latitude)
        }

        var degrees: Coordinate {
            Coordinate(x: atan2(y, x) * 180 / .pi, y: atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi)
        }

        func distance(to other: Direction) -> Double {
            let (a, b, c) = (x - other.x, y - other.y, z - other.z)
            return (a * a + b * b + c * c).squareRoot()
        }
    }

    /// Neither the antimeridian nor a pole is anything special here. Moves from the first place towards the farthest one by ever
    /// smaller steps, which ends near the middle of the smallest circle (Bădoiu and Clarkson). Nil without places.
    init?(around places: some Sequence<Coordinate>) {
        let directions = places.map(Direction.init)
        guard var middle = directions.first else { return nil }
        var reach = 0.0
        for step in 1...24 {
            guard let farthest = directions.max(by: { middle.distance(to: $0) < middle.distance(to: $1) }) else { return nil }
            reach = middle.distance(to: farthest)
            if reach < 1e-9 || step == 24 { break }
            let part = 1 / Double(step + 1)
            middle.x += (farthest.x - middle.x) * part
            middle.y += (farthest.y - middle.y) * part
            middle.z += (farthest.z - middle.z) * part
        }
        center = middle.degrees
        let onGround = Direction(center)
        let chord = directions.reduce(0) { max($0, onGround.distance(to: $1)) }
        radius = 2 * asin(min(1, chord / 2)) * Self.earthRadius
    }
}
