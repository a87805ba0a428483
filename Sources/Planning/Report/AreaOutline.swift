import Basics
import Geography

/// An area in longitude and latitude with as few corners as a small map needs. Written as a GeoJSON MultiPolygon (RFC 7946): outer
/// rings counter-clockwise.
public struct AreaOutline: Sendable, Equatable {
    /// Parts, each with its outer ring and then its holes; rings are closed.
    public var parts: [[[Coordinate]]]

    public init(parts: [[[Coordinate]]]) { self.parts = parts }

    /// Corners that move the border by less than this part of the area's size are left out.
    static let tolerance = 1.0 / 400

    /// nil when the shape has no image in longitude and latitude, or no area.
    public init?(_ shape: AreaShape, in reference: SpatialReference) {
        // Across the antimeridian the area's own box: the plain one would be the whole earth, and its corners all too close.
        guard let polygon = try? Projection.project(shape, from: reference, to: .wgs84).polygon,
            let box = try? shape.extent(from: reference, to: .wgs84)
        else { return nil }
        let tolerance = max(box.width, box.height) * Self.tolerance
        parts = polygon.parts.compactMap { part in
            let rings = ([part.outer] + part.holes).map { $0.simplified(tolerance) }
            guard let outer = rings.first, outer.count >= 4 else { return nil }
            let holes = rings.dropFirst().filter { $0.count >= 4 }.map { $0.oriented(clockwise: true) }
            return [outer.oriented(clockwise: false)] + holes
        }
        if parts.isEmpty { return nil }
    }

    public var envelope: Envelope? { Envelope(around: parts.joined().joined()) }
}

extension [Coordinate] {
    /// Of a closed ring: the corners that matter (Douglas and Peucker), to 0.1 m.
    fileprivate func simplified(_ tolerance: Double) -> [Coordinate] {
        guard count > 5, let first else { return map(\.rounded) }
        // A ring has no ends of its own: its first corner and the one farthest from it serve.
        let middle = indices.max { self[$0].distance(to: first) < self[$1].distance(to: first) } ?? 0
        var kept = [Bool](repeating: false, count: count)
        for index in [0, middle, count - 1] { kept[index] = true }
        var open = [(0, middle), (middle, count - 1)]
        while let (start, end) = open.popLast() {
            guard end > start + 1 else { continue }
            let farthest = (start + 1..<end).max { distance($0, start, end) < distance($1, start, end) } ?? start
            if distance(farthest, start, end) > tolerance {
                kept[farthest] = true
                open += [(start, farthest), (farthest, end)]
            }
        }
        return indices.filter { kept[$0] }.map { self[$0].rounded }
    }

    private func distance(_ index: Int, _ start: Int, _ end: Int) -> Double {
        let (a, b, place) = (self[start], self[end], self[index])
        let length = a.distance(to: b)
        if length == 0 { return place.distance(to: a) }
        return abs((b.x - a.x) * (a.y - place.y) - (a.x - place.x) * (b.y - a.y)) / length
    }
}

extension Coordinate {
    fileprivate var rounded: Coordinate { Coordinate(x: (x * 1e6).rounded() / 1e6, y: (y * 1e6).rounded() / 1e6) }
    fileprivate func distance(to other: Coordinate) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

extension AreaOutline: Codable {
    private enum Key: String, CodingKey { case type, coordinates }

    public init(from decoder: any Decoder) throws {
        let numbers = try decoder.container(keyedBy: Key.self).decode([[[[Double]]]].self, forKey: .coordinates)
        parts = numbers.map { part in
            part.map { ring in ring.compactMap { $0.count < 2 ? nil : Coordinate(x: $0[0], y: $0[1]) } }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("MultiPolygon", forKey: .type)
        try container.encode(parts.map { $0.map { $0.map { [$0.x, $0.y] } } }, forKey: .coordinates)
    }

    public var json: JSON {
        let parts = parts.map { part in
            JSON.array(part.map { ring in .array(ring.map { [.number($0.x), .number($0.y)] }) })
        }
        return ["type": "MultiPolygon", "coordinates": .array(parts)]
    }
}
