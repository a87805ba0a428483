import Basics
import Geography

/// What a service says of the tiles that it has and gives away: the part that map, image and vector tile services have in
/// common (REST reference 6.1, 7.1).
public struct TileOffer: Sendable, Hashable {
    /// Of the service.
    public var url: String
    public var currentVersion: Double?
    /// The member may be written twice; the last one counts (REST reference 0.1).
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
    /// The tiling scheme as the service writes it; null without a cache.
    public var tileInfo: JSON
    /// Of vector tiles, from the service's address: `tile/{z}/{y}/{x}.pbf`.
    public var tileTemplate: String

    init(url: String, json: JSON) {
        self.url = url
        currentVersion = json["currentVersion"]?.double
        exportTilesAllowed = json["exportTilesAllowed"]?.bool ?? false
        maxExportTilesCount = json["maxExportTilesCount"]?.int.flatMap { $0 > 0 ? $0 : nil }
        minScale = json["minScale"]?.double ?? 0
        maxScale = json["maxScale"]?.double ?? 0
        minLOD = json["minLOD"]?.int
        maxLOD = json["maxLOD"]?.int
        tileInfo = json["tileInfo"].flatMap { $0.object == nil ? nil : $0 } ?? .null
        tileTemplate = json["tiles"]?[0]?.string ?? "tile/{z}/{y}/{x}.pbf"
        // An image service has `extent`; where to begin looking (`initialExtent`) is no border.
        fullExtent = ServiceExtent(json: json["fullExtent"]) ?? ServiceExtent(json: json["extent"])
        spatialReference =
            SpatialReference(json: tileInfo["spatialReference"]) ?? SpatialReference(json: json["spatialReference"])
            ?? fullExtent?.spatialReference ?? ServiceExtent(json: json["initialExtent"])?.spatialReference
    }

    /// How the tiles are cut; nil without a cache, or when the service does not say enough.
    public var tilingScheme: TilingScheme? { TilingScheme(json: tileInfo, spatialReference: spatialReference) }

    /// The scheme with only the levels that the service says it really has: scales choose among those, so that a base map that
    /// ends at a coarser level than asked for still gives its finest one.
    public var cachedScheme: TilingScheme? {
        guard let scheme = tilingScheme else { return nil }
        // Scales are published with fewer digits than the levels have.
        let slack = 1e-6
        let present = scheme.levels.filter { level in
            (minLOD.map { level.level >= $0 } ?? true) && (maxLOD.map { level.level <= $0 } ?? true)
                && (minScale == 0 || level.scale <= minScale * (1 + slack))
                && (maxScale == 0 || level.scale >= maxScale * (1 - slack))
        }
        // A service that contradicts itself is believed in what it lists.
        return TilingScheme(
            origin: scheme.origin, tileWidth: scheme.tileWidth, tileHeight: scheme.tileHeight, dpi: scheme.dpi,
            spatialReference: scheme.spatialReference, levels: present.isEmpty ? scheme.levels : present)
    }
}
