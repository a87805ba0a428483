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
        return PortalItem(answer)
    }

    /// The item's data as JSON: the document of a web map.
    public func itemData(_ id: String) async throws(ArcGISError) -> JSON { try await json(itemURL(id) + "/data") }

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

    /// Where the item's picture is; nil when it has none.
    public func thumbnailURL(of item: PortalItem) -> String? {
        item.thumbnail.map { itemURL(item.id) + "/info/" + $0 }
    }

    func itemURL(_ id: String) -> String { portal.sharing + "/content/items/" + FormEncoding.encode(id) }
}
