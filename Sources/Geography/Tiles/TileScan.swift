/// Finds the tiles whose inside a polygon reaches, row by row, in tile units.
///
/// A tile takes part when an edge of the polygon passes through its inside, or when it lies wholly within. So a row's tiles are
/// 1. for each edge, the columns that its piece inside the row passes through, and
/// 2. for the line through the row's middle, the columns between each odd crossing and the next (even-odd rule, so the
///    order of rings does not matter).
/// Edges along a border reach into no tile (`TileInterval`), and then rule 2 tells on which side the polygon is.
struct TileScan {
    private struct Edge {
        var top: Coordinate
        var bottom: Coordinate

        func x(at y: Double) -> Double {
            if y <= top.y { return top.x }
            if y >= bottom.y { return bottom.x }
            return top.x + (bottom.x - top.x) * ((y - top.y) / (bottom.y - top.y))
        }
    }

    private let edges: [Edge]
    private let limits: TileRange

    init(rings: [[Coordinate]], limits: TileRange) {
        var edges: [Edge] = []
        for ring in rings {
            guard var previous = ring.last else { continue }
            for vertex in ring {
                if vertex != previous {
                    edges.append(
                        previous.y <= vertex.y ? Edge(top: previous, bottom: vertex) : Edge(top: vertex, bottom: previous))
                }
                previous = vertex
            }
        }
        self.edges = edges.sorted { $0.top.y < $1.top.y }
        self.limits = limits
    }

    func run(_ body: (TileSpan) -> Void) {
        var active: [Edge] = []
        var next = 0
        for row in limits.rows {
            let upper = Double(row)
            let lower = upper + 1
            active.removeAll { $0.bottom.y <= upper }
            while next < edges.count, edges[next].top.y < lower {
                if edges[next].bottom.y > upper || edges[next].top.y >= upper { active.append(edges[next]) }
                next += 1
            }
            for columns in merged(columns(active, upper: upper, lower: lower)) { body(TileSpan(row: row, columns: columns)) }
        }
    }

    private func columns(_ active: [Edge], upper: Double, lower: Double) -> [Range<Int>] {
        let tolerance = TileInterval.borderTolerance(lower)
        let (upper, lower, middle) = (upper + tolerance, lower - tolerance, (upper + lower) / 2)
        var found: [Range<Int>] = []
        var crossings: [Double] = []
        for edge in active where edge.bottom.y > upper && edge.top.y < lower {
            let (start, end) = (edge.x(at: upper), edge.x(at: lower))
            // Inside the row the edge is straight, but a horizontal one has both ends at one height.
            let horizontal = edge.top.y == edge.bottom.y
            let (low, high) = horizontal ? (edge.top.x, edge.bottom.x) : (start, end)
            found.append(TileInterval.tiles(min(low, high), max(low, high)))
            if edge.top.y <= middle && edge.bottom.y > middle { crossings.append(edge.x(at: middle)) }
        }
        crossings.sort()
        for index in stride(from: 0, to: crossings.count - 1, by: 2) {
            found.append(TileInterval.tiles(crossings[index], crossings[index + 1]))
        }
        return found
    }

    /// The union of the intervals, cut to the limits, in order and apart from each other.
    private func merged(_ intervals: [Range<Int>]) -> [Range<Int>] {
        let sorted = intervals.map { $0.clamped(to: limits.columns) }.filter { !$0.isEmpty }.sorted {
            $0.lowerBound < $1.lowerBound
        }
        var result: [Range<Int>] = []
        for interval in sorted {
            if let last = result.last, interval.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, interval.upperBound)
            } else {
                result.append(interval)
            }
        }
        return result
    }
}
