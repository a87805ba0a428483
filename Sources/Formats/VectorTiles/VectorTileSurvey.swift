import Basics
import Geography

/// The first pass over a vector tile package: reads its documents and the names of its files.
struct VectorTileSurvey {
    let source: PackageSource
    let metadata: CacheMetadata
    let files: BundleFiles
    private(set) var style: VectorTilePackageFacts.Style?
    private(set) var styleProblem: String?
    private(set) var listedResources: [String] = []
    private(set) var missingResources: [String] = []
    private(set) var missingSprites: [String] = []
    private(set) var declaredLayers: [String] = []
    private(set) var tileMap: TileMapTree?
    private(set) var tileMapProblem: String?

    private static let documentLimit = 1 << 26

    init(_ source: PackageSource) throws(FormatError) {
        self.source = source
        var names: Set<String> = []
        var documents: [String: (entry: PackageEntry, bytes: [UInt8])] = [:]
        try source.walk { (entry, stream) throws(FormatError) in
            if entry.isDirectory { return }
            names.insert(entry.name)
            if entry.name.lowercased().hasSuffix(".json") && !entry.name.contains("/sprites/") {
                documents[entry.name] = (entry, try stream.readAll(limit: Self.documentLimit))
            }
        }
        // `p12/root.json`: the shallowest root.json; deeper ones are style, resource list and tile map.
        let roots = documents.keys.filter { Paths.name($0) == "root.json" }
        guard let name = roots.min(by: { ($0.split(separator: "/").count, $0) < ($1.split(separator: "/").count, $1) }),
            let document = documents[name]
        else { throw FormatError(.missing, file: source.path, expected: "p12/root.json") }
        var root: JSON = .null
        metadata = try CacheSurvey.read(document.entry, source) { () throws(MetadataError) in
            root = try CacheSurvey.json(document.bytes)
            return try CacheMetadata(root: root)
        }
        if let storage = metadata.storage, storage != .compactV2 {
            throw FormatError(
                .unexpected, file: source.path, entry: name, expected: "compactV2", found: storage.rawValue)
        }
        files = BundleFiles(prefix: CacheSurvey.join(CacheSurvey.parent(document.entry.rawName), "tile"))
        let folder = Paths.parent(name)
        func read(_ path: String) -> Result<JSON, JSONSyntaxError>? {
            documents[path].map { document in
                Result { () throws(JSONSyntaxError) in try JSON.parse(document.bytes, limit: JSON.foreignLimit) }
            }
        }
        readStyle(root, folder: folder, names: names, read: read)
        readResources(read(Paths.join(folder, "resources/info/root.json")), folder: folder, names: names)
        readTileMap(root, folder: folder, read: read)
        if case .success(let json) = read(Paths.join(folder, "metadata.json")) {
            declaredLayers = json["vector_layers"]?.array?.compactMap { $0["id"]?.string } ?? []
        }
    }

    private mutating func readStyle(
        _ root: JSON, folder: String, names: Set<String>, read: (String) -> Result<JSON, JSONSyntaxError>?
    ) {
        let path = Self.resolve(Paths.join(root["defaultStyles"]?.string ?? "resources/styles", "root.json"), in: folder)
        switch read(path) {
        case nil: break
        case .failure(let error): styleProblem = error.reason
        case .success(let json):
            guard let layers = json["layers"]?.array, let sources = json["sources"]?.object else {
                styleProblem = "no layers or no sources"
                return
            }
            let fonts = layers.flatMap { $0["layout"]?["text-font"]?.array?.compactMap(\.string) ?? [] }
            style = VectorTilePackageFacts.Style(
                version: json["version"]?.int, layers: layers.count, sources: sources.keys, sprite: json["sprite"]?.string,
                glyphs: json["glyphs"]?.string, fonts: Set(fonts).sorted())
            if let sprite = json["sprite"]?.string, !sprite.contains("://") {
                let base = Self.resolve(sprite, in: Paths.parent(path))
                missingSprites = [".json", ".png", "@2x.json", "@2x.png"].map { base + $0 }.filter { !names.contains($0) }
            }
        }
    }

    private mutating func readResources(_ list: Result<JSON, JSONSyntaxError>?, folder: String, names: Set<String>) {
        guard case .success(let json) = list else { return }
        let base = Paths.join(folder, "resources/info")
        listedResources = json["resourceInfo"]?.array?.compactMap(\.string).map { Self.resolve($0, in: base) } ?? []
        missingResources = listedResources.filter { !names.contains($0) }
    }

    private mutating func readTileMap(_ root: JSON, folder: String, read: (String) -> Result<JSON, JSONSyntaxError>?) {
        guard let place = root["tileMap"]?.string else { return }
        switch read(Self.resolve(Paths.join(place, "root.json"), in: folder)) {
        case nil: tileMapProblem = "missing"
        case .failure(let error): tileMapProblem = error.reason
        case .success(let json):
            tileMap = TileMapTree(json: json)
            if tileMap == nil { tileMapProblem = "not a quadtree" }
        }
    }

    /// `../fonts/a.pbf` in `p12/resources/info` is `p12/resources/fonts/a.pbf`. Steps above the root stay as they are, and so
    /// match no entry.
    static func resolve(_ path: String, in folder: String) -> String {
        var parts = folder.split(separator: "/")
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
