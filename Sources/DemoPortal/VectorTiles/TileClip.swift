import Geography

/// Cuts shapes to a box, in the units of the shapes.
enum TileClip {
    /// The pieces of a path inside the box (Liang–Barsky, segment by segment).
    static func path(_ path: [Coordinate], to box: Envelope) -> [[Coordinate]] {
        var pieces: [[Coordinate]] = []
        var current: [Coordinate] = []
        for (a, b) in zip(path, path.dropFirst()) {
            guard let (from, to, isWhole) = segment(a, b, box) else {
                if current.count > 1 { pieces.append(current) }
                current = []
                continue
            }
            if current.last != from {
                if current.count > 1 { pieces.append(current) }
                current = [from]
            }
            current.append(to)
            if !isWhole {
                pieces.append(current)
                current = []
            }
        }
        if current.count > 1 { pieces.append(current) }
        return pieces
    }

    /// The part of a segment inside, and whether its end is.
    private static func segment(
        _ a: Coordinate, _ b: Coordinate, _ box: Envelope
    ) -> (from: Coordinate, to: Coordinate, reachesEnd: Bool)? {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        var low = 0.0
        var high = 1.0
        for (step, room) in [(-dx, a.x - box.xmin), (dx, box.xmax - a.x), (-dy, a.y - box.ymin), (dy, box.ymax - a.y)] {
            if step == 0 {
                if room < 0 { return nil }
                continue
            }
            let t = room / step
            if step < 0 { low = max(low, t) } else { high = min(high, t) }
        }
        guard low <= high else { return nil }
        let from = low == 0 ? a : Coordinate(x: a.x + dx * low, y: a.y + dy * low)
        let to = high == 1 ? b : Coordinate(x: a.x + dx * high, y: a.y + dy * high)
        return (from, to, high == 1)
    }

    /// A closed ring cut to the box (Sutherland–Hodgman); empty when nothing remains. The direction stays.
    static func ring(_ ring: [Coordinate], to box: Envelope) -> [Coordinate] {
        var points = Array(ring.dropLast())
        let sides: [(inside: (Coordinate) -> Bool, cross: (Coordinate, Coordinate) -> Coordinate)] = [
            ({ $0.x >= box.xmin }, { crossX($0, $1, box.xmin) }), ({ $0.x <= box.xmax }, { crossX($0, $1, box.xmax) }),
            ({ $0.y >= box.ymin }, { crossY($0, $1, box.ymin) }), ({ $0.y <= box.ymax }, { crossY($0, $1, box.ymax) }),
        ]
        for side in sides {
            guard var previous = points.last else { return [] }
            var kept: [Coordinate] = []
            for point in points {
                let (enters, was) = (side.inside(point), side.inside(previous))
                if enters != was { kept.append(side.cross(previous, point)) }
                if enters { kept.append(point) }
                previous = point
            }
            points = kept
        }
        return points.isEmpty ? [] : points + [points[0]]
    }

    private static func crossX(_ a: Coordinate, _ b: Coordinate, _ x: Double) -> Coordinate {
        Coordinate(x: x, y: a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))
    }

    private static func crossY(_ a: Coordinate, _ b: Coordinate, _ y: Double) -> Coordinate {
        Coordinate(x: a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y: y)
    }
}
