import ArcGIS
import Manifest

/// What the manifest makes of a layer, before and after its service was asked.
enum LayerPolicy {
    /// Left out whatever its service says.
    static func exclusion(_ layer: WebMapLayer, _ entry: OverrideTable.Entry, _ options: MapOptions) -> PlannedLayer? {
        if entry.exclude { return excluded(layer, rule: "excluded", reason: "The manifest excludes it.") }
        if layer.isBasemap && !options.includeBasemap {
            return excluded(layer, rule: "basemap-excluded", reason: "It is part of the base map, and includeBasemap is false.")
        }
        return nil
    }

    /// Layers that cannot go offline stay in the map with their online URL, or go, as `onlineOnlyServicesOption` says (REST
    /// reference 10.1).
    static func planned(
        _ assessment: LayerAssessment, source: String?, _ options: MapOptions, _ map: WebMap
    ) -> PlannedLayer {
        let layer = assessment.layer
        var verdict = assessment.verdict
        if verdict == .onlineOnly || verdict == .unsupported {
            switch options.onlineOnlyServicesOption {
            case .include: break
            case .exclude: verdict = .excluded
            case .useAuthoredSettings:
                let kept = map.document["applicationProperties"]?["offline"]?["connectedOnlineLayers"]?.array ?? []
                if !kept.contains(where: { $0.string == layer.id }) { verdict = .excluded }
            }
        }
        return PlannedLayer(
            id: layer.id, title: layer.title, groups: layer.groupTitles, url: layer.shownURL,
            serviceLayerID: assessment.layerID ?? layer.layerID, verdict: verdict, rule: assessment.rule,
            reason: assessment.reason,
            source: source)
    }

    private static func excluded(_ layer: WebMapLayer, rule: String, reason: String) -> PlannedLayer {
        PlannedLayer(
            id: layer.id, title: layer.title, groups: layer.groupTitles, url: layer.shownURL, serviceLayerID: layer.layerID,
            verdict: .excluded, rule: rule, reason: reason, source: nil)
    }
}
