/// An area inside the world of its spatial reference, and what had to be done for it.
public struct WorldFit: Sendable, Hashable {
    public var shape: AreaShape
    /// It crosses the antimeridian: a part on each side.
    public var isSplit: Bool
    /// It reached over the upper or lower edge of the world and ends there now.
    public var isClamped: Bool
}

extension AreaShape {
    /// Brings an area into the world of its spatial reference, as services want it (RFC 7946, 3.1.9): an envelope or a ring that
    /// runs over the antimeridian is split into parts on both sides, and what is over a pole's edge is cut off. Longitudes from 0
    /// to 360 become those from -180 to 180. Areas of systems without a world, such as UTM, stay as they are.
    ///
    /// - Throws: `.outsideDomain` when nothing of it is in the world, or it lies more than a turn away.
    public func fitted(in reference: SpatialReference) throws(GeographyError) -> WorldFit {
        guard let frame = try WorldFrame.of(reference) else { return WorldFit(shape: self, isSplit: false, isClamped: false) }
        switch self {
        case .envelope(let box): return try frame.fit(box)
        case .polygon(let polygon): return try frame.fit(polygon)
        }
    }

    /// It lies within the world and has a part at either side of the antimeridian, with free world between.
    public func isSplit(in reference: SpatialReference) throws(GeographyError) -> Bool {
        guard case .polygon(let polygon) = self, let frame = try WorldFrame.of(reference) else { return false }
        return polygon.isSplit(in: frame)
    }

    /// The narrowest box around the area after projecting it. Where the area crosses the antimeridian of a system with a world,
    /// `xmax` runs past the world's edge, so that a box around Fiji is not the whole earth.
    public func extent(from source: SpatialReference, to target: SpatialReference) throws(GeographyError) -> Envelope? {
        let image = try Projection.project(self, from: source, to: target)
        guard case .polygon(let polygon) = image, let frame = try WorldFrame.of(target) else { return image.envelope }
        return frame.narrowestBox(polygon.rings)
    }
}

extension Polygon {
    func isSplit(in frame: WorldFrame) -> Bool {
        frame.narrowestBox(rings).map { $0.xmax > frame.box.xmax + frame.slack } ?? false
    }
}

extension WorldFrame {
    /// Around rings within the world. Only where they touch both edges may the box run past the right one: it leaves out the widest
    /// part of the parallel that no ring touches.
    func narrowestBox(_ rings: [[Coordinate]]) -> Envelope? {
        let boxes = rings.compactMap { Envelope(around: $0) }.sorted { $0.xmin < $1.xmin }
        guard let first = boxes.first, let whole = Envelope(around: rings.joined()) else { return nil }
        guard whole.xmin <= box.xmin + slack, whole.xmax >= box.xmax - slack else { return whole }
        var reached = first.xmax
        var gap: (from: Double, to: Double)?
        for next in boxes.dropFirst() {
            if next.xmin - reached > gap.map({ $0.to - $0.from }) ?? slack { gap = (reached, next.xmin) }
            reached = max(reached, next.xmax)
        }
        guard let gap else { return whole }
        return Envelope(xmin: gap.to, ymin: whole.ymin, xmax: gap.from + width, ymax: whole.ymax)
    }

    func fit(_ area: Envelope) throws(GeographyError) -> WorldFit {
        guard area.ymin <= box.ymax, area.ymax >= box.ymin, turns(of: area).magnitude <= 1 else {
            throw .outsideDomain(Coordinate(x: area.xmin, y: area.ymin))
        }
        let isClamped = area.ymin < box.ymin - slack || area.ymax > box.ymax + slack
        let band = Envelope(
            xmin: area.xmin, ymin: max(area.ymin, box.ymin), xmax: area.xmax, ymax: min(area.ymax, box.ymax))
        if band.width >= width - slack {
            let all = Envelope(xmin: box.xmin, ymin: band.ymin, xmax: box.xmax, ymax: band.ymax)
            return WorldFit(shape: .envelope(all), isSplit: false, isClamped: isClamped)
        }
        let pieces = [-1.0, 0, 1].compactMap { turn in
            box.intersection(band.moved(turn * width)).flatMap { $0.width > slack || band.width <= 2 * slack ? $0 : nil }
        }
        if pieces.count == 1 { return WorldFit(shape: .envelope(pieces[0]), isSplit: false, isClamped: isClamped) }
        return WorldFit(shape: .polygon(Polygon(rings: pieces.map(\.ring))), isSplit: true, isClamped: isClamped)
    }

    func fit(_ polygon: Polygon) throws(GeographyError) -> WorldFit {
        let rings = gathered(polygon.rings)
        guard let bounds = Envelope(around: rings.joined()) else { throw .empty }
        guard bounds.ymin <= box.ymax, bounds.ymax >= box.ymin, turns(of: bounds).magnitude <= 1 else {
            throw .outsideDomain(Coordinate(x: bounds.xmin, y: bounds.ymin))
        }
        let isClamped = bounds.ymin < box.ymin - slack || bounds.ymax > box.ymax + slack
        var result = Polygon(rings: rings)
        if isClamped || !isWithin(bounds.xmin, bounds.xmax) {
            result = try fold(result.parts)
        } else if box.union(bounds) != box {
            // Within the slack.
            result.rings = rings.map { $0.map { Coordinate(x: $0.x.clamped(to: box.xmin...box.xmax), y: $0.y) } }
        }
        return WorldFit(shape: .polygon(result), isSplit: result.isSplit(in: self), isClamped: isClamped)
    }

    private func turns(of area: Envelope) -> Double { ((area.center.x - (box.xmin + box.xmax) / 2) / width).rounded() }

    /// Parts whose rings may run over the edges of the world, cut there and brought inside. A hole is taken from its part after
    /// both are inside: rings around a pole may begin at any longitude.
    func fold(_ parts: [Polygon.Part]) throws(GeographyError) -> Polygon {
        let session = GEOSSession()
        var shapes: [GEOSShape] = []
        for part in parts {
            var shape = try fold(part.outer, session)
            for hole in part.holes { shape = try session.difference(shape, try fold(hole, session)) }
            shapes.append(shape)
        }
        let result = try session.union(shapes).polygon
        if result.rings.isEmpty { throw .empty }
        return Polygon(rings: result.rings.map { $0.map(snapped) })
    }

    private func fold(_ ring: [Coordinate], _ session: GEOSSession) throws(GeographyError) -> GEOSShape {
        let polygon = Polygon(rings: [ring])
        let shape = try session.polygon(polygon.isValid ? polygon : polygon.makeValid())
        guard let bounds = Envelope(around: ring) else { throw .empty }
        let turns = ((bounds.xmin - box.xmin) / width).rounded(.down)...((bounds.xmax - box.xmin) / width).rounded(.down)
        var pieces: [GEOSShape] = []
        for turn in stride(from: turns.lowerBound, through: turns.upperBound, by: 1) {
            let piece = try session.intersection(shape, try session.box(box.moved(turn * width))).polygon
            pieces.append(try session.polygon(Polygon(rings: piece.rings.map { $0.moved(-turn * width).map(snapped) })))
        }
        return try session.union(pieces)
    }

    /// What was cut at the edge lies on it, to the last digit.
    private func snapped(_ place: Coordinate) -> Coordinate {
        func snap(_ value: Double, _ low: Double, _ high: Double) -> Double {
            let near = width * 1e-12
            if (value - low).magnitude < near { return low }
            return (value - high).magnitude < near ? high : value
        }
        return Coordinate(x: snap(place.x, box.xmin, box.xmax), y: snap(place.y, box.ymin, box.ymax))
    }
}
