import Basics
import Geography

/// A cached map, image or vector tile service as the portal serves it.
struct TileService: Sendable {
    enum Kind: String, Sendable {
        case map = "MapServer"
        case image = "ImageServer"
        case vector = "VectorTileServer"
    }

    /// `World_Street_Map`
    var name: String
    var kind: Kind
    var itemID: String
    var scheme: TilingScheme
    /// In the scheme's spatial reference.
    var fullExtent: Envelope
    var isExportAllowed = true
    var maxExportTiles: Int
    /// The whole service description.
    var root: FixedJSON
    var contentType: String
    var tile: @Sendable (_ level: Int, _ row: Int, _ column: Int) -> [UInt8]?
    /// Below `resources`; vector tiles only.
    var resource: @Sendable (String) -> Response? = { _ in nil }
    var tilemap: JSON?
    /// Exact number of tiles in an export.
    var count: @Sendable (_ levels: [Int], _ area: AreaShape?) -> Int
    /// Writes the package; blocks.
    var export: @Sendable (_ path: String, _ request: ExportRequest) throws -> Void
    /// `Layers.tpkx`
    var packageName: String
    /// A ready file that is the result of every export (`--samples`).
    var sampleFile: String?

    var path: String { name + "/" + kind.rawValue }
    var levels: [Int] { scheme.levels.map(\.level) }
}
