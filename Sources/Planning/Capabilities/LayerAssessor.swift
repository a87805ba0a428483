import ArcGIS
import Basics

/// The rules for one layer that need nothing but the map document.
struct LayerAssessor {
    let layer: WebMapLayer
    let options: AssessmentOptions

    func byDocument() -> LayerAssessment {
        if options.isWebScene {
            return decided(.unsupported, .scene, "The document is a web scene; only web maps are taken offline.")
        }
        switch layer.kind {
        case .featureCollection: return featureCollection()
        case .group: return group()
        case .feature, .subtypeGroup: return feature()
        case .annotation: return annotation()
        case .dimension: return dimension()
        case .tiledMap, .mapService, .dynamicMap, .tiledImage, .image: return tiles()
        case .vectorTile: return vectorTiles()
        case .online(let name): return decided(.onlineOnly, .onlineKind, Self.words(forOnlineKind: name))
        case .scene(let name):
            return decided(.unsupported, .scene, "\(name) is a kind of 3D scenes; it has no place in an offline map.")
        case .unknown(let name): return decided(.unsupported, .unknownKind, "The layer type \(name) is not known.")
        case .undetermined: return undetermined()
        }
    }

    /// Whether asking the service can change the verdict of the document alone.
    func dependsOnService(_ assessment: LayerAssessment) -> Bool {
        switch assessment.layerRule {
        case .replica, .tileExport, .vectorTileExport, .exportTwin, .dynamicMap, .cacheUnknown, .itemNotRead: true
        default: false
        }
    }

    // MARK: - Kinds

    private func featureCollection() -> LayerAssessment {
        if layer.raw["featureCollection"]?["layers"]?.array != nil {
            return decided(.keptInMap, .dataInMap, "Its features are stored in the map document and travel with it.")
        }
        if layer.itemID != nil {
            return decided(.onlineOnly, .dataInItem, "Its features are stored in a portal item of their own, not in the map.")
        }
        return noSource()
    }

    private func group() -> LayerAssessment {
        if layer.itemID != nil {
            return decided(.onlineOnly, .dataInItem, "The layers of this group are listed in a portal item, not in the map.")
        }
        return decided(.keptInMap, .emptyGroup, "The group has no layers; there is nothing to fetch.")
    }

    private func feature() -> LayerAssessment {
        guard let address = layer.address else { return withoutAddress() }
        switch address.type {
        case .feature:
            var assessment = decided(.replica, .replica, "Taken as a replica, if the service allows Sync or Extract (not asked).")
            assessment.serviceURL = address.service
            assessment.layerID = address.layer
            return assessment
        case .map:
            return decided(.onlineOnly, .mapServiceLayer, "It is a layer of a map service, and map services give no replicas.")
        default:
            return decided(
                .onlineOnly, .wrongService, "Its URL is not that of a feature service, so there is nothing to replicate.")
        }
    }

    func annotation() -> LayerAssessment {
        decided(.onlineOnly, .annotation, "It is annotation, which this program cannot ask a replica for.")
    }

    func dimension() -> LayerAssessment {
        decided(.onlineOnly, .dimension, "It holds dimensions, which this program cannot ask a replica for.")
    }

    private func tiles() -> LayerAssessment {
        guard let address = layer.address else { return withoutAddress() }
        guard address.type == .map || address.type == .image else {
            return decided(
                .onlineOnly, .wrongService, "Its URL is not that of a map or image service, so there are no tiles to export.")
        }
        if address.layer != nil {
            return decided(
                .onlineOnly, .mapServiceLayer, "It shows one layer of a map service; tiles exist of the whole service only.")
        }
        switch layer.kind {
        case .dynamicMap:
            return decided(.onlineOnly, .dynamicMap, "The map service draws it anew for each view; it is not a tiled layer.")
        case .mapService,
            .image where options.exportHosts.exportURL(for: address.service) == nil:
            return decided(.onlineOnly, .cacheUnknown, "Only the service can say whether it has exportable tiles (not asked).")
        default: return tileExport("Taken as tiles, if the service allows their export (not asked).", service: address.service)
        }
    }

    private func vectorTiles() -> LayerAssessment {
        if let url = layer.url, layer.address == nil, layer.styleURL == nil, layer.itemID == nil { return badURL(url) }
        if layer.url == nil && layer.styleURL == nil && layer.itemID == nil { return noSource() }
        var assessment = decided(
            .vectorTiles, .vectorTileExport, "Taken as vector tiles, if the service allows their export (not asked).")
        if layer.address?.type == .vectorTile { assessment.serviceURL = layer.serviceURL }
        assessment.exportService = .vector
        return assessment
    }

    private func undetermined() -> LayerAssessment {
        if layer.url != nil && layer.itemID == nil {
            return layer.address == nil
                ? badURL(layer.url ?? "")
                : decided(.onlineOnly, .unknownKind, "Neither a layer type nor its URL says what it is.")
        }
        return withoutAddress()
    }

    // MARK: - Shared answers

    private func withoutAddress() -> LayerAssessment {
        if layer.itemID != nil, layer.url == nil {
            return decided(.onlineOnly, .itemNotRead, "Its service is named by a portal item, which was not read.")
        }
        return layer.url.map(badURL) ?? noSource()
    }

    private func noSource() -> LayerAssessment {
        decided(.unsupported, .noSource, "It has neither a URL nor a portal item nor data of its own.")
    }

    private func badURL(_ url: String) -> LayerAssessment {
        decided(.unsupported, .badURL, "Its URL is no web address: \(url.prefix(80))")
    }

    func tileExport(_ reason: String, service: String) -> LayerAssessment {
        let twin = options.exportHosts.exportURL(for: service)
        let host = twin.flatMap(Origin.init(url:))?.host
        let words = host.map { "A base map of Esri, taken as tiles from \($0); that needs a signed-in account." }
        var assessment = decided(.tiles, twin == nil ? .tileExport : .exportTwin, words ?? reason)
        assessment.serviceURL = twin ?? service
        assessment.exportService = layer.address?.type == .image ? .image : .map
        return assessment
    }

    func decided(_ verdict: Verdict, _ rule: LayerRule, _ reason: String) -> LayerAssessment {
        LayerAssessment(layer, verdict, rule, reason)
    }

    private static func words(forOnlineKind name: String) -> String {
        switch name.lowercased() {
        case "wms", "wfs", "wcs", "ogcfeatureserver", "ogcfeaturelayer":
            "\(name) services of other makers have no offline export."
        case "csv", "kml", "geojson", "georss": "It is a \(name) file that is read from its URL each time."
        case "webtiledlayer", "wmts", "openstreetmap": "\(name) tiles come from a server that has no export."
        case let word where word.hasPrefix("bing"): "Bing Maps may be used online only."
        default: "\(name) is a kind of layer that works online only."
        }
    }
}
