import Basics
import Geography

/// The first pass over a cache: finds the metadata, the folder of the bundles and the V1 index files.
struct CacheSurvey {
    let source: PackageSource
    let metadata: CacheMetadata
    let files: BundleFiles
    let indexes: [BundleAddress: [BundleReading.Record]]

    private static let documentLimit = 1 << 24
    private static let documents: Set<String> = ["conf.xml", "conf.cdi", "root.json"]

    init(_ source: PackageSource) throws(FormatError) {
        self.source = source
        var found: [(entry: PackageEntry, bytes: [UInt8])] = []
        var folders: Set<[UInt8]> = []
        var indexed: [[UInt8]: [BundleAddress: [BundleReading.Record]]] = [:]
        try source.walk { (entry, stream) throws(FormatError) in
            if Self.documents.contains(Paths.name(entry.name).lowercased()), !entry.isDirectory {
                found.append((entry, try stream.readAll(limit: Self.documentLimit)))
            } else if let (folder, address, isIndex) = BundleFiles.split(entry) {
                folders.insert(folder)
                if isIndex { indexed[folder, default: [:]][address] = try BundleReading.indexV1(stream, address) }
            }
        }
        func documents(_ name: String) -> [(entry: PackageEntry, bytes: [UInt8])] {
            found.filter { Paths.name($0.entry.name).lowercased() == name }
                .sorted { $0.entry.rawName.count < $1.entry.rawName.count }
        }

        let prefix: [UInt8]
        if let conf = documents("conf.xml").first {
            let extent = documents("conf.cdi").first.flatMap { Envelope(conf: try? XMLElement.parse($0.bytes)) }
            metadata = try Self.read(conf.entry, source) { () throws(MetadataError) in
                try CacheMetadata(conf: try Self.xml(conf.bytes), extent: extent)
            }
            prefix = Self.join(Self.parent(conf.entry.rawName), "_alllayers")
        } else if let root = documents("root.json").first {
            var bundlesPath = "tile"
            metadata = try Self.read(root.entry, source) { () throws(MetadataError) in
                let json = try Self.json(root.bytes)
                if let path = json.member("tileBundlesPath")?.string { bundlesPath = path }
                return try CacheMetadata(root: json)
            }
            let relative = bundlesPath.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
            prefix = Self.join(Self.parent(root.entry.rawName), relative)
        } else {
            throw FormatError(.missing, file: source.path, expected: "root.json or conf.xml")
        }
        // One archive may spell one folder in two encodings (formats.md 1.5): then the only folder with bundles is meant.
        let chosen = folders.contains(prefix) || folders.count != 1 ? prefix : folders.first ?? prefix
        files = BundleFiles(prefix: chosen)
        indexes = indexed[chosen] ?? [:]
    }

    static func parent(_ name: [UInt8]) -> [UInt8] {
        name.lastIndex(of: UInt8(ascii: "/")).map { Array(name[..<$0]) } ?? []
    }

    static func join(_ folder: [UInt8], _ name: String) -> [UInt8] {
        folder.isEmpty || name.isEmpty ? folder + Array(name.utf8) : folder + [UInt8(ascii: "/")] + Array(name.utf8)
    }

    static func xml(_ bytes: [UInt8]) throws(MetadataError) -> XMLElement {
        do throws(XMLSyntaxError) { return try XMLElement.parse(bytes) } catch {
            throw MetadataError(field: "XML", found: "line \(error.line): \(error.reason)")
        }
    }

    static func json(_ bytes: [UInt8]) throws(MetadataError) -> JSON {
        do throws(JSONSyntaxError) { return try JSON.parse(bytes, limit: JSON.foreignLimit) } catch {
            throw MetadataError(field: "JSON", found: error.reason)
        }
    }

    /// Gives an error of a document its place.
    static func read<Value>(
        _ entry: PackageEntry, _ source: PackageSource, _ body: () throws(MetadataError) -> Value
    ) throws(FormatError) -> Value {
        do throws(MetadataError) { return try body() } catch {
            throw FormatError(.malformed, file: source.path, entry: entry.name, expected: error.field, found: error.found)
        }
    }
}
