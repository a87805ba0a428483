import Basics
import Formats
import Geography

/// The vector tile service: Mapbox Vector Tiles of 512 px, levels 0–16, gzipped, made when asked for.
struct VectorTiles: Sendable {
    static let levels = 0...16

    let scheme: TilingScheme
    let fullExtent: Envelope
    let layers: [MapLayer]
    let tileMap: TileMap

    init(dataset: TownDataset) {
        let scheme = TilingScheme.webMercator(tileSize: 512, maxLevel: Self.levels.upperBound)
        let layers = MapLayer.all(dataset)
        let extent = dataset.extent
        self.scheme = scheme
        self.layers = layers
        fullExtent = extent
        let ranges = Dictionary(
            uniqueKeysWithValues: Self.levels.compactMap { level in
                scheme.tiles(covering: extent, level: level).map { (level, $0) }
            })
        tileMap = TileMap.build(maxLevel: Self.levels.upperBound) { level, row, column in
            guard let range = ranges[level], range.rows.contains(row), range.columns.contains(column),
                let box = scheme.envelope(level: level, row: row, column: column)
            else { return false }
            return layers.contains { $0.shows(in: box, level: level) }
        }
    }

    /// gzip'ed MVT; nil where nothing is to be seen.
    func tile(level: Int, row: Int, column: Int) -> [UInt8]? {
        guard tileMap.contains(level: level, row: row, column: column),
            let box = scheme.envelope(level: level, row: row, column: column)
        else { return nil }
        var tile = ProtobufWriter()
        for layer in layers { layer.encode(box, level: level)?.write(into: &tile) }
        return tile.bytes.isEmpty ? nil : try? Gzip.compress(tile.bytes)
    }

    /// The answer of `tilemap`.
    var tilemap: JSON { ["index": tileMap.json] }

    var tileInfo: JSON {
        var info = scheme.json
        info["format"] = "pbf"
        return info
    }

    /// The members of the service description (REST reference 7.1) that the data decides; names and limits are the portal's.
    var serviceJSON: JSON {
        let extent: JSON = [
            "xmin": .number(fullExtent.xmin), "ymin": .number(fullExtent.ymin), "xmax": .number(fullExtent.xmax),
            "ymax": .number(fullExtent.ymax), "spatialReference": SpatialReference.webMercator.json,
        ]
        return [
            "type": "indexedVector", "tileMap": "tilemap", "defaultStyles": "resources/styles", "tiles": ["tile/{z}/{y}/{x}.pbf"],
            "initialExtent": extent, "fullExtent": extent, "minScale": .number(scheme.levels.first?.scale ?? 0),
            "maxScale": .number(scheme.levels.last?.scale ?? 0), "minLOD": JSON(Self.levels.lowerBound),
            "maxLOD": JSON(Self.levels.upperBound), "maxZoom": JSON(Self.levels.upperBound), "tileInfo": tileInfo,
            "resourceInfo": [
                "styleVersion": 8, "tileCompression": "gzip",
                "cacheInfo": ["storageInfo": ["packetSize": 128, "storageFormat": "compactV2"]],
            ],
        ]
    }
}
