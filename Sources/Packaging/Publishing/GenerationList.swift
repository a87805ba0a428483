import Basics
import Foundation
import Planning

extension Generations {
    /// The maps of the area, the oldest first. Folders with other names, and links, are somebody else's and not listed.
    public func list() throws(SystemError) -> [Generation] {
        if Files.isAbsent(folder) { return [] }
        guard try FileStatus.of(folder).kind == .folder else { return [] }
        let current = current
        return try Files.list(folder).compactMap { name in
            guard let time = Self.time(of: name), FileStatus.isFolder("\(folder)/\(name)") else { return nil }
            return generation(name, time, isCurrent: name == current)
        }
    }

    public func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func generation(_ name: String, _ time: Date, isCurrent: Bool) -> Generation {
        func unknown(_ reason: String) -> Generation {
            Generation(area: area, name: name, time: time, isCurrent: isCurrent, condition: .unknown(reason), bytes: 0)
        }
        let inventory: InventoryRecord
        do throws(InventoryRecord.Problem) {
            inventory = try InventoryRecord.read(path(name))
        } catch {
            return unknown(error.words)
        }
        guard inventory.area == area else { return unknown("its inventory is that of area \(inventory.area)") }
        let wrong = inventory.files.filter { file in
            guard let status = try? FileStatus.of("\(path(name))/\(file.path)") else { return true }
            return status.kind != .file || status.bytes != file.bytes
        }
        return Generation(
            area: area, name: name, time: time, isCurrent: isCurrent,
            condition: wrong.isEmpty ? .whole : .damaged(wrong.map(\.path)),
            bytes: inventory.files.map(\.bytes).reduce(0, +), missingLayers: inventory.missingLayers)
    }
}

extension InventoryRecord.Problem {
    public var words: String {
        switch self {
        case .system(let error) where error.isNotFound: "it has no inventory.json"
        case .system(let error): "inventory.json cannot be read: \(error.message)"
        case .content(let reason): "inventory.json is damaged: \(reason)"
        }
    }
}

/// The output folder of a manifest, seen from outside: whoever looks here need not know the plan.
public struct OutputFolder: Sendable {
    public var path: String

    public init(_ path: String) { self.path = path }

    /// Folders that hold maps, by name. What else is in the output folder is not ours.
    public func areas() throws(SystemError) -> [String] {
        if Files.isAbsent(path) { return [] }
        return try Files.list(path).filter { !$0.hasPrefix(".") && FileStatus.isFolder("\(path)/\($0)/generations") }
    }

    /// What folders below it take on the disk; a file that several of them hold counts once.
    public func diskBytes(of folders: [String]) throws(SystemError) -> Int {
        var seen: [FileStatus.Identity: Int] = [:]
        func walk(_ folder: String) throws(SystemError) {
            for name in try Files.list(folder) {
                let status = try FileStatus.of("\(folder)/\(name)")
                seen[status.identity] = status.diskBytes
                if status.kind == .folder { try walk("\(folder)/\(name)") }
            }
        }
        for folder in folders { try walk("\(path)/\(folder)") }
        return seen.values.reduce(0, +)
    }

    public func generations(of area: String) -> Generations { Generations(output: path, area: area) }
}
