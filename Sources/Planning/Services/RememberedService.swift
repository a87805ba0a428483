import ArcGIS
import Manifest

/// What a service of the manifest was found to be. Each map remembers it (`inventory.json`), so that on a night on which nobody answers
/// for the service the map has the same layers, and `layers:` of the manifest still mean them.
public struct RememberedService: Codable, Sendable, Equatable {
    /// The id of its item, or its address, as the manifest names it.
    public var name: String
    /// With the layer's number, if the manifest takes one layer.
    public var address: String
    /// Of its item.
    public var itemTitle: String?
    public var styleURL: String?
    public var outline: ServiceOutline

    public init(name: String, address: String, itemTitle: String? = nil, styleURL: String? = nil, outline: ServiceOutline) {
        self.name = name
        self.address = address
        self.itemTitle = itemTitle
        self.styleURL = styleURL
        self.outline = outline
    }
}

/// As much of a service as decides which layers a map gets of it.
public struct ServiceOutline: Codable, Sendable, Equatable {
    /// One layer or table of a feature service.
    public struct Layer: Codable, Sendable, Equatable {
        public var id: Int
        public var name: String
        public var isTable: Bool
        /// Groups layers of its service and holds no data.
        public var isGroup: Bool

        public init(id: Int, name: String, isTable: Bool = false, isGroup: Bool = false) {
            self.id = id
            self.name = name
            self.isTable = isTable
            self.isGroup = isGroup
        }
    }

    /// In the order of the service; empty for tiles.
    public var layers: [Layer]
    /// Heights instead of colours (REST reference 6.1).
    public var isElevation: Bool

    public init(layers: [Layer] = [], isElevation: Bool = false) {
        self.layers = layers
        self.isElevation = isElevation
    }

    /// nil when the service has told nothing.
    init?(_ metadata: ServiceMetadata) {
        switch metadata {
        case .feature(let service):
            self.init(
                layers: (service.layers + service.tables).map {
                    Layer(
                        id: $0.id, name: $0.name, isTable: $0.isTable, isGroup: $0.type.lowercased().hasPrefix("group"))
                })
        case .tiled(let info):
            let isElevation =
                info.raw["cacheType"]?.string?.lowercased() == "elevation"
                || info.format?.uppercased().hasPrefix("LERC") == true
            self.init(isElevation: isElevation)
        case .vectorTile: self.init()
        case .absent, .unreachable: return nil
        }
    }

    func layer(_ id: Int) -> Layer? { layers.first { $0.id == id } }
}

extension ServiceEntry.Source {
    /// As maps remember the service.
    var name: String {
        switch self {
        case .url(let url): url
        case .item(let id): id
        }
    }
}
