import Basics
import Geography

/// The root document of a feature service (REST reference 3.1).
enum ServiceMetadata {
    static func root(_ service: FeatureService) -> JSON {
        if let sample = service.sample { return sample.root }
        let extent = FeatureJSON.envelope(service.extent, in: .mercator)
        var root: JSON = [
            "currentVersion": 11.3, "serviceItemId": .string(service.itemID), "serviceDescription": .string(service.description),
            "description": .string(service.description), "hasVersionedData": false, "supportsDisconnectedEditing": false,
            "hasStaticData": false, "hasSharedDomains": false, "maxRecordCount": JSON(service.maxRecordCount),
            "supportedQueryFormats": "JSON", "supportedExportFormats": "sqlite,json",
            "capabilities": .string(service.capabilities),
            "copyrightText": "Invented data of a demo portal", "units": "esriMeters", "allowGeometryUpdates": true,
            "spatialReference": GeometryParameter.System.mercator.json, "initialExtent": extent, "fullExtent": extent,
            "syncEnabled": .bool(service.canSync),
        ]
        if service.canSync {
            root["syncCapabilities"] = [
                "supportsRegisteringExistingData": false, "supportsSyncDirectionControl": false, "supportsPerLayerSync": true,
                "supportsPerReplicaSync": true, "supportsSyncModelNone": .bool(service.supportsSyncModelNone),
                "supportsRollbackOnFailure": false,
                "supportsAsync": true, "supportsAttachmentsSyncDirection": true, "supportsBiDirectionalSyncForServer": false,
            ]
        }
        root["editorTrackingInfo"] = [
            "enableEditorTracking": false, "enableOwnershipAccessControl": false, "allowOthersToQuery": true,
            "allowOthersToUpdate": true, "allowOthersToDelete": true,
        ]
        root["xssPreventionInfo"] = [
            "xssPreventionEnabled": true, "xssPreventionRule": "InputOnly", "xssInputRule": "rejectInvalid",
        ]
        root["supportsRelationshipsResource"] = false
        root["layers"] = .array(service.tables.filter { !$0.isTable }.map(summary))
        root["tables"] = .array(service.tables.filter(\.isTable).map(summary))
        let relationships = service.tables.flatMap(\.table.relationships).filter(\.isOrigin)
        root["relationships"] = .array(relationships.map { ["id": JSON($0.id), "name": .string($0.name)] })
        return root
    }

    private static func summary(_ served: ServedTable) -> JSON {
        let table = served.table
        var entry: JSON = [
            "id": JSON(table.id), "name": .string(table.name), "parentLayerId": -1, "defaultVisibility": true, "subLayerIds": nil,
            "minScale": .number(table.minScale), "maxScale": 0, "type": served.isTable ? "Table" : "Feature Layer",
        ]
        if let geometry = table.geometry { entry["geometryType"] = .string(geometry.rawValue) }
        return entry
    }

    /// `{FeatureServer}/layers`.
    static func layers(_ service: FeatureService) -> JSON {
        let documents = service.tables.map { ($0.isTable, LayerMetadata.document($0, of: service)) }
        return [
            "layers": .array(documents.filter { !$0.0 }.map(\.1)), "tables": .array(documents.filter(\.0).map(\.1)),
        ]
    }
}
