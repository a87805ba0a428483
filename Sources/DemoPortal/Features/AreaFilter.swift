import Geography

/// "Intersects" between an area and a shape, both in Web Mercator; touching counts, as `esriSpatialRelIntersects` has it. Own code
/// and not GEOS, so that the server's rule does not come from the library that the client uses.
struct AreaFilter: Sendable {
    let envelope: Envelope
    /// nil when the area is its envelope.
    private let rings: [[Coordinate]]?

    init(_ envelope: Envelope) {
        self.envelope = envelope
        rings = nil
    }

    /// nil for a polygon without a vertex.
    init?(_ polygon: Polygon) {
        guard let envelope = polygon.envelope else { return nil }
        self.envelope = envelope
        rings = polygon.rings.map(Self.closed)
    }

    func intersects(_ shape: Shape, envelope box: Envelope) -> Bool {
        switch shape {
        case .point(let place): return contains(place)
        case .polyline(let paths): return paths.contains { meets(path: $0) }
        case .polygon(let polygon):
            // Edges meet, or one lies inside the other.
            if polygon.rings.contains(where: { meets(path: Self.closed($0)) }) { return true }
            let corner = rings?.first?.first ?? Coordinate(x: envelope.xmin, y: envelope.ymin)
            return Self.contains(polygon.rings, corner)
        }
    }

    private func contains(_ place: Coordinate) -> Bool {
        guard envelope.contains(place) else { return false }
        guard let rings else { return true }
        return Self.contains(rings, place) || rings.contains { Self.isOn($0, place) }
    }

    private func meets(path: [Coordinate]) -> Bool {
        if path.contains(where: contains) { return true }
        let edges = rings ?? [envelope.ring]
        for (a, b) in zip(path, path.dropFirst()) {
            guard Envelope(around: [a, b])?.intersects(envelope) == true else { continue }
            for ring in edges {
                for (c, d) in zip(ring, ring.dropFirst()) where Self.cross(a, b, c, d) { return true }
            }
        }
        return false
    }

    /// Even-odd over all rings: holes come out right whatever their direction.
    private static func contains(_ rings: [[Coordinate]], _ place: Coordinate) -> Bool {
        var isInside = false
        for ring in rings {
            for (a, b) in zip(ring, ring.dropFirst()) where (a.y > place.y) != (b.y > place.y) {
                if place.x < (b.x - a.x) * (place.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
            }
        }
        return isInside
    }

    private static func isOn(_ ring: [Coordinate], _ place: Coordinate) -> Bool {
        zip(ring, ring.dropFirst()).contains { a, b in
            side(a, b, place) == 0 && Envelope(around: [a, b])?.contains(place) == true
        }
    }

    private static func side(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate) -> Int {
        let value = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        return value > 0 ? 1 : (value < 0 ? -1 : 0)
    }

    /// Segments that share a point.
    private static func cross(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate) -> Bool {
        let sides = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b))
        if sides.0 != sides.1 && sides.2 != sides.3 { return true }
        let touches = { (p: Coordinate, q: Coordinate, r: Coordinate, s: Int) in
            s == 0 && Envelope(around: [p, q])?.contains(r) == true
        }
        return touches(a, b, c, sides.0) || touches(a, b, d, sides.1) || touches(c, d, a, sides.2) || touches(c, d, b, sides.3)
    }

    private static func closed(_ ring: [Coordinate]) -> [Coordinate] {
        guard let first = ring.first, ring.last != first else { return ring }
        return ring + [first]
    }
}
