import Basics

/// A web map's document and its layers, flattened in drawing order: base map, operational layers, tables (REST reference 9).
/// Every layer of the document is here exactly once, whatever state it is in.
public struct WebMap: Sendable, Hashable {
    /// The map itself, without a wrapper that it came in and without tokens that somebody left in it.
    public var document: JSON
    /// The portal item that came along in a wrapper; null without.
    public var item: JSON
    public var layers: [WebMapLayer]
    /// As written: "2.31".
    public var version: String?
    public var isWebScene: Bool
    public var warnings: [WebMapWarning]

    /// - Parameter acceptingScenes: to list a web scene's layers; a map is made of it only for that.
    public init(document: JSON, acceptingScenes: Bool = false) throws(WebMapError) {
        var (map, item) = Self.unwrapped(document)
        let isPrinted = map["baseMap"]?.object == nil && (map["exportOptions"] != nil || map["layoutOptions"] != nil)
        if let parts = map["baseMap"]?.array { map["baseMap"] = Self.joined(baseMaps: parts) }
        self.document = map.withoutTokens
        self.item = item
        isWebScene = Self.isScene(map, item: item)
        if isWebScene && !acceptingScenes { throw .webScene }
        let sections = ["baseMap", "operationalLayers", "tables"]
        guard let members = map.object, sections.contains(where: { map[$0].map { !$0.isNull } ?? false }) else {
            let typed = map["type"]?.string.flatMap { type in map["id"]?.string.map { (id: $0, type: type) } }
            if let typed { throw .item(id: typed.id, type: typed.type) }
            throw .notAWebMap(members: Array((map.object?.keys ?? []).prefix(20)))
        }
        version = members["version"].flatMap { $0.string ?? ($0.double.map { "\($0)" }) }
        var reader = LayerReader()
        reader.read(self.document)
        layers = reader.layers
        warnings = reader.warnings
        if isWebScene { warnings.append(.webScene) }
        if isPrinted { warnings.append(.printDocument) }
        if let version, version.prefix(while: { $0 != "." }) != "2" { warnings.append(.version(version)) }
    }

    /// A file's bytes: a byte order mark and a JSONP wrapper are taken off.
    public init(bytes: [UInt8], acceptingScenes: Bool = false) throws(WebMapError) {
        try self.init(document: try Self.parse(bytes), acceptingScenes: acceptingScenes)
    }

    /// The title of the item that came along; a map's own document has none.
    public var title: String? { item["title"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    public func layer(_ id: String) -> WebMapLayer? { layers.first { $0.id == id } }

    /// The document with members of one layer set; `nil` removes a member. Unknown ids change nothing.
    public func setting(_ members: [String: JSON?], atLayer id: String) -> JSON {
        guard let layer = layer(id) else { return document }
        return document.changing(layer.path) { old in
            var new = old
            for (key, value) in members.sorted(by: { $0.key < $1.key }) { new[key] = value }
            return new
        }
    }

    /// The document without some of its layers, and without groups that lose their last one.
    public func removing(layers ids: Set<String>) -> JSON {
        let paths = Set(layers.filter { ids.contains($0.id) }.map(\.path))
        return LayerRemoval(paths: paths).apply(to: document, at: [])
    }
}

extension WebMap {
    private static func parse(_ bytes: [UInt8]) throws(WebMapError) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSON.parse(bytes, limit: JSON.foreignLimit)
        } catch {
            // `callback({…});`
            if let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.lastIndex(of: UInt8(ascii: ")")),
                open < close,
                !bytes[..<open].contains(UInt8(ascii: "{")),
                let inner = try? JSON.parse(bytes[(open + 1)..<close], limit: JSON.foreignLimit)
            {
                return inner
            }
            throw .notJSON(reason: error.reason)
        }
    }

    /// Print documents of other makers list base maps; one of them is drawn above the other.
    private static func joined(baseMaps: [JSON]) -> JSON {
        var joined = baseMaps.first { $0.object != nil } ?? [:]
        joined["baseMapLayers"] = .array(baseMaps.flatMap { $0["baseMapLayers"]?.array ?? [] })
        return joined
    }

    /// `{item, itemData}` and `{item, data}` as tools save them, alone or as `itemInfo`, or the map alone.
    private static func unwrapped(_ document: JSON) -> (map: JSON, item: JSON) {
        if document["operationalLayers"] != nil || document["baseMap"] != nil { return (document, .null) }
        if let inner = document["itemInfo"], inner.object != nil { return unwrapped(inner) }
        for key in ["itemData", "data", "webmap", "webMap"] {
            guard let inner = document[key], inner["operationalLayers"] != nil || inner["baseMap"] != nil else { continue }
            return (inner, document["item"] ?? .null)
        }
        return (document, .null)
    }

    private static func isScene(_ map: JSON, item: JSON) -> Bool {
        if item.object != nil, PortalItem(item).isWebScene { return true }
        if map["authoringApp"]?.string == "WebSceneViewer" || map["viewingMode"]?.string != nil { return true }
        return map["ground"]?.object != nil && map["baseMap"] != nil
    }
}

/// Takes layers out of a document by their paths.
private struct LayerRemoval {
    let paths: Set<[JSONStep]>

    func apply(to value: JSON, at path: [JSONStep]) -> JSON {
        switch value {
        case .object(let object):
            return .object(
                JSONObject(object.members.map { .init(key: $0.key, value: apply(to: $0.value, at: path + [.key($0.key)])) }))
        case .array(let items):
            return .array(
                items.enumerated().compactMap { index, item -> JSON? in
                    let place = path + [.index(index)]
                    guard paths.contains(where: { $0.starts(with: place) }) else { return item }
                    if paths.contains(place) { return Optional.none }
                    let rest = apply(to: item, at: place)
                    return rest["layers"]?.array?.isEmpty == true ? Optional.none : rest
                })
        default: return value
        }
    }
}
