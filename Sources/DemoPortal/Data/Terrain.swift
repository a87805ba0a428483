import Geography

import func Glibc.cos
import func Glibc.exp
import func Glibc.sin

/// The lie of the land: hills, and a valley along the river that the map draws. Defined everywhere; the same on every machine.
struct Terrain: Sendable {
    let plan: TownPlan

    /// Metres above the sea that no place is below or above.
    static let range = 196.0...228.0

    /// The river leaves the town at 196 m and enters it in the north at 202 m; the land around is 202 to 228 m high.
    func height(at place: Coordinate) -> Double { Row(self, y: place.y).height(x: place.x) }

    /// All that depends on the latitude only, for a whole row of heights.
    struct Row {
        private let terrain: Terrain
        private let v: Double
        private let riverX: Double
        private let bed: Double

        init(_ terrain: Terrain, y: Double) {
            self.terrain = terrain
            v = (y - terrain.plan.extent.ymin) / terrain.plan.extent.height
            riverX = terrain.plan.riverX(y)
            bed = 196 + 6 * min(1, max(0, v))
        }

        func height(x: Double) -> Double {
            let extent = terrain.plan.extent
            let u = (x - extent.xmin) / extent.width
            let land = 215 + 9 * sin(5.1 * u + 1.3 * v + 0.7) * cos(3.7 * v - 1.9 * u) + 4 * sin(17 * u - 9 * v)
            let distance = (x - riverX) / (0.035 * extent.width)
            return land + (bed - land) * exp(-distance * distance)
        }
    }
}
