import Basics
import Foundation
import Packaging
import Planning

/// What the books say about replicas that servers keep because of us, and at which services some may be that no book knows.
public struct ReplicaInventory: Sendable {
    public struct Books: Sendable {
        /// Ids in lower case without braces.
        public var open: Set<String> = []
        /// So many of them nobody needs any more.
        public var leftOver = 0
        /// Services of the open replicas and of all maps on the disk.
        public var services: Set<String> = []

        public func knows(_ id: String) -> Bool { open.contains(ReplicaInventory.bare(id)) }
    }

    public var output: String
    public var stateDirectory: String

    public init(output: String, stateDirectory: String) {
        self.output = output
        self.stateDirectory = stateDirectory
    }

    /// Reads state and inventories, and asks nobody.
    public func books(now: Date) async throws(SQLiteError) -> Books {
        let folder = OutputFolder(output)
        let (maps, services) = await offPool { () throws(Never) in (folder.artifacts(), folder.replicaServices()) }
        var books = Books(services: services)
        let path = stateDirectory + "/state.db"
        if Files.isAbsent(path) { return books }
        let store = try await offPool { () throws(SQLiteError) in try SQLiteStateStore(readingPath: path) }
        let inUse = try await store.inUse(now: now.timestamp)
        for replica in try await store.openReplicas() {
            books.open.insert(Self.bare(replica.replicaID))
            books.services.insert(replica.serviceURL)
            if replica.isLeftover(inUse: inUse, maps: maps) { books.leftOver += 1 }
        }
        return books
    }

    /// Servers write ids with and without braces, in either case.
    static func bare(_ id: String) -> String { id.lowercased().filter { $0 != "{" && $0 != "}" } }
}

extension OutputFolder {
    /// Addresses of the feature services in the current maps. Blocks.
    fileprivate func replicaServices() -> Set<String> {
        let areas = (try? areas()) ?? []
        return areas.reduce(into: []) { services, area in
            let generations = generations(of: area)
            guard let current = generations.current, let record = try? InventoryRecord.read(generations.path(current)) else {
                return
            }
            for source in record.sources where source.kind == "replica" {
                if let url = source.url, let end = url.range(of: "/createReplica", options: .backwards) {
                    services.insert(String(url[..<end.lowerBound]))
                }
            }
        }
    }
}
