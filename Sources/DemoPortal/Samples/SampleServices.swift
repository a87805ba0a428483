import Basics
import Formats
import Geography

/// Services whose results are files that Esri software made (`--samples DIR`): a replica of ArcGIS Online, a .tpkx, a .tpk and a
/// .vtpk. Whatever a request asks for, the result is the whole file, byte for byte.
struct SampleServices: Sendable {
    let folder: String
    let places: Places
    let limit: Int

    func add(to content: inout Content, _ maker: ItemMaker, _ maps: WebMaps) throws(ConfigurationError) {
        guard Files.isDirectory(folder) else { throw ConfigurationError(message: "--samples \(folder) is not a folder") }
        var features: FeatureService?
        var tiles: [TileService] = []
        do {
            if let file = find("geodatabase", "replica-agol-clean-redacted.geodatabase") {
                features = try SampleReplica.service(file, name: "Samples/Homesites", itemID: ItemIDs.sampleFeatures)
            }
            for (kind, file, name, id) in [
                ("tpkx", "Usa.tpkx", "Samples/Usa", ItemIDs.sampleTPKX),
                ("tpk", "states_filled.tpk", "Samples/States_Filled", ItemIDs.sampleTPK),
            ] {
                if let path = find(kind, file) { tiles.append(try raster(path, name: name, itemID: id)) }
            }
            if let path = find("vtpk", "testvtpk.vtpk") { tiles.append(try vector(path)) }
        } catch {
            throw ConfigurationError(message: "--samples \(folder): \(error)")
        }
        guard features != nil || !tiles.isEmpty else {
            throw ConfigurationError(message: "--samples \(folder) holds none of the sample files")
        }
        if let features {
            content.catalogue.add(features)
            content.add(maker.featureService(features))
        }
        for service in tiles {
            content.catalogue.add(service)
            content.add(maker.tileService(service))
        }
        var map = maker.webMap(
            ItemIDs.samplesMap, "Esri-made samples", "A replica, two tile packages and a vector tile package",
            maps.samples(features: features, tiles: tiles))
        map.extent = (-125, 24, -66, 50)
        content.add(map)
    }

    /// In the folder itself or in the subfolder of its kind.
    private func find(_ kind: String, _ name: String) -> String? {
        ["\(folder)/\(kind)/\(name)", "\(folder)/\(name)"].first(where: Files.exists)
    }

    private func raster(_ path: String, name: String, itemID: String) throws -> TileService {
        let package = try TilePackage(opening: path)
        let content = try SampleTiles { try package.forEachTile($0) }
        let scheme = content.cachedLevels(of: package.scheme)
        let extent = package.extent ?? scheme.worldExtent ?? Envelope.webMercatorWorld
        var tileInfo = scheme.json
        tileInfo["format"] = .string(package.imageFormat)
        tileInfo["compressionQuality"] = 0
        let root = TileMetadata.raster(
            name: name, kind: .map, itemID: itemID, tileInfo: tileInfo, scheme: scheme, extent: extent, isExportAllowed: true,
            maxExportTiles: limit)
        return TileService(
            name: name, kind: .map, itemID: itemID, scheme: scheme, fullExtent: extent, maxExportTiles: limit,
            root: FixedJSON(root),
            contentType: package.imageFormat.uppercased().hasPrefix("PNG") ? "image/png" : "image/jpeg",
            tile: { content.tile($0, $1, $2) }, count: { levels, _ in content.count(levels) },
            export: { _, _ in }, packageName: Paths.name(path), sampleFile: path)
    }

    private func vector(_ path: String) throws -> TileService {
        let package = try VectorTilePackage(opening: path)
        let content = try SampleTiles { try package.forEachTile($0) }
        let zip = ZipReader(path: path)
        let name = "Samples/Test_Vector"
        var resources: [String: [UInt8]] = [:]
        try zip.walk { (entry, stream) throws(FormatError) in
            if entry.name.hasPrefix("p12/resources/"), !entry.isDirectory {
                resources[String(entry.name.dropFirst("p12/resources/".count))] = try stream.readAll(limit: 1 << 24)
            }
        }
        let files = resources
        let root = try zip.read("p12/root.json").map { try JSON.parse($0) } ?? [:]
        let extent = GeometryParameter.shape(root["fullExtent"] ?? .null)?.envelope ?? Envelope.webMercatorWorld
        let document = TileMetadata.vector(
            root, name: name, itemID: ItemIDs.sampleVTPK, isExportAllowed: true, maxExportTiles: limit)
        return TileService(
            name: name, kind: .vector, itemID: ItemIDs.sampleVTPK, scheme: package.scheme, fullExtent: extent,
            maxExportTiles: limit,
            root: FixedJSON(document), contentType: "application/x-protobuf", tile: { content.tile($0, $1, $2) },
            resource: { path in
                let name = ["styles", "info"].contains(path) ? path + "/root.json" : path
                return files[name].map { .data($0, name.hasSuffix(".json") ? "application/json" : "image/png") }
            }, count: { levels, _ in content.count(levels) }, export: { _, _ in }, packageName: Paths.name(path),
            sampleFile: path)
    }
}

/// The tiles of a small package, in memory.
struct SampleTiles: Sendable {
    private let tiles: [TileAddress: [UInt8]]

    init(_ walk: ((TileAddress, [UInt8]) -> Void) throws -> Void) throws {
        var tiles: [TileAddress: [UInt8]] = [:]
        try walk { tiles[$0] = $1 }
        self.tiles = tiles
    }

    func tile(_ level: Int, _ row: Int, _ column: Int) -> [UInt8]? { tiles[TileAddress(level: level, row: row, column: column)] }
    func count(_ levels: [Int]) -> Int { tiles.keys.count { levels.contains($0.level) } }

    /// Packages list the whole ladder; a service that has only some levels of it says so.
    func cachedLevels(of scheme: TilingScheme) -> TilingScheme {
        let present = Set(tiles.keys.map(\.level))
        return TilingScheme(
            origin: scheme.origin, tileWidth: scheme.tileWidth, tileHeight: scheme.tileHeight, dpi: scheme.dpi,
            spatialReference: scheme.spatialReference, levels: scheme.levels.filter { present.contains($0.level) })
    }
}
