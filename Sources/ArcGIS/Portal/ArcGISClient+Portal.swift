import Basics
import Transport

/// The portal API (REST reference 1.1).
extension ArcGISClient {
    public func portalSelf() async throws(ArcGISError) -> PortalSelf {
        PortalSelf(try await json(portal.sharing + "/portals/self"))
    }

    public func item(_ id: String) async throws(ArcGISError) -> PortalItem {
        let url = itemURL(id)
        let answer = try await json(url)
        guard answer["id"]?.string?.isEmpty == false || answer["type"]?.string != nil else {
            throw .unexpected("an answer that is no item", answer, url: url)
        }
        var item = PortalItem(answer)
        if item.id.isEmpty { item.id = id }
        return item
    }

    /// The document of a web map, or of a web scene. An item of another type is named as what it is: its data may be a file,
    /// JSON of another kind, or nothing at all.
    public func mapData(of item: PortalItem) async throws(ArcGISError) -> JSON {
        let url = itemURL(item.id) + "/data"
        let document: JSON
        do {
            document = try await json(url)
        } catch {
            switch error.kind {
            case .unexpectedAnswer where !item.isMap, .notJSON where !item.isMap: throw item.isNoMap(url)
            default: throw error
            }
        }
        if !item.isMap, document["operationalLayers"] == nil, document["baseMap"] == nil { throw item.isNoMap(url) }
        return document
    }

    /// On the portal's own host.
    public func isHome(_ url: String?) -> Bool { url.flatMap(Origin.init(url:))?.host == portal.origin?.host }

    /// Paths of all resources of an item, such as `styles/root.json` (REST reference 1.3).
    public func itemResources(_ id: String) async throws(ArcGISError) -> [String] {
        var paths: [String] = []
        var start = 1
        while true {
            let page = try await json(itemURL(id) + "/resources", ["start": String(start), "num": "100"])
            let found = (page["resources"]?.array ?? []).compactMap { $0["resource"]?.string }
            paths += found
            guard let next = page["nextStart"]?.int, next > start, !found.isEmpty else { return paths }
            start = next
        }
    }

    public func itemResourceURL(_ id: String, path: String) -> String {
        let encoded = path.split(separator: "/").map { FormEncoding.encode(String($0)) }.joined(separator: "/")
        return itemURL(id) + "/resources/" + encoded
    }

    /// The style that a vector tile item has of its own: `styles/root.json`, else the first of its styles (REST reference 7.5); nil
    /// when it has none and so draws its service.
    public func itemStyleURL(_ id: String) async throws(ArcGISError) -> String? {
        let paths = try await itemResources(id)
        let path = paths.first { $0 == "styles/root.json" } ?? paths.first { $0.hasPrefix("styles/") }
        return path.map { itemResourceURL(id, path: $0) }
    }

    /// Where the item's picture is; nil when it has none.
    public func thumbnailURL(of item: PortalItem) -> String? {
        item.thumbnail.map { itemURL(item.id) + "/info/" + $0 }
    }

    func itemURL(_ id: String) -> String { portal.sharing + "/content/items/" + FormEncoding.encode(id) }
}

extension PortalItem {
    /// As far as its description tells.
    fileprivate var isMap: Bool { isWebMap || isWebScene }

    fileprivate func isNoMap(_ url: String) -> ArcGISError {
        ArcGISError(kind: .unexpectedAnswer(what: "an item of the type \(type), which is no web map", excerpt: ""), url: url)
    }
}
