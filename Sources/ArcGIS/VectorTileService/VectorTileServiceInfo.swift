import Basics
import Geography

/// A vector tile service, read leniently (REST reference 7.1).
@dynamicMemberLookup
public struct VectorTileServiceInfo: Sendable, Hashable {
    public var offer: TileOffer
    public var name: String?
    public var serviceItemID: String?
    /// Absolute URL of the service's own style document.
    public var defaultStyleURL: String
    public var raw: JSON

    public init(url: String, json: JSON) {
        offer = TileOffer(url: url, json: json)
        name = json["name"]?.string
        serviceItemID = json["serviceItemId"]?.string
        let styles = json["defaultStyles"]?.string ?? "resources/styles"
        // A leading slash is still relative to the service (REST reference 7.1).
        let relative = styles.contains("://") ? styles : String(styles.drop { $0 == "/" })
        let folder = URLText.resolve(relative, against: url + "/") ?? url + "/resources/styles"
        defaultStyleURL = folder.hasSuffix(".json") ? folder : URLText.join(folder, "root.json")
        raw = json
    }

    public subscript<Value>(dynamicMember path: KeyPath<TileOffer, Value>) -> Value { offer[keyPath: path] }
}
