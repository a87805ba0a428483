import Formats
import Geography

/// The tiles of the elevation service: 257 × 257 heights at the corners of 256 × 256 cells, in LERC, so that neighbours share the
/// heights of their common edge. Levels 0–16.
struct ElevationTiles: TileSource {
    static let levels = 0...16
    private static let cells = 256

    let terrain: Terrain
    let scheme: TilingScheme
    let fullExtent: Envelope
    let image = TileImageInfo(format: "LERC", lercError: 0.1)
    let contentType = "application/octet-stream"
    private let picture: TownPicture

    init(plan: TownPlan, picture: TownPicture) {
        terrain = Terrain(plan: plan)
        fullExtent = plan.extent
        scheme = .webMercator(tileSize: Self.cells, maxLevel: Self.levels.upperBound)
        self.picture = picture
    }

    func tile(level: Int, row: Int, column: Int) -> [UInt8]? {
        guard Self.levels.contains(level), let town = scheme.tiles(covering: fullExtent, level: level), town.rows.contains(row),
            town.columns.contains(column), let box = scheme.envelope(level: level, row: row, column: column)
        else { return nil }
        let side = Self.cells + 1
        let step = box.width / Double(Self.cells)
        var heights: [Float] = []
        heights.reserveCapacity(side * side)
        for line in 0..<side {
            let row = Terrain.Row(terrain, y: box.ymax - Double(line) * step)
            for place in 0..<side { heights.append(Float(row.height(x: box.xmin + Double(place) * step))) }
        }
        return try? ElevationTile(width: side, height: side, heights: heights).encoded(maxError: image.lercError)
    }

    func thumbnail(of box: Envelope) -> [UInt8] { picture.thumbnail(of: box) }
}
