import Foundation
import Geography

/// Longitude and latitude on a small picture: Mercator, as in the web maps that the areas come from, cut open where no area is.
struct MapProjection {
    static let maximumLatitude = 85.0

    let width: Double
    let height: Double
    /// The frame in degrees; east of the antimeridian, longitudes go on beyond 180.
    let frame: Envelope
    /// Longitudes west of it are drawn one turn farther east.
    private let seam: Double
    /// Pixels a radian.
    private let scale: Double
    private let origin: Coordinate

    /// - Parameter boxes: of the parts of all areas; nil when there are none.
    init?(_ boxes: [Envelope], width: Double = 480, heights: ClosedRange<Double> = 260...460, padding: Double = 44) {
        guard !boxes.isEmpty else { return nil }
        let seam = Self.seam(boxes)
        self.seam = seam
        let corners = boxes.flatMap { box in
            // A box may reach over the seam only when it spans the world.
            let west = box.xmin < seam ? box.xmin + 360 : box.xmin
            return [Coordinate(x: west, y: box.ymin), Coordinate(x: west + box.width, y: box.ymax)].map(Self.mercator)
        }
        guard var box = Envelope(around: corners) else { return nil }
        // A single point has no size; a hundred metres give it one.
        let least = 1.6e-5
        if box.width < least { box = Envelope(xmin: box.xmin - least, ymin: box.ymin, xmax: box.xmax + least, ymax: box.ymax) }
        if box.height < least { box = Envelope(xmin: box.xmin, ymin: box.ymin - least, xmax: box.xmax, ymax: box.ymax + least) }
        let scale = min((width - 2 * padding) / box.width, (heights.upperBound - 2 * padding) / box.height)
        self.width = width
        self.scale = scale
        height = max(heights.lowerBound, box.height * scale + 2 * padding)
        origin = Coordinate(x: box.center.x - width / 2 / scale, y: box.center.y + height / 2 / scale)
        let (northWest, southEast) = (
            Self.degrees(origin), Self.degrees(Coordinate(x: origin.x + width / scale, y: origin.y - height / scale))
        )
        frame = Envelope(xmin: northWest.x, ymin: southEast.y, xmax: southEast.x, ymax: northWest.y)
    }

    /// Pixels from the upper left corner.
    func callAsFunction(_ place: Coordinate) -> Coordinate {
        let turned = Coordinate(x: place.x < seam ? place.x + 360 : place.x, y: place.y)
        let flat = Self.mercator(turned)
        return Coordinate(x: (flat.x - origin.x) * scale, y: (origin.y - flat.y) * scale)
    }

    /// Metres on the ground a pixel in the middle of the picture.
    var metresPerPixel: Double { 6_371_000 * cos(frame.center.y * .pi / 180) / scale }

    /// In the middle of the widest gap between the boxes.
    private static func seam(_ boxes: [Envelope]) -> Double {
        let ordered = boxes.sorted { $0.xmin < $1.xmin }
        var reach = ordered[0].xmax
        // The gap over the antimeridian, which leaves everything where it is.
        let east = ordered.map(\.xmax).max() ?? 180
        var widest = (size: ordered[0].xmin + 360 - east, end: -Double.infinity)
        for box in ordered.dropFirst() {
            if box.xmin - reach > widest.size { widest = (box.xmin - reach, box.xmin) }
            reach = max(reach, box.xmax)
        }
        return widest.end
    }

    private static func mercator(_ place: Coordinate) -> Coordinate {
        let latitude = min(maximumLatitude, max(-maximumLatitude, place.y)) * .pi / 180
        return Coordinate(x: place.x * .pi / 180, y: log(tan(.pi / 4 + latitude / 2)))
    }

    private static func degrees(_ place: Coordinate) -> Coordinate {
        Coordinate(x: place.x * 180 / .pi, y: (2 * atan(exp(place.y)) - .pi / 2) * 180 / .pi)
    }
}

/// Steps that people count in: 1, 2 and 5 with any number of zeros.
enum NiceStep {
    /// The largest that is not over `limit`.
    static func notOver(_ limit: Double) -> Double {
        let power = pow(10, floor(log10(limit)))
        return [5, 2, 1].map { $0 * power }.first { $0 <= limit * 1.000001 } ?? power
    }
}
