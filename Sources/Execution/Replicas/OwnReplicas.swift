import ArcGIS
import Basics
import Foundation
import Planning

/// A replica that the state records as ours, and what became of it at its server.
public struct OwnReplica: Sendable, Equatable {
    public enum Standing: Sendable, Equatable {
        case registered
        /// The service does not know it any more; somebody else removed it.
        case goneAtServer
        /// Nobody could look, or the server refused.
        case failed(Failure)
        /// By this command.
        case unregistered
    }

    public var record: ReplicaRecord
    public var since: Date
    public var standing: Standing
}

/// `replicas list` and `replicas unregister`. Only ids that the state records are ever named to a server (design chapter 7).
public struct OwnReplicas: Sendable {
    public var stateDirectory: String
    /// Not called when the state records no replica.
    public var connect: @Sendable () async throws(PlanRefusal) -> ArcGISClient

    public init(stateDirectory: String, connect: @escaping @Sendable () async throws(PlanRefusal) -> ArcGISClient) {
        self.stateDirectory = stateDirectory
        self.connect = connect
    }

    // MARK: - List

    /// Reads the state and asks each service; needs no lock. What is gone is marked, so that the next run asks as well. Without a connection the records come all the same.
    public func list() async throws(RunStop) -> [OwnReplica] {
        guard let store = try await store({ path throws(SQLiteError) in try SQLiteStateStore(readingPath: path) }) else {
            return []
        }
        var replicas = try await recorded(in: store)
        if replicas.isEmpty { return [] }
        let client: ArcGISClient
        do throws(PlanRefusal) {
            client = try await connect()
        } catch {
            let failure = RunStop(error).failure
            for index in replicas.indices { replicas[index].standing = .failed(failure) }
            return replicas
        }
        let standings = await ReplicaLookup(client: client).standings(of: replicas.map(\.record))
        for (index, standing) in zip(replicas.indices, standings) { replicas[index].standing = standing }
        await doubt(replicas.filter { $0.standing == .goneAtServer && $0.record.isKept }.map(\.record))
        return replicas
    }

    /// The next run asks for these, whenever their servers told of them last. Who may only read the state leaves it to the week's end.
    private func doubt(_ replicas: [ReplicaRecord]) async {
        if replicas.isEmpty { return }
        let store = try? await store { path throws(SQLiteError) in try SQLiteStateStore(path: path) }
        try? await store?.sawReplicas(replicas, at: 0)
    }

    // MARK: - Unregister

    /// Unregisters all of ours, or those with these ids, and records it, under the lock of a run. An id that is not on record
    /// stops everything before the first request.
    public func unregister(ids: [String]) async throws(RunStop) -> [OwnReplica] {
        // Without a state there is nothing of ours, and no reason to make a folder.
        if Files.isAbsent(path) {
            try check(ids, among: [])
            return []
        }
        let lock = try RunLocks.hold(state: stateDirectory, output: nil, now: Date())
        defer { lock.release() }
        guard let store = try await store({ path throws(SQLiteError) in try SQLiteStateStore(path: path) }) else { return [] }
        let wanted = Set(ids.map(Self.bare))
        var replicas = try await recorded(in: store)
        try check(ids, among: replicas)
        if !wanted.isEmpty { replicas = replicas.filter { wanted.contains(Self.bare($0.record.replicaID)) } }
        if replicas.isEmpty { return [] }
        let client: ArcGISClient
        do throws(PlanRefusal) {
            client = try await connect()
        } catch {
            throw RunStop(error)
        }
        for index in replicas.indices {
            replicas[index].standing = try await unregister(replicas[index].record, client, store)
        }
        return replicas
    }

    private func unregister(
        _ record: ReplicaRecord, _ client: ArcGISClient, _ store: SQLiteStateStore
    ) async throws(RunStop) -> OwnReplica.Standing {
        var standing = OwnReplica.Standing.unregistered
        do throws(ArcGISError) {
            try await client.unregisterReplica(record.serviceURL, id: record.replicaID)
        } catch {
            guard error.meansReplicaIsGone else { return .failed(Failure(.submit, error)) }
            standing = .goneAtServer
        }
        do throws(SQLiteError) {
            try await store.forgetReplica(record, now: Date().timestamp)
        } catch {
            throw RunStop(Failure(state: error))
        }
        return standing
    }

    private func check(_ ids: [String], among replicas: [OwnReplica]) throws(RunStop) {
        let known = Set(replicas.map { Self.bare($0.record.replicaID) })
        let unknown = ids.filter { !known.contains(Self.bare($0)) }
        if unknown.isEmpty { return }
        let details = ["what others registered is left alone"]
        throw RunStop(
            PlanRefusal(
                problems: unknown.map {
                    PlanProblem(
                        failure: Failure(
                            phase: .state, kind: .permanent, message: "the state records no open replica \($0) of ours",
                            details: details))
                }))
    }

    // MARK: - State

    private var path: String { stateDirectory + "/state.db" }

    private func store(
        _ open: @escaping @Sendable (String) throws(SQLiteError) -> SQLiteStateStore
    ) async throws(RunStop) -> SQLiteStateStore? {
        if Files.isAbsent(path) { return nil }
        do throws(SQLiteError) {
            return try await offPool { [path] () throws(SQLiteError) in try open(path) }
        } catch {
            throw RunStop(Failure(state: error))
        }
    }

    private func recorded(in store: SQLiteStateStore) async throws(RunStop) -> [OwnReplica] {
        do throws(SQLiteError) {
            return try await store.registeredReplicas().map {
                OwnReplica(
                    record: $0.replica, since: Date(timeIntervalSince1970: Double($0.since) / 1000), standing: .registered)
            }
        } catch {
            throw RunStop(Failure(state: error))
        }
    }

    private static func bare(_ id: String) -> String { ReplicaInventory.bare(id) }
}
