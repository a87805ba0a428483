import Basics
import Geography

/// How the tiles of a raster package are encoded.
public struct TileImageInfo: Sendable, Hashable {
    /// `PNG`, `PNG8`, `PNG32`, `JPEG`, `MIXED`, `LERC` … (formats.md 1.4).
    public var format: String
    /// 0–100 for JPEG, 0 else.
    public var compressionQuality: Int
    /// How far off a height may be, in metres; LERC only.
    public var lercError: Double

    public init(format: String, compressionQuality: Int = 0, lercError: Double = 0) {
        self.format = format
        self.compressionQuality = compressionQuality
        self.lercError = lercError
    }

    public static let png = TileImageInfo(format: "PNG")
    public static let jpeg = TileImageInfo(format: "JPEG", compressionQuality: 75)
}

/// Writes a .tpkx: compact cache V2 in a stored zip (formats.md 1.2, 1.6). Tiles come bundle by bundle
/// (`BundleAddress.tiles`); memory holds one tile and one index. Every call blocks. The caller publishes the file under its
/// real name after `finish`.
public final class TilePackageWriter {
    private let description: PackageDescription
    private let image: TileImageInfo
    private let zip: ZipWriter
    private var bundles: TileBundleStream

    public init(path: String, description: PackageDescription, image: TileImageInfo) throws(FormatError) {
        self.description = description
        self.image = image
        zip = try ZipWriter(path: path)
        bundles = TileBundleStream(folder: "tile", packagePath: path)
        try zip.add("iteminfo.json", itemInfo.serialized())
        try zip.add("root.json", root.serialized())
        try zip.add("thumbnail.png", description.thumbnail)
    }

    deinit { bundles.abandon() }

    /// Adds one encoded picture. All tiles of a bundle come in a row.
    public func add(_ address: TileAddress, _ data: [UInt8]) throws(FormatError) { try bundles.add(address, data, to: zip) }

    public func finish() throws(FormatError) {
        try bundles.close(into: zip)
        try zip.finish()
    }

    /// Writes a whole package from a lazy sequence.
    public static func write(
        _ tiles: some Sequence<(TileAddress, [UInt8])>, description: PackageDescription, image: TileImageInfo, to path: String
    ) throws(FormatError) {
        let writer = try TilePackageWriter(path: path, description: description, image: image)
        for (address, data) in tiles { try writer.add(address, data) }
        try writer.finish()
    }

    private var root: JSON {
        let scheme = description.scheme
        let extent = description.extent.json(scheme.spatialReference)
        return [
            "tileImageInfo": [
                "format": .string(image.format), "compressionQuality": JSON(image.compressionQuality), "bandCount": 1,
                "lercError": .number(image.lercError),
            ],
            "name": .string(description.name), "version": 1.0, "serviceDescription": .string(description.summary),
            "tileBundlesPath": "./tile", "spatialReference": scheme.spatialReference.json,
            "units": scheme.spatialReference.isWGS84 ? "esriDecimalDegrees" : "esriMeters",
            "minLOD": JSON(description.minLOD), "maxLOD": JSON(description.maxLOD),
            "minScale": .number(description.minScale), "maxScale": .number(description.maxScale), "resampling": true,
            "tileInfo": scheme.json, "exportTilesAllowed": false,
            "storageInfo": ["storageFormat": "esriMapCacheStorageModeCompactV2", "packetSize": JSON(CompactBundle.side)],
            "initialExtent": extent, "fullExtent": extent,
        ]
    }

    private var itemInfo: JSON {
        [
            "name": .string(description.name), "guid": .string(description.guid), "version": 1.0,
            "created": .integer(description.created), "snippet": .string(description.summary), "description": "",
            "summary": .string(description.summary), "title": .string(description.title), "tags": "",
            "type": "Compact Tile Package", "typeKeywords": ["Compact Tile Package", "Tile Package", "tpkx"],
            "thumbnail": "./thumbnail.png", "extent": description.geographicExtent.json(.wgs84),
        ]
    }
}
