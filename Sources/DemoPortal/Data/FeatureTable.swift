import Geography

/// A layer or a table of a feature service, with all its rows in memory. Shapes are in Web Mercator metres.
struct FeatureTable: Sendable {
    enum Geometry: String, Sendable {
        case point = "esriGeometryPoint"
        case polyline = "esriGeometryPolyline"
        case polygon = "esriGeometryPolygon"
    }

    var id: Int
    var name: String
    /// nil for a table.
    var geometry: Geometry?
    /// The first is the object id, the second the global id.
    var fields: [Field]
    var rows: [Row]
    var relationships: [Relationship] = []
    var hasAttachments = false
    var attachments: [Attachment] = []
    var minScale = 0.0
    /// ArcGIS renderer JSON text.
    var drawingInfo = ""
    /// Of the rows; milliseconds since 1970.
    var lastEditDate: Int64
    /// nil: as old as the rows.
    var schemaEditDate: Int64?
    var maxRecordCount = 2000

    struct Field: Sendable {
        enum Kind: String, Sendable {
            case objectID = "esriFieldTypeOID"
            case globalID = "esriFieldTypeGlobalID"
            case guid = "esriFieldTypeGUID"
            case smallInteger = "esriFieldTypeSmallInteger"
            case integer = "esriFieldTypeInteger"
            case double = "esriFieldTypeDouble"
            case string = "esriFieldTypeString"
            case date = "esriFieldTypeDate"
        }

        enum Domain: Sendable {
            case coded(name: String, values: [(code: Int, name: String)])
            case range(name: String, min: Double, max: Double)
        }

        var name: String
        var kind: Kind
        var alias: String
        var length: Int?
        var domain: Domain?
    }

    struct Row: Sendable {
        var objectID: Int
        /// `{…}` in upper case.
        var globalID: String
        /// The fields after the global id, in their order.
        var values: [Value]
        /// nil for rows of tables and for features without geometry ("surveyed later").
        var shape: Shape?
    }

    enum Value: Sendable, Hashable {
        case null
        case integer(Int64)
        case double(Double)
        case text(String)
        /// Epoch milliseconds, UTC.
        case date(Int64)
    }

    struct Relationship: Sendable {
        var id: Int
        var name: String
        var relatedTableID: Int
        var isOrigin: Bool
        /// In this table: the global id of an origin, the foreign key of a destination.
        var keyField: String
    }

    struct Attachment: Sendable {
        var id: Int
        var globalID: String
        var parentGlobalID: String
        var name: String
        var contentType: String
        var data: [UInt8]
    }
}

enum Shape: Sendable, Hashable {
    case point(Coordinate)
    case polyline([[Coordinate]])
    /// Esri order: outer rings clockwise, holes counter-clockwise, closed.
    case polygon(Polygon)

    var envelope: Envelope? {
        switch self {
        case .point(let place): Envelope(around: [place])
        case .polyline(let paths): Envelope(around: paths.joined())
        case .polygon(let polygon): polygon.envelope
        }
    }
}
