import Basics
import Geography

/// How the tiles of a cache lie on the disk.
public enum CacheStorage: String, Sendable, Hashable, Codable {
    case compactV1 = "esriMapCacheStorageModeCompact"
    case compactV2 = "esriMapCacheStorageModeCompactV2"

    /// Any spelling of the value: root.json of vector packages says `compactV2`.
    init?(spelling: String) {
        switch spelling.lowercased() {
        case "esrimapcachestoragemodecompact", "compact": self = .compactV1
        case "esrimapcachestoragemodecompactv2", "compactv2": self = .compactV2
        default: return nil
        }
    }
}

/// What root.json or conf.xml says of a cache.
struct CacheMetadata: Sendable, Hashable {
    var scheme: TilingScheme
    /// nil when the file does not say.
    var storage: CacheStorage?
    var imageFormat: String
    var extent: Envelope?
    /// Levels that the package claims, from `minLOD` and `maxLOD`.
    var claimedLevels: ClosedRange<Int>?
}

/// A value of the metadata that is not what the format demands: which, and what stood there.
struct MetadataError: Error {
    var field: String
    var found: String?
}

extension CacheMetadata {
    /// root.json of a .tpkx or .vtpk. Member names are matched without case (formats.md 1.6).
    init(root: JSON) throws(MetadataError) {
        guard let info = root.member("tileInfo") else { throw MetadataError(field: "tileInfo") }
        scheme = try TilingScheme(tileInfo: info)
        let storageInfo = root.member("storageInfo") ?? root.member("resourceInfo")?.member("cacheInfo")?.member("storageInfo")
        storage = try Self.storage(storageInfo?.member("storageFormat")?.string)
        if let packet = storageInfo?.member("packetSize")?.int, packet != CompactBundle.side {
            throw MetadataError(field: "packetSize", found: "\(packet)")
        }
        imageFormat = root.member("tileImageInfo")?.member("format")?.string ?? info.member("format")?.string ?? ""
        extent = Envelope(lenient: root.member("fullExtent"))
        if let low = root.member("minLOD")?.int, let high = root.member("maxLOD")?.int, low <= high { claimedLevels = low...high }
    }

    /// conf.xml of a cache (formats.md 1.4); the extent comes from conf.cdi.
    init(conf: XMLElement, extent: Envelope?) throws(MetadataError) {
        guard let cache = conf["TileCacheInfo"] else { throw MetadataError(field: "TileCacheInfo", found: conf.name) }
        scheme = try TilingScheme(tileCacheInfo: cache)
        let storageInfo = conf["CacheStorageInfo"]
        storage = try Self.storage(storageInfo?.string("StorageFormat"))
        if let packet = storageInfo?.int("PacketSize"), packet != CompactBundle.side {
            throw MetadataError(field: "PacketSize", found: "\(packet)")
        }
        imageFormat = conf["TileImageInfo"]?.string("CacheTileFormat") ?? ""
        self.extent = extent
    }

    private static func storage(_ text: String?) throws(MetadataError) -> CacheStorage? {
        guard let text else { return nil }
        guard let storage = CacheStorage(spelling: text) else { throw MetadataError(field: "storageFormat", found: text) }
        return storage
    }
}

extension TilingScheme {
    init(tileInfo info: JSON) throws(MetadataError) {
        guard let rows = info.member("rows")?.int, let columns = info.member("cols")?.int, rows > 0, columns > 0 else {
            throw MetadataError(field: "tileInfo.rows")
        }
        guard let x = info.member("origin")?.member("x")?.double, let y = info.member("origin")?.member("y")?.double else {
            throw MetadataError(field: "tileInfo.origin")
        }
        guard let system = SpatialReference(json: info.member("spatialReference")) else {
            throw MetadataError(field: "tileInfo.spatialReference")
        }
        var levels: [LevelOfDetail] = []
        for lod in info.member("lods")?.array ?? [] {
            guard let read = LevelOfDetail(json: lod) else {
                throw MetadataError(field: "tileInfo.lods", found: lod.serialized())
            }
            levels.append(read)
        }
        guard !levels.isEmpty else { throw MetadataError(field: "tileInfo.lods") }
        self.init(
            origin: Coordinate(x: x, y: y), tileWidth: columns, tileHeight: rows, dpi: info.member("dpi")?.double ?? 96,
            spatialReference: system, levels: levels)
    }

    init(tileCacheInfo info: XMLElement) throws(MetadataError) {
        guard let rows = info.int("TileRows"), let columns = info.int("TileCols"), rows > 0, columns > 0 else {
            throw MetadataError(field: "TileRows")
        }
        guard let x = info["TileOrigin"]?.double("X"), let y = info["TileOrigin"]?.double("Y") else {
            throw MetadataError(field: "TileOrigin")
        }
        let reference = info["SpatialReference"]
        let system: SpatialReference
        if let wkid = reference?.int("WKID"), wkid > 0 {
            system = SpatialReference(wkid: wkid, latestWkid: reference?.int("LatestWKID"))
        } else if let wkt = reference?.string("WKT") {
            system = SpatialReference(wkt: wkt)
        } else {
            throw MetadataError(field: "SpatialReference")
        }
        var levels: [LevelOfDetail] = []
        for lod in info["LODInfos"]?.all("LODInfo") ?? [] {
            guard let level = lod.int("LevelID"), let resolution = lod.double("Resolution"), resolution > 0 else {
                throw MetadataError(field: "LODInfo", found: lod.string("LevelID"))
            }
            levels.append(LevelOfDetail(level: level, resolution: resolution, scale: lod.double("Scale") ?? 0))
        }
        guard !levels.isEmpty else { throw MetadataError(field: "LODInfos") }
        self.init(
            origin: Coordinate(x: x, y: y), tileWidth: columns, tileHeight: rows, dpi: info.double("DPI") ?? 96,
            spatialReference: system, levels: levels)
    }
}

extension JSON {
    /// A member by name, whatever its case; the exact spelling wins.
    func member(_ name: String) -> JSON? {
        self[name] ?? object?.members.last { $0.key.lowercased() == name.lowercased() }?.value
    }
}

extension Envelope {
    /// An extent as JSON; nil when a number is missing or `"NaN"`.
    init?(lenient json: JSON?) {
        guard let xmin = json?.member("xmin")?.double, let ymin = json?.member("ymin")?.double,
            let xmax = json?.member("xmax")?.double, let ymax = json?.member("ymax")?.double
        else { return nil }
        self.init(xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax)
    }

    /// `EnvelopeN` of conf.cdi.
    init?(conf: XMLElement?) {
        guard let xmin = conf?.double("XMin"), let ymin = conf?.double("YMin"), let xmax = conf?.double("XMax"),
            let ymax = conf?.double("YMax")
        else { return nil }
        self.init(xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax)
    }
}
