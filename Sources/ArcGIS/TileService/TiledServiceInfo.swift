import Basics
import Geography

/// A map or image service as far as its tiles go, read leniently (REST reference 6.1).
@dynamicMemberLookup
public struct TiledServiceInfo: Sendable, Hashable {
    public var offer: TileOffer
    public var name: String?
    public var capabilities: ServiceCapabilities
    /// The service has a tile cache.
    public var isCached: Bool
    /// `PNG`, `JPEG`, `MIXED`, `LERC` …
    public var format: String?
    public var storageFormat: String?
    /// The portal item of the service.
    public var serviceItemID: String?
    public var raw: JSON

    public init(url: String, json: JSON) {
        offer = TileOffer(url: url, json: json)
        name = json["name"]?.string ?? json["mapName"]?.string
        capabilities = ServiceCapabilities(json["capabilities"])
        // A map service says so; an image service only shows its scheme (REST reference 6.1).
        isCached = json["singleFusedMapCache"]?.bool ?? !offer.tileInfo.isNull
        format = offer.tileInfo["format"]?.string
        storageFormat = json["storageInfo"]?["storageFormat"]?.string ?? offer.tileInfo["storageFormat"]?.string
        serviceItemID = json["serviceItemId"]?.string?.lowercased()
        raw = json
    }

    public subscript<Value>(dynamicMember path: KeyPath<TileOffer, Value>) -> Value { offer[keyPath: path] }
}
