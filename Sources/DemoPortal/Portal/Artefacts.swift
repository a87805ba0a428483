import Basics
import Formats
import Geography

/// Packages of the town's tiles.
enum PackageFile {
    static func count(_ tiles: some TileSource, levels: [Int], area: AreaShape?) -> Int {
        count(tiles.scheme, extent: tiles.fullExtent, levels: levels, area: area)
    }

    static func count(_ tiles: VectorTiles, levels: [Int], area: AreaShape?) -> Int {
        count(tiles.scheme, extent: tiles.fullExtent, levels: levels, area: area)
    }

    private static func count(_ scheme: TilingScheme, extent: Envelope, levels: [Int], area: AreaShape?) -> Int {
        TileExport.count(levels: levels, area: area ?? .envelope(extent), scheme: scheme, within: extent).values.reduce(0, +)
    }

    static func write(_ tiles: some TileSource, name: String, to path: String, levels: [Int], area: AreaShape?) throws {
        try TileExport.writeTPKX(path: path, tiles: tiles, levels: levels, area: area ?? .envelope(tiles.fullExtent), name: name)
    }

    static func write(_ tiles: VectorTiles, name: String, to path: String, levels: [Int], area: AreaShape?) throws {
        try TileExport.writeVTPK(path: path, tiles: tiles, levels: levels, area: area ?? .envelope(tiles.fullExtent), name: name)
    }
}

/// The `.geodatabase` of a replica.
enum ReplicaArtefact {
    static func write(
        to path: String, replica: ReplicaRecord, service: FeatureService, tables: [ServedTable], rows: [Int: [Int]],
        places: Places
    ) throws {
        let request = replica.request
        let model: ReplicaDescription.SyncModel =
            switch request.syncModel {
            case .perReplica: .perReplica
            case .perLayer: .perLayer
            case .none: .none
            }
        let description = ReplicaDescription(
            name: replica.name, id: "{\(replica.id.uppercased())}", serviceURL: places.service(service.path),
            serviceName: service.name,
            owner: replica.owner,
            serverGens: Dictionary(
                request.layerIDs.map { ($0, replica.serverGeneration) }, uniquingKeysWith: { first, _ in first }),
            syncModel: model, queryGeometry: request.area?.polygon,
            spatialReference: request.system == .degrees ? .wgs84 : .webMercator, created: replica.created)
        let byID = Dictionary(tables.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        try ReplicaWriter.write(
            path: path, tables: tables.map(\.table),
            selection: ReplicaSelection(rows: rows, includesAttachments: request.returnsAttachments), replica: description,
            serviceJSON: ServiceMetadata.root(service).serialized(),
            layerJSON: { table in byID[table.id].map { LayerMetadata.document($0, of: service).serialized() } ?? "{}" })
    }
}
