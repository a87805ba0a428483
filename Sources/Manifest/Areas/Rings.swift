import Geography

/// Brings rings into the form that `Polygon` promises: closed, outer rings clockwise, holes counter-clockwise; and in one piece
/// where they cross the antimeridian (`frame`, nil where the spatial reference has none).
enum Rings {
    /// Rings of one or more parts in any order and orientation, as people write them: what lies within an odd number of other
    /// rings is a hole.
    static func polygon(anyOrder rings: [[Coordinate]], frame: WorldFrame?) throws(AreaProblem) -> Polygon {
        guard !rings.isEmpty else { throw AreaProblem("the polygon is empty") }
        let closed = try closed(rings, frame)
        // Where no ring is clockwise, the depth of nesting decides.
        return Polygon(rings: closed.map { $0.oriented(clockwise: false) }).orientedEsri()
    }

    /// GeoJSON (RFC 7946, 3.1.6): for each part the outer ring, then its holes.
    static func polygon(parts: [[[Coordinate]]], frame: WorldFrame?) throws(AreaProblem) -> Polygon {
        var rings: [[Coordinate]] = []
        for part in parts {
            for (index, ring) in try closed(part, frame).enumerated() { rings.append(ring.oriented(clockwise: index == 0)) }
        }
        guard !rings.isEmpty else { throw AreaProblem("the polygon is empty") }
        return Polygon(rings: rings)
    }

    /// Lines of one or more parts, each in one piece.
    static func lines(_ paths: [[Coordinate]], frame: WorldFrame?) throws(AreaProblem) -> [[Coordinate]] {
        guard !paths.isEmpty else { throw AreaProblem("the line is empty") }
        for (index, path) in paths.enumerated() where Set(path).count < 2 {
            throw AreaProblem("path \(index + 1) of the line has fewer than two different positions")
        }
        return frame.map { frame in paths.map(frame.unwrapped(path:)) } ?? paths
    }

    private static func closed(_ rings: [[Coordinate]], _ frame: WorldFrame?) throws(AreaProblem) -> [[Coordinate]] {
        let whole = frame?.gathered(rings) ?? rings
        return try whole.enumerated().map { (index, ring) throws(AreaProblem) in try close(ring, number: index + 1) }
    }

    private static func close(_ ring: [Coordinate], number: Int) throws(AreaProblem) -> [Coordinate] {
        var ring = ring
        if let first = ring.first, ring.last != first { ring.append(first) }
        guard ring.count >= 4, Set(ring).count >= 3 else {
            throw AreaProblem("ring \(number) of the polygon has fewer than three different positions")
        }
        guard ring.signedArea != 0 else { throw AreaProblem("ring \(number) of the polygon has no area") }
        if let crossing = crossing(ring) {
            throw AreaProblem(
                "ring \(number) of the polygon crosses itself near \(crossing.x), \(crossing.y)",
                hint: "put the positions in the order in which one walks around the area")
        }
        return ring
    }

    /// Where two edges cross, for rings written by hand; larger ones come from a program, and looking at every pair is slow.
    private static func crossing(_ ring: [Coordinate]) -> Coordinate? {
        guard ring.count <= 200 else { return nil }
        let edges = Array(zip(ring, ring.dropFirst()))
        for first in edges.indices {
            for second in edges.indices.dropFirst(first + 2) where !(first == 0 && second == edges.count - 1) {
                if crosses(edges[first], edges[second]) { return edges[first].0 }
            }
        }
        return nil
    }

    private static func crosses(_ a: (Coordinate, Coordinate), _ b: (Coordinate, Coordinate)) -> Bool {
        func side(_ line: (Coordinate, Coordinate), _ place: Coordinate) -> Double {
            (line.1.x - line.0.x) * (place.y - line.0.y) - (line.1.y - line.0.y) * (place.x - line.0.x)
        }
        return side(a, b.0) * side(a, b.1) < 0 && side(b, a.0) * side(b, a.1) < 0
    }
}
