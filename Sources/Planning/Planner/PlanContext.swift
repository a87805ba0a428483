import Geography
import Manifest

/// What all jobs of a plan have in common.
struct PlanContext {
    var name: String
    var options: MapOptions
    var scale: ScaleRange
    /// A local file in the place of the base map.
    var basemap: ReferenceBasemap?
    /// The map's spatial reference; that of the reference base map wins (REST reference 10.2).
    var mapReference: SpatialReference
    /// `refresh: tiles` of the manifest.
    var tileRefresh = RefreshRule.byStamp
    /// Of the manifest, for layers that say nothing else.
    var onError = FailurePolicy.fail
    /// By item id.
    var itemEdits: [String: Int] = [:]
    /// Until the plan is compared with the maps that are out.
    var reason = JobReason.new.words

    /// In which rows come: the manifest's, else the map's.
    func outReference(of source: MapSource) -> SpatialReference {
        (source.override.outSpatialReference ?? options.outSpatialReference).map { SpatialReference(wkid: $0) } ?? mapReference
    }

    func stamp(ofItems ids: [String]) -> SourceStamp {
        SourceStamp(items: itemEdits.filter { ids.contains($0.key) })
    }

    /// The area as one source sees it: with the layer's own buffer, in the service's spatial reference.
    func shape(of area: PlannedArea, for source: MapSource, in reference: SpatialReference) throws(GeographyError) -> AreaShape {
        let grown = try area.shape.buffered(metres: source.override.buffer ?? 0, in: area.spatialReference)
        return try Projection.project(grown, from: area.spatialReference, to: reference)
    }
}
