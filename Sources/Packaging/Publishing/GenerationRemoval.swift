import Basics
import Foundation
import Glibc
import Planning

/// Removes old maps, file by file as their inventories list them, and nothing else (demand D19).
///
/// 1. The folder gets a hidden name: no reader finds half a map. 2. The listed files go, no link is followed. 3. So do the folders
/// that are empty then, 4. the inventory, 5. the folder. What a user put there stays, and its folder gets its name back: without
/// an inventory it is never ours again. A crash between any two steps is finished by the next removal.
public struct GenerationRemoval: Sendable {
    public struct Removed: Sendable, Equatable {
        public var generation: Generation
        public var cause: RetentionVerdict.Cause
        /// Files of others were in it, so the folder is still there.
        public var hasForeignFiles: Bool
    }

    public var generations: Generations

    public init(_ generations: Generations) { self.generations = generations }

    /// Decides by the retention and removes. Call it when a new map is current, or under the lock of a run.
    public func prune(_ retention: Retention, now: Date) throws(SystemError) -> [Removed] {
        try finishInterrupted()
        let all = try generations.list()
        var removed: [Removed] = []
        for (generation, verdict) in zip(all, retention.decide(all, now: now)) {
            guard case .goes(let cause) = verdict else { continue }
            removed.append(
                Removed(generation: generation, cause: cause, hasForeignFiles: !(try remove(generation.name))))
        }
        return removed
    }

    /// Whether there may be something to do, by the names alone: asked for every area on every night.
    public func isDue(_ retention: Retention, now: Date) throws(SystemError) -> Bool {
        guard FileStatus.isFolder(generations.folder) else { return false }
        let entries = try Files.list(generations.folder)
        if entries.contains(where: { Generations.isStage($0) || Self.doomedName($0) != nil }) { return true }
        let times = entries.compactMap(Generations.time)
        if let count = retention.count, times.count > count { return true }
        guard let ageSeconds = retention.ageSeconds, times.count > 1 else { return false }
        return times.contains { now.timeIntervalSince($0) > Double(ageSeconds) }
    }

    /// false: files of others stay, under the old name.
    func remove(_ name: String) throws(SystemError) -> Bool {
        let doomed = doomedPath(name)
        try Files.rename(generations.path(name), to: doomed)
        return try finish(name)
    }

    private func finishInterrupted() throws(SystemError) {
        guard FileStatus.isFolder(generations.folder) else { return }
        for entry in try Files.list(generations.folder) {
            if let name = Self.doomedName(entry), FileStatus.isFolder(doomedPath(name)) { _ = try finish(name) }
        }
    }

    private static let suffix = ".removing"

    /// The map that a folder of this name was.
    private static func doomedName(_ entry: String) -> String? {
        guard entry.hasPrefix("."), entry.hasSuffix(suffix) else { return nil }
        let name = String(entry.dropFirst().dropLast(suffix.count))
        return Generations.isName(name) ? name : nil
    }

    private func doomedPath(_ name: String) -> String { "\(generations.folder)/.\(name)\(Self.suffix)" }

    private func finish(_ name: String) throws(SystemError) -> Bool {
        let doomed = doomedPath(name)
        if let inventory = try? InventoryRecord.read(doomed), inventory.area == generations.area {
            for file in inventory.files where isReached(file.path, in: doomed) { try removeFile("\(doomed)/\(file.path)") }
            // The deepest first.
            let folders = Set(inventory.files.flatMap { Self.parents(of: $0.path) })
            for folder in folders.sorted(by: >) where isReached(folder + "/x", in: doomed) {
                _ = try removeFolder("\(doomed)/\(folder)")
            }
            try removeFile("\(doomed)/\(InventoryRecord.fileName)")
        }
        if try removeFolder(doomed) { return true }
        try Files.rename(doomed, to: generations.path(name))
        return false
    }

    /// No folder on the way is a link to somewhere else.
    private func isReached(_ path: String, in root: String) -> Bool {
        Self.parents(of: path).allSatisfy { FileStatus.isFolder("\(root)/\($0)") }
    }

    /// "a", "a/b" of "a/b/c".
    private static func parents(of path: String) -> [String] {
        var parents: [String] = []
        var rest = Paths.parent(path)
        while !rest.isEmpty {
            parents.append(rest)
            rest = Paths.parent(rest)
        }
        return parents.reversed()
    }

    /// Links and what else stands in the place of our file are not ours.
    private func removeFile(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            if try FileStatus.of(path).kind == .file { try Files.remove(path) }
        } catch  where error.isNotFound {
            return
        }
    }

    /// false: it is not empty.
    private func removeFolder(_ path: String) throws(SystemError) -> Bool {
        if rmdir(path) == 0 || errno == ENOENT { return true }
        if errno == ENOTEMPTY || errno == EEXIST { return false }
        throw SystemError(call: "rmdir", path: path, code: errno)
    }
}
