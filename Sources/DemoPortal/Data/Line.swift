import Geography

/// Walking along a line and beside it.
enum Line {
    static func length(_ path: [Coordinate]) -> Double {
        zip(path, path.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
    }

    static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }

    /// The place at `fraction` of the length, and the unit direction there.
    static func point(on path: [Coordinate], at fraction: Double) -> (place: Coordinate, direction: Coordinate) {
        var left = length(path) * fraction
        for (a, b) in zip(path, path.dropFirst()) {
            let step = distance(a, b)
            if step > 0, left <= step || b == path[path.count - 1] {
                let t = min(1, left / step)
                return (
                    Coordinate(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t),
                    Coordinate(x: (b.x - a.x) / step, y: (b.y - a.y) / step)
                )
            }
            left -= step
        }
        return (path[0], Coordinate(x: 1, y: 0))
    }

    /// The path moved to its right by `metres`; good for gently bent paths.
    static func beside(_ path: [Coordinate], metres: Double) -> [Coordinate] {
        path.indices.map { index in
            let a = path[max(0, index - 1)]
            let b = path[min(path.count - 1, index + 1)]
            let step = max(distance(a, b), 1e-9)
            return Coordinate(
                x: path[index].x + (b.y - a.y) / step * metres, y: path[index].y - (b.x - a.x) / step * metres)
        }
    }

    static func beside(_ spot: (place: Coordinate, direction: Coordinate), metres: Double) -> Coordinate {
        Coordinate(x: spot.place.x + spot.direction.y * metres, y: spot.place.y - spot.direction.x * metres)
    }
}
