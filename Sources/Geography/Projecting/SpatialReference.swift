import Basics

/// What a service calls its coordinate system: Esri's id, the current EPSG id, or well-known text (REST reference 3.2).
public struct SpatialReference: Sendable, Hashable, Codable {
    public var wkid: Int?
    public var latestWkid: Int?
    public var wkt: String?

    public init(wkid: Int, latestWkid: Int? = nil) {
        self.wkid = wkid
        self.latestWkid = latestWkid
    }

    public init(wkt: String) { self.wkt = wkt }

    /// Reads `{"wkid":…, "latestWkid":…}` or `{"wkt":…}`; nil when neither is there.
    public init?(json: JSON?) {
        guard let json else { return nil }
        wkid = json["wkid"]?.int
        latestWkid = json["latestWkid"]?.int
        wkt = json["wkt"]?.string ?? json["wkt2"]?.string
        if wkid == nil && latestWkid == nil && wkt == nil { return nil }
    }

    public static let wgs84 = SpatialReference(wkid: 4326)
    public static let webMercator = SpatialReference(wkid: 102100, latestWkid: 3857)

    public var json: JSON {
        var object = JSONObject()
        if let wkid { object["wkid"] = JSON(wkid) }
        if let latestWkid { object["latestWkid"] = JSON(latestWkid) }
        if wkid == nil, latestWkid == nil, let wkt { object["wkt"] = .string(wkt) }
        return .object(object)
    }

    /// The id that servers of every age know: Esri's, else EPSG's.
    public var requestID: Int? { wkid ?? latestWkid }

    /// All ids that mean this system; 3857, 102100, 102113 and 900913 are one system.
    public var identifiers: Set<Int> {
        let ids = Set([wkid, latestWkid].compactMap { $0 })
        return ids.isDisjoint(with: Self.webMercatorIDs) ? ids : ids.union(Self.webMercatorIDs)
    }

    private static let webMercatorIDs: Set<Int> = [3857, 102100, 102113, 900913]
    public var isWebMercator: Bool { !identifiers.isDisjoint(with: Self.webMercatorIDs) }
    public var isWGS84: Bool { identifiers.contains(4326) }

    /// Equal when any pair of ids matches, else when the texts are the same.
    public func isSame(as other: SpatialReference) -> Bool {
        if !identifiers.isEmpty && !other.identifiers.isEmpty { return !identifiers.isDisjoint(with: other.identifiers) }
        return wkt != nil && wkt == other.wkt
    }
}
