import Geography
import Manifest

/// What all jobs of a plan have in common.
struct PlanContext {
    var name: String
    var options: MapOptions
    var scale: ScaleRange
    /// The map's spatial reference, in which replicas come.
    var mapReference: SpatialReference
    var reason = "new"

    /// The area as one source sees it: with the layer's own buffer, in the service's spatial reference.
    func shape(of area: PlannedArea, for source: MapSource, in reference: SpatialReference) throws(GeographyError) -> AreaShape {
        let grown = try area.shape.buffered(metres: source.override.buffer ?? 0, in: area.spatialReference)
        return try Projection.project(grown, from: area.spatialReference, to: reference)
    }
}
