import Basics
import Geography

/// The document of one layer or table (REST reference 3.2).
enum LayerMetadata {
    static func document(_ served: ServedTable, of service: FeatureService) -> JSON {
        if let document = service.sample?.layers[served.id] { return document }
        let table = served.table
        var members: [(String, JSON)] = [
            ("currentVersion", 11.3), ("id", JSON(table.id)), ("name", .string(table.name)),
            ("type", served.isTable ? "Table" : "Feature Layer"), ("serviceItemId", .string(service.itemID)),
            ("displayField", .string(table.fields.count > 2 ? table.fields[2].name : "OBJECTID")), ("description", ""),
            ("copyrightText", ""), ("defaultVisibility", true),
            ("relationships", .array(table.relationships.map(relationship))), ("isDataVersioned", false),
            ("isDataArchived", false),
            ("supportsStatistics", false), ("supportsAdvancedQueries", true), ("supportsCoordinatesQuantization", false),
            ("advancedQueryCapabilities", queryCapabilities),
            // Real services write some members twice (REST reference 0.1); the last one counts.
            ("supportsAdvancedQueries", true), ("useStandardizedQueries", true),
        ]
        if service.saysEdits {
            let schema = table.schemaEditDate ?? table.lastEditDate
            members.append(
                (
                    "editingInfo",
                    [
                        "lastEditDate": .integer(max(schema, table.lastEditDate)), "schemaLastEditDate": .integer(schema),
                        "dataLastEditDate": .integer(table.lastEditDate),
                    ]
                ))
        }
        if let geometry = table.geometry {
            members += [
                ("geometryType", .string(geometry.rawValue)), ("minScale", .number(table.minScale)), ("maxScale", 0),
                ("extent", served.extent == nil ? nil : FeatureJSON.envelope(served.extent, in: .mercator)),
                ("spatialReference", GeometryParameter.System.mercator.json),
                (
                    "drawingInfo",
                    [
                        "renderer": renderer(table.drawingInfo), "transparency": 0, "labelingInfo": nil,
                    ]
                ), ("allowGeometryUpdates", true), ("hasM", false), ("hasZ", false), ("enableZDefaults", false),
                ("zDefault", nil),
            ]
        }
        members += [
            ("hasAttachments", .bool(table.hasAttachments)), ("htmlPopupType", "esriServerHTMLPopupTypeNone"),
            ("objectIdField", .string(table.fields[0].name)),
            ("uniqueIdField", ["name": .string(table.fields[0].name), "isSystemMaintained": true]),
            ("globalIdField", .string(table.fields[1].name)), ("typeIdField", ""),
            ("fields", .array(table.fields.map(field))), ("indexes", indexes(table)),
            ("dateFieldsTimeReference", ["timeZone": "UTC", "timeZoneIANA": "Etc/UTC", "respectsDaylightSaving": false]),
            ("types", []), ("templates", []), ("supportedQueryFormats", "JSON, geoJSON, PBF"),
            ("maxRecordCount", JSON(table.maxRecordCount)), ("standardMaxRecordCount", 32000), ("tileMaxRecordCount", 8000),
            ("maxRecordCountFactor", 1), ("capabilities", .string(service.capabilities)), ("hasStaticData", false),
            ("isView", false),
        ]
        if table.hasAttachments { members.append(("attachmentProperties", attachmentProperties)) }
        return .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
    }

    static func field(_ field: FeatureTable.Field) -> JSON {
        let isSystem = field.kind == .objectID || field.kind == .globalID
        var entry: JSON = ["name": .string(field.name), "type": .string(field.kind.rawValue), "alias": .string(field.alias)]
        entry["sqlType"] = field.kind == .objectID ? "sqlTypeInteger" : "sqlTypeOther"
        if let length = field.length { entry["length"] = JSON(length) }
        entry["nullable"] = .bool(!isSystem)
        entry["editable"] = .bool(!isSystem)
        entry["domain"] = domain(field.domain)
        entry["defaultValue"] = field.kind == .globalID ? "NEWID() WITH VALUES" : nil as JSON
        return entry
    }

    /// As query answers list fields: without `nullable` and `editable`.
    static func queryField(_ field: FeatureTable.Field) -> JSON {
        var entry = self.field(field)
        entry["nullable"] = Optional<JSON>.none
        entry["editable"] = Optional<JSON>.none
        return entry
    }

    private static func domain(_ domain: FeatureTable.Field.Domain?) -> JSON {
        switch domain {
        case nil: return .null
        case .coded(let name, let values):
            return [
                "type": "codedValue", "name": .string(name),
                "codedValues": .array(values.map { ["name": .string($0.name), "code": JSON($0.code)] }),
                "mergePolicy": "esriMPTDefaultValue", "splitPolicy": "esriSPTDefaultValue",
            ]
        case .range(let name, let min, let max):
            return [
                "type": "range", "name": .string(name), "range": [.number(min), .number(max)],
                "mergePolicy": "esriMPTDefaultValue", "splitPolicy": "esriSPTDefaultValue",
            ]
        }
    }

    private static func relationship(_ relationship: FeatureTable.Relationship) -> JSON {
        [
            "id": JSON(relationship.id), "name": .string(relationship.name), "relatedTableId": JSON(relationship.relatedTableID),
            "cardinality": "esriRelCardinalityOneToMany",
            "role": relationship.isOrigin ? "esriRelRoleOrigin" : "esriRelRoleDestination",
            "keyField": .string(relationship.keyField), "composite": false,
        ]
    }

    /// `drawingInfo` of a table is the renderer's text, or a whole `drawingInfo` with one.
    private static func renderer(_ text: String) -> JSON {
        guard let tree = try? JSON.parse(text) else { return .null }
        return tree["renderer"] ?? tree
    }

    private static func indexes(_ table: FeatureTable) -> JSON {
        [
            [
                "name": .string("PK__\(table.id)"), "fields": .string(table.fields[0].name), "isAscending": true,
                "isUnique": true,
                "description": "", "indexType": "Attribute",
            ]
        ]
    }

    private static let queryCapabilities: JSON = [
        "supportsPagination": true, "supportsQueryRelatedPagination": false, "supportsReturningQueryExtent": true,
        "supportsStatistics": false, "supportsOrderBy": true, "supportsDistinct": false, "supportsQueryWithResultType": true,
        "supportsQueryWithDistance": false, "supportsMaxRecordCountFactor": false, "supportsQueryAttachments": true,
        "supportsQueryAttachmentsWithReturnUrl": true, "supportsReturningGeometryCentroid": false, "supportsDefaultSR": true,
        "supportsSqlExpression": false, "supportsHavingClause": false,
    ]

    private static let attachmentProperties: JSON = [
        ["name": "id", "fieldName": "attachmentid", "isEnabled": true],
        ["name": "globalId", "fieldName": "globalid", "isEnabled": true],
        ["name": "name", "fieldName": "att_name", "isEnabled": true],
        ["name": "size", "fieldName": "data_size", "isEnabled": true],
        ["name": "contentType", "fieldName": "content_type", "isEnabled": true],
    ]
}
