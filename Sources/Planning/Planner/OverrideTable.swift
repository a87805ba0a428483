import ArcGIS
import Basics
import Manifest

/// What the manifest's `layers:` and `services:` say about each layer of the map.
struct OverrideTable {
    /// All entries that match one layer, put together; of two that set the same thing, the later one counts.
    struct Entry: Equatable {
        var exclude = false
        var online = false
        var levelIDs: [Int]?
        var buffer: Double?
        var whereClause: String?
        var useGeometry: Bool?
        var queryOption: LayerOverride.QueryOption?
        var includeRelated: Bool?
        var attachments: Bool?
        var compressionQuality: Int?
        var maxLevel: Int?
        var vectorTiles: LayerOverride.VectorTileParts?
        var syncModel: MapOptions.SyncModel?
        var outSpatialReference: Int?
        var refresh: RefreshRule?
        var onError: FailurePolicy?
        /// Where the manifest sets each key: "file:line:column".
        var origins: [Key: String] = [:]
    }

    /// The keys that are for some kinds of layers only.
    enum Key: String {
        case levelIDs, `where`, useGeometry, queryOption, includeRelated, attachments, compressionQuality, maxLevel, vectorTiles,
            syncModel, outSpatialReference
    }

    private var entries: [String: Entry] = [:]
    /// Entries that match nothing: each refuses the plan (cases I01).
    private(set) var problems: [PlanProblem] = []

    init(_ overrides: [LayerOverride], layers: [WebMapLayer]) {
        for override in overrides {
            let matched = layers.filter { override.match.matches($0) }
            if matched.isEmpty { problems.append(Self.problem(override, layers)) }
            for layer in matched { entries[layer.id, default: Entry()].add(override) }
        }
    }

    subscript(layer: WebMapLayer) -> Entry { entries[layer.id] ?? Entry() }

    private static func problem(_ override: LayerOverride, _ layers: [WebMapLayer]) -> PlanProblem {
        PlanProblem(
            origin: override.origin,
            failure: .refusal("no layer of the map matches \(override.match.text)", [hint(override.match, layers)]))
    }

    private static func hint(_ match: LayerOverride.Match, _ layers: [WebMapLayer]) -> String {
        let inside = layers.filter { layer in layer.groups.contains { $0.title == match.title || $0.id == match.id } }
        if !inside.isEmpty {
            return "that is a group; match its layers: " + inside.map(\.title).joined(separator: ", ")
        }
        let titles = layers.map(\.title)
        let near = match.title.flatMap { nearestName(to: $0, among: titles) }
        return near.map { "did you mean \"\($0)\"?" } ?? "the map has: " + titles.joined(separator: ", ")
    }
}

extension OverrideTable.Entry {
    fileprivate mutating func add(_ override: LayerOverride) {
        exclude = exclude || override.exclude
        online = online || override.online
        levelIDs = override.levelIDs ?? levelIDs
        buffer = override.buffer ?? buffer
        whereClause = override.whereClause ?? whereClause
        useGeometry = override.useGeometry ?? useGeometry
        queryOption = override.queryOption ?? queryOption
        includeRelated = override.includeRelated ?? includeRelated
        attachments = override.attachments ?? attachments
        compressionQuality = override.compressionQuality ?? compressionQuality
        maxLevel = override.maxLevel ?? maxLevel
        vectorTiles = override.vectorTiles ?? vectorTiles
        syncModel = override.syncModel ?? syncModel
        outSpatialReference = override.outSpatialReference ?? outSpatialReference
        refresh = override.refresh.map(RefreshRule.init) ?? refresh
        onError = override.onError ?? onError
        let given: [(OverrideTable.Key, Bool)] = [
            (.levelIDs, override.levelIDs != nil), (.where, override.whereClause != nil),
            (.useGeometry, override.useGeometry != nil), (.queryOption, override.queryOption != nil),
            (.includeRelated, override.includeRelated != nil), (.attachments, override.attachments != nil),
            (.compressionQuality, override.compressionQuality != nil), (.maxLevel, override.maxLevel != nil),
            (.vectorTiles, override.vectorTiles != nil), (.syncModel, override.syncModel != nil),
            (.outSpatialReference, override.outSpatialReference != nil),
        ]
        for (key, isGiven) in given where isGiven { origins[key] = override.origin }
    }
}

extension LayerOverride.Match {
    /// Every given key must agree. URLs are compared without scheme, query and trailing slash; a service URL matches its layers.
    func matches(_ layer: WebMapLayer) -> Bool {
        if let title, title != layer.title { return false }
        if let id, id != layer.id { return false }
        if let itemID, itemID.lowercased() != layer.itemID?.lowercased() { return false }
        if let url {
            guard let mine = ServiceAddress(url), let theirs = layer.url.flatMap(ServiceAddress.init) else { return false }
            guard mine.place == theirs.place, mine.layer == nil || mine.layer == theirs.layer else { return false }
        }
        return true
    }

    var text: String {
        [title.map { "title \"\($0)\"" }, id.map { "id \"\($0)\"" }, url.map { "url \($0)" }, itemID.map { "itemId \($0)" }]
            .compactMap { $0 }.joined(separator: ", ")
    }
}

extension ServiceAddress {
    /// The service without its scheme: maps mix http and https.
    fileprivate var place: Substring { service.drop { $0 != "/" } }
}
