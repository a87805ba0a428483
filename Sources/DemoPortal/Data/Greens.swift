import Geography

import func Glibc.cos
import func Glibc.sin

/// Parks and lakes, for the drawn maps only.
enum Greens {
    static func parks(_ plan: TownPlan) -> [Polygon] {
        var parks: [Polygon] = []
        for i in 0..<plan.blocks {
            for j in 0..<plan.blocks {
                var random = SeededGenerator(901, i * plan.blocks + j)
                guard random.chance(0.05) else { continue }
                parks.append(
                    Polygon(rings: [
                        plan.ring(Double(i) + 0.06, Double(j) + 0.06, Double(i) + 0.94, Double(j) + 0.94, stepsPerSide: 3)
                    ]))
            }
        }
        return parks
    }

    static func lakes(_ plan: TownPlan) -> [Polygon] {
        let middle = plan.center
        let unit = plan.extent.width
        let spots: [(x: Double, y: Double, size: Double)] = [
            (-0.055, 0.02, 0.012), (-0.3, 0.21, 0.02), (0.2, -0.24, 0.017), (-0.2, -0.33, 0.022), (0.14, 0.3, 0.014),
        ]
        return spots.map { spot in
            let ring = (0..<40).map { step -> Coordinate in
                let angle = -Double(step) / 40 * 2 * .pi
                let radius = spot.size * unit * (1 + 0.18 * sin(3 * angle + spot.x * 40))
                return Coordinate(
                    x: middle.x + spot.x * unit + radius * cos(angle), y: middle.y + spot.y * unit + 0.7 * radius * sin(angle))
            }
            return Polygon(rings: [ring + [ring[0]]])
        }
    }
}
