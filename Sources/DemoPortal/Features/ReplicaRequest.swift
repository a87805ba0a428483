import Basics
import Geography

/// `createReplica`, read and checked (REST reference 4.1).
struct ReplicaRequest: Sendable {
    enum SyncModel: String, Sendable { case perReplica, perLayer, none }
    enum Format: String, Sendable { case json, sqlite }

    var name: String?
    var layerIDs: [Int]
    var queries: [Int: LayerQuery]
    var area: AreaShape?
    /// As sent, for `replicas/{id}`.
    var geometryText: String?
    var geometryType: String
    /// `replicaSR`: the reference of the shapes in the result.
    var system: GeometryParameter.System
    var returnsAttachments: Bool
    var attachmentsAsURL: Bool
    var attachmentsSyncDirection: String
    var isAsync: Bool
    var isEmbedded: Bool
    var syncModel: SyncModel
    var format: Format
    var targetType: String
    var syncDirection: String

    init(_ parameters: Parameters, to service: FeatureService) throws(RESTError) {
        guard service.canSync else {
            throw RESTError(
                code: 400, message: "Unable to create replica. Please check your parameters.",
                details: ["The service does not support the Sync operation."])
        }
        name = parameters["replicaName"]
        syncModel = try Self.word(parameters, "syncModel", .perReplica)
        if syncModel == .none && !service.supportsSyncModelNone { throw Self.refusal("syncModel 'none' is not supported.") }
        format = try Self.word(parameters, "dataFormat", .json)
        isAsync = parameters.bool("async")
        isEmbedded = parameters["transportType"]?.lowercased() == "esritransporttypeembedded" && format == .json
        layerIDs = try Self.layers(parameters["layers"], of: service)
        queries = try LayerQuery.read(parameters["layerQueries"])
        for id in queries.keys where !layerIDs.contains(id) {
            throw Self.refusal("layerQueries names layer \(id), which is not among the layers.")
        }
        geometryText = parameters["geometry"]
        geometryType = parameters["geometryType"] ?? "esriGeometryEnvelope"
        area = try GeometryParameter.read(parameters)
        if area == nil && syncModel != .none { throw Self.refusal("'geometry' must be specified.") }
        system = try parameters["replicaSR"].map(GeometryParameter.system) ?? .mercator
        returnsAttachments = parameters.bool("returnAttachments")
        attachmentsAsURL = parameters.bool("returnAttachmentsDataByUrl", default: true)
        attachmentsSyncDirection = parameters["attachmentsSyncDirection"] ?? (returnsAttachments ? "bidirectional" : "none")
        guard (returnsAttachments ? ["bidirectional", "upload"] : ["none", "upload"]).contains(attachmentsSyncDirection) else {
            throw Self.refusal(
                "attachmentsSyncDirection '\(attachmentsSyncDirection)' is not valid with returnAttachments=\(returnsAttachments)."
            )
        }
        targetType = parameters["targetType"] ?? "client"
        syncDirection = parameters["syncDirection"] ?? (targetType == "server" ? "download" : "bidirectional")
        guard targetType == "client" ? syncDirection == "bidirectional" : ["download", "upload"].contains(syncDirection) else {
            throw Self.refusal("syncDirection '\(syncDirection)' is not valid for targetType '\(targetType)'.")
        }
    }

    static func refusal(_ detail: String) -> RESTError {
        RESTError(code: 400, message: "Unable to create replica. Please check your parameters.", details: [detail])
    }

    private static func word<Word: RawRepresentable<String>>(
        _ parameters: Parameters, _ name: String, _ fallback: Word
    ) throws(RESTError) -> Word {
        guard let text = parameters[name] else { return fallback }
        guard let word = Word(rawValue: text) else { throw refusal("'\(name)' parameter is invalid: \(text)") }
        return word
    }

    /// `0,1` or the old `[0,1]`.
    private static func layers(_ text: String?, of service: FeatureService) throws(RESTError) -> [Int] {
        guard let text else { throw refusal("'layers' must be specified.") }
        var ids: [Int] = []
        for item in text.filter({ $0 != "[" && $0 != "]" }).split(separator: ",") {
            guard let id = Int(item.trimmed) else { throw refusal("'layers' parameter is invalid.") }
            guard service.table(id) != nil else { throw refusal("Layer \(id) does not exist in this service.") }
            if !ids.contains(id) { ids.append(id) }
        }
        if ids.isEmpty { throw refusal("'layers' must be specified.") }
        return ids.sorted()
    }
}
