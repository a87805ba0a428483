import Basics
import Geography

/// The tile services of the demo town.
struct TownServices: Sendable {
    let dataset: TownDataset
    let picture: TownPicture
    let vectors: VectorTiles
    let limit: Int

    var all: [TileService] {
        let png = RasterTiles(picture: picture, extent: dataset.extent, format: .png)
        let jpeg = RasterTiles(picture: picture, extent: dataset.extent, format: .jpeg)
        return [
            raster("World_Street_Map", .map, ItemIDs.streetTiles, png), raster("Town_Imagery", .map, ItemIDs.imageryTiles, jpeg),
            raster("Town_Imagery", .image, ItemIDs.imageTiles, jpeg),
            raster("Display_Only", .map, ItemIDs.displayTiles, png, isExportAllowed: false),
            raster(
                "Town_Elevation", .image, ItemIDs.elevationTiles, ElevationTiles(plan: dataset.plan, picture: picture),
                .heights(Terrain.range)),
            vector("Street_Map"),
        ]
    }

    private func raster(
        _ name: String, _ kind: TileService.Kind, _ itemID: String, _ tiles: some TileSource,
        _ pixels: TileMetadata.Pixels = .picture,
        isExportAllowed: Bool = true
    ) -> TileService {
        let root = TileMetadata.raster(
            name: name, kind: kind, itemID: itemID, tileInfo: tiles.tileInfo, scheme: tiles.scheme, extent: tiles.fullExtent,
            pixels: pixels, isExportAllowed: isExportAllowed, maxExportTiles: limit)
        return TileService(
            name: name, kind: kind, itemID: itemID, scheme: tiles.scheme, fullExtent: tiles.fullExtent,
            isExportAllowed: isExportAllowed, maxExportTiles: limit, root: FixedJSON(root), contentType: tiles.contentType,
            tile: { tiles.tile(level: $0, row: $1, column: $2) },
            count: { PackageFile.count(tiles, levels: $0, area: $1) },
            export: { path, request in
                let wanted = request.quality.map { tiles.reduced(to: $0) } ?? tiles
                try PackageFile.write(wanted, name: name, to: path, levels: request.levels, area: request.area)
            }, packageName: "Layers.tpkx")
    }

    private func vector(_ name: String) -> TileService {
        let vectors = vectors
        let root = TileMetadata.vector(
            vectors.serviceJSON, name: name, itemID: ItemIDs.vectorTiles, isExportAllowed: true, maxExportTiles: limit)
        return TileService(
            name: name, kind: .vector, itemID: ItemIDs.vectorTiles, scheme: vectors.scheme, fullExtent: vectors.fullExtent,
            maxExportTiles: limit, root: FixedJSON(root), contentType: "application/x-protobuf",
            tile: { vectors.tile(level: $0, row: $1, column: $2) },
            resource: { path in vectors.resource(path).map { .data($0.bytes, $0.contentType) } }, tilemap: vectors.tilemap,
            count: { PackageFile.count(vectors, levels: $0, area: $1) },
            export: { try PackageFile.write(vectors, name: name, to: $0, levels: $1.levels, area: $1.area) },
            packageName: "\(name).vtpk")
    }
}
