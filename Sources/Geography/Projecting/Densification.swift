/// Projects a path so that its straight edges stay where they were on the ground.
///
/// An edge whose image bends away from the straight line between its projected ends by more than the tolerance is halved,
/// again and again. Axis-parallel edges between WGS 84 and Web Mercator do not bend and get no vertices.
enum Densification {
    /// Of the path's own diagonal; and never finer than half a metre (or foot), about 0.000005 degrees, nor coarser than ten times that.
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

    /// In one piece: where the image crosses the antimeridian its x runs on. A ring around a pole ends a turn from where it began.
    /// - Throws: `.crossesAntimeridian` when the image is torn at the edge of a projection.
    static func project(_ path: [Coordinate], _ projector: Projector) throws(GeographyError) -> [Coordinate] {
        let images = try projector.apply(path)
        let turn = projector.turnToUnwrap
        guard path.count > 1, let box = Envelope(around: unwrapped(images, turn)) else { return images }
        let smallest = projector.targetIsGeographic ? smallestAngular : smallestLinear
        let diagonal = (box.width * box.width + box.height * box.height).squareRoot()
        let tolerance = min(max(relativeTolerance * diagonal, smallest), 10 * smallest)
        var pieces = zip(path, images).map { Piece(source: $0, image: $1) }
        var isDone = false
        for _ in 0..<maximumRounds where !isDone { isDone = try !halve(&pieces, projector, tolerance) }
        let result = unwrapped(pieces.map(\.image), turn)
        // An edge of a continuous image is tiny after so many rounds.
        if !isDone, turn == nil, zip(result, result.dropFirst()).contains(where: { $0.distance(to: $1) > diagonal / 10 }) {
            throw .crossesAntimeridian
        }
        return result
    }

    private static func unwrapped(_ images: [Coordinate], _ turn: Double?) -> [Coordinate] {
        turn.map { WorldFrame.unwrapped(images, turn: $0, keepsWholeTurns: false) } ?? images
    }

    /// Halves every edge that bends; false when none did.
    private static func halve(
        _ pieces: inout [Piece], _ projector: Projector, _ tolerance: Double
    ) throws(GeographyError) -> Bool {
        let open = pieces.indices.dropLast().filter { pieces[$0].isOpen }
        // The middle alone would miss an edge that bends both ways; both quarters, so that a path and its reverse agree.
        let probes = open.flatMap { index in
            [0.25, 0.5, 0.75].map { between(pieces[index].source, pieces[index + 1].source, $0) }
        }
        let images = try projector.apply(probes)
        var middles: [Int: Piece] = [:]
        for (position, index) in open.enumerated() {
            let probed = images[3 * position..<3 * position + 3]
            let edge = unwrapped([pieces[index].image] + probed + [pieces[index + 1].image], projector.turnToUnwrap)
            let bend = edge[1...3].reduce(0) { max($0, distance($1, edge[0], edge[4])) }
            if bend > tolerance {
                middles[index] = Piece(source: probes[3 * position + 1], image: images[3 * position + 1])
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

    /// From a place to the line through two others; to the first where they are one.
    private static func distance(_ place: Coordinate, _ start: Coordinate, _ end: Coordinate) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = (dx * dx + dy * dy).squareRoot()
        if length == 0 { return place.distance(to: start) }
        return ((place.x - start.x) * dy - (place.y - start.y) * dx).magnitude / length
    }
}

extension Coordinate {
    func distance(to other: Coordinate) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}
