import Formats
import Geography

/// The picture tiles of the tiled map service, drawn when asked for. 256 px, levels 0–19, the ladder of ArcGIS Online.
struct RasterTiles: TileSource {
    enum Format: String, Sendable {
        case png, jpeg

        var contentType: String { "image/\(rawValue)" }
    }

    static let levels = 0...19

    let format: Format
    let scheme: TilingScheme
    /// Tiles that touch it exist at every level; others only at the first levels.
    let fullExtent: Envelope
    /// Of JPEG, 0 to 100.
    private(set) var quality = 80
    private let picture: TownPicture
    private var blank: [UInt8] = []

    /// Below this level the whole world has tiles.
    private static let townLevel = 8
    private static let tileSize = 256

    init(dataset: TownDataset, format: Format) {
        self.init(picture: TownPicture(dataset), extent: dataset.extent, format: format)
    }

    /// Two services can share one prepared picture.
    init(picture: TownPicture, extent: Envelope, format: Format) {
        self.picture = picture
        self.format = format
        fullExtent = extent
        scheme = .webMercator(tileSize: Self.tileSize, maxLevel: Self.levels.upperBound)
        drawBlank()
    }

    private mutating func drawBlank() {
        let canvas = Canvas(width: Self.tileSize, height: Self.tileSize, background: TownPicture.land)
        blank = canvas.map(encode) ?? []
    }

    var image: TileImageInfo {
        format == .png ? TileImageInfo(format: "PNG24") : TileImageInfo(format: "JPEG", compressionQuality: quality)
    }
    var contentType: String { format.contentType }

    func tile(level: Int, row: Int, column: Int) -> [UInt8]? {
        guard Self.levels.contains(level), let box = scheme.envelope(level: level, row: row, column: column),
            let town = scheme.tiles(covering: fullExtent, level: level)
        else { return nil }
        guard town.rows.contains(row), town.columns.contains(column) else {
            let world = 0..<(1 << level)
            return level < Self.townLevel && world.contains(row) && world.contains(column) ? blank : nil
        }
        return picture.draw(box, level: level, size: Self.tileSize).map(encode)
    }

    func thumbnail(of box: Envelope) -> [UInt8] { picture.thumbnail(of: box) }

    func reduced(to quality: Int) -> RasterTiles {
        guard format == .jpeg, quality < self.quality else { return self }
        var copy = self
        copy.quality = quality
        copy.drawBlank()
        return copy
    }

    private func encode(_ canvas: Canvas) -> [UInt8] { format == .png ? canvas.png() : canvas.jpeg(quality: quality) }
}
