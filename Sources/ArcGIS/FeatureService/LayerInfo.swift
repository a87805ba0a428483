import Basics
import Geography

/// One layer or table of a service, read leniently (REST reference 3.2).
public struct LayerInfo: Sendable, Hashable {
    public var id: Int
    public var name: String
    /// `Feature Layer`, `Table`, `Group Layer`, …; empty when the service does not say.
    public var type: String
    /// `esriGeometryPoint` …; nil for tables.
    public var geometryType: String?
    public var isTable: Bool
    /// Only what the service root says of it is known.
    public var isSummary: Bool
    /// The layer's own, else the service's.
    public var capabilities: ServiceCapabilities
    public var objectIDField: String?
    /// nil when there is none: services write `""`.
    public var globalIDField: String?
    public var hasAttachments: Bool
    public var relationships: [RelationshipInfo]
    public var fields: [FieldInfo]
    public var maxRecordCount: Int?
    public var supportsPagination: Bool
    /// Milliseconds since 1970 of the last edit of data or schema.
    public var lastEditDate: Int?
    public var schemaLastEditDate: Int?
    public var dataLastEditDate: Int?
    public var extent: ServiceExtent?
    public var spatialReference: SpatialReference?
    /// A hosted view over several services; it cannot go offline (REST reference 3.2).
    public var isJoinView: Bool
    public var raw: JSON

    public init(
        _ json: JSON, isTable: Bool? = nil, isSummary: Bool = false, serviceCapabilities: ServiceCapabilities? = nil,
        serviceSpatialReference: SpatialReference? = nil
    ) {
        id = json["id"]?.int ?? 0
        type = json["type"]?.string ?? ""
        geometryType = json["geometryType"]?.string
        self.isTable = type == "Table" || (isTable ?? false)
        self.isSummary = isSummary
        let own = ServiceCapabilities(json["capabilities"])
        capabilities = own.isEmpty ? serviceCapabilities ?? own : own
        fields = (json["fields"]?.array ?? []).compactMap(FieldInfo.init)
        name = json["name"]?.string ?? "\(id)"
        objectIDField = Self.text(json["objectIdField"]) ?? fields.first { $0.type == "esriFieldTypeOID" }?.name
        globalIDField = Self.text(json["globalIdField"])
        hasAttachments = json["hasAttachments"]?.bool ?? false
        relationships = (json["relationships"]?.array ?? []).compactMap(RelationshipInfo.init)
        maxRecordCount = json["maxRecordCount"]?.int.flatMap { $0 > 0 ? $0 : nil }
        supportsPagination =
            (json["advancedQueryCapabilities"]?["supportsPagination"] ?? json["supportsPagination"])?.bool ?? false
        lastEditDate = json["editingInfo"]?["lastEditDate"]?.int
        schemaLastEditDate = json["editingInfo"]?["schemaLastEditDate"]?.int
        dataLastEditDate = json["editingInfo"]?["dataLastEditDate"]?.int
        extent = ServiceExtent(json: json["extent"])
        spatialReference =
            extent?.spatialReference ?? SpatialReference(json: json["spatialReference"])
            ?? SpatialReference(json: json["extent"]?["spatialReference"]) ?? SpatialReference(
                json: json["sourceSpatialReference"])
            ?? serviceSpatialReference
        isJoinView = (json["isView"]?.bool ?? false) && (json["isMultiServicesView"]?.bool ?? false)
        raw = json
    }

    /// Anyone may create, update or delete rows (REST reference 10.2).
    public var isEditable: Bool { capabilities.canEdit }

    /// A kind that createReplica takes: features and tables (REST reference 3.1). Very old services do not say, and some say it
    /// in their own language: then a geometry type makes it a feature layer.
    public var isReplicable: Bool {
        let word = type.lowercased()
        if ["", "feature layer", "table"].contains(word) { return true }
        return !Self.otherTypes.contains { word.hasPrefix($0) } && geometryType != nil
    }

    private static let otherTypes = [
        "group", "annotation", "dimension", "utility network", "trace network", "catalog", "topology", "raster", "mosaic",
        "network", "parcel", "subtype", "image", "location referencing", "diagram",
    ]

    private static func text(_ json: JSON?) -> String? { json?.string.flatMap { $0.isEmpty ? nil : $0 } }
}

public struct FieldInfo: Sendable, Hashable {
    public var name: String
    /// `esriFieldTypeString` …
    public var type: String
    public var alias: String

    init?(_ json: JSON) {
        guard let name = json["name"]?.string else { return nil }
        self.name = name
        type = json["type"]?.string ?? ""
        alias = json["alias"]?.string ?? name
    }
}

/// A relationship as seen from one of its two layers.
public struct RelationshipInfo: Sendable, Hashable {
    public var id: Int
    public var name: String
    /// Of the same service.
    public var relatedTableID: Int
    /// nil when the service does not say: before 10.1 there was no role.
    public var isOrigin: Bool?
    /// `esriRelCardinalityOneToMany` …
    public var cardinality: String?
    public var keyField: String?

    init?(_ json: JSON) {
        guard let related = json["relatedTableId"]?.int else { return nil }
        relatedTableID = related
        id = json["id"]?.int ?? 0
        name = json["name"]?.string ?? ""
        isOrigin = json["role"]?.string.map { $0.lowercased().hasSuffix("origin") }
        cardinality = json["cardinality"]?.string
        keyField = json["keyField"]?.string
    }
}
