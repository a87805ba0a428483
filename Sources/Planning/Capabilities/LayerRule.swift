/// The rules behind the verdicts, in one table. The raw value is what plans, reports and `inspect` show: a stable number and a
/// name. Numbers below 10 take a layer offline, the others say what keeps it online.
public enum LayerRule: String, Sendable, Hashable, CaseIterable {
    /// createReplica: the service can sync.
    case replica = "OB001 replica"
    /// createReplica with `syncModel=none` on a service that has Extract without Sync (REST reference 3.1).
    case extractCopy = "OB002 extract-copy"
    /// The service makes registered replicas only: ours is unregistered after the download (cases B08).
    case registeredCopy = "OB003 registered-copy"
    /// The data is part of the map document.
    case dataInMap = "OB004 data-in-map"
    /// A group without layers.
    case emptyGroup = "OB005 empty-group"
    /// exportTiles of a map or image service.
    case tileExport = "OB006 tile-export"
    /// exportTiles of a vector tile service.
    case vectorTileExport = "OB007 vector-tile-export"
    /// A base map whose twin on another host can be exported (REST reference 8).
    case exportTwin = "OB008 export-twin"
    /// The style of a vector tile layer without its tiles (`vectorTiles: style`).
    case styleOnly = "OB009 style-only"

    /// Neither Sync nor Extract.
    case noSync = "OB010 no-sync"
    /// A registered replica needs global ids (REST reference 3.2).
    case noGlobalID = "OB012 no-global-id"
    case joinView = "OB013 join-view"
    /// The URL names no layer, and the service has not exactly one.
    case noLayerNumber = "OB014 no-layer-number"
    /// The layer's number is not in its service (cases E04).
    case layerMissing = "OB015 layer-missing"
    /// A layer of a feature service that is no feature layer.
    case layerType = "OB016 layer-type"
    /// Which bit of `syncDataOptions` asks for annotation is not published (REST reference, appendix C).
    case annotation = "OB017 annotation"
    case dimension = "OB018 dimension"

    case notCached = "OB020 not-cached"
    case exportNotAllowed = "OB021 export-not-allowed"
    /// Drawn by the server for each view.
    case dynamicMap = "OB022 dynamic-map"
    /// A feature layer on `MapServer/n`: map services have no replicas.
    case mapServiceLayer = "OB023 map-service-layer"
    /// Only the service can say whether it has a tile cache.
    case cacheUnknown = "OB024 cache-unknown"
    /// The URL is that of another kind of service than the layer.
    case wrongService = "OB025 wrong-service"
    /// A vector tile layer whose style and item name no vector tile service.
    case foreignStyle = "OB026 foreign-style"

    /// A kind that lives online: WMS, KML, CSV by URL …
    case onlineKind = "OB030 online-kind"
    /// A `layerType` that is not known.
    case unknownKind = "OB031 unknown-kind"
    /// A kind of 3D scenes, or a layer of a web scene.
    case scene = "OB032 scene"
    /// Neither URL nor item nor data.
    case noSource = "OB033 no-source"
    /// The URL is no web address.
    case badURL = "OB034 bad-url"
    /// The data is in another portal item.
    case dataInItem = "OB035 data-in-item"
    /// Its item is of a kind without a service.
    case itemKind = "OB036 item-kind"
    /// The portal has no such item, or none that it shows to us: its answer is one and the same (REST reference 1.2).
    case itemMissing = "OB037 item-missing"

    /// The service could not be asked: nothing is known about it.
    case couldNotLook = "OB040 could-not-look"
    /// The service is not shown to who we are.
    case signInNeeded = "OB041 sign-in-needed"
    /// The service is named by a portal item, and the portal was not asked.
    case itemNotRead = "OB042 item-not-read"
}
