import Basics
import Geography

/// A vector tile service, read leniently (REST reference 7.1).
@dynamicMemberLookup
public struct VectorTileServiceInfo: Sendable, Hashable {
    public var offer: TileOffer
    public var name: String?
    /// The portal item of the service.
    public var serviceItemID: String?
    /// Of the layer that led to it, where it was read to find it.
    public var style: VectorStyle?
    public var raw: JSON

    public init(url: String, json: JSON) {
        offer = TileOffer(url: url, json: json)
        name = json["name"]?.string
        serviceItemID = json["serviceItemId"]?.string?.lowercased()
        raw = json
    }

    public subscript<Value>(dynamicMember path: KeyPath<TileOffer, Value>) -> Value { offer[keyPath: path] }
}
