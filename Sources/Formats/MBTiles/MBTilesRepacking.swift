import Basics
import Geography

extension MBTiles {
    /// Puts the tiles into a .tpkx, byte for byte: level, row and column mean the same there, but for rows counted from the top
    /// (formats.md 1.1). Equal files give equal packages. Only for PNG and JPEG: the format knows no others.
    public func repack(as facts: MBTilesFacts, title: String, to package: String) throws(FormatError) {
        guard let image = facts.packageImage else {
            throw FormatError(
                .wrongKind, file: path, expected: "PNG or JPEG tiles",
                found: facts.signatures.map(\.rawValue).sorted().joined(separator: ", "))
        }
        let deepest = facts.levels.last?.level ?? 0
        let scheme = TilingScheme.webMercator(tileSize: facts.tileSize ?? 256, maxLevel: max(19, deepest))
        let degrees = try? Projection.project(facts.extent, from: .webMercator, to: .wgs84)
        let writer = try TilePackageWriter(
            path: package,
            description: PackageDescription(
                name: title, scheme: scheme, extent: facts.extent, geographicExtent: degrees ?? facts.extent,
                presentLevels: facts.levels.map(\.level), thumbnail: try coarsestTile(facts.levels)),
            image: image)
        let damaged = Set(facts.damaged.map(\.address))
        try forEachTile { (address, data) throws(FormatError) in
            if !damaged.contains(address) { try writer.add(address, data) }
        }
        try writer.finish()
    }
}

extension MBTilesFacts {
    /// How a package describes the pictures; nil when it cannot hold them.
    public var packageImage: TileImageInfo? {
        if isVector { return nil }
        switch signatures {
        case [.png]: return .png
        case [.jpeg]: return .jpeg
        case [.png, .jpeg]: return TileImageInfo(format: "MIXED", compressionQuality: 75)
        default: return nil
        }
    }
}
