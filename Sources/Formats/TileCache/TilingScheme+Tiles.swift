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
