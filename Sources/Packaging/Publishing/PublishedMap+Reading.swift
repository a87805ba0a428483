import Basics
import Foundation
import Glibc
import Planning

extension PublishedMap {
    /// The map that `current` points to: what its inventory tells, and whether its files are as it says. nil when there is none, or
    /// one that does not tell with what its parts were fetched. Blocks.
    public static func read(output: String, area: String) -> PublishedMap? {
        let generations = Generations(output: output, area: area)
        guard let name = generations.current else { return nil }
        let path = "\(area)/generations/\(name)"
        let folder = Paths.join(output, path)
        guard let text = try? Files.read(folder + "/inventory.json"), let json = try? JSON.parse(text),
            let packageKey = json["key"]?.string, let created = json["created"]?.int
        else { return nil }
        let check = FileCheck(folder: folder)
        let files = (json["files"]?.array ?? []).compactMap(PublishedFile.init)
        var parts = (json["sources"]?.array ?? []).compactMap { PublishedPart($0, files: files) }
        for index in parts.indices { parts[index].condition = check.condition(of: parts[index].files) }
        let ofParts = Set(parts.flatMap(\.files).map(\.path))
        var map = PublishedMap(
            area: area, generation: path, created: created, mapID: json["webMap"]?["id"]?.string, packageKey: packageKey,
            parts: parts, layers: (json["layers"]?.array ?? []).compactMap(PublishedLayer.init),
            condition: check.condition(of: files.filter { !ofParts.contains($0.path) }))
        map.name = json["name"]?.string ?? ""
        map.isComplete = json["complete"]?.bool ?? true
        return map
    }
}

/// Whether files are what the inventory beside them says.
private struct FileCheck {
    let folder: String
    /// The inventory is the last file of a map that is written.
    private let written: timespec

    init(folder: String) {
        self.folder = folder
        written = Self.status(folder + "/inventory.json")?.st_mtim ?? timespec()
    }

    func condition(of files: [PublishedFile]) -> PublishedFile.Condition {
        files.isEmpty ? .missing : files.map(condition).max() ?? .whole
    }

    /// The size says most. A file that was written to after the map was made is read, too; reading all of them every night is what
    /// `verify` is for.
    private func condition(_ file: PublishedFile) -> PublishedFile.Condition {
        let path = "\(folder)/\(file.path)"
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFREG else { return .missing }
        // One that nobody may read is of no use, whatever is in it; to the superuser every file is open.
        guard status.st_mode & S_IRUSR != 0, access(path, R_OK) == 0 else { return .damaged }
        guard Int(status.st_size) == file.bytes else { return .damaged }
        let modified = status.st_mtim
        let isOlder = (modified.tv_sec, modified.tv_nsec) <= (written.tv_sec, written.tv_nsec)
        return isOlder || (try? SHA256.hex(ofFile: path)) == file.sha256 ? .whole : .damaged
    }

    private static func status(_ path: String) -> stat? {
        var info = stat()
        return lstat(path, &info) == 0 ? info : nil
    }
}

extension PublishedFile {
    /// A damaged or hostile inventory must not lead out of the folder.
    fileprivate init?(_ json: JSON) {
        guard let path = json["path"]?.string, let sha256 = json["sha256"]?.string, let bytes = json["bytes"]?.int else {
            return nil
        }
        guard path.pieces(between: "/").allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
        self.init(path: path, sha256: sha256, bytes: bytes)
    }
}

extension PublishedPart {
    fileprivate init?(_ json: JSON, files: [PublishedFile]) {
        guard let job = json["job"]?.string, let kind = json["kind"]?.string.flatMap(Job.Kind.init(rawValue:)),
            let key = json["key"]?.string, let fetched = json["fetched"]?.int, let sha256 = json["sha256"]?.string,
            let bytes = json["bytes"]?.int, let path = json["path"]?.string,
            let stamp = SourceStamp(json: json["stamp"])
        else { return nil }
        func texts(_ object: JSON?) -> [String: String] {
            (object?.object?.members ?? []).reduce(into: [:]) { $0[$1.key] = $1.value.string }
        }
        self.init(
            job: job, kind: kind, key: key,
            request: ServiceRequest(url: json["url"]?.string ?? "", parameters: texts(json["parameters"])), stamp: stamp,
            fetched: fetched, sha256: sha256, bytes: bytes, fileExtension: json["fileExtension"]?.string ?? "",
            counts: (json["counts"]?.object?.members ?? []).reduce(into: [:]) { $0[$1.key] = $1.value.int },
            warnings: (json["warnings"]?.array ?? []).compactMap(\.string), path: path,
            files: files.filter { $0.path == path || $0.path.hasPrefix(path + "/") })
        layers = (json["layers"]?.array ?? []).compactMap { layer in
            layer["id"]?.string.map { LayerLabel(id: $0, title: layer["title"]?.string ?? $0) }
        }
    }
}

extension PublishedLayer {
    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string, let verdict = json["verdict"]?.string else { return nil }
        self.init(
            id: id, title: json["title"]?.string ?? id, url: json["url"]?.string, verdict: verdict,
            rule: json["rule"]?.string ?? "", serviceLayerID: json["serviceLayerID"]?.int,
            schema: LayerSchema(json: json["schema"]), isOfManifest: json["isOfManifest"]?.bool ?? false)
    }
}
