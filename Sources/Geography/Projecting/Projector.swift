/// One direction between two systems, by the shortest means: nothing, the sphere formulas, or PROJ.
struct Projector {
    private enum Means {
        case identity
        case toWebMercator
        case fromWebMercator
        case proj(Transformation)
    }

    private let means: Means

    var isIdentity: Bool { if case .identity = means { true } else { false } }

    var isToWebMercator: Bool { if case .toWebMercator = means { true } else { false } }

    var targetIsGeographic: Bool {
        switch means {
        case .fromWebMercator: true
        case .proj(let transformation): transformation.targetTurn != nil
        case .identity, .toWebMercator: false
        }
    }

    /// A full turn of longitude, where images jump from one side of the antimeridian to the other: between systems that both
    /// count in longitude they stay on the side that they come from.
    var turnToUnwrap: Double? {
        guard case .proj(let transformation) = means, transformation.sourceTurn == nil else { return nil }
        return transformation.targetTurn
    }

    /// Runs `body` with a projector; PROJ is only woken when the formulas do not do.
    static func with<Value>(
        from source: CoordinateSystem, to target: CoordinateSystem, _ body: (Projector) throws(GeographyError) -> Value
    ) throws(GeographyError) -> Value {
        if case .reference(let first) = source, case .reference(let second) = target {
            if first.isSame(as: second) { return try body(Projector(means: .identity)) }
            if first.isWGS84 && second.isWebMercator { return try body(Projector(means: .toWebMercator)) }
            if first.isWebMercator && second.isWGS84 { return try body(Projector(means: .fromWebMercator)) }
        }
        return try ProjectionPool.withContext { (context) throws(GeographyError) in
            try body(Projector(means: .proj(try context.transformation(.init(source: source, target: target)))))
        }
    }

    func apply(_ places: [Coordinate]) throws(GeographyError) -> [Coordinate] {
        switch means {
        case .identity: return places
        case .proj(let transformation): return try transformation.apply(places)
        case .toWebMercator: return try places.map { (place) throws(GeographyError) in try WebMercator.project(place) }
        case .fromWebMercator: return try places.map { (place) throws(GeographyError) in try WebMercator.unproject(place) }
        }
    }

    /// The box around the image of the box, edges included.
    func apply(_ box: Envelope) throws(GeographyError) -> Envelope {
        switch means {
        case .identity: return box
        case .proj(let transformation):
            return try EdgeExtremes(box: box, project: apply).found().union(try transformation.bounds(box))
        case .toWebMercator, .fromWebMercator:
            guard latitudes.overlaps(box.ymin...max(box.ymin, box.ymax)) else { throw .beyondWebMercator }
            let corners = try apply([
                Coordinate(x: box.xmin, y: box.ymin.clamped(to: latitudes)),
                Coordinate(x: box.xmax, y: box.ymax.clamped(to: latitudes)),
            ])
            return Envelope(xmin: corners[0].x, ymin: corners[0].y, xmax: corners[1].x, ymax: corners[1].y)
        }
    }

    private var latitudes: ClosedRange<Double> {
        if case .toWebMercator = means { return -WebMercator.maximumLatitude...WebMercator.maximumLatitude }
        return -Double.infinity...Double.infinity
    }
}

/// The box of a projected box's edges. Edges become curves whose farthest place is between the corners, so each edge is
/// sampled, and again finer around its extremes.
private struct EdgeExtremes {
    let box: Envelope
    let project: ([Coordinate]) throws(GeographyError) -> [Coordinate]
    private static var samples: Int { 32 }

    func found() throws(GeographyError) -> Envelope {
        var result: Envelope?
        for (start, end) in zip(box.ring, box.ring.dropFirst()) {
            let images = try sample(start, end, 0...1)
            for measure in [\Coordinate.x, \Coordinate.y] {
                let ordered = images.indices.sorted { images[$0][keyPath: measure] < images[$1][keyPath: measure] }
                for index in [ordered.first, ordered.last].compactMap({ $0 }) {
                    let step = 1 / Double(Self.samples)
                    let middle = Double(index) * step
                    let finer = try sample(start, end, max(0, middle - step)...min(1, middle + step))
                    if let box = Envelope(around: images + finer) { result = result?.union(box) ?? box }
                }
            }
        }
        guard let result else { throw .empty }
        return result
    }

    private func sample(
        _ start: Coordinate, _ end: Coordinate, _ part: ClosedRange<Double>
    ) throws(GeographyError) -> [Coordinate] {
        try project(
            (0...Self.samples).map { index in
                let t = part.lowerBound + (part.upperBound - part.lowerBound) * Double(index) / Double(Self.samples)
                return Coordinate(x: start.x + (end.x - start.x) * t, y: start.y + (end.y - start.y) * t)
            })
    }
}
