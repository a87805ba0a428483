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
        try Projector.with(from: .reference(source), to: .reference(target)) { (projector) throws(GeographyError) in
            try projector.apply(box)
        }
    }

    /// Edges that the projection bends get vertices between (`Densification`); others keep theirs, and only those.
    public static func project(
        _ polygon: Polygon, from source: SpatialReference, to target: SpatialReference
    ) throws(GeographyError) -> Polygon {
        try project(polygon, from: .reference(source), to: .reference(target))
    }

    /// An envelope stays an envelope.
    public static func project(
        _ shape: AreaShape, from source: SpatialReference, to target: SpatialReference
    ) throws(GeographyError) -> AreaShape {
        switch shape {
        case .envelope(let box): .envelope(try project(box, from: source, to: target))
        case .polygon(let polygon): .polygon(try project(polygon, from: source, to: target))
        }
    }

    /// Whether the units are degrees.
    public static func isGeographic(_ reference: SpatialReference) throws(GeographyError) -> Bool {
        if reference.isWGS84 { return true }
        if reference.isWebMercator { return false }
        return try ProjectionPool.withContext { (context) throws(GeographyError) in
            try context.isGeographic(.reference(reference))
        }
    }

    static func project(
        _ polygon: Polygon, from source: CoordinateSystem, to target: CoordinateSystem
    ) throws(GeographyError) -> Polygon {
        try Projector.with(from: source, to: target) { (projector) throws(GeographyError) in
            if projector.isIdentity { return polygon }
            var rings: [[Coordinate]] = []
            for ring in polygon.rings { rings.append(try Densification.project(ring, projector)) }
            return Polygon(rings: rings)
        }
    }
}
