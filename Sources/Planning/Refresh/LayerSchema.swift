import ArcGIS
import Basics

/// What an app relies on in a layer: if it changes, forms and queries may break.
public struct LayerSchema: Codable, Sendable, Hashable {
    /// In its service.
    public var name: String
    /// `esriGeometryPoint` …; nil for a table.
    public var geometryType: String?
    /// Type by field name.
    public var fields: [String: String]

    public init(name: String, geometryType: String?, fields: [String: String]) {
        self.name = name
        self.geometryType = geometryType
        self.fields = fields
    }

    /// nil for what is no layer of a feature service, or of which only a summary was read.
    init?(_ metadata: ServiceMetadata?, number: Int?) {
        guard case .feature(let service)? = metadata, let number, let layer = service.layer(number), !layer.isSummary else {
            return nil
        }
        self.init(
            name: layer.name, geometryType: layer.geometryType,
            fields: Dictionary(layer.fields.map { ($0.name, $0.type) }) { first, _ in first })
    }
}

extension LayerSchema {
    public var json: JSON {
        [
            "name": .string(name), "geometryType": geometryType.map(JSON.string) ?? .null,
            "fields": .object(JSONObject(fields.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) })),
        ]
    }

    public init?(json: JSON?) {
        guard let name = json?["name"]?.string, let fields = json?["fields"]?.object else { return nil }
        self.init(
            name: name, geometryType: json?["geometryType"]?.string,
            fields: fields.members.reduce(into: [:]) { $0[$1.key] = $1.value.string })
    }
}
