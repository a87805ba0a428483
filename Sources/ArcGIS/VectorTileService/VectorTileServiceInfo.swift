import Basics
import Geography

/// A vector tile service, read leniently (REST reference 7.1).
@dynamicMemberLookup
public struct VectorTileServiceInfo: Sendable, Hashable {
    public var offer: TileOffer
    public var name: String?
    public var raw: JSON

    public init(url: String, json: JSON) {
        offer = TileOffer(url: url, json: json)
        name = json["name"]?.string
        raw = json
    }

    public subscript<Value>(dynamicMember path: KeyPath<TileOffer, Value>) -> Value { offer[keyPath: path] }
}
