import Geography

import func Glibc.atan
import func Glibc.exp
import func Glibc.log
import func Glibc.tan

/// The spherical formulas behind EPSG:3857, enough for a town; PROJ does the real work elsewhere.
enum WebMercator {
    static let radius = 6_378_137.0
    static let halfWorld = 20_037_508.342787

    static func x(_ longitude: Double) -> Double { longitude * .pi / 180 * radius }
    static func y(_ latitude: Double) -> Double { radius * log(tan(.pi / 4 + latitude * .pi / 360)) }

    static func place(longitude: Double, latitude: Double) -> Coordinate { Coordinate(x: x(longitude), y: y(latitude)) }

    /// Degrees: x = longitude, y = latitude.
    static func degrees(_ place: Coordinate) -> Coordinate {
        Coordinate(x: place.x / radius * 180 / .pi, y: (2 * atan(exp(place.y / radius)) - .pi / 2) * 180 / .pi)
    }

    static func degrees(_ envelope: Envelope) -> Envelope {
        let low = degrees(Coordinate(x: envelope.xmin, y: envelope.ymin))
        let high = degrees(Coordinate(x: envelope.xmax, y: envelope.ymax))
        return Envelope(xmin: low.x, ymin: low.y, xmax: high.x, ymax: high.y)
    }
}
