import ArcGIS
import Basics
import Geography
import Manifest

/// The createReplica form of one feature service and one area (REST reference 4.1, 10.1).
struct ReplicaRequest {
    var service: FeatureServiceInfo
    /// Sorted by layer id.
    var queries: [(layer: LayerInfo, query: LayerQuery)]
    /// In the service's spatial reference.
    var area: AreaShape
    var spatialReference: SpatialReference
    /// Of the map: the replica's rows come in it.
    var outSpatialReference: SpatialReference
    var attachments: AttachmentSettings
    var updateMode: MapOptions.UpdateMode
    /// Of the manifest; the service can do it.
    var wantedSyncModel: MapOptions.SyncModel?
    /// Of the manifest, else of the map.
    var syncDataOptions: Int?
    var name: String

    var parameters: [String: String] {
        var form: [String: String] = [
            "replicaName": name,
            "layers": queries.map { String($0.layer.id) }.joined(separator: ","),
            "layerQueries": layerQueries.serialized(),
            "geometry": area.esriJSON(spatialReference: spatialReference).serialized(),
            "geometryType": area.geometryType,
            "inSR": spatialReference.requestText,
            "replicaSR": outSpatialReference.requestText,
            "transportType": "esriTransportTypeUrl",
            "returnAttachments": String(attachments.returnsAttachments),
            "attachmentsSyncDirection": attachments.syncDirection,
            "syncModel": syncModel,
            "dataFormat": "sqlite",
        ]
        form["async"] = String(service.syncCapabilities.supportsAsync)
        if attachments.returnsAttachments { form["returnAttachmentsDataByUrl"] = "false" }
        // What a service does not know is left out, as the web map specification has it for the author's number.
        let extras = (syncDataOptions ?? 0) & (service.syncCapabilities.supportedSyncDataOptions ?? 0)
        if extras != 0 { form["replicaOptions"] = (["syncDataOptions": JSON(extras)] as JSON).serialized() }
        return form
    }

    private var layerQueries: JSON {
        .object(JSONObject(queries.map { JSONObject.Member(key: String($0.layer.id), value: $0.query.json) }))
    }

    /// A replica that will never be synchronised is not registered, where the service can do without (REST reference 10.1).
    var syncModel: String {
        switch wantedSyncModel {
        case .layer: return "perLayer"
        case .geodatabase: return "perReplica"
        case MapOptions.SyncModel.none?: return "none"
        case nil: break
        }
        if updateMode == .noUpdates && service.canCopyWithoutRegistering { return "none" }
        return service.syncCapabilities.supportsPerLayerSync ? "perLayer" : "perReplica"
    }

    var registration: ReplicaWork.Registration {
        if syncModel == "none" { return .none }
        return updateMode == .noUpdates ? .untilFetched : .kept
    }

    /// The count that the rows of a layer must equal; nil where rows come through relationships.
    func countQuery(of layer: LayerInfo, _ query: LayerQuery) -> ServiceRequest? {
        var form = ["returnCountOnly": "true"]
        switch query.option {
        case .none: return nil
        case .all: form["where"] = "1=1"
        case .useFilter:
            form["where"] = query.whereClause ?? "1=1"
            if query.useGeometry {
                form["geometry"] = area.esriJSON(spatialReference: spatialReference).serialized()
                form["geometryType"] = area.geometryType
                form["inSR"] = spatialReference.requestText
                form["spatialRel"] = "esriSpatialRelIntersects"
            }
        }
        return ServiceRequest(url: "\(service.url)/\(layer.id)/query", parameters: form)
    }
}

extension AreaShape {
    var geometryType: String {
        switch self {
        case .envelope: "esriGeometryEnvelope"
        case .polygon: "esriGeometryPolygon"
        }
    }
}

extension SpatialReference {
    /// A number where there is one, else JSON text.
    var requestText: String { requestID.map(String.init) ?? json.serialized() }
}
