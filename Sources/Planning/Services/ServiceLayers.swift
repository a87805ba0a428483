import ArcGIS
import Basics
import Manifest

/// Makes layers of a map of the manifest's services, so that everything behind it knows layers of a map only. Pure.
///
/// Tiles go below all layers of the map, features above them, tables to its tables. The layers of one feature service are a group,
/// drawn in the service's own order. They have no popups: nobody has made any.
struct ServiceLayers {
    /// The first is the lowest.
    private var tiles: [JSON] = []
    private var features: [JSON] = []
    private var tables: [JSON] = []
    /// What the entries say of each layer.
    private(set) var overrides: [LayerOverride] = []
    /// Layers that an entry names and its service does not have.
    private(set) var problems: [PlanProblem] = []
    private var ids: Set<String>

    init(besides map: WebMap) { ids = Set(map.layers.flatMap { [$0.id] + $0.groups.map(\.id) }) }

    /// - Parameter outline: nil for a service that is excluded, and so was not asked, and for one of which nothing is known.
    /// - Returns: the ids of its layers.
    @discardableResult
    mutating func add(_ service: NamedService, _ outline: ServiceOutline?) -> [String] {
        let first = overrides.count
        if let outline, !outline.layers.isEmpty {
            addLayers(of: service, outline)
        } else {
            // Whoever judges the layer says why nothing is known of it.
            let id = uniqueID(service)
            let layer = service.whole(id: id, outline)
            if service.address?.type == .feature { features.append(layer) } else { tiles.append(layer) }
            say(service.entry.settings, of: id)
        }
        return Set(overrides[first...].compactMap(\.match.id)).sorted()
    }

    func put(into document: JSON) -> JSON {
        var document = document
        document["operationalLayers"] = .array(tiles + (document["operationalLayers"]?.array ?? []) + features)
        if !tables.isEmpty { document["tables"] = .array((document["tables"]?.array ?? []) + tables) }
        return document
    }

    private mutating func addLayers(of service: NamedService, _ outline: ServiceOutline) {
        let wanted = wantedLayers(of: service, outline)
        var drawn: [JSON] = []
        for layer in wanted {
            let id = uniqueID(service, layer.id)
            let entry = service.entry.layers.first { $0.id == layer.id }
            let title = entry?.title ?? (wanted.count == 1 ? service.entry.title ?? service.itemTitle : nil) ?? layer.name
            let url = "\(service.address?.service ?? "")/\(layer.id)"
            let json = service.layer(id: id, type: "ArcGISFeatureLayer", title: title, url: url)
            if layer.isTable { tables.append(json) } else { drawn.append(json) }
            say(service.entry.settings, of: id)
            if let entry { say(entry.settings, of: id) }
        }
        // A service lists the layer on top first, a map the lowest.
        drawn.reverse()
        if drawn.count > 1 {
            features.append([
                "id": .string(uniqueID(service)), "layerType": "GroupLayer", "title": .string(service.title), "visibility": true,
                "visibilityMode": "independent", "layers": .array(drawn),
            ])
        } else {
            features += drawn
        }
    }

    /// In the order of the service. Those that the entry excludes are among them when it takes all others: a plan shows them.
    private mutating func wantedLayers(of service: NamedService, _ outline: ServiceOutline) -> [ServiceOutline.Layer] {
        var all = outline.layers
        let named = service.entry.layers
        for missing in named where outline.layer(missing.id) == nil {
            if service.failure == nil {
                report(missing.id, missing.settings.origin, service, outline)
            } else {
                // Nobody could look: it may be there now.
                all.append(ServiceOutline.Layer(id: missing.id, name: "layer \(missing.id)"))
            }
        }
        let chosen = named.filter { !$0.settings.exclude }.map(\.id)
        if !chosen.isEmpty { return all.filter { chosen.contains($0.id) } }
        if let one = service.address?.layer {
            if outline.layer(one) == nil { report(one, service.entry.origin, service, outline) }
            return all.filter { $0.id == one }
        }
        return all.filter { !$0.isGroup }
    }

    private mutating func report(_ id: Int, _ origin: String, _ service: NamedService, _ outline: ServiceOutline) {
        let names = outline.layers.prefix(10).map { "\($0.id) \($0.name)" }.joined(separator: ", ")
        problems.append(
            PlanProblem(
                origin: origin,
                failure: .refusal("the service has no layer \(id)", ["it has " + names, service.address?.service ?? ""])))
    }

    private mutating func say(_ settings: LayerOverride, of id: String) {
        var override = settings
        override.match = LayerOverride.Match(id: id)
        overrides.append(override)
    }

    private mutating func uniqueID(_ service: NamedService, _ layer: Int? = nil) -> String {
        let name = Paths.slug(service.address?.serviceName ?? service.title)
        return Paths.unique(layer.map { "\(name)-\($0)" } ?? name, taken: &ids)
    }
}

extension NamedService {
    /// The service as one layer.
    func whole(id: String, _ outline: ServiceOutline? = nil) -> JSON {
        // Of an item that nobody could read a map knows no more than the item.
        guard let address else { return layer(id: id, type: nil, title: title, url: nil) }
        let type =
            switch address.type {
            case .vectorTile: "VectorTileLayer"
            case .image: outline?.isElevation == true ? "ArcGISTiledElevationServiceLayer" : "ArcGISTiledImageServiceLayer"
            case .map: "ArcGISTiledMapServiceLayer"
            default: "ArcGISFeatureLayer"
            }
        return layer(id: id, type: type, title: title, url: address.layerURL)
    }

    func layer(id: String, type: String?, title: String, url: String?) -> JSON {
        var layer: JSON = ["id": .string(id)]
        if let type { layer["layerType"] = .string(type) }
        layer["title"] = .string(title)
        if let url { layer["url"] = .string(url) }
        layer["visibility"] = true
        layer["opacity"] = 1
        if let itemID { layer["itemId"] = .string(itemID) }
        if let styleURL { layer["styleUrl"] = .string(styleURL) }
        return layer
    }
}
