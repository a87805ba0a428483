import Basics
import Formats
import Geography

/// Which rows go into a replica file.
struct ReplicaSelection: Sendable {
    /// Row positions by table id; a table without an entry is there and empty.
    var rows: [Int: [Int]]
    var includesAttachments: Bool
}

/// What a replica file says of itself (formats.md 3.6).
struct ReplicaDescription: Sendable {
    enum SyncModel: String, Sendable {
        case perReplica, perLayer
        /// An extract: not registered, so without archive columns and replica items.
        case none
    }

    var name: String
    /// With braces.
    var id: String
    var serviceURL: String
    var serviceName: String
    var owner: String
    /// By table id.
    var serverGens: [Int: Int64]
    var syncModel: SyncModel
    /// Web Mercator metres.
    var queryGeometry: Polygon?
    /// Of the shapes in the file: Web Mercator or WGS 84.
    var spatialReference: SpatialReference
    /// Epoch milliseconds.
    var created: Int64
    /// `esriSyncDirectionBidirectional`, `…Download`, `…Upload`.
    var direction: String

    init(
        name: String, id: String, serviceURL: String, serviceName: String = "Service", owner: String, serverGens: [Int: Int64],
        syncModel: SyncModel, queryGeometry: Polygon? = nil, spatialReference: SpatialReference = .webMercator,
        created: Int64 = TownWords.lastEdit, direction: String = "esriSyncDirectionBidirectional"
    ) {
        self.name = name
        self.id = id
        self.serviceURL = serviceURL
        self.serviceName = serviceName
        self.owner = owner
        self.serverGens = serverGens
        self.syncModel = syncModel
        self.queryGeometry = queryGeometry
        self.spatialReference = spatialReference
        self.created = created
        self.direction = direction
    }

    var isRegistered: Bool { syncModel != .none }
    var system: ReplicaSystem { spatialReference.isWGS84 ? .degrees : .mercator }
}

enum ReplicaError: Error, Sendable {
    case sqlite(SQLiteError)
    case geometry(table: String, objectID: Int, STGeometryError)
}
