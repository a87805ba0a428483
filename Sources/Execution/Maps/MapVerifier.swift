import Basics
import Formats
import Packaging
import Planning

/// Reads maps that are out from end to end: every file against its recorded hash, every package tile by tile and row by row against
/// the counts that were proven when it came. Blocks.
///
/// Maps of several nights share files; each is read once.
public struct MapVerifier {
    private let output: OutputFolder
    private var hashes: [FileStatus.Identity: String] = [:]
    private var walks: [Walk: String?] = [:]

    /// One file, and what it should hold.
    private struct Walk: Hashable {
        var file: FileStatus.Identity
        var source: InventoryRecord.Source
    }

    public init(_ output: OutputFolder) { self.output = output }

    public mutating func verify(_ generation: Generation) -> MapCheck {
        let folder = output.generations(of: generation.area).path(generation.name)
        var check = MapCheck(generation: generation)
        let inventory: InventoryRecord
        do throws(InventoryRecord.Problem) {
            inventory = try InventoryRecord.read(folder)
        } catch {
            check.damages = [MapDamage(InventoryRecord.fileName, .inventory(error.words))]
            return check
        }
        for file in inventory.files {
            check.files += 1
            check.bytes += file.bytes
            if let kind = damage(of: file, in: folder) { check.damages.append(MapDamage(file.path, kind)) }
        }
        for source in inventory.sources {
            if let reason = walk(source, in: folder) { check.damages.append(MapDamage(source.path, .package(reason))) }
        }
        let known = Set(inventory.files.map(\.path) + [InventoryRecord.fileName])
        check.extras = Self.files(in: folder).filter { !known.contains($0) }
        return check
    }

    private mutating func damage(of file: InventoryRecord.File, in folder: String) -> MapDamage.Kind? {
        let path = "\(folder)/\(file.path)"
        do throws(SystemError) {
            let status = try FileStatus.of(path)
            if status.kind != .file { return .notAFile }
            if status.bytes != file.bytes { return .size(expected: file.bytes, found: status.bytes) }
            if hashes[status.identity] == nil { hashes[status.identity] = try SHA256.hex(ofFile: path) }
            return hashes[status.identity] == file.sha256 ? nil : .content
        } catch {
            return error.isNotFound ? .missing : .unreadable(error.message)
        }
    }

    /// nil: it holds what it should, or it is missed already.
    private mutating func walk(_ source: InventoryRecord.Source, in folder: String) -> String? {
        let path = "\(folder)/\(source.path)"
        guard let status = try? FileStatus.of(path), status.kind == .file else { return nil }
        let walk = Walk(file: status.identity, source: source)
        if let known = walks[walk] { return known }
        let reason: String?
        do throws(FormatError) {
            reason = Self.difference(expected: source.counts, found: try Self.counts(of: source, at: path))
        } catch {
            let failure = Failure(.verify, error)
            reason = ([failure.message] + failure.details).joined(separator: ", ")
        }
        walks[walk] = .some(reason)
        return reason
    }

    /// Under the names of `Proof.counts`.
    private static func counts(of source: InventoryRecord.Source, at path: String) throws(FormatError) -> [String: Int] {
        switch source.kind {
        case "replica":
            let facts = try Geodatabase.inspect(path)
            return source.counts.keys.reduce(into: [:]) { counts, key in
                guard let id = Int(key.prefix { $0.isNumber }), let table = facts.layer(id) else { return }
                counts[key] = key.hasSuffix(" attachments") ? table.attachments?.count : table.rows
            }
        case "tiles": return levels(try TilePackage.inspect(path).levels)
        case "vectorTiles": return levels(try VectorTilePackage.inspect(path).levels)
        default: return source.counts
        }
    }

    private static func levels(_ levels: [LevelCount]) -> [String: Int] {
        levels.filter { $0.tiles > 0 }.reduce(into: [:]) { $0["level \($1.level)", default: 0] += $1.tiles }
    }

    static func difference(expected: [String: Int], found: [String: Int]) -> String? {
        let lines = Set(expected.keys).union(found.keys).sorted().compactMap { key -> String? in
            let (before, now) = (expected[key] ?? 0, found[key] ?? 0)
            return before == now ? nil : "\(key): \(now) of \(before)"
        }
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    /// Paths below the folder; links are named, not followed.
    private static func files(in folder: String) -> [String] {
        ((try? Files.list(folder)) ?? []).flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            return FileStatus.isFolder(path) ? files(in: path).map { "\(name)/\($0)" } : [name]
        }
    }
}
