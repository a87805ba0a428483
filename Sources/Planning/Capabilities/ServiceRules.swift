import ArcGIS
import Basics

/// The rules that need the service's own word.
extension LayerAssessor {
    // MARK: - Feature services

    func byFeatureService(_ service: FeatureServiceInfo) -> LayerAssessment {
        let all = service.layers + service.tables
        guard let id = layer.layerID ?? (all.count == 1 ? all.first?.id : nil) else {
            return decided(
                .onlineOnly, .noLayerNumber, "Its URL names the service but no layer, and the service has \(all.count) of them.")
        }
        guard let info = service.layer(id) else {
            let names = all.prefix(10).map { "\($0.id) \($0.name)" }.joined(separator: ", ")
            return decided(
                .onlineOnly, .layerMissing, "The service has no layer \(id)" + (names.isEmpty ? "." : "; it has \(names)."))
        }
        if !info.isReplicable { return notReplicable(info.type) }
        if info.isJoinView {
            return decided(.onlineOnly, .joinView, "It is a view that joins several services; such views cannot be replicated.")
        }
        var assessment = replica(of: info, in: service)
        guard assessment.verdict == .replica else { return assessment }
        assessment.serviceURL = service.url
        assessment.layerID = id
        return assessment
    }

    private func notReplicable(_ type: String) -> LayerAssessment {
        let word = type.lowercased()
        if word.hasPrefix("annotation") { return annotation() }
        if word.hasPrefix("dimension") { return dimension() }
        return decided(.onlineOnly, .layerType, "It is of the type \(type), which a replica cannot hold.")
    }

    private func replica(of info: LayerInfo, in service: FeatureServiceInfo) -> LayerAssessment {
        let hasGlobalID = info.globalIDField != nil || info.isSummary
        let noGlobalID = decided(
            .onlineOnly, .noGlobalID, "It has no global id field, without which a replica cannot be registered.")
        guard service.canSync else {
            if !options.registersReplicas && service.canCopyWithoutRegistering {
                return decided(.replica, .extractCopy, "The service allows Extract: taken as a copy that is not registered.")
            }
            return decided(
                .onlineOnly, .noSync,
                "The service does not allow Sync; its owner can switch it on in the settings of the feature layer.")
        }
        if options.registersReplicas || !service.canCopyWithoutRegistering {
            guard hasGlobalID else { return noGlobalID }
            var assessment =
                options.registersReplicas
                ? decided(.replica, .replica, "The service allows Sync: taken as a registered replica.")
                : decided(
                    .replica, .registeredCopy,
                    "The service makes registered replicas only: taken as one and unregistered after the download.")
            assessment.registersReplica = true
            return assessment
        }
        return decided(.replica, .replica, "The service allows Sync: taken as a replica that is not registered.")
    }

    // MARK: - Tiles

    func byTiledService(_ service: TiledServiceInfo) -> LayerAssessment {
        guard service.isCached else {
            if layer.kind == .dynamicMap { return byDocument() }
            return decided(.onlineOnly, .notCached, "The service has no tile cache; it draws each view anew.")
        }
        guard service.tilingScheme != nil else {
            return decided(.onlineOnly, .notCached, "The tiling scheme of the service cannot be read.")
        }
        guard service.exportTilesAllowed else { return exportNotAllowed() }
        if layer.kind == .dynamicMap, showsPart {
            return decided(
                .onlineOnly, .dynamicMap, "The map shows a part of the service's layers; the tiles would show all of them.")
        }
        let address = ServiceAddress(service.url)
        var assessment = tileExport("The service allows its tiles to be exported.", service: service.url)
        // Metadata was read where the export will be asked for: a twin is not looked up a second time.
        assessment.serviceURL = service.url
        assessment.exportService = address?.type == .image ? .image : .map
        if let own = layer.serviceURL, Origin(url: own)?.host != Origin(url: service.url)?.host {
            assessment.rule = LayerRule.exportTwin.rawValue
            assessment.reason = "A base map of Esri, taken as tiles from \(Origin(url: service.url)?.host ?? "its export host")."
        }
        return assessment
    }

    /// The map switches sublayers on and off, or filters them.
    private var showsPart: Bool {
        layer.raw["visibleLayers"]?.array != nil || layer.raw["layers"]?.array?.isEmpty == false
    }

    func byVectorTileService(_ service: VectorTileServiceInfo) -> LayerAssessment {
        guard service.exportTilesAllowed else { return exportNotAllowed() }
        guard service.tilingScheme != nil else {
            return decided(.onlineOnly, .notCached, "The tiling scheme of the service cannot be read.")
        }
        var assessment = decided(.vectorTiles, .vectorTileExport, "The service allows its vector tiles to be exported.")
        assessment.serviceURL = service.url
        assessment.exportService = .vector
        return assessment
    }

    private func exportNotAllowed() -> LayerAssessment {
        decided(
            .onlineOnly, .exportNotAllowed,
            "The service does not allow its tiles to be exported; its owner can switch that on, or the map can use a service that does."
        )
    }

    // MARK: - No service

    func without(_ reason: AbsentService) -> LayerAssessment {
        switch reason {
        case .item(let type): return byItem(type)
        case .itemMissing:
            return decided(
                .onlineOnly, .itemMissing,
                "Its portal item does not exist, or is not shared with this account, and it has no other source.")
        case .foreignStyle:
            return decided(.onlineOnly, .foreignStyle, "Neither its style nor its item names a vector tile service of ArcGIS.")
        }
    }

    private func byItem(_ type: String) -> LayerAssessment {
        switch type.lowercased() {
        case "feature collection", "group layer":
            return decided(.onlineOnly, .dataInItem, "Its data is in a portal item of its own (\(type)), not in the map.")
        case "scene service", "web scene", "3dtiles service":
            return decided(.unsupported, .scene, "Its portal item is a \(type); it has no place in an offline map.")
        default:
            return decided(.onlineOnly, .itemKind, "Its portal item is a \(type), which has no service to fetch from.")
        }
    }

    // MARK: - Nothing known

    /// Never "cannot": nobody could look.
    func unreachable(_ error: ArcGISError) -> LayerAssessment {
        let place = Origin(url: error.url)?.host ?? error.url
        let code = error.code.map { " (\($0))" } ?? ""
        let words = error.message.isEmpty ? "" : ": \(error.message)"
        if error.isAuthentication || error.isDenied {
            return decided(.onlineOnly, .signInNeeded, "Could not look: \(place) does not show it to this account\(code)\(words)")
        }
        return decided(.onlineOnly, .couldNotLook, "Could not look: \(place) gave no usable answer\(code)\(words)")
    }
}
