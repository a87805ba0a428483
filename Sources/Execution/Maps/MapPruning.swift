import ArcGIS
import Basics
import Foundation
import Packaging
import Planning

/// `prune`: removes old maps by the manifest's `keep`, and then has the replicas unregistered that only they needed.
public struct MapPruning: Sendable {
    public struct Result: Sendable, Equatable {
        public var rows: [PruneRow]
        /// What the disk gets back: files that no other map names.
        public var freedBytes: Int
        /// Replicas that no map needs any more.
        public var replicas: [ReplicaRecord]
        /// Why they could not be unregistered; the next run tries again.
        public var replicaFailure: Failure?
    }

    public var output: String
    public var stateDirectory: String
    public var retention: Retention
    /// Empty for all areas that have maps.
    public var areas: Set<String>
    /// Called only when there is a replica to unregister.
    public var connect: @Sendable () async throws(PlanRefusal) -> ArcGISClient

    public init(
        output: String, stateDirectory: String, retention: Retention, areas: Set<String>,
        connect: @escaping @Sendable () async throws(PlanRefusal) -> ArcGISClient
    ) {
        self.output = output
        self.stateDirectory = stateDirectory
        self.retention = retention
        self.areas = areas
        self.connect = connect
    }

    /// What would be done; touches nothing, needs no lock.
    public func rehearse(now: Date) async throws(RunStop) -> Result {
        let (rows, freed) = try await decide(now)
        let gone = Set(rows.filter(\.goes).map(\.generation.path))
        return Result(rows: rows, freedBytes: freed, replicas: try await leftovers(without: gone, now, isReading: true).replicas)
    }

    public func callAsFunction(now: Date) async throws(RunStop) -> Result {
        let lock = try RunLocks.hold(state: stateDirectory, output: output, now: now)
        defer { lock.release() }
        var (rows, freed) = try await decide(now)
        let folder = OutputFolder(output)
        for area in Set(rows.map(\.generation.area)) {
            let removal = GenerationRemoval(folder.generations(of: area))
            let outcome = await offPool {
                [retention] () throws(Never) -> Swift.Result<[GenerationRemoval.Removed], SystemError> in
                do throws(SystemError) {
                    try removal.generations.dropStages()
                    return .success(try removal.prune(retention, now: now))
                } catch {
                    return .failure(error)
                }
            }
            for index in rows.indices where rows[index].generation.area == area && rows[index].goes {
                rows[index].result = Self.result(of: rows[index].generation, outcome)
            }
        }
        let (replicas, ledger) = try await leftovers(without: [], now)
        var result = Result(rows: rows, freedBytes: freed, replicas: replicas)
        if let ledger, !replicas.isEmpty {
            do throws(PlanRefusal) {
                let client = try await connect()
                await ReplicaLedger(client: client, store: ledger.store).releaseLeftovers(inUse: ledger.inUse) { ledger.maps }
            } catch {
                result.replicaFailure = RunStop(error).failure
            }
        }
        return result
    }

    private static func result(
        of generation: Generation, _ outcome: Swift.Result<[GenerationRemoval.Removed], SystemError>
    ) -> PruneRow.Result {
        switch outcome {
        case .failure(let error): return .failed("\(error.call) \(error.path): \(error.message)")
        case .success(let removed):
            guard let own = removed.first(where: { $0.generation.name == generation.name }) else { return .decided }
            return own.hasForeignFiles ? .removedButForeign : .removed
        }
    }

    private func decide(_ now: Date) async throws(RunStop) -> (rows: [PruneRow], freed: Int) {
        let folder = OutputFolder(output)
        do throws(SystemError) {
            return try await offPool { [areas, retention] () throws(SystemError) in
                var rows: [PruneRow] = []
                for area in try folder.areas() where areas.isEmpty || areas.contains(area) {
                    let all = try folder.generations(of: area).list()
                    rows += zip(all, retention.decide(all, now: now)).map { PruneRow(generation: $0, verdict: $1) }
                }
                let doomed = rows.filter(\.goes).map { folder.path + "/" + $0.generation.path }
                return (rows, try Self.freedBytes(of: doomed))
            }
        } catch {
            throw RunStop(Failure(.publish, error))
        }
    }

    /// A file is freed when all its names are in the doomed folders.
    private static func freedBytes(of folders: [String]) throws(SystemError) -> Int {
        var names: [FileStatus.Identity: (status: FileStatus, count: Int)] = [:]
        for folder in folders {
            guard let inventory = try? InventoryRecord.read(folder) else { continue }
            for path in inventory.files.map(\.path) + [InventoryRecord.fileName] {
                guard let status = try? FileStatus.of("\(folder)/\(path)") else { continue }
                names[status.identity, default: (status, 0)].count += 1
            }
        }
        return names.values.filter { $0.count >= $0.status.links }.reduce(0) { $0 + $1.status.diskBytes }
    }

    // MARK: - Replicas

    private struct Ledger {
        var store: SQLiteStateStore
        var inUse: StateInUse
        var maps: Set<String>?
    }

    private func leftovers(
        without gone: Set<String>, _ now: Date, isReading: Bool = false
    ) async throws(RunStop) -> (replicas: [ReplicaRecord], Ledger?) {
        let path = stateDirectory + "/state.db"
        if Files.isAbsent(path) { return ([], nil) }
        let folder = OutputFolder(output)
        let maps = await offPool { () throws(Never) in folder.artifacts(without: gone) }
        do throws(SQLiteError) {
            let store = try await offPool { () throws(SQLiteError) in
                isReading ? try SQLiteStateStore(readingPath: path) : try SQLiteStateStore(path: path)
            }
            let inUse = try await store.inUse(now: now.timestamp)
            let open = try await store.openReplicas()
            return (open.filter { $0.isLeftover(inUse: inUse, maps: maps) }, Ledger(store: store, inUse: inUse, maps: maps))
        } catch {
            throw RunStop(Failure(state: error))
        }
    }
}
