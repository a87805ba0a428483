import Basics
import Geography

extension TilingScheme {
    /// The box of a tile in map units; nil for a level that the scheme does not have.
    public func envelope(of tile: TileAddress) -> Envelope? {
        guard let resolution = self[level: tile.level]?.resolution else { return nil }
        let width = Double(tileWidth) * resolution
        let height = Double(tileHeight) * resolution
        let left = origin.x + Double(tile.column) * width
        let top = origin.y - Double(tile.row) * height
        return Envelope(xmin: left, ymin: top - height, xmax: left + width, ymax: top)
    }

    /// The XYZ zoom of a level, derived from its resolution, when the scheme is the usual Web Mercator one; else nil
    /// (formats.md 1.1). Tiles of 512 pixels shift it by one, as in vector tiles.
    public func webMercatorZoom(ofLevel id: Int) -> Int? {
        guard spatialReference.isWebMercator, tileWidth == tileHeight, let resolution = self[level: id]?.resolution,
            abs(origin.x + Self.worldHalf) < 1, abs(origin.y - Self.worldHalf) < 1
        else { return nil }
        var expected = 2 * Self.worldHalf / Double(tileWidth)
        for zoom in 0...30 {
            if abs(resolution / expected - 1) < 1e-6 { return zoom }
            expected /= 2
        }
        return nil
    }

    private static var worldHalf: Double { 20_037_508.342787 }

    /// `tileInfo` as Esri's vector packages write it.
    func tileInfo(format: String) -> JSON {
        var info = json
        info["format"] = .string(format)
        return info
    }
}

extension Envelope {
    func json(_ spatialReference: SpatialReference) -> JSON {
        [
            "xmin": .number(xmin), "ymin": .number(ymin), "xmax": .number(xmax), "ymax": .number(ymax),
            "spatialReference": spatialReference.json,
        ]
    }
}
