import Basics
import Formats
import Geography

/// The export jobs: which tiles an area takes, and packages of them. Areas are in Web Mercator. Everything blocks; memory
/// holds a tile, a bundle's index and the addresses of one row of bundles.
enum TileExport {
    /// The tiles a level, as the writers below write them (vector tiles that hold nothing are left out there).
    static func count(levels: [Int], area: AreaShape, scheme: TilingScheme, within extent: Envelope) -> [Int: Int] {
        let counts = scheme.tileCount(covering: area, levels: levels, within: extent)
        return Dictionary(counts.map { ($0.level, $0.count) }, uniquingKeysWith: { first, _ in first })
    }

    /// Writes a .tpkx; returns the number of tiles.
    @discardableResult
    static func writeTPKX(
        path: String, tiles: some TileSource, levels: [Int], area: AreaShape, name: String = "Layers"
    ) throws(FormatError) -> Int {
        let description = describe(name, tiles.scheme, tiles.fullExtent, levels, area) { tiles.thumbnail(of: $0) }
        let writer = try TilePackageWriter(path: path, description: description, image: tiles.image)
        var count = 0
        for address in addresses(tiles.scheme, tiles.fullExtent, levels, area) {
            guard let tile = tiles.tile(level: address.level, row: address.row, column: address.column) else { continue }
            try writer.add(address, tile)
            count += 1
        }
        try writer.finish()
        return count
    }

    /// Writes a .vtpk of the levels 0…`maxLevel`; returns the number of tiles.
    @discardableResult
    static func writeVTPK(
        path: String, tiles: VectorTiles, maxLevel: Int, area: AreaShape, name: String = "Streets"
    ) throws(FormatError) -> Int {
        try writeVTPK(path: path, tiles: tiles, levels: Array(0...max(0, maxLevel)), area: area, name: name)
    }

    /// As above for chosen levels.
    @discardableResult
    static func writeVTPK(
        path: String, tiles: VectorTiles, levels: [Int], area: AreaShape, name: String = "Streets"
    ) throws(FormatError) -> Int {
        let description = describe(name, tiles.scheme, tiles.fullExtent, levels, area) { tiles.thumbnail(of: $0) }
        let resources = (["styles/root.json"] + VectorTileResources.listed).compactMap { path in
            tiles.resource(path).map { VectorTileContent.Resource(path: path, bytes: $0.bytes) }
        }
        let content = VectorTileContent(
            layers: tiles.layers.map { .init(id: $0.name, minZoom: $0.levels.lowerBound, maxZoom: $0.levels.upperBound) },
            resources: resources, tileMap: tree(tiles, levels, area).json)
        let writer = try VectorTilePackageWriter(path: path, description: description, content: content)
        var count = 0
        for address in addresses(tiles.scheme, tiles.fullExtent, levels, area) {
            guard let tile = tiles.tile(level: address.level, row: address.row, column: address.column) else { continue }
            try writer.add(address, tile)
            count += 1
        }
        try writer.finish()
        return count
    }

    /// The service's tree cut down to the area and the deepest level.
    private static func tree(_ tiles: VectorTiles, _ levels: [Int], _ area: AreaShape) -> TileMap {
        let last = levels.max() ?? 0
        var rows: [Int: [Int: [Range<Int>]]] = [:]
        for level in 0...max(0, last) {
            for span in tiles.scheme.tileSpans(covering: area, level: level, within: tiles.fullExtent) {
                rows[level, default: [:]][span.row, default: []].append(span.columns)
            }
        }
        return tiles.tileMap.pruned(maxLevel: last) { level, row, column in
            rows[level]?[row]?.contains { $0.contains(column) } ?? false
        }
    }

    /// The tiles of the area, level by level and bundle by bundle, as the package writers want them.
    private static func addresses(
        _ scheme: TilingScheme, _ extent: Envelope, _ levels: [Int], _ area: AreaShape
    ) -> some Sequence<TileAddress> {
        Set(levels).sorted().lazy.flatMap { level in
            let spans = scheme.tileSpans(covering: area, level: level, within: extent)
            let blocks = Dictionary(grouping: spans) { $0.row / CompactBundle.side }
            return blocks.sorted { $0.key < $1.key }.lazy.flatMap { tiles(of: $0.value, level: level) }
        }
    }

    /// The tiles of the spans of one row of bundles.
    private static func tiles(of spans: [TileSpan], level: Int) -> [TileAddress] {
        var bundles: [Int: [TileAddress]] = [:]
        for span in spans {
            for column in span.columns {
                bundles[column / CompactBundle.side, default: []].append(TileAddress(level: level, row: span.row, column: column))
            }
        }
        return bundles.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private static func describe(
        _ name: String, _ scheme: TilingScheme, _ extent: Envelope, _ levels: [Int], _ area: AreaShape,
        thumbnail: (Envelope) -> [UInt8]
    ) -> PackageDescription {
        let box = area.envelope?.intersection(extent) ?? extent
        return PackageDescription(
            name: name, summary: "Made by the demo portal of offline-batch.", created: TownWords.lastEdit,
            scheme: scheme, extent: box, geographicExtent: WebMercator.degrees(box),
            presentLevels: Set(levels).filter { scheme[level: $0] != nil }.sorted(),
            thumbnail: thumbnail(box))
    }
}
