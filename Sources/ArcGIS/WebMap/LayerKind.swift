import Basics

/// What a layer of a web map is, by its `layerType` or, in maps older than that, by what else it says (REST reference 9.3).
public enum LayerKind: Sendable, Hashable {
    /// A layer or table of a feature service, or a sublayer of a map service.
    case feature
    /// The data is in the map, or in an item of its own.
    case featureCollection
    /// Subtypes of one feature layer or table.
    case subtypeGroup
    case annotation
    case dimension
    case tiledMap
    case tiledImage
    case image
    case dynamicMap
    /// A map service of an old map that does not say whether it draws tiles: only the service knows.
    case mapService
    case vectorTile
    /// A group whose layers are not in the map.
    case group
    /// A kind that is known to live online only.
    case online(String)
    /// A kind of 3D scenes.
    case scene(String)
    /// A `layerType` that no list has.
    case unknown(String)
    /// Nothing says what it is: no type, no URL; perhaps its item.
    case undetermined

    /// ArcGIS's own name of the kind.
    public var name: String {
        switch self {
        case .feature: "ArcGISFeatureLayer"
        case .featureCollection: "FeatureCollection"
        case .subtypeGroup: "SubtypeGroupLayer"
        case .annotation: "ArcGISAnnotationLayer"
        case .dimension: "ArcGISDimensionLayer"
        case .tiledMap: "ArcGISTiledMapServiceLayer"
        case .tiledImage: "ArcGISTiledImageServiceLayer"
        case .image: "ArcGISImageServiceLayer"
        case .dynamicMap, .mapService: "ArcGISMapServiceLayer"
        case .vectorTile: "VectorTileLayer"
        case .group: "GroupLayer"
        case .online(let name), .scene(let name), .unknown(let name): name
        case .undetermined: "unknown"
        }
    }
}

extension LayerKind {
    static func of(_ layer: JSON, address: ServiceAddress?, isBasemap: Bool, isTable: Bool) -> LayerKind {
        if layer["featureCollection"]?.object != nil { return .featureCollection }
        let type = [layer["layerType"], layer["type"]].lazy.compactMap { $0?.string?.trimmed }.first { !$0.isEmpty }
        if let type { return named(type, address: address) }
        if layer["styleUrl"]?.string != nil { return .vectorTile }
        if let kind = byAddress(address, isBasemap: isBasemap) { return kind }
        if let kind = byMembers(layer) { return kind }
        if let url = layer["url"]?.string, let kind = byFileName(url) { return kind }
        if isTable { return .feature }
        return .undetermined
    }

    private static func named(_ type: String, address: ServiceAddress?) -> LayerKind {
        switch type.lowercased().filter({ $0 != " " }) {
        case "arcgisfeaturelayer", "featurelayer", "table", "featureservice": return .feature
        case "featurecollection": return .featureCollection
        case "subtypegrouplayer", "subtypegrouptable": return .subtypeGroup
        case "arcgisannotationlayer": return .annotation
        case "arcgisdimensionlayer": return .dimension
        case "arcgistiledmapservicelayer", "defaulttilelayer": return address?.type == .image ? .tiledImage : .tiledMap
        case "arcgistiledimageservicelayer", "arcgistiledelevationservicelayer": return .tiledImage
        case "arcgisimageservicelayer", "arcgisimageservicevectorlayer": return .image
        case "arcgismapservicelayer": return .dynamicMap
        case "vectortilelayer": return .vectorTile
        case "grouplayer": return .group
        case let word where scenes.contains(word): return .scene(type)
        case let word where onlineOnly.contains(word) || word.hasPrefix("bing"): return .online(type)
        default: return .unknown(type)
        }
    }

    private static let onlineOnly: Set<String> = [
        "webtiledlayer", "openstreetmap", "wms", "wmts", "wfs", "wcs", "kml", "csv", "geojson", "georss", "parquetlayer",
        "ogcfeatureserver", "ogcfeaturelayer", "arcgisstreamlayer", "medialayer", "cataloglayer", "knowledgegraphlayer",
        "linkchartlayer", "orientedimagerylayer", "arcgisvideolayer",
    ]
    private static let scenes: Set<String> = [
        "arcgissceneservicelayer", "buildingscenelayer", "integratedmeshlayer", "integratedmesh3dtileslayer", "pointcloudlayer",
        "voxellayer", "dimensionlayer", "viewshedlayer", "lineofsightlayer", "gaussiansplatlayer",
    ]

    private static func byAddress(_ address: ServiceAddress?, isBasemap: Bool) -> LayerKind? {
        switch address?.type {
        case .feature: .feature
        // Base maps of that time were tiled, but not all of them; an operational layer may be either.
        case .map: address?.layer == nil ? (isBasemap ? .tiledMap : .mapService) : .feature
        case .image: isBasemap ? .tiledImage : .image
        case .vectorTile: .vectorTile
        case .scene: .scene("ArcGISSceneServiceLayer")
        case .stream: .online("ArcGISStreamLayer")
        case .ogcFeature: .online("OGCFeatureServer")
        case .wfs: .online("WFS")
        case .wms: .online("WMS")
        case nil: nil
        }
    }

    private static func byMembers(_ layer: JSON) -> LayerKind? {
        if layer["templateUrl"]?.string != nil || layer["wmtsInfo"]?.object != nil { return .online("WebTiledLayer") }
        if layer["wfsInfo"]?.object != nil { return .online("WFS") }
        if layer["columnDelimiter"]?.string != nil || layer["locationInfo"]?.object != nil { return .online("CSV") }
        if layer["mapUrl"]?.string != nil { return .online("WMS") }
        return nil
    }

    private static func byFileName(_ url: String) -> LayerKind? {
        let path = URLText.withoutQuery(url).lowercased()
        let endings = [".csv": "CSV", ".kml": "KML", ".kmz": "KML", ".geojson": "GeoJSON", ".rss": "GeoRSS"]
        return endings.first { path.hasSuffix($0.key) }.map { .online($0.value) }
    }
}
