import ArcGIS

/// What the services of a map say, each asked once however many layers it has.
public struct ServiceCatalogue: Sendable {
    /// By layer id. Layers whose verdict needs no service are absent.
    public var metadata: [String: ServiceMetadata] = [:]
    /// By who was asked, so that nobody is asked twice.
    private var answers: [Source: ServiceMetadata] = [:]
    /// Layers that are not asked for at all, by id: who would tell where could not be asked.
    private var lost: [String: ArcGISError] = [:]

    /// Nothing was asked.
    public init() {}

    mutating func lose(_ layer: String, _ error: ArcGISError) {
        lost[layer] = error
        metadata[layer] = .unreachable(error)
    }

    public subscript(layer: WebMapLayer) -> ServiceMetadata? { metadata[layer.id] }

    /// Asks at most `limit` services at a time. What cannot be asked is in the result as `.unreachable`.
    /// - Parameters:
    ///   - known: what has been asked before.
    ///   - readsOnlyWhatSyncs: of feature services that give no copies only the root is read.
    public static func read(
        _ map: WebMap, client: ArcGISClient, options: AssessmentOptions = AssessmentOptions(),
        known: ServiceCatalogue = ServiceCatalogue(), limit: Int = 8, readsOnlyWhatSyncs isSparing: Bool = false
    ) async -> ServiceCatalogue {
        var catalogue = ServiceCatalogue()
        catalogue.answers = known.answers
        catalogue.lost = known.lost
        var waiting: [(source: Source, layers: [WebMapLayer])] = []
        for layer in map.layers {
            if let error = known.lost[layer.id] {
                catalogue.metadata[layer.id] = .unreachable(error)
                continue
            }
            guard let source = Source(layer, options: options) else { continue }
            if let answer = known.answers[source] {
                catalogue.metadata[layer.id] = answer
            } else if let index = waiting.firstIndex(where: { $0.source == source }) {
                waiting[index].layers.append(layer)
            } else {
                waiting.append((source, [layer]))
            }
        }
        return await withTaskGroup(of: (Int, ServiceMetadata).self) { [waiting, catalogue] group in
            var catalogue = catalogue
            func keep(_ answer: ServiceMetadata, of index: Int) {
                catalogue.answers[waiting[index].source] = answer
                for layer in waiting[index].layers { catalogue.metadata[layer.id] = answer }
            }
            for index in waiting.indices {
                if index >= limit, let (done, answer) = await group.next() { keep(answer, of: done) }
                let (source, layers) = (waiting[index].source, waiting[index].layers)
                group.addTask {
                    (index, await source.read(layers[0], client: client, options: options, isSparing: isSparing))
                }
            }
            for await (done, answer) in group { keep(answer, of: done) }
            return catalogue
        }
    }
}

/// Whom to ask about a layer; layers with the same source are answered together.
private enum Source: Hashable {
    case feature(String)
    case map(String)
    case image(String)
    /// The service of a vector tile layer is found through its URL, style or item.
    case vectorTile(url: String?, style: String?, item: String?)
    case item(String)

    /// nil when no service can change the verdict.
    init?(_ layer: WebMapLayer, options: AssessmentOptions) {
        let assessor = LayerAssessor(layer: layer, options: options)
        guard assessor.dependsOnService(assessor.byDocument()) else { return nil }
        if layer.kind == .vectorTile {
            self = .vectorTile(url: layer.serviceURL, style: layer.styleURL, item: layer.itemID)
        } else if let address = layer.address {
            self.init(service: address, options: options)
        } else if let item = layer.itemID {
            self = .item(item)
        } else {
            return nil
        }
    }

    init?(service address: ServiceAddress, options: AssessmentOptions) {
        let exporting = options.exportHosts.exportURL(for: address.service) ?? address.service
        switch address.type {
        case .feature: self = .feature(address.service)
        case .map: self = .map(exporting)
        case .image: self = .image(exporting)
        case .vectorTile: self = .vectorTile(url: exporting, style: nil, item: nil)
        default: return nil
        }
    }

    func read(
        _ layer: WebMapLayer, client: ArcGISClient, options: AssessmentOptions, isSparing: Bool
    ) async -> ServiceMetadata {
        do throws(ArcGISError) {
            switch self {
            case .feature(let url): return .feature(try await client.featureService(url, onlyIfCopied: isSparing))
            case .map(let url): return .tiled(try await client.mapService(url))
            case .image(let url): return .tiled(try await client.imageService(url))
            case .vectorTile(let url, nil, nil):
                return .vectorTile(try await Self.exporting(try await client.vectorTileService(url ?? ""), client: client))
            case .vectorTile:
                guard let found = try await client.vectorTileServiceURL(of: layer) else { return .absent(.foreignStyle) }
                let url = options.exportHosts.exportURL(for: found.url) ?? found.url
                var info = try await Self.exporting(try await client.vectorTileService(url), client: client)
                info.style = found.style
                return .vectorTile(info)
            case .item(let id):
                let item = try await client.item(id)
                guard let address = item.url.flatMap(ServiceAddress.init), let source = Source(service: address, options: options)
                else { return .absent(.item(type: item.type)) }
                return await source.read(layer, client: client, options: options, isSparing: isSparing)
            }
        } catch {
            return error.isMissingItem ? .absent(.itemMissing) : .unreachable(error)
        }
    }

    /// Esri's vector base maps have a service of another name for exports: `World_Basemap_v2` and `World_Basemap_Export_v2`
    /// (REST reference 8). It is used when it is there and allows what the first one does not.
    private static func exporting(
        _ service: VectorTileServiceInfo, client: ArcGISClient
    ) async throws(ArcGISError) -> VectorTileServiceInfo {
        guard !service.exportTilesAllowed, Origin(url: service.url)?.host == "basemaps.arcgis.com",
            service.url.hasSuffix("_v2/VectorTileServer"), !service.url.contains("_Export_")
        else { return service }
        let twin = service.url.replacing("_v2/VectorTileServer", with: "_Export_v2/VectorTileServer")
        guard let info = try? await client.vectorTileService(twin), info.exportTilesAllowed else { return service }
        return info
    }
}

extension ArcGISError {
    /// "Item does not exist or is inaccessible": an answer, and not one that signing in would be known to change.
    fileprivate var isMissingItem: Bool { messageCode == "CONT_0001" }
}
