import ArcGIS
import Basics

/// What a source says of its last edit, as far as it says anything: part of the plan, its hash and the keys of jobs, so that the
/// same key means the same bytes. Times are milliseconds since 1970.
public struct SourceStamp: Codable, Sendable, Hashable {
    /// Of the layers and tables of a feature service, by number.
    public var layers: [LayerStamp]
    /// When portal items were last changed, by id: what tiles and styles have for a stamp (REST reference 1.2).
    public var items: [String: Int]
    /// SHA-256 of a source that is at hand as a whole, such as a local file.
    public var content: String?

    public init(layers: [LayerStamp] = [], items: [String: Int] = [:], content: String? = nil) {
        self.layers = layers
        self.items = items
        self.content = content
    }

    /// Equal stamps mean that nothing was edited. A source of which one layer says nothing says nothing (cases B16).
    public var isTelling: Bool {
        layers.isEmpty ? !items.isEmpty || content != nil : layers.allSatisfy(\.isTelling)
    }
}

/// One layer or table (REST reference 3.2).
public struct LayerStamp: Codable, Sendable, Hashable {
    /// Its number in the service.
    public var id: Int
    /// `editingInfo.lastEditDate`: of data or schema.
    public var lastEdit: Int?
    public var schemaEdit: Int?
    public var dataEdit: Int?
    /// `changeTrackingInfo.layerServerGens`, where there is no `editingInfo`: it may move without an edit.
    public var serverGeneration: Int?
    /// SHA-256 of all that a replica copies of the layer's description. Services that do not say when their schema was edited show
    /// it here.
    public var description: String

    public init(
        id: Int, lastEdit: Int? = nil, schemaEdit: Int? = nil, dataEdit: Int? = nil, serverGeneration: Int? = nil,
        description: String = ""
    ) {
        self.id = id
        self.lastEdit = lastEdit
        self.schemaEdit = schemaEdit
        self.dataEdit = dataEdit
        self.serverGeneration = serverGeneration
        self.description = description
    }

    var isTelling: Bool { lastEdit ?? dataEdit ?? serverGeneration != nil }
}

extension LayerStamp {
    init(_ layer: LayerInfo, of service: FeatureServiceInfo) {
        let saysEdits = (layer.lastEditDate ?? layer.dataLastEditDate) != nil
        self.init(
            id: layer.id, lastEdit: layer.lastEditDate, schemaEdit: layer.schemaLastEditDate, dataEdit: layer.dataLastEditDate,
            serverGeneration: saysEdits ? nil : service.serverGenerations[layer.id], description: Self.fingerprint(layer))
    }

    private static func fingerprint(_ layer: LayerInfo) -> String {
        let members = [
            "name", "type", "geometryType", "fields", "objectIdField", "globalIdField", "hasAttachments", "relationships",
            "drawingInfo", "types", "subtypes", "templates", "hasZ", "hasM",
        ]
        let copied = members.compactMap { key in layer.raw[key].map { JSONObject.Member(key: key, value: $0) } }
        return SHA256.hex(of: JSON.object(JSONObject(copied)).serialized(.canonical))
    }
}

/// Written and read by hand: a night compares the stamps of hundreds of areas.
extension SourceStamp {
    public var json: JSON {
        [
            "layers": .array(layers.map(\.json)),
            "items": .object(
                JSONObject(items.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: JSON($0.value)) })),
            "content": content.map(JSON.string) ?? .null,
        ]
    }

    public init?(json: JSON?) {
        guard let json, let layers = json["layers"]?.array else { return nil }
        self.init(
            layers: layers.compactMap(LayerStamp.init(json:)),
            items: (json["items"]?.object?.members ?? []).reduce(into: [:]) { $0[$1.key] = $1.value.int },
            content: json["content"]?.string)
    }
}

extension LayerStamp {
    fileprivate var json: JSON {
        func number(_ value: Int?) -> JSON { value.map { JSON($0) } ?? .null }
        return [
            "id": JSON(id), "lastEdit": number(lastEdit), "schemaEdit": number(schemaEdit), "dataEdit": number(dataEdit),
            "serverGeneration": number(serverGeneration), "description": .string(description),
        ]
    }

    fileprivate init?(json: JSON) {
        guard let id = json["id"]?.int else { return nil }
        self.init(
            id: id, lastEdit: json["lastEdit"]?.int, schemaEdit: json["schemaEdit"]?.int, dataEdit: json["dataEdit"]?.int,
            serverGeneration: json["serverGeneration"]?.int, description: json["description"]?.string ?? "")
    }
}
