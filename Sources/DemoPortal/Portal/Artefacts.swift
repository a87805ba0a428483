import Basics
import Formats
import Geography

/// Packages of the town's tiles.
enum PackageFile {
    static func count(_ tiles: RasterTiles, levels: [Int], area: AreaShape?) -> Int {
        count(tiles.scheme, extent: tiles.fullExtent, levels: levels, area: area)
    }

    static func count(_ tiles: VectorTiles, levels: [Int], area: AreaShape?) -> Int {
        count(tiles.scheme, extent: tiles.fullExtent, levels: levels, area: area)
    }

    private static func count(_ scheme: TilingScheme, extent: Envelope, levels: [Int], area: AreaShape?) -> Int {
        scheme.tileCount(covering: area ?? .envelope(extent), levels: levels, within: extent).reduce(0) { $0 + $1.count }
    }

    static func write(_ tiles: RasterTiles, name: String, to path: String, levels: [Int], area: AreaShape?) throws {
        throw RESTError(code: 500, message: "Packages are not written yet.")
    }

    static func write(_ tiles: VectorTiles, name: String, to path: String, levels: [Int], area: AreaShape?) throws {
        throw RESTError(code: 500, message: "Packages are not written yet.")
    }
}

/// The file of a replica.
enum ReplicaFile {
    static func write(
        to path: String, replica: ReplicaRecord, service: FeatureService, tables: [ServedTable], rows: [Int: [Int]],
        places: Places
    ) throws {
        throw RESTError(code: 500, message: "Replicas are not written yet.")
    }
}
