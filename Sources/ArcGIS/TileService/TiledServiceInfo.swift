import Basics
import Geography

/// A map or image service as far as its tiles go, read leniently (REST reference 6.1).
public struct TiledServiceInfo: Sendable, Hashable {
    public var url: String
    public var name: String?
    public var currentVersion: Double?
    public var capabilities: ServiceCapabilities
    /// The service has a tile cache.
    public var isCached: Bool
    public var exportTilesAllowed: Bool
    /// nil when the service does not say, or says 0.
    public var maxExportTilesCount: Int?
    /// 0 = no limit; may describe a part of the levels that is really cached.
    public var minScale: Double
    public var maxScale: Double
    public var minLOD: Int?
    public var maxLOD: Int?
    public var fullExtent: ServiceExtent?
    public var spatialReference: SpatialReference?
    /// `PNG`, `JPEG`, `MIXED`, `LERC` …
    public var format: String?
    public var storageFormat: String?
    /// The tiling scheme as the service writes it; null without a cache.
    public var tileInfo: JSON
    public var raw: JSON

    public init(url: String, json: JSON) {
        self.url = url
        name = json["name"]?.string ?? json["mapName"]?.string
        currentVersion = json["currentVersion"]?.double
        capabilities = ServiceCapabilities(json["capabilities"])
        tileInfo = json["tileInfo"].flatMap { $0.object == nil ? nil : $0 } ?? .null
        // A map service says so; an image service only shows its scheme (REST reference 6.1).
        isCached = json["singleFusedMapCache"]?.bool ?? !tileInfo.isNull
        exportTilesAllowed = json["exportTilesAllowed"]?.bool ?? false
        maxExportTilesCount = json["maxExportTilesCount"]?.int.flatMap { $0 > 0 ? $0 : nil }
        minScale = json["minScale"]?.double ?? 0
        maxScale = json["maxScale"]?.double ?? 0
        minLOD = json["minLOD"]?.int
        maxLOD = json["maxLOD"]?.int
        fullExtent = ServiceExtent(json: json["fullExtent"]) ?? ServiceExtent(json: json["extent"])
        spatialReference =
            SpatialReference(json: tileInfo["spatialReference"]) ?? SpatialReference(json: json["spatialReference"])
            ?? fullExtent?.spatialReference
        format = tileInfo["format"]?.string
        storageFormat = json["storageInfo"]?["storageFormat"]?.string ?? tileInfo["storageFormat"]?.string
        raw = json
    }

    /// How the tiles are cut; nil without a cache, or when the service does not say enough.
    public var tilingScheme: TilingScheme? { TilingScheme(json: tileInfo, spatialReference: spatialReference) }
}
