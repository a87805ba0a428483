import Basics
import Geography

/// What a vector tile package holds besides tiles.
public struct VectorTileContent: Sendable, Hashable {
    /// One MVT layer, for metadata.json.
    public struct Layer: Sendable, Hashable {
        public var id: String
        public var minZoom: Int
        public var maxZoom: Int

        public init(id: String, minZoom: Int, maxZoom: Int) {
            self.id = id
            self.minZoom = minZoom
            self.maxZoom = maxZoom
        }
    }

    /// A file under `p12/resources`, such as `styles/root.json` or `fonts/Arial Regular/0-255.pbf`.
    public struct Resource: Sendable, Hashable {
        public var path: String
        public var bytes: [UInt8]

        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    public var layers: [Layer]
    public var resources: [Resource]
    public var copyright: String
    /// The quadtree of present tiles of an indexed package; nil leaves it out (formats.md 2).
    public var tileMap: JSON?

    public init(layers: [Layer], resources: [Resource], copyright: String = "", tileMap: JSON? = nil) {
        self.layers = layers
        self.resources = resources
        self.copyright = copyright
        self.tileMap = tileMap
    }
}

/// Writes a .vtpk in the layout of Pro's packages (formats.md 2). Tiles are Mapbox Vector Tiles, gzipped here when they are
/// not yet; they come bundle by bundle (`BundleAddress.tiles`). Every call blocks.
public final class VectorTilePackageWriter {
    private let description: PackageDescription
    private let content: VectorTileContent
    private let zip: ZipWriter
    private var bundles: TileBundleStream

    public init(path: String, description: PackageDescription, content: VectorTileContent) throws(FormatError) {
        self.description = description
        self.content = content
        zip = try ZipWriter(path: path)
        bundles = TileBundleStream(folder: "p12/tile", packagePath: path)
        let item = ItemInformation(description: description, kind: .vectorTiles)
        try zip.add("esriinfo/item.pkinfo", item.packageInfo)
        try zip.add("esriinfo/iteminfo.xml", item.itemInfo)
        try zip.add("esriinfo/thumbnail/thumbnail.png", description.thumbnail)
        try zip.add("p12/metadata.json", metadata.serialized())
        try zip.add("p12/root.json", root.serialized())
        if let tileMap = content.tileMap {
            try zip.add("p12/tilemap/root.json", JSON.object(JSONObject([.init(key: "index", value: tileMap)])).serialized())
        }
        try zip.add("p12/resources/info/root.json", resourceList.serialized())
        for resource in content.resources { try zip.add("p12/resources/" + resource.path, resource.bytes) }
    }

    deinit { bundles.abandon() }

    public func add(_ address: TileAddress, _ tile: [UInt8]) throws(FormatError) {
        var data = tile
        if !tile.starts(with: Gzip.magic) {
            do throws(GzipError) { data = try Gzip.compress(tile) } catch {
                throw FormatError(.misuse, file: zip.path, detail: "gzip: \(error.code.rawValue)")
            }
        }
        try bundles.add(address, data, to: zip)
    }

    public func finish() throws(FormatError) {
        try bundles.close(into: zip)
        try zip.finish()
    }

    /// Writes a whole package from a lazy sequence.
    public static func write(
        _ tiles: some Sequence<(TileAddress, [UInt8])>, description: PackageDescription, content: VectorTileContent,
        to path: String
    ) throws(FormatError) {
        let writer = try VectorTilePackageWriter(path: path, description: description, content: content)
        for (address, data) in tiles { try writer.add(address, data) }
        try writer.finish()
    }

    private var root: JSON {
        let scheme = description.scheme
        let extent = description.extent.json(scheme.spatialReference)
        var root: JSON = [
            "currentVersion": 10.91, "name": .string(description.name), "copyrightText": .string(content.copyright),
            "capabilities": "TilesOnly", "type": "indexedVector",
        ]
        if content.tileMap != nil { root["tileMap"] = "tilemap" }
        root["defaultStyles"] = "resources/styles"
        root["tiles"] = ["tile/{z}/{y}/{x}.pbf"]
        root["exportTilesAllowed"] = false
        root["initialExtent"] = extent
        root["fullExtent"] = extent
        root["minScale"] = .number(description.minScale)
        root["maxScale"] = .number(description.maxScale)
        root["tileInfo"] = scheme.tileInfo(format: "pbf")
        root["maxzoom"] = JSON(scheme.levels.last?.level ?? description.maxLOD)
        root["minLOD"] = JSON(description.minLOD)
        root["maxLOD"] = JSON(description.maxLOD)
        root["resourceInfo"] = [
            "styleVersion": 8, "tileCompression": "gzip",
            "cacheInfo": ["storageInfo": ["packetSize": JSON(CompactBundle.side), "storageFormat": "compactV2"]],
        ]
        return root
    }

    private var metadata: JSON {
        [
            "vector_layers": .array(
                content.layers.map {
                    [
                        "id": .string($0.id), "description": .string($0.id), "minzoom": JSON($0.minZoom),
                        "maxzoom": JSON($0.maxZoom), "fields": [:],
                    ]
                })
        ]
    }

    /// Fonts and sprites, as paths from `resources/info`; the style is found by `defaultStyles`.
    private var resourceList: JSON {
        let listed = content.resources.map(\.path).filter { $0.hasPrefix("fonts/") || $0.hasPrefix("sprites/") }
        return ["resourceInfo": .array(listed.map { .string("../" + $0) } + ["../../metadata.json"])]
    }
}
