import Geography

import func Glibc.cos
import func Glibc.sin

/// The ground plan: a grid of streets, bent and pulled together down town, with a river through it. Web Mercator metres.
///
/// Grid coordinates run from 0 to `blocks` eastwards (i) and northwards (j); `place` bends them into the town.
struct TownPlan: Sendable {
    let blocks: Int
    let extent: Envelope
    let center: Coordinate

    /// Naperville, Illinois: -88.26…-88.08, 41.68…41.84.
    static let cityExtent = Envelope(
        xmin: WebMercator.x(-88.26), ymin: WebMercator.y(41.68), xmax: WebMercator.x(-88.08), ymax: WebMercator.y(41.84))
    static let downtown = WebMercator.place(longitude: -88.15, latitude: 41.77)

    init(_ size: TownDataset.Size) {
        center = Self.downtown
        switch size {
        case .hamlet:
            blocks = 5
            extent = Envelope(xmin: center.x - 900, ymin: center.y - 900, xmax: center.x + 900, ymax: center.y + 900)
        case .town:
            blocks = 40
            extent = Self.cityExtent
        case .large:
            blocks = 200
            extent = Self.cityExtent
        }
    }

    /// Blocks are small down town and wide at the edges.
    func place(_ i: Double, _ j: Double) -> Coordinate {
        let u = 2 * i / Double(blocks) - 1
        let v = 2 * j / Double(blocks) - 1
        let width = u < 0 ? center.x - extent.xmin : extent.xmax - center.x
        let height = v < 0 ? center.y - extent.ymin : extent.ymax - center.y
        let bend = 0.019 * extent.width
        let wobble = 0.005 * extent.width
        return Coordinate(
            x: center.x + u * (0.35 + 0.65 * abs(u)) * width * 0.93 + bend * sin(2.4 * v + 0.6) * cos(1.3 * u)
                + wobble * sin(7 * v + 3 * u),
            y: center.y + v * (0.35 + 0.65 * abs(v)) * height * 0.93 + bend * sin(2.1 * u - 0.4) * cos(1.1 * v)
                + wobble * sin(6 * u - 2 * v))
    }

    /// The middle of the DuPage River at a height; it passes just west of down town.
    func riverX(_ y: Double) -> Double {
        let t = (y - extent.ymin) / extent.height
        return extent.xmin + extent.width * (0.595 + 0.09 * sin(5.2 * t + 0.4) + 0.03 * sin(13 * t + 1))
    }

    var river: [Coordinate] {
        let steps = 240
        return (0...steps).map { step in
            let y = extent.ymin + extent.height * Double(step) / Double(steps)
            return Coordinate(x: riverX(y), y: y)
        }
    }

    /// Levels by which a city of many small blocks shows its details later.
    var detailShift: Int { blocks > 100 ? 2 : 0 }

    var riverWidth: Double { extent.width * 0.0028 }

    func isWestOfRiver(_ place: Coordinate) -> Bool { place.x < riverX(place.y) }

    func isArterial(line: Int) -> Bool { line % max(2, blocks / 5) == 0 }

    /// A closed ring along grid lines, clockwise (Esri's outer order).
    func ring(_ west: Double, _ south: Double, _ east: Double, _ north: Double, stepsPerSide: Int) -> [Coordinate] {
        let corners = [(west, south), (west, north), (east, north), (east, south)]
        var ring: [Coordinate] = []
        for (index, from) in corners.enumerated() {
            let to = corners[(index + 1) % 4]
            for step in 0..<stepsPerSide {
                let t = Double(step) / Double(stepsPerSide)
                ring.append(place(from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t))
            }
        }
        return ring + [ring[0]]
    }
}
