import Basics
import Formats
import Geography

/// The tiles of a cached map or image service: made when asked for, the same bytes each time.
protocol TileSource: Sendable {
    var scheme: TilingScheme { get }
    /// Tiles that touch it exist at every level of the scheme.
    var fullExtent: Envelope { get }
    /// As service and packages describe the pictures.
    var image: TileImageInfo { get }
    var contentType: String { get }
    /// nil where the cache holds none. Blocks for the milliseconds of making it.
    func tile(level: Int, row: Int, column: Int) -> [UInt8]?
    /// A small PNG of a part of the town.
    func thumbnail(of box: Envelope) -> [UInt8]
    /// The same tiles at a lower quality; themselves where there is none to lower (PNG, LERC).
    func reduced(to quality: Int) -> Self
}

extension TileSource {
    func reduced(to quality: Int) -> Self { self }

    /// `tileInfo` of the service.
    var tileInfo: JSON {
        var info = scheme.json
        info["format"] = .string(image.format)
        info["compressionQuality"] = JSON(image.compressionQuality)
        if image.lercError > 0 { info["lercError"] = .number(image.lercError) }
        return info
    }
}
