import Basics

/// One layer or table of a web map, taken out of its groups (REST reference 9.2).
public struct WebMapLayer: Sendable, Hashable, Identifiable {
    /// A group around a layer.
    public struct Group: Sendable, Hashable {
        public var id: String
        public var title: String
    }

    public enum Section: String, Sendable, Hashable { case basemap, operational, table }

    /// Unique within the map; made from its place where the map has none or the same twice.
    public var id: String
    public var title: String
    public var kind: LayerKind
    /// As written; nil when there is none.
    public var layerType: String?
    public var section: Section
    /// Outermost first.
    public var groups: [Group]
    /// As the map writes it.
    public var url: String?
    /// The URL taken apart; nil when there is none or it is no web address.
    public var address: ServiceAddress?
    public var itemID: String?
    /// Absolute; of a vector tile layer.
    public var styleURL: String?
    /// SQL that the map's author filters by.
    public var definitionExpression: String?
    /// Where the layer stands in `WebMap.document`.
    public var path: [JSONStep]
    public var raw: JSON

    public var isBasemap: Bool { section == .basemap }
    public var isTable: Bool { section == .table }
    /// Normalised, without layer number.
    public var serviceURL: String? { address?.service }
    /// The layer's number in its service.
    public var layerID: Int? { address?.layer }
    public var groupTitles: [String] { groups.map(\.title) }
    /// What `inspect` shows: the type as written, else ArcGIS's name for what it was found to be.
    public var kindName: String { layerType ?? kind.name }

    init(_ raw: JSON, id: String, section: Section, groups: [Group], path: [JSONStep]) {
        self.id = id
        self.raw = raw
        self.section = section
        self.groups = groups
        self.path = path
        func text(_ key: String) -> String? { raw[key]?.string.flatMap { $0.trimmed.isEmpty ? nil : $0 } }
        layerType = text("layerType")
        url = text("url")
        address = url.flatMap(ServiceAddress.init)
        itemID = text("itemId")
        styleURL = (text("styleUrl") ?? text("styleURL")).flatMap { URLText.resolve($0, against: "") }
        definitionExpression = raw["layerDefinition"]?["definitionExpression"]?.string.flatMap { $0.trimmed.isEmpty ? nil : $0 }
        kind = LayerKind.of(raw, address: address, isBasemap: section == .basemap, isTable: section == .table)
        title =
            text("title") ?? text("name") ?? Self.title(of: raw, address: address, url: url)
            ?? styleURL.flatMap(ServiceAddress.init)?.serviceName ?? itemID ?? id
    }

    private static func title(of raw: JSON, address: ServiceAddress?, url: String?) -> String? {
        let embedded = raw["featureCollection"]?["layers"]?[0]
        let names = [embedded?["layerDefinition"]?["name"], embedded?["popupInfo"]?["title"]]
        if let name = names.lazy.compactMap({ $0?.string?.trimmed }).first(where: { !$0.isEmpty && !$0.contains("{") }) {
            return name
        }
        if let name = address?.serviceName {
            let readable = name.replacing("_", with: " ")
            return address?.layer.map { "\(readable) (\($0))" } ?? readable
        }
        return url.flatMap { URLText.withoutQuery($0).split(separator: "/").last.map(String.init) }
    }
}
