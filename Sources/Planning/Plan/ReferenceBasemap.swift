import Geography

/// A local file in the place of the map's base map (REST reference 10.2), as it was found before anything started.
public struct ReferenceBasemap: Codable, Sendable, Equatable {
    public enum Content: String, Codable, Sendable { case tiles, vectorTiles }

    /// Absolute.
    public var path: String
    public var content: Content
    /// "tpkx", "tpk" or "vtpk": as what it comes into the map.
    public var fileExtension: String
    /// Of the file at `path`.
    public var sha256: String
    public var bytes: Int
    public var tiles: Int
    /// Level ids that hold tiles.
    public var levels: ClosedRange<Int>
    /// That of the whole map, too.
    public var spatialReference: SpatialReference
    /// Where it has tiles, in its spatial reference; nil when the file does not say.
    public var extent: Envelope?
    /// An .mbtiles, which the ArcGIS Maps SDK does not read (formats.md 8): its tiles are put into a .tpkx.
    public var isRepacked: Bool
    /// Damage that leaves the rest usable.
    public var warnings: [String]

    public init(
        path: String, content: Content, fileExtension: String, sha256: String, bytes: Int, tiles: Int, levels: ClosedRange<Int>,
        spatialReference: SpatialReference, extent: Envelope? = nil, isRepacked: Bool = false, warnings: [String] = []
    ) {
        self.path = path
        self.content = content
        self.fileExtension = fileExtension
        self.sha256 = sha256
        self.bytes = bytes
        self.tiles = tiles
        self.levels = levels
        self.spatialReference = spatialReference
        self.extent = extent
        self.isRepacked = isRepacked
        self.warnings = warnings
    }

    public var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Without its extension: the title of base map and layer.
    public var title: String {
        let name = fileName
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    /// Looks into a file; whoever plans brings it, because planning knows no formats. Fails with a reason for the user.
    public typealias Inspector = @Sendable (_ path: String) async throws(Failure) -> ReferenceBasemap
}
