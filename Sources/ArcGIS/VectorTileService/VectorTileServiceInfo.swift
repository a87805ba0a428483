import Basics
import Geography

/// A vector tile service, read leniently (REST reference 7.1).
public struct VectorTileServiceInfo: Sendable, Hashable {
    public var url: String
    public var name: String?
    public var currentVersion: Double?
    public var serviceItemID: String?
    public var exportTilesAllowed: Bool
    /// nil when the service does not say, or says 0.
    public var maxExportTilesCount: Int?
    public var minScale: Double
    public var maxScale: Double
    public var minLOD: Int?
    public var maxLOD: Int?
    public var fullExtent: ServiceExtent?
    public var spatialReference: SpatialReference?
    public var tileInfo: JSON
    /// Absolute URL of the service's own style document.
    public var defaultStyleURL: String
    public var raw: JSON

    public init(url: String, json: JSON) {
        self.url = url
        name = json["name"]?.string
        currentVersion = json["currentVersion"]?.double
        serviceItemID = json["serviceItemId"]?.string
        // The member may be written twice; the last one counts (REST reference 0.1).
        exportTilesAllowed = json["exportTilesAllowed"]?.bool ?? false
        maxExportTilesCount = json["maxExportTilesCount"]?.int.flatMap { $0 > 0 ? $0 : nil }
        minScale = json["minScale"]?.double ?? 0
        maxScale = json["maxScale"]?.double ?? 0
        minLOD = json["minLOD"]?.int
        maxLOD = json["maxLOD"]?.int
        fullExtent = ServiceExtent(json: json["fullExtent"]) ?? ServiceExtent(json: json["initialExtent"])
        tileInfo = json["tileInfo"].flatMap { $0.object == nil ? nil : $0 } ?? .null
        spatialReference = SpatialReference(json: tileInfo["spatialReference"]) ?? fullExtent?.spatialReference
        let styles = json["defaultStyles"]?.string ?? "resources/styles"
        // A leading slash is still relative to the service (REST reference 7.1).
        let relative = styles.contains("://") ? styles : String(styles.drop { $0 == "/" })
        let folder = URLText.resolve(relative, against: url + "/") ?? url + "/resources/styles"
        defaultStyleURL = folder.hasSuffix(".json") ? folder : URLText.join(folder, "root.json")
        raw = json
    }

    /// How the tiles are cut; nil without a cache, or when the service does not say enough.
    public var tilingScheme: TilingScheme? { TilingScheme(json: tileInfo, spatialReference: spatialReference) }
}
