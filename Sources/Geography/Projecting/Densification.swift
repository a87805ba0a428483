/// Projects a ring so that its straight edges stay where they were on the ground.
///
/// An edge whose image bends away from the straight line between its projected ends by more than the tolerance is halved,
/// again and again. Axis-parallel edges between WGS 84 and Web Mercator do not bend and get no vertices.
enum Densification {
    /// Of the ring's own diagonal; and never finer than half a metre (or foot), about 0.000005 degrees.
    static let relativeTolerance = 1e-5
    static let smallestLinear = 0.5
    static let smallestAngular = 5e-6
    /// Edges are cut into at most 2^10 pieces.
    static let maximumRounds = 10

    private struct Piece {
        var source: Coordinate
        var image: Coordinate
        /// The edge from here to the next vertex may still bend.
        var isOpen = true
    }

    static func project(_ ring: [Coordinate], _ projector: Projector) throws(GeographyError) -> [Coordinate] {
        let images = try projector.apply(ring)
        guard ring.count > 1, let box = Envelope(around: images) else { return images }
        if projector.targetIsGeographic, zip(images, images.dropFirst()).contains(where: { ($0.x - $1.x).magnitude > 180 }) {
            throw .crossesAntimeridian
        }
        let smallest = projector.targetIsGeographic ? smallestAngular : smallestLinear
        let diagonal = (box.width * box.width + box.height * box.height).squareRoot()
        let tolerance = max(relativeTolerance * diagonal, smallest)
        var pieces = zip(ring, images).map { Piece(source: $0, image: $1) }
        for _ in 0..<maximumRounds {
            guard try halve(&pieces, projector, tolerance) else { break }
        }
        return pieces.map(\.image)
    }

    /// Halves every edge that bends; false when none did.
    private static func halve(
        _ pieces: inout [Piece], _ projector: Projector, _ tolerance: Double
    ) throws(GeographyError) -> Bool {
        let open = pieces.indices.dropLast().filter { pieces[$0].isOpen }
        // The middle alone would miss an edge that bends both ways.
        let probes = open.flatMap { index in
            [0.25, 0.5].map { between(pieces[index].source, pieces[index + 1].source, $0) }
        }
        let images = try projector.apply(probes)
        var middles: [Int: Piece] = [:]
        for (position, index) in open.enumerated() {
            let (start, end) = (pieces[index].image, pieces[index + 1].image)
            let bend = max(
                distance(images[2 * position], start, end), distance(images[2 * position + 1], start, end))
            if bend > tolerance {
                middles[index] = Piece(source: probes[2 * position + 1], image: images[2 * position + 1])
            } else {
                pieces[index].isOpen = false
            }
        }
        if middles.isEmpty { return false }
        pieces = pieces.indices.flatMap { index in [pieces[index]] + (middles[index].map { [$0] } ?? []) }
        return true
    }

    private static func between(_ start: Coordinate, _ end: Coordinate, _ part: Double) -> Coordinate {
        Coordinate(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
    }

    /// From a place to the line through two others.
    private static func distance(_ place: Coordinate, _ start: Coordinate, _ end: Coordinate) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = (dx * dx + dy * dy).squareRoot()
        if length == 0 { return 0 }
        return ((place.x - start.x) * dy - (place.y - start.y) * dx).magnitude / length
    }
}
