/// Places and shapes from one spatial reference to another. x is east and y north everywhere, whatever the authority's axis
/// order. Web Mercator ↔ WGS 84 is computed here; everything else by PROJ, without grids from the network.
///
/// The first use of a pair of systems takes milliseconds, later ones microseconds a place: call it through `offPool` for
/// large shapes.
public enum Projection {
    public static func project(
        _ place: Coordinate, from source: SpatialReference, to target: SpatialReference
    ) throws(GeographyError) -> Coordinate {
        try project([place], from: source, to: target)[0]
    }

    /// Each place for itself; one without an image throws `.outsideDomain`.
    public static func project(
        _ places: [Coordinate], from source: SpatialReference, to target: SpatialReference
    ) throws(GeographyError) -> [Coordinate] {
        try Projector.with(from: .reference(source), to: .reference(target)) { (projector) throws(GeographyError) in
            try projector.apply(places)
        }
    }

    /// The box that covers the image of the box, curved edges included. A box that reaches beyond Web Mercator's square world
    /// is cut at 85.0511° on the way there.
    public static func project(
        _ box: Envelope, from source: SpatialReference, to target: SpatialReference
    ) throws(GeographyError) -> Envelope {
        if let middle = way(from: .reference(source), to: .reference(target)) {
            return try project(try project(box, from: source, to: middle), from: middle, to: target)
        }
        return try Projector.with(from: .reference(source), to: .reference(target)) { (projector) throws(GeographyError) in
            try projector.apply(box)
        }
    }

    /// Edges that the projection bends get vertices between (`Densification`); others keep theirs, and only those.
    ///
    /// What crosses the antimeridian of the target is split there, what holds a pole is closed along its edge of the world, and
    /// what is beyond Web Mercator's world is cut off on the way there. Two parts that meet at the antimeridian of the source
    /// become one where the target has none.
    public static func project(
        _ polygon: Polygon, from source: SpatialReference, to target: SpatialReference
    ) throws(GeographyError) -> Polygon {
        try project(polygon, from: .reference(source), to: .reference(target))
    }

    /// An envelope stays an envelope, unless it crosses the antimeridian of the target.
    public static func project(
        _ shape: AreaShape, from source: SpatialReference, to target: SpatialReference
    ) throws(GeographyError) -> AreaShape {
        switch shape {
        case .envelope(let box):
            do throws(GeographyError) {
                return .envelope(try project(box, from: source, to: target))
            } catch .crossesAntimeridian {
                return .polygon(try project(Polygon(box), from: source, to: target))
            }
        case .polygon(let polygon): return .polygon(try project(polygon, from: source, to: target))
        }
    }

    /// Whether the units are degrees.
    public static func isGeographic(_ reference: SpatialReference) throws(GeographyError) -> Bool {
        if reference.isWGS84 { return true }
        if reference.isWebMercator { return false }
        return try ProjectionPool.withContext { (context) throws(GeographyError) in
            try context.fullTurn(.reference(reference)) != nil
        }
    }

    static func project(
        _ polygon: Polygon, from source: CoordinateSystem, to target: CoordinateSystem
    ) throws(GeographyError) -> Polygon {
        if let middle = way(from: source, to: target).map(CoordinateSystem.reference) {
            return try project(try project(polygon, from: source, to: middle), from: middle, to: target)
        }
        return try Projector.with(from: source, to: target) { (projector) throws(GeographyError) in
            if projector.isIdentity { return polygon }
            let cut = projector.isToWebMercator ? try polygon.withinWebMercator() : polygon
            func images(_ rings: [[Coordinate]]) throws(GeographyError) -> [[Coordinate]] {
                var images: [[Coordinate]] = []
                for ring in rings { images.append(try Densification.project(ring, projector)) }
                return images
            }
            let result = Polygon(rings: try images(cut.rings))
            if projector.isToWebMercator { return result }
            guard projector.targetIsGeographic else { return try result.withoutSeam(of: cut, in: source) }
            guard case .reference(let reference) = target, let frame = try WorldFrame.of(reference) else { return result }
            let isWhole = result.rings.allSatisfy { ring in
                guard let box = Envelope(around: ring) else { return true }
                return frame.isWithin(box.xmin, box.xmax) && ring.first == ring.last
            }
            if isWhole { return result }
            // Which ring is a hole of which is plain only before the world is unrolled.
            var parts: [Polygon.Part] = []
            for part in cut.parts {
                let rings = [part.outer] + part.holes
                let unrolled = zip(rings, try images(rings)).map { ring, image in
                    frame.closedOverPole(image, isNorth: isNorthInside(ring, source, image))
                }
                parts.append(Polygon.Part(outer: unrolled[0], holes: Array(unrolled.dropFirst())))
            }
            return try frame.fold(parts)
        }
    }

    /// A path in one piece, with vertices between where the projection bends it: x may run over the antimeridian.
    static func project(
        path: [Coordinate], from source: CoordinateSystem, to target: CoordinateSystem
    ) throws(GeographyError) -> [Coordinate] {
        if let middle = way(from: source, to: target).map(CoordinateSystem.reference) {
            return try project(path: try project(path: path, from: source, to: middle), from: middle, to: target)
        }
        return try Projector.with(from: source, to: target) { (projector) throws(GeographyError) in
            projector.isIdentity ? path : try Densification.project(path, projector)
        }
    }

    /// Web Mercator and PROJ meet in degrees: there the antimeridian and the poles can be dealt with.
    private static func way(from source: CoordinateSystem, to target: CoordinateSystem) -> SpatialReference? {
        func isWebMercator(_ system: CoordinateSystem) -> Bool {
            if case .reference(let reference) = system { reference.isWebMercator } else { false }
        }
        func isWGS84(_ system: CoordinateSystem) -> Bool {
            if case .reference(let reference) = system { reference.isWGS84 } else { false }
        }
        let (first, second) = (isWebMercator(source), isWebMercator(target))
        if first == second { return nil }
        return isWGS84(first ? target : source) ? nil : .wgs84
    }

    /// Which pole a ring goes around: the one whose own image lies in it, else the one on whose side the ring is.
    private static func isNorthInside(_ ring: [Coordinate], _ source: CoordinateSystem, _ image: [Coordinate]) -> Bool {
        func encloses(_ latitude: Double) -> Bool {
            let pole = try? Projector.with(from: .reference(.wgs84), to: source) { (projector) throws(GeographyError) in
                try projector.apply([Coordinate(x: 0, y: latitude)])[0]
            }
            return pole.map(ring.encloses) ?? false
        }
        let (north, south) = (encloses(90), encloses(-90))
        return north != south ? north : image.reduce(0) { $0 + $1.y } > 0
    }
}

extension Polygon {
    /// Degrees of WGS 84, cut at 85.0511° north and south.
    fileprivate func withinWebMercator() throws(GeographyError) -> Polygon {
        let limit = WebMercator.maximumLatitude
        guard let box = envelope else { return self }
        if box.ymin >= limit || box.ymax <= -limit { throw .beyondWebMercator }
        if box.ymin >= -limit && box.ymax <= limit { return self }
        let session = GEOSSession()
        let band = try session.box(Envelope(xmin: box.xmin - 1, ymin: -limit, xmax: box.xmax + 1, ymax: limit))
        return try session.intersection(try session.polygon(isValid ? self : makeValid()), band).polygon
    }

    /// The image of a polygon that was split at the antimeridian, or has an edge there and back, as one piece; to a thousandth of
    /// a unit, because the two images of that edge differ in their last digits.
    fileprivate func withoutSeam(of original: Polygon, in source: CoordinateSystem) throws(GeographyError) -> Polygon {
        guard case .reference(let reference) = source, let frame = try WorldFrame.of(reference), let box = original.envelope,
            box.xmin <= frame.box.xmin + frame.slack, box.xmax >= frame.box.xmax - frame.slack
        else { return self }
        let session = GEOSSession()
        let pieces = try session.polygon(isValid ? self : makeValid())
        let whole = try session.union([pieces], grid: 1e-3).polygon
        return whole.rings.isEmpty ? self : whole
    }
}
