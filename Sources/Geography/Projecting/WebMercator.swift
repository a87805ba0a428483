import Foundation

/// The sphere formulas between WGS 84 degrees and Web Mercator metres, exact to PROJ's last digits.
enum WebMercator {
    static let radius = 6378137.0

    /// Where the square world ends.
    static let maximumLatitude = 85.0511287798066

    static func project(_ place: Coordinate) throws(GeographyError) -> Coordinate {
        guard place.x.isFinite, place.y.isFinite else { throw .notFinite }
        guard place.y.magnitude < 90 else { throw .outsideDomain(place) }
        return Coordinate(x: radius * place.x * .pi / 180, y: radius * asinh(tan(place.y * .pi / 180)))
    }

    static func unproject(_ place: Coordinate) throws(GeographyError) -> Coordinate {
        guard place.x.isFinite, place.y.isFinite else { throw .notFinite }
        return Coordinate(x: place.x / radius * 180 / .pi, y: atan(sinh(place.y / radius)) * 180 / .pi)
    }
}
