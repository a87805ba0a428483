import ArcGIS
import Basics
import Manifest

/// Groups the layers of a map into sources: one a feature service, one a tiled or vector tile layer.
struct SourceBuilder {
    var client: ArcGISClient
    var catalogue: ServiceCatalogue
    var overrides: OverrideTable
    private(set) var sources: [MapSource] = []
    private(set) var problems: [PlanProblem] = []
    private var names: Set<String> = [BasemapJobs.slug, "package", "publish"]
    /// Index in `sources` by service URL, for feature services.
    private var replicas: [String: Int] = [:]

    /// Services that did not answer, whose names are kept for them.
    private var reserved: Set<String> = []
    /// Of layers that say nothing else.
    private let standardOnError: FailurePolicy

    init(client: ArcGISClient, catalogue: ServiceCatalogue, overrides: OverrideTable, onError: FailurePolicy = .fail) {
        standardOnError = onError
        self.client = client
        self.catalogue = catalogue
        self.overrides = overrides
    }

    enum Addition {
        /// The name of its source.
        case source(String)
        /// There is a problem with it.
        case refused
        /// It could not be asked for all that decides what is fetched.
        case unreachable(ArcGISError)
    }

    /// Adds a layer that is to be fetched.
    mutating func add(_ assessment: LayerAssessment) async -> Addition {
        let layer = assessment.layer
        let entry = overrides[layer]
        switch (assessment.verdict, catalogue[layer]) {
        case (.replica, .feature(let service)?): return addMember(assessment, service, entry).map { .source($0) } ?? .refused
        case (.tiles, .tiled(let info)?): return .source(addTiles(layer, entry, .tiles(assessment.exportService ?? .map, info)))
        case (.vectorTiles, .vectorTile(let info)?), (.style, .vectorTile(let info)?):
            return await addVectorTiles(layer, info, entry)
        default:
            problems.append(
                PlanProblem(
                    layer: layer.label,
                    failure: Failure(phase: .plan, kind: .internal, message: "no service for \(assessment.rule)")))
            return .refused
        }
    }

    /// The name of a source that does not come today stays its own: another night it is there again.
    mutating func reserve(_ layer: WebMapLayer) {
        let address = layer.url.flatMap(ServiceAddress.init)
        guard address?.type == .feature, let address else {
            _ = Paths.unique(Paths.slug(layer.title), taken: &names)
            return
        }
        guard reserved.insert(address.service).inserted else { return }
        _ = Paths.unique(Paths.slug(address.serviceName ?? layer.title), taken: &names)
    }

    private mutating func addMember(
        _ assessment: LayerAssessment, _ service: FeatureServiceInfo, _ entry: OverrideTable.Entry
    ) -> String? {
        let layer = assessment.layer
        guard let id = assessment.layerID ?? layer.layerID, let info = service.layer(id) else {
            problems.append(
                PlanProblem(
                    layer: layer.label, failure: .refusal("the service has no layer \(assessment.layerID ?? -1)", [service.url])))
            return nil
        }
        refuse(entry, [.levelIDs, .compressionQuality, .maxLevel, .vectorTiles], layer, .replica)
        if info.isTable, entry.useGeometry == true {
            refuse(entry, .useGeometry, layer, "useGeometry: true takes what is in the area, and a table has no geometry")
        }
        if entry.attachments == true, !info.hasAttachments {
            refuse(entry, .attachments, layer, "attachments: true, and the layer has none")
        }
        let index = replicas[service.url] ?? sources.count
        if index == sources.count {
            let name = ServiceAddress(service.url)?.serviceName ?? layer.title
            sources.append(
                MapSource(
                    slug: Paths.unique(Paths.slug(name), taken: &names), layers: [], override: OverrideTable.Entry(),
                    content: .replica(service, [])))
            replicas[service.url] = index
        }
        sources[index].layers.append(layer.label)
        // The service is asked once for one area: the widest buffer of its layers serves them all.
        sources[index].override.buffer = max(sources[index].override.buffer ?? 0, entry.buffer ?? 0)
        share(\.syncModel, .syncModel, entry, layer, index)
        share(\.outSpatialReference, .outSpatialReference, entry, layer, index)
        // Its layers come in one file: the most eager of them decides when.
        let refresh = entry.refresh ?? .byStamp
        sources[index].override.refresh = max(sources[index].override.refresh ?? refresh, refresh)
        let onError = entry.onError ?? standardOnError
        sources[index].override.onError = max(sources[index].override.onError ?? onError, onError)
        guard case .replica(_, var members) = sources[index].content else { return nil }
        let wish = RowWish(
            definitionExpression: layer.definitionExpression, whereClause: entry.whereClause, useGeometry: entry.useGeometry,
            queryOption: entry.queryOption, includeRelated: entry.includeRelated ?? false, attachments: entry.attachments,
            label: layer.label, origin: entry.origins[.attachments], whereOrigin: entry.origins[.where])
        if let position = members.firstIndex(where: { $0.layer.id == id }) {
            members[position].wishes.append(wish)
        } else {
            members.append(ReplicaMember(layer: info, wishes: [wish], stamp: LayerStamp(info, of: service)))
        }
        sources[index].content = .replica(service, members)
        return sources[index].slug
    }

    /// What all layers of a service share, because they come in one replica.
    private mutating func share<Value: Equatable>(
        _ path: WritableKeyPath<OverrideTable.Entry, Value?>, _ key: OverrideTable.Key, _ entry: OverrideTable.Entry,
        _ layer: WebMapLayer, _ index: Int
    ) {
        guard let own = entry[keyPath: path] else { return }
        if let other = sources[index].override[keyPath: path], other != own {
            let others = sources[index].layers.first { $0.id != layer.id }?.title ?? "another layer"
            refuse(
                entry, key, layer, "\(key.rawValue) differs from that of \(others), and the layers of a service share one replica"
            )
        }
        sources[index].override[keyPath: path] = own
        sources[index].override.origins[key] = entry.origins[key]
    }

    /// An override that could have no effect.
    private mutating func refuse(
        _ entry: OverrideTable.Entry, _ key: OverrideTable.Key, _ layer: WebMapLayer, _ message: String
    ) {
        guard let origin = entry.origins[key] else { return }
        problems.append(PlanProblem(layer: layer.label, origin: origin, failure: .refusal(message)))
    }

    /// Keys that are for layers of another kind.
    private mutating func refuse(
        _ entry: OverrideTable.Entry, _ keys: [OverrideTable.Key], _ layer: WebMapLayer, _ kind: Job.Kind
    ) {
        let comes = kind == .replica ? "a replica" : kind == .vectorTiles ? "vector tiles" : "tiles"
        for key in keys { refuse(entry, key, layer, "\(key.purpose); this one comes as \(comes)") }
    }

    private mutating func addTiles(_ layer: WebMapLayer, _ entry: OverrideTable.Entry, _ content: MapSource.Content) -> String {
        refuse(
            entry, [.where, .useGeometry, .queryOption, .includeRelated, .attachments, .syncModel, .outSpatialReference], layer,
            .tiles)
        switch content {
        case .vectorTiles: refuse(entry, [.compressionQuality], layer, .vectorTiles)
        default: refuse(entry, [.maxLevel, .vectorTiles], layer, .tiles)
        }
        let slug = Paths.unique(Paths.slug(layer.title), taken: &names)
        sources.append(
            MapSource(
                slug: slug, layers: [layer.label], override: entry, content: content, itemID: layer.itemID?.lowercased()))
        return slug
    }

    private mutating func addVectorTiles(
        _ layer: WebMapLayer, _ info: VectorTileServiceInfo, _ entry: OverrideTable.Entry
    ) async -> Addition {
        let style: VectorStyle?
        do throws(ArcGISError) {
            style = entry.vectorTiles == .tiles ? nil : try await self.style(of: layer, info)
        } catch {
            return .unreachable(error)
        }
        if let wanted = entry.vectorTiles, wanted != .tiles, style == nil {
            refuse(
                entry, .vectorTiles, layer,
                "vectorTiles: \(wanted.rawValue), and the layer has no style of its own beside the one that comes with the tiles"
            )
            return .refused
        }
        return .source(addTiles(layer, entry, .vectorTiles(info, takesTiles: entry.vectorTiles != .style, style: style)))
    }

    /// A style of its own, that is, another than the one inside the package (REST reference 7.5).
    private func style(of layer: WebMapLayer, _ info: VectorTileServiceInfo) async throws(ArcGISError) -> VectorStyle? {
        var url = layer.styleURL
        if url == nil, let item = layer.itemID { url = try await client.itemStyleURL(item) }
        guard let url, !url.hasPrefix(info.url + "/") else { return nil }
        if let read = info.style, read.url == url { return read }
        return try await client.vectorStyle(url)
    }
}

extension OverrideTable.Key {
    fileprivate var purpose: String {
        switch self {
        case .levelIDs: "levelIDs are for tiled layers"
        case .where, .useGeometry, .queryOption, .includeRelated, .syncModel, .outSpatialReference:
            "\(rawValue) is for feature layers"
        case .attachments: "attachments are for feature layers"
        case .compressionQuality: "compressionQuality is for image tiles"
        case .maxLevel, .vectorTiles: "\(rawValue) is for vector tiles"
        }
    }
}

extension WebMapLayer {
    var label: LayerLabel { LayerLabel(id: id, title: title) }
}
