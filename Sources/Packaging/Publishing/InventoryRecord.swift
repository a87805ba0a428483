import Basics

/// `inventory.json` of a map that is out, as far as those need it who list, check or remove the map.
public struct InventoryRecord: Sendable, Equatable {
    public struct File: Sendable, Hashable {
        /// Below the map's folder; checked to stay there.
        public var path: String
        public var sha256: String
        public var bytes: Int
    }

    /// What one job brought.
    public struct Source: Sendable, Hashable {
        public var job: String
        /// "replica", "tiles", "vectorTiles", "style".
        public var kind: String
        public var path: String
        /// Of the artifact.
        public var sha256: String
        public var bytes: Int
        /// Rows by layer or tiles by level, as they were proven.
        public var counts: [String: Int]
        /// Where it was asked for.
        public var url: String?
    }

    public enum Problem: Error, Sendable, Equatable {
        case system(SystemError)
        /// What is wrong with its content.
        case content(String)
    }

    public static let fileName = "inventory.json"

    public var area: String
    /// Of the manifest that made the map.
    public var name: String
    public var files: [File]
    public var sources: [Source]
    /// Titles of layers that did not come when the map was made.
    public var missingLayers: [String]

    public static func read(_ folder: String) throws(Problem) -> InventoryRecord {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try Files.read("\(folder)/\(fileName)") } catch { throw .system(error) }
        guard let json = try? JSON.parse(bytes) else { throw .content("it is not JSON") }
        guard let area = json["area"]?.string, let listed = json["files"]?.array else {
            throw .content("it names no area or no files")
        }
        var files: [File] = []
        for entry in listed {
            guard let path = entry["path"]?.string, let sha256 = entry["sha256"]?.string, let bytes = entry["bytes"]?.int,
                isInside(path)
            else { throw .content("an entry of `files` is not one of ours") }
            files.append(File(path: path, sha256: sha256, bytes: bytes))
        }
        return InventoryRecord(
            area: area, name: json["name"]?.string ?? "", files: files,
            sources: (json["sources"]?.array ?? []).compactMap(source),
            missingLayers: missingLayers(json))
    }

    private static func missingLayers(_ json: JSON) -> [String] {
        if json["complete"]?.bool ?? true { return [] }
        // A stale layer has an error, too, and a path.
        let missing = (json["layers"]?.array ?? []).filter { $0["error"]?.string != nil && $0["path"]?.string == nil }
        let titles = missing.compactMap { $0["title"]?.string }
        return titles.isEmpty ? ["an unnamed layer"] : titles
    }

    private static func source(_ json: JSON) -> Source? {
        guard let job = json["job"]?.string, let kind = json["kind"]?.string, let path = json["path"]?.string,
            let sha256 = json["sha256"]?.string
        else { return nil }
        let counts = (json["counts"]?.object?.members ?? []).reduce(into: [:]) { $0[$1.key] = $1.value.int }
        return Source(
            job: job, kind: kind, path: path, sha256: sha256, bytes: json["bytes"]?.int ?? 0, counts: counts,
            url: json["url"]?.string)
    }

    /// A damaged or hostile inventory must not lead out of the folder.
    private static func isInside(_ path: String) -> Bool {
        path.pieces(between: "/").allSatisfy { !["", ".", ".."].contains($0) }
    }
}
