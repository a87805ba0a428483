import Foundation
import Geography

/// Meridians, parallels and a scale bar: how large the map is and where, without a base map.
struct Graticule {
    let projection: MapProjection

    var lines: Markup {
        let frame = projection.frame
        let step = NiceStep.notOver(max(frame.width, frame.height) / 3)
        return element("g", ["class": "graticule", "aria-hidden": "true"]) {
            for longitude in Self.multiples(of: step, in: frame.xmin...frame.xmax) {
                let x = projection(Coordinate(x: longitude, y: frame.center.y)).x
                line(x, 0, x, projection.height)
                let words = Self.degrees(longitude > 180 ? longitude - 360 : longitude, step, "E", "W")
                // The last one may have no room for its number.
                if x + 3 + Double(words.count) * 5.6 < projection.width { label(x + 3, 12, words) }
            }
            for latitude in Self.multiples(of: step, in: frame.ymin...frame.ymax) {
                let y = projection(Coordinate(x: frame.center.x, y: latitude)).y
                line(0, y, projection.width, y)
                label(3, y - 3, Self.degrees(latitude, step, "N", "S"))
            }
        }
    }

    static func scaleBox(_ projection: MapProjection) -> Envelope {
        Envelope(
            xmin: projection.width - 140, ymin: projection.height - 30, xmax: projection.width, ymax: projection.height)
    }

    var scaleBar: Markup {
        let metres = NiceStep.notOver(projection.metresPerPixel * 110)
        let length = metres / projection.metresPerPixel
        let (right, bottom) = (projection.width - 12, projection.height - 10)
        let words = metres >= 1000 ? "\(Quantity.count(Int(metres / 1000))) km" : "\(AreaMap.number(metres)) m"
        return element("g", ["class": "scale", "aria-hidden": "true"]) {
            element(
                "path",
                [
                    "d":
                        "M\(AreaMap.number(right - length)) \(AreaMap.number(bottom - 5))v5h\(AreaMap.number(length))v-5"
                ])
            element("text", ["x": AreaMap.number(right - length / 2), "y": AreaMap.number(bottom - 5)]) { words }
        }
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Markup {
        element(
            "line",
            ["x1": AreaMap.number(x1), "y1": AreaMap.number(y1), "x2": AreaMap.number(x2), "y2": AreaMap.number(y2)])
    }

    private func label(_ x: Double, _ y: Double, _ text: String) -> Markup {
        element("text", ["x": AreaMap.number(x), "y": AreaMap.number(y)]) { text }
    }

    static func multiples(of step: Double, in range: ClosedRange<Double>) -> [Double] {
        let (first, last) = (ceil(range.lowerBound / step), floor(range.upperBound / step))
        return first > last ? [] : stride(from: first, through: last, by: 1).map { $0 * step }
    }

    /// "88.15° W", with as many places as the step has.
    static func degrees(_ value: Double, _ step: Double, _ positive: String, _ negative: String) -> String {
        let places = max(0, Int(ceil(-log10(step) - 1e-9)))
        let text = String(format: "%.\(places)f", abs(value))
        return abs(value) < step / 2 ? "0°" : "\(text)° \(value > 0 ? positive : negative)"
    }
}
