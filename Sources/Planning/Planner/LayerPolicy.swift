import ArcGIS
import Basics
import Manifest

/// What the manifest makes of a layer, before and after its service was asked.
enum LayerPolicy {
    /// Decided whatever its service says.
    static func decision(_ layer: WebMapLayer, _ entry: OverrideTable.Entry, _ options: MapOptions) -> PlannedLayer? {
        if entry.exclude { return excluded(layer, rule: "excluded", reason: "The manifest excludes it.") }
        if entry.online {
            return decided(layer, .onlineOnly, rule: "kept-online", reason: "The manifest keeps it online.")
        }
        if layer.isBasemap && !options.includeBasemap {
            return excluded(layer, rule: "basemap-excluded", reason: "It is part of the base map, and includeBasemap is false.")
        }
        if layer.isBasemap && options.replacesBasemap {
            return excluded(
                layer, rule: "basemap-replaced", reason: "It is part of the base map, which a local file takes the place of.")
        }
        return nil
    }

    /// What the service makes of it, as far as the manifest takes it.
    static func assessment(
        _ layer: WebMapLayer, _ metadata: ServiceMetadata?, _ entry: OverrideTable.Entry, _ options: MapOptions,
        _ assessing: AssessmentOptions
    ) -> LayerAssessment {
        if entry.vectorTiles == .style, case .vectorTile(let service)? = metadata {
            var assessment = LayerAssessment(
                layer, .style, .styleOnly, "The manifest takes its style alone, and the tiles that another layer brings.")
            assessment.serviceURL = service.url
            return assessment
        }
        return assess(layer, metadata: metadata, options: assessing.of(options, entry))
    }

    /// Layers that cannot go offline stay in the map with their online URL, or go, as `onlineOnlyServicesOption` says (REST
    /// reference 10.1).
    static func planned(
        _ assessment: LayerAssessment, source: String?, _ options: MapOptions, _ map: WebMap
    ) -> PlannedLayer {
        let layer = assessment.layer
        var verdict = assessment.verdict
        if verdict == .onlineOnly || verdict == .unsupported, !staysOnline(layer.id, options, map.document) {
            verdict = .excluded
        }
        return PlannedLayer(
            id: layer.id, title: layer.title, groups: layer.groupTitles, url: layer.shownURL,
            serviceLayerID: assessment.layerID ?? layer.layerID, verdict: verdict, rule: assessment.rule,
            reason: assessment.reason,
            source: source)
    }

    /// Whether a layer of which nothing can be fetched keeps its place in the map.
    static func staysOnline(_ id: String, _ options: MapOptions, _ document: JSON) -> Bool {
        switch options.onlineOnlyServicesOption {
        case .include: return true
        case .exclude: return false
        case .useAuthoredSettings:
            let kept = document["applicationProperties"]?["offline"]?["connectedOnlineLayers"]?.array ?? []
            return kept.contains { $0.string == id }
        }
    }

    private static func excluded(_ layer: WebMapLayer, rule: String, reason: String) -> PlannedLayer {
        decided(layer, .excluded, rule: rule, reason: reason)
    }

    private static func decided(_ layer: WebMapLayer, _ verdict: Verdict, rule: String, reason: String) -> PlannedLayer {
        PlannedLayer(
            id: layer.id, title: layer.title, groups: layer.groupTitles, url: layer.shownURL, serviceLayerID: layer.layerID,
            verdict: verdict, rule: rule, reason: reason, source: nil)
    }
}
