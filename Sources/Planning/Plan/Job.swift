import ArcGIS
import Basics
import Geography
import Manifest

/// One piece of a plan that succeeds or fails as a whole.
public struct Job: Codable, Sendable, Equatable, Identifiable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case replica, tiles, vectorTiles, style, basemap, package, publish

        /// The kinds that a server works on, so that limits of hosts and services apply.
        public var isExport: Bool { self == .replica || self == .tiles || self == .vectorTiles }

        /// The kinds that bring bytes over the network.
        public var isDownload: Bool { isExport || self == .style }
    }

    /// A readable path, unique and stable between nights: `downtown/world-street-map/tiles`.
    public var id: String
    public var area: String
    /// Titles of the layers that it brings; empty for `package` and `publish`.
    public var layers: [LayerLabel]
    /// Why it runs: "new", "where clause changed" …; or why it need not.
    public var reason: String
    /// Not nil: it need not run, because the map that is out has its artifact, which came then. Milliseconds since 1970.
    public var unchangedSince: Int?
    /// What its source says of the last edit.
    public var stamp = SourceStamp()
    public var refresh = RefreshRule.byStamp
    /// What becomes of its area when it fails.
    public var onError = FailurePolicy.fail
    /// Why it cannot be asked for: it stands for the file of the last good map only.
    public var unreachable: Failure?
    public var dependsOn: [String]
    public var estimate: Estimate
    /// SHA-256 of all that decides the bytes: same key, same artifact, shared between areas and nights (design chapter 4).
    public var key: String
    public var work: Work

    public init(
        id: String, area: String, layers: [LayerLabel], reason: String, dependsOn: [String] = [], estimate: Estimate = Estimate(),
        key: String, work: Work, stamp: SourceStamp = SourceStamp(), refresh: RefreshRule = .byStamp
    ) {
        self.id = id
        self.area = area
        self.layers = layers
        self.reason = reason
        self.dependsOn = dependsOn
        self.estimate = estimate
        self.key = key
        self.work = work
        self.stamp = stamp
        self.refresh = refresh
    }

    public mutating func decide(_ reason: JobReason) {
        self.reason = reason.words
        unchangedSince = if case .unchanged(let time) = reason { time } else { nil }
    }

    /// What will be sent for it; nil for jobs that ask no service for an export.
    public var request: ServiceRequest? {
        switch work {
        case .replica(let work): work.request
        case .tiles(let work), .vectorTiles(let work): work.request
        case .style, .basemap, .package, .publish: nil
        }
    }

    public var kind: Kind {
        switch work {
        case .replica: .replica
        case .tiles: .tiles
        case .vectorTiles: .vectorTiles
        case .style: .style
        case .basemap: .basemap
        case .package: .package
        case .publish: .publish
        }
    }
}

public struct LayerLabel: Codable, Sendable, Hashable {
    public var id: String
    public var title: String

    public init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}

/// Known beforehand; nil is "unknown", never 0.
public struct Estimate: Codable, Sendable, Equatable {
    public var tiles: Int?
    public var rows: Int?
    /// Of each layer that was counted, in the order of the request.
    public var layerRows: [LayerRows]
    public var bytes: ByteEstimate?
    /// Why the size is not known although it was asked for.
    public var sizeProblem: Failure?

    public init(
        tiles: Int? = nil, rows: Int? = nil, layerRows: [LayerRows] = [], bytes: ByteEstimate? = nil, sizeProblem: Failure? = nil
    ) {
        self.tiles = tiles
        self.rows = rows
        self.layerRows = layerRows
        self.bytes = bytes
        self.sizeProblem = sizeProblem
    }
}

/// What a service counts of one layer or table.
public struct LayerRows: Codable, Sendable, Equatable {
    /// The layer's number in its service.
    public var layerID: Int
    public var name: String
    public var rows: Int

    public init(layerID: Int, name: String, rows: Int) {
        self.layerID = layerID
        self.name = name
        self.rows = rows
    }
}

public enum Work: Codable, Sendable, Equatable {
    case replica(ReplicaWork)
    case tiles(TileWork)
    case vectorTiles(TileWork)
    case style(StyleWork)
    /// A local file, copied into the map.
    case basemap(ReferenceBasemap)
    case package
    case publish
}

extension Work {
    public var basemap: ReferenceBasemap? { if case .basemap(let basemap) = self { basemap } else { nil } }
}

/// The form that will be posted: parameters exactly as sent, without token and `f`.
public struct ServiceRequest: Codable, Sendable, Hashable {
    public var url: String
    public var parameters: [String: String]

    public init(url: String, parameters: [String: String]) {
        self.url = url
        self.parameters = parameters
    }
}

/// createReplica for all layers and tables of one feature service.
public struct ReplicaWork: Codable, Sendable, Equatable {
    public var serviceURL: String
    public var request: ServiceRequest
    public var layers: [ReplicaLayer]
    public var registration: Registration

    /// The service makes the replica while the request waits, and has no job that could be asked (cases B01).
    public var isSynchronous: Bool { request.parameters["async"] == "false" }

    public enum Registration: String, Codable, Sendable {
        /// The server keeps no account of the copy.
        case none
        /// The service makes registered replicas only: unregistered as soon as the file is here.
        case untilFetched
        /// For later synchronisation; recorded as ours.
        case kept
    }

    public init(serviceURL: String, request: ServiceRequest, layers: [ReplicaLayer], registration: Registration) {
        self.serviceURL = serviceURL
        self.request = request
        self.layers = layers
        self.registration = registration
    }
}

/// One layer or table inside a replica, and how to prove that it is whole.
public struct ReplicaLayer: Codable, Sendable, Equatable {
    /// The layer's number in its service.
    public var layerID: Int
    public var name: String
    public var isTable: Bool
    /// The query whose count the rows must equal; nil where no query can say it (rows that come through relationships).
    public var countQuery: ServiceRequest?
    /// When its rows were last edited, as the service said at planning; milliseconds since 1970. nil where it does not say.
    public var lastEditDate: Int?

    public init(layerID: Int, name: String, isTable: Bool, countQuery: ServiceRequest?, lastEditDate: Int? = nil) {
        self.layerID = layerID
        self.name = name
        self.isTable = isTable
        self.countQuery = countQuery
        self.lastEditDate = lastEditDate
    }
}

/// exportTiles of a map, image or vector tile service.
public struct TileWork: Codable, Sendable, Equatable {
    public var serviceURL: String
    public var service: ExportService
    public var request: ServiceRequest
    /// Tiles of each level that the area touches; what the package may hold at most, not what it must: services have holes.
    public var levels: [TileCount]

    public init(serviceURL: String, service: ExportService, request: ServiceRequest, levels: [TileCount]) {
        self.serviceURL = serviceURL
        self.service = service
        self.request = request
        self.levels = levels
    }
}

/// The style of a vector tile item with the sprites and glyphs it uses, copied beside the map.
public struct StyleWork: Codable, Sendable, Equatable {
    /// Absolute URL of the style document.
    public var styleURL: String
    /// The service whose tiles it draws.
    public var serviceURL: String

    public init(styleURL: String, serviceURL: String) {
        self.styleURL = styleURL
        self.serviceURL = serviceURL
    }
}
