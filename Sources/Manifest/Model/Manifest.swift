import Basics
import Geography

/// A manifest after strict decoding: every value has its type, every file it names has been read, nothing was asked of a network.
public struct Manifest: Sendable, Hashable {
    /// 1 is the only version so far.
    public var version: Int
    public var name: String
    /// Path of the manifest file as given; relative files in it are resolved against its folder.
    public var path: String
    public var portal: PortalSettings
    /// nil: the map is made of `services` alone.
    public var webMap: WebMapSource?
    /// Taken beside the web map's own.
    public var services: [ServiceEntry]
    public var areas: [AreaSource]
    public var scale: ScaleRange
    public var layers: [LayerOverride]
    public var options: MapOptions
    /// Keys of `options` that are written: for the others the map's author may have a say.
    public var writtenOptions: Set<String>
    public var output: OutputSettings
    public var limits: LimitSettings
    public var budget: Budget
    /// `refresh: tiles`; nil leaves it to what the items say.
    public var tileRefresh: RefreshSetting?
    public var onDrift = DriftPolicy.skip
    /// Of layers that say nothing else.
    public var onError = FailurePolicy.fail
    public var publish = PublishPolicy.complete
    /// Where the web map, or else the list of services, is named: "file:line:column".
    public var webMapOrigin = ""
    /// Findings of `lint` that do not count (`lint: ignore`).
    public var lintIgnores: [LintIgnore] = []
    public var notify = NotifySettings()

    public init(
        version: Int = 1, name: String, path: String, portal: PortalSettings, webMap: WebMapSource?,
        services: [ServiceEntry] = [], areas: [AreaSource],
        scale: ScaleRange = ScaleRange(), layers: [LayerOverride] = [], options: MapOptions = MapOptions(),
        writtenOptions: Set<String> = [], output: OutputSettings, limits: LimitSettings = LimitSettings(),
        budget: Budget = Budget()
    ) {
        self.version = version
        self.name = name
        self.path = path
        self.portal = portal
        self.webMap = webMap
        self.services = services
        self.areas = areas
        self.scale = scale
        self.layers = layers
        self.options = options
        self.writtenOptions = writtenOptions
        self.output = output
        self.limits = limits
        self.budget = budget
    }
}

public struct PortalSettings: Sendable, Hashable {
    /// Without a trailing slash and without `/sharing/rest`: `https://www.arcgis.com` or `https://host/portal`.
    public var url: String
    public var auth: Authentication
    /// Stand-alone servers, which have accounts of their own.
    public var servers: [ServerSettings]
    public var connection: ConnectionSettings

    public static let defaultURL = "https://www.arcgis.com"

    public init(
        url: String = PortalSettings.defaultURL, auth: Authentication = .none, servers: [ServerSettings] = [],
        connection: ConnectionSettings = ConnectionSettings()
    ) {
        self.url = url
        self.auth = auth
        self.servers = servers
        self.connection = connection
    }
}

/// How to sign in; every secret is a reference.
public enum Authentication: Sendable, Hashable {
    case none
    case apiKey(SecretReference)
    /// `referer`: what the token is bound to, if anything.
    case token(SecretReference, referer: String? = nil)
    /// App credentials: `oauth: { clientID: …, clientSecret: { … } }`.
    case oauth(clientID: String, clientSecret: SecretReference)
    /// `user: { name: …, password: { … } }`.
    case user(name: String, password: SecretReference)
}

/// Where a secret is to be had at run time. The value itself never enters a manifest, a plan or the state.
public enum SecretReference: Sendable, Hashable {
    /// Absolute path; a file that others can read is refused when it is resolved.
    case file(String)
    /// A name under `$CREDENTIALS_DIRECTORY` (systemd `LoadCredential=`).
    case credential(String)
    /// A program and its arguments; its standard output is the secret.
    case command([String])
    case environment(String)
}

public enum WebMapSource: Sendable, Hashable {
    /// 32 hexadecimal digits.
    case item(String)
    /// Absolute path of a web map JSON file.
    case file(String)
}

public struct AreaSource: Sendable, Hashable {
    public enum Place: Sendable, Hashable {
        /// Longitudes may run over ±180 where the area crosses the antimeridian.
        case shape(AreaShape, SpatialReference)
        /// Lines, and places as paths of one vertex: the area is what is within `buffer` of them.
        case paths([[Coordinate]], SpatialReference)
        /// `features: { url, where, id }`: one area for each feature of a layer, read when planning.
        case layer(url: String, whereClause: String, idField: String)
    }

    /// Unique within the manifest and safe as a folder name. For `.layer` it is a prefix ("" for none).
    public var id: String
    public var place: Place
    /// Metres on the ground; 0 for none, which `.paths` never have.
    public var buffer: Double
    /// How far, in metres on the ground, its border may move outward so that it has fewer vertices; nil leaves it as it is.
    public var simplify: Double?
    /// Where it is written: "file:line:column".
    public var origin: String

    public init(id: String, place: Place, buffer: Double = 0, simplify: Double? = nil, origin: String = "") {
        self.id = id
        self.place = place
        self.buffer = buffer
        self.simplify = simplify
        self.origin = origin
    }
}

/// Scale denominators: `min` is the larger number (zoomed out); 0 is no limit (REST reference 0).
public struct ScaleRange: Sendable, Hashable, Codable {
    public var min: Double
    public var max: Double

    public init(min: Double = 0, max: Double = 0) {
        self.min = min
        self.max = max
    }
}

/// What one `layers:` entry changes, and for which layers.
public struct LayerOverride: Sendable, Hashable {
    /// All given keys must agree.
    public struct Match: Sendable, Hashable {
        public var title: String?
        public var id: String?
        public var url: String?
        public var itemID: String?

        public init(title: String? = nil, id: String? = nil, url: String? = nil, itemID: String? = nil) {
            self.title = title
            self.id = id
            self.url = url
            self.itemID = itemID
        }
    }

    /// Which rows a replica takes of a layer or table (REST reference 4.2, 10.3).
    public enum QueryOption: String, Sendable, CaseIterable { case all, none, useFilter }

    /// The three ways in which the SDK takes vector tiles (REST reference 7.5): as the service draws them, with a style of their
    /// item, or that style alone.
    public enum VectorTileParts: String, Sendable, CaseIterable { case tilesAndStyle, tiles, style }

    public var match: Match
    public var exclude: Bool
    /// Stays in the map with its URL; nothing is fetched for it.
    public var online: Bool
    /// Explicit level ids win over scales; sorted, without duplicates.
    public var levelIDs: [Int]?
    /// Metres on the ground around the area, for this layer's export only.
    public var buffer: Double?
    /// Sent byte for byte.
    public var whereClause: String?
    public var useGeometry: Bool?
    public var queryOption: QueryOption?
    /// Only with `queryOption` none.
    public var includeRelated: Bool?
    /// Wins over `returnLayerAttachmentOption`.
    public var attachments: Bool?
    /// 0 to 100: images are compressed again.
    public var compressionQuality: Int?
    /// Of vector tiles: the last level.
    public var maxLevel: Int?
    public var vectorTiles: VectorTileParts?
    /// Of the replica of the layer's service.
    public var syncModel: MapOptions.SyncModel?
    public var outSpatialReference: Int?
    public var refresh: RefreshSetting?
    public var onError: FailurePolicy?
    /// "file:line:column" of the entry.
    public var origin: String

    public init(
        match: Match, exclude: Bool = false, online: Bool = false, levelIDs: [Int]? = nil, buffer: Double? = nil,
        whereClause: String? = nil, useGeometry: Bool? = nil, queryOption: QueryOption? = nil, includeRelated: Bool? = nil,
        attachments: Bool? = nil, compressionQuality: Int? = nil, maxLevel: Int? = nil,
        vectorTiles: VectorTileParts? = nil, syncModel: MapOptions.SyncModel? = nil, outSpatialReference: Int? = nil,
        origin: String = ""
    ) {
        self.match = match
        self.exclude = exclude
        self.online = online
        self.levelIDs = levelIDs
        self.buffer = buffer
        self.whereClause = whereClause
        self.useGeometry = useGeometry
        self.queryOption = queryOption
        self.includeRelated = includeRelated
        self.attachments = attachments
        self.compressionQuality = compressionQuality
        self.maxLevel = maxLevel
        self.vectorTiles = vectorTiles
        self.syncModel = syncModel
        self.outSpatialReference = outSpatialReference
        self.origin = origin
    }
}

/// Named, valued and defaulted as in `GenerateOfflineMapParameters` (REST reference 10.2), with two exceptions: a nightly job does
/// not register replicas unless it is asked to (`updateMode`), and layers that cannot go offline stay in the map with their reason
/// (`onlineOnlyServicesOption`) instead of vanishing.
public struct MapOptions: Sendable, Hashable {
    public enum ReturnLayerAttachmentOption: String, Sendable, CaseIterable {
        case none, allLayers, readOnlyLayers, editableLayers
    }
    public enum AttachmentSyncDirection: String, Sendable, CaseIterable { case none, upload, bidirectional }
    public enum DestinationTableRowFilter: String, Sendable, CaseIterable { case all, relatedOnly }
    public enum OnlineOnlyServicesOption: String, Sendable, CaseIterable { case exclude, include, useAuthoredSettings }
    public enum UpdateMode: String, Sendable, CaseIterable { case syncWithFeatureServices, noUpdates }
    /// In REST `perLayer`, `perReplica` and `none`.
    public enum SyncModel: String, Sendable, CaseIterable { case layer, geodatabase, none }

    public var includeBasemap = true
    /// Absolute path of a local tile package, or of the folder where the file is that the map names.
    public var referenceBasemap: String?
    /// Where it is written: "file:line:column".
    public var referenceBasemapOrigin: String?
    public var returnLayerAttachmentOption = ReturnLayerAttachmentOption.allLayers
    public var attachmentSyncDirection = AttachmentSyncDirection.bidirectional
    public var returnSchemaOnlyForEditableLayers = false
    public var isDefinitionExpressionFilterEnabled = true
    /// false: the first layer that fails its area (`onError: fail`) ends the area's other jobs, too.
    public var continueOnErrors = true
    public var destinationTableRowFilter = DestinationTableRowFilter.relatedOnly
    public var onlineOnlyServicesOption = OnlineOnlyServicesOption.include
    public var updateMode = UpdateMode.noUpdates
    /// nil: what `updateMode` needs and the service can.
    public var syncModel: SyncModel?
    /// The id of the spatial reference that replicas come in; nil is the map's.
    public var outSpatialReference: Int?
    /// The number of createReplica: a bit for each kind of data beside the rows. nil: not sent.
    public var syncDataOptions: Int?
    /// Takes a map whose author has switched offline use off.
    public var ignoreOfflineDisabled = false
    public var itemInfo = ItemInfo()

    public init() {}

    /// Both are ignored when the map comes without a base map (REST reference 10.2).
    public var replacesBasemap: Bool { includeBasemap && referenceBasemap != nil }
}

/// What the offline map says of itself; what is nil comes from the portal item.
public struct ItemInfo: Sendable, Hashable, Codable {
    public var title: String?
    public var snippet: String?
    public var tags: [String]?
    public var description: String?
    /// Absolute path of a PNG, JPEG or GIF.
    public var thumbnail: String?

    public init(
        title: String? = nil, snippet: String? = nil, tags: [String]? = nil, description: String? = nil, thumbnail: String? = nil
    ) {
        self.title = title
        self.snippet = snippet
        self.tags = tags
        self.description = description
        self.thumbnail = thumbnail
    }
}

public struct OutputSettings: Sendable, Hashable {
    /// Absolute.
    public var directory: String
    public var keep: KeepSettings

    public init(directory: String, keep: KeepSettings = 7) {
        self.directory = directory
        self.keep = keep
    }
}

/// Which old maps of an area stay. What is beyond either limit goes, never the current map.
public struct KeepSettings: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The newest, the current one included; at least 1. nil is no limit.
    public var count: Int?
    /// nil is no limit. The current map and the one before it stay at any age.
    public var age: Duration?

    public init(count: Int? = nil, age: Duration? = nil) {
        self.count = count
        self.age = age
    }

    public init(integerLiteral value: Int) { self.init(count: value) }
}

/// What a plan may ask for at most; nil is no limit. More refuses the plan.
public struct Budget: Sendable, Hashable {
    public var tiles: Int?
    public var rows: Int?
    public var bytes: Int?

    public init(tiles: Int? = nil, rows: Int? = nil, bytes: Int? = nil) {
        self.tiles = tiles
        self.rows = rows
        self.bytes = bytes
    }
}

/// How hard to push, and how long to wait.
public struct LimitSettings: Sendable, Hashable {
    /// Server-side export and replica jobs that may be open at once on one host.
    public var jobsPerHost = 8
    /// The same for one service.
    public var jobsPerService = 4
    /// Requests that may be open at once to one host.
    public var connectionsPerHost = 6
    /// From submission to a verified file.
    public var jobDeadline = Duration.seconds(2 * 3600)
    public var connectTimeout = Duration.seconds(30)
    public var inactivityTimeout = Duration.seconds(120)
    /// Tries of one request or job before it has failed, the first included.
    public var attempts = 5

    public init() {}
}
