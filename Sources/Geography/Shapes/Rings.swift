/// Ring order and areas, as Esri has them: outer rings clockwise, holes counter-clockwise.
extension [Coordinate] {
    /// Square units; negative for a clockwise ring. An unclosed ring counts as closed.
    public var signedArea: Double {
        guard let first else { return 0 }
        // Relative to the first corner: Web Mercator's large numbers would eat the digits of a small ring.
        var sum = 0.0
        var previous = last ?? first
        for vertex in self {
            sum += (previous.x - first.x) * (vertex.y - first.y) - (vertex.x - first.x) * (previous.y - first.y)
            previous = vertex
        }
        return sum / 2
    }

    public var isClockwise: Bool { signedArea < 0 }

    var closed: [Coordinate] { first == last ? self : self + prefix(1) }

    public func oriented(clockwise: Bool) -> [Coordinate] { isClockwise == clockwise ? self : reversed() }

    /// Even-odd rule; a place on the border may be either.
    func encloses(_ place: Coordinate) -> Bool {
        guard var previous = last else { return false }
        var inside = false
        for vertex in self {
            if (vertex.y > place.y) != (previous.y > place.y) {
                let x = vertex.x + (previous.x - vertex.x) * (place.y - vertex.y) / (previous.y - vertex.y)
                if place.x < x { inside.toggle() }
            }
            previous = vertex
        }
        return inside
    }

    /// Whether a ring that does not cross this one lies in it. The two may touch, and a place on the border says nothing, so
    /// corners and edge middles vote until three more are of one mind.
    func encloses(ring: [Coordinate]) -> Bool {
        let step = Swift.max(1, ring.count / 16)
        var votes = 0
        for index in stride(from: 0, to: ring.count - 1, by: step) where votes.magnitude < 3 {
            let (start, end) = (ring[index], ring[index + 1])
            votes += encloses(Coordinate(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)) ? 1 : -1
            votes += encloses(start) ? 1 : -1
        }
        return votes > 0
    }
}

extension Polygon {
    public struct Part: Sendable, Hashable {
        public var outer: [Coordinate]
        public var holes: [[Coordinate]]
    }

    /// The outer rings with their holes. Counter-clockwise rings are holes of the smallest outer ring around them, or outer
    /// rings when there is none; when no ring is clockwise (GeoJSON, careless writers) the depth of nesting decides. Rings of fewer
    /// than three corners are left out.
    public var parts: [Part] {
        let rings = self.rings.map(\.closed).filter { $0.count >= 4 }.map { SizedRing($0) }.sorted { $0.size > $1.size }
        let orderCounts = rings.contains(where: \.isClockwise)
        var parts: [(outer: SizedRing, holes: [[Coordinate]])] = []
        for (index, ring) in rings.enumerated() {
            let isHole = orderCounts ? !ring.isClockwise : rings[..<index].count { $0.encloses(ring) } % 2 == 1
            // Sorted by size, so the last outer ring around it is the smallest.
            if isHole, let owner = parts.lastIndex(where: { $0.outer.encloses(ring) }) {
                parts[owner].holes.append(ring.vertices)
            } else {
                parts.append((ring, []))
            }
        }
        return parts.map { Part(outer: $0.outer.vertices, holes: $0.holes) }
    }

    /// A ring with what is asked of it again and again; most questions end at the boxes.
    private struct SizedRing {
        let vertices: [Coordinate]
        let size: Double
        let isClockwise: Bool
        private let box: Envelope?

        init(_ vertices: [Coordinate]) {
            let area = vertices.signedArea
            self.vertices = vertices
            size = area.magnitude
            isClockwise = area < 0
            box = Envelope(around: vertices)
        }

        func encloses(_ other: SizedRing) -> Bool {
            guard let box, let inner = other.box, box.union(inner) == box else { return false }
            return vertices.encloses(ring: other.vertices)
        }
    }

    /// The same area with closed rings in Esri's order, each outer ring followed by its holes.
    public func orientedEsri() -> Polygon {
        Polygon(
            rings: parts.flatMap { part in
                [part.outer.oriented(clockwise: true)] + part.holes.map { $0.oriented(clockwise: false) }
            })
    }

    /// Square units of the spatial reference, holes taken off; right for valid polygons.
    public var area: Double {
        parts.reduce(0) { sum, part in
            sum + part.outer.signedArea.magnitude - part.holes.reduce(0) { $0 + $1.signedArea.magnitude }
        }
    }
}

extension Envelope {
    public var area: Double { width * height }
}
