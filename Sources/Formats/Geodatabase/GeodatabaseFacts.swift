import Geography

/// What a mobile geodatabase holds: layers and tables with their current rows.
public struct GeodatabaseFacts: Sendable, Hashable {
    /// `10.4.1 Geodatabase`, from `GDB_Version`.
    public var version: String?
    /// The header says that Esri's library made the file ("Esri").
    public var hasEsriApplicationID: Bool
    /// Every user table, those with a layer id first and by that id.
    public var tables: [GeodatabaseTable]
    /// nil when the file was not made by createReplica.
    public var replica: GeodatabaseReplica?
    public var totalBytes: Int

    public init(
        version: String? = nil, hasEsriApplicationID: Bool, tables: [GeodatabaseTable], replica: GeodatabaseReplica? = nil,
        totalBytes: Int
    ) {
        self.version = version
        self.hasEsriApplicationID = hasEsriApplicationID
        self.tables = tables
        self.replica = replica
        self.totalBytes = totalBytes
    }

    public func layer(_ id: Int) -> GeodatabaseTable? { tables.first { $0.layerID == id } }
    public func table(_ name: String) -> GeodatabaseTable? { tables.first { $0.name.lowercased() == name.lowercased() } }
}

public struct GeodatabaseTable: Sendable, Hashable {
    /// Which rows count as the table's content (formats.md 3.4).
    public enum RowFilter: String, Sendable, Hashable {
        /// `<table>_evw`.
        case view
        /// `gdb_to_date` is the end of time.
        case archiveColumns
        /// The table keeps no history.
        case all
    }

    public var name: String
    /// From `GDB_ServiceItems`: what `?itemId=` in a map document means.
    public var layerID: Int?
    /// The layer's own name, from its JSON.
    public var title: String?
    public var filter: RowFilter
    /// Current rows.
    public var rows: Int
    /// nil for tables without a shape column.
    public var shapes: ShapeFacts?
    /// nil when there is no attachment table.
    public var attachments: AttachmentFacts?

    public init(
        name: String, layerID: Int? = nil, title: String? = nil, filter: RowFilter, rows: Int, shapes: ShapeFacts? = nil,
        attachments: AttachmentFacts? = nil
    ) {
        self.name = name
        self.layerID = layerID
        self.title = title
        self.filter = filter
        self.rows = rows
        self.shapes = shapes
        self.attachments = attachments
    }
}

/// How the shapes of a layer read.
public struct ShapeFacts: Sendable, Hashable {
    public struct Problem: Sendable, Hashable {
        /// The object id, where the table has one.
        public var objectID: Int?
        public var reason: STGeometryError
    }

    public var decoded: Int
    /// Rows without a shape.
    public var null: Int
    public var undecodable: Int
    /// The first 20.
    public var problems: [Problem]
    /// Shapes of several parts.
    public var multipart: Int
    public var points: Int
    /// Around all shapes, in the layer's units; nil without shapes or without a grid.
    public var extent: Envelope?
    /// Shapes whose stored box is not the box of their points.
    public var boxDisagreements: Int
    /// Rows compared with the R-tree, and how many of them lie outside of their entry; nil when there is no R-tree.
    public var index: IndexComparison?

    public struct IndexComparison: Sendable, Hashable {
        public var compared: Int
        public var disagreements: Int
    }
}

public struct AttachmentFacts: Sendable, Hashable {
    public var count: Int
    /// Of the data itself.
    public var bytes: Int
    /// Rows whose declared size is not that of their data.
    public var wrongSizes: Int

    public init(count: Int, bytes: Int, wrongSizes: Int) {
        self.count = count
        self.bytes = bytes
        self.wrongSizes = wrongSizes
    }
}

/// The replica that a geodatabase is (formats.md 3.6).
public struct GeodatabaseReplica: Sendable, Hashable {
    public struct Dataset: Sendable, Hashable {
        public var name: String
        public var layerID: Int?
        /// `ReplicaServerGen`: what a sync sends back for the layer.
        public var serverGen: Int64?
        public var isAttachment: Bool

        public init(name: String, layerID: Int? = nil, serverGen: Int64? = nil, isAttachment: Bool) {
            self.name = name
            self.layerID = layerID
            self.serverGen = serverGen
            self.isAttachment = isAttachment
        }
    }

    /// Upper case with dashes, no braces.
    public var id: String
    public var name: String
    public var serviceURL: String?
    /// `perLayer` or `perReplica`.
    public var syncModel: String?
    /// The value in the file, such as `esriSyncDirectionBidirectional`.
    public var direction: String?
    /// Of a per-replica model, where the file has one.
    public var serverGen: Int64?
    public var datasets: [Dataset]

    public init(
        id: String, name: String, serviceURL: String? = nil, syncModel: String? = nil, direction: String? = nil,
        serverGen: Int64? = nil, datasets: [Dataset]
    ) {
        self.id = id
        self.name = name
        self.serviceURL = serviceURL
        self.syncModel = syncModel
        self.direction = direction
        self.serverGen = serverGen
        self.datasets = datasets
    }

    /// The generation of each layer; the attachment tables carry the same.
    public var layerServerGens: [Int: Int64] {
        datasets.reduce(into: [:]) { result, dataset in
            if let id = dataset.layerID, let gen = dataset.serverGen, !dataset.isAttachment || result[id] == nil {
                result[id] = gen
            }
        }
    }
}
