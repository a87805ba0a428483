/// What becomes of one layer or table when its map is taken offline.
public enum Verdict: String, Codable, Sendable, CaseIterable {
    /// createReplica → .geodatabase
    case replica
    /// exportTiles of a map or image service → .tpkx / .tpk
    case tiles
    /// exportTiles of a vector tile service → .vtpk
    case vectorTiles
    /// A custom style of vector tiles, copied with its resources.
    case style
    /// Its data is in the map document and travels with it (feature collections, notes).
    case keptInMap = "kept in the map"
    /// It stays in the map with its online URL.
    case onlineOnly = "online only"
    case unsupported
    /// Left out by the manifest.
    case excluded

    /// Whether the layer works without a network.
    public var isOffline: Bool {
        switch self {
        case .replica, .tiles, .vectorTiles, .style, .keptInMap: true
        case .onlineOnly, .unsupported, .excluded: false
        }
    }
}
