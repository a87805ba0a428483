import Basics
import Formats
import Geography

/// A feature service made of a replica that a hosted service gave: its descriptions from `GDB_ServiceItems`, its rows for queries.
enum SampleReplica {
    static func service(_ path: String, name: String, itemID: String) throws -> FeatureService {
        let database = try SQLiteConnection(path: path, access: .readOnlyImmutable)
        var root: JSON = [:]
        var layers: [Int: JSON] = [:]
        var tables: [ServedTable] = []
        for row in try database.rows("SELECT ItemType, ItemId, ItemInfo, DatasetName FROM GDB_ServiceItems NOT INDEXED") {
            guard let text = row[2].text, let dataset = row[3].text else { continue }
            let document = try JSON.parse(text)
            if row[0].int == 0 {
                root = document
            } else if let id = row[1].int {
                layers[id] = document
                tables.append(ServedTable(try table(id, document, dataset: dataset, database)))
            }
        }
        tables.sort { $0.id < $1.id }
        return FeatureService(
            name: name, itemID: itemID, description: "A replica of ArcGIS Online", tables: tables, canSync: true,
            sample: .init(file: path, root: describe(root, tables, layers, itemID), layers: layers))
    }

    /// The root as the hosted service would give it: the stored text lists layers in an inner form and lacks what replicas do not need.
    private static func describe(_ stored: JSON, _ tables: [ServedTable], _ layers: [Int: JSON], _ itemID: String) -> JSON {
        var root = stored
        root["currentVersion"] = 10.41
        root["serviceItemId"] = .string(itemID)
        root["syncEnabled"] = true
        root["syncCapabilities"] = [
            "supportsAsync": true, "supportsPerLayerSync": true, "supportsPerReplicaSync": true, "supportsSyncModelNone": true,
            "supportsAttachmentsSyncDirection": true, "supportsRegisteringExistingData": true,
            "supportsSyncDirectionControl": true,
            "supportsRollbackOnFailure": false,
        ]
        let summary = { (served: ServedTable) -> JSON in
            var entry: JSON = [
                "id": JSON(served.id), "name": .string(served.table.name), "parentLayerId": -1, "defaultVisibility": true,
                "subLayerIds": nil, "minScale": 0, "maxScale": 0, "type": served.isTable ? "Table" : "Feature Layer",
            ]
            if let geometry = served.table.geometry { entry["geometryType"] = .string(geometry.rawValue) }
            return entry
        }
        root["layers"] = .array(tables.filter { !$0.isTable }.map(summary))
        root["tables"] = .array(tables.filter(\.isTable).map(summary))
        return root
    }

    private static func table(_ id: Int, _ document: JSON, dataset: String, _ database: SQLiteConnection) throws -> FeatureTable {
        let oid = document["objectIdField"]?.string ?? "OBJECTID"
        let guid = document["globalIdField"]?.string ?? "GlobalID"
        let fields = (document["fields"]?.array ?? []).compactMap(field)
        let others = fields.filter { $0.name != oid && $0.name != guid }
        let geometry = document["geometryType"]?.string.flatMap(FeatureTable.Geometry.init)
        let columns = [oid, guid] + others.map(\.name) + (geometry == nil ? [] : ["SHAPE"])
        let list = columns.map { "\"\($0)\"" }.joined(separator: ",")
        var rows: [FeatureTable.Row] = []
        // The view shows the rows that are current (formats.md 3.4).
        for values in try database.rows("SELECT \(list) FROM \"\(dataset)_evw\"") {
            rows.append(
                FeatureTable.Row(
                    objectID: values[0].int ?? 0, globalID: (values[1].text ?? "").uppercased(),
                    values: zip(others, values.dropFirst(2)).map { value($1, kind: $0.kind) },
                    shape: geometry == nil ? nil : shape(values[columns.count - 1])))
        }
        return FeatureTable(
            id: id, name: document["name"]?.string ?? dataset, geometry: geometry,
            fields: [
                .init(name: oid, kind: .objectID, alias: oid), .init(name: guid, kind: .globalID, alias: guid, length: 38),
            ] + others, rows: rows, relationships: (document["relationships"]?.array ?? []).compactMap(relationship),
            hasAttachments: document["hasAttachments"]?.bool ?? false,
            lastEditDate: Int64(document["editingInfo"]?["lastEditDate"]?.int ?? 0),
            maxRecordCount: document["maxRecordCount"]?.int ?? 1000)
    }

    private static func field(_ tree: JSON) -> FeatureTable.Field? {
        guard let name = tree["name"]?.string, let type = tree["type"]?.string else { return nil }
        let kind = FeatureTable.Field.Kind(rawValue: type) ?? (type == "esriFieldTypeSingle" ? .double : .string)
        return FeatureTable.Field(name: name, kind: kind, alias: tree["alias"]?.string ?? name, length: tree["length"]?.int)
    }

    private static func relationship(_ tree: JSON) -> FeatureTable.Relationship? {
        guard let id = tree["id"]?.int, let related = tree["relatedTableId"]?.int, let key = tree["keyField"]?.string else {
            return nil
        }
        return FeatureTable.Relationship(
            id: id, name: tree["name"]?.string ?? "", relatedTableID: related,
            isOrigin: tree["role"]?.string == "esriRelRoleOrigin", keyField: key)
    }

    private static func value(_ value: SQLiteValue, kind: FeatureTable.Field.Kind) -> FeatureTable.Value {
        switch value {
        case .integer(let number): return .integer(number)
        case .real(let number):
            // Dates are Julian days; 2440587.5 is the first of January 1970.
            return kind == .date ? .date(Int64(((number - 2_440_587.5) * 86_400_000).rounded())) : .double(number)
        case .text(let text): return .text(text)
        case .null, .blob: return .null
        }
    }

    private static func shape(_ value: SQLiteValue) -> Shape? {
        guard let blob = value.blob, let decoded = try? STGeometry.decode(blob, grid: .webMercator) else { return nil }
        switch decoded.kind {
        case .point, .multipoint: return decoded.parts.first?.first.map(Shape.point)
        case .line: return .polyline(decoded.parts)
        // Stored rings run the other way round.
        case .polygon: return .polygon(Polygon(rings: decoded.parts.map { $0.reversed() }))
        }
    }
}
