import ArcGIS
import Basics
import Foundation
import Manifest
import Packaging
import Planning
import Scheduling
import Transport

/// One `run`, from the lock to the report.
///
/// 1. Take the lock, before any request. 2. Open the state. 3. Plan. 4. Find what an earlier process left. 5. Execute.
/// 6. Close the run and drop what nobody needs any more.
public struct Runner: Sendable {
    public var manifest: Manifest
    public var stateDirectory: String
    /// Ids of the areas to run; empty for all.
    public var areas: Set<String>
    public var observe: @Sendable (RunEvent) -> Void
    /// Called under the lock: whoever finds the output taken sends nothing, not even a sign-in.
    public var connect: @Sendable () async throws(PlanRefusal) -> Connection
    /// The run is refused unless this is what the manifest still gives.
    public var savedPlan: Plan?
    /// By then the run is to be over.
    public var finishBy: Date?
    /// Fetches what did not change, too, and goes on with no earlier run.
    public var refreshesEverything = false

    public struct Connection: Sendable {
        /// Repeats what can heal.
        public var client: ArcGISClient
        /// Tries once: the steps of jobs are repeated by the scheduler, so that a waiting one holds no place.
        public var jobClient: ArcGISClient
        /// For downloads; tries once.
        public var transport: any HTTPTransport

        public init(client: ArcGISClient, jobClient: ArcGISClient, transport: any HTTPTransport) {
            self.client = client
            self.jobClient = jobClient
            self.transport = transport
        }
    }

    /// Of a folder's file system while jobs run.
    var freeSpace: @Sendable (String) throws(SystemError) -> Int = { (folder) throws(SystemError) in
        try Files.freeSpace(at: folder)
    }

    public init(
        manifest: Manifest, stateDirectory: String, areas: Set<String> = [], observe: @escaping @Sendable (RunEvent) -> Void,
        connect: @escaping @Sendable () async throws(PlanRefusal) -> Connection, savedPlan: Plan? = nil, finishBy: Date? = nil
    ) {
        self.manifest = manifest
        self.stateDirectory = stateDirectory
        self.areas = areas
        self.observe = observe
        self.connect = connect
        self.savedPlan = savedPlan
        self.finishBy = finishBy
    }

    /// Never throws: what stopped the run is in the report.
    public func callAsFunction(started: Date, stop: AsyncStream<Int32>) async -> RunReport {
        do throws(RunStop) {
            let locks = try prepare(started)
            defer { locks.release() }
            return try await locked(started, stop)
        } catch {
            let report = RunReport(
                name: manifest.name, outcome: error.outcome, started: started, finished: Date(), error: error.failure,
                problems: error.problems)
            observe(.runFinished(report))
            return report
        }
    }

    private func prepare(_ now: Date) throws(RunStop) -> RunLocks {
        let output = manifest.output.directory
        do throws(SystemError) {
            try Files.makeDirectory(output)
            try ArtifactStore(state: stateDirectory).prepare()
        } catch {
            throw RunStop(Failure(.state, error))
        }
        let locks = try RunLocks.hold(state: stateDirectory, output: output, now: now)
        if let holder = locks.takenOverFrom {
            observe(.note("took over from process \(holder.pid) on \(holder.host), which ended without finishing"))
        }
        return locks
    }

    private func locked(_ started: Date, _ stop: AsyncStream<Int32>) async throws(RunStop) -> RunReport {
        let artifacts = ArtifactStore(state: stateDirectory)
        let store: SQLiteStateStore
        do throws(SQLiteError) {
            store = try await offPool { [stateDirectory] () throws(SQLiteError) in
                try SQLiteStateStore(path: stateDirectory + "/state.db")
            }
        } catch {
            throw RunStop(Failure(state: error))
        }
        let relay = SignalRelay(stop)
        let (connection, comparison) = try await planned(started, store, relay)
        for replica in comparison.goneReplicas { try? await store.forgetReplica(replica, now: Date().timestamp) }
        // Who cannot write it down asks again tomorrow.
        try? await store.sawReplicas(comparison.seenReplicas, at: started.timestamp)
        let report = try await execute(comparison, started, store, artifacts, connection, relay)
        observe(.runFinished(report))
        return report
    }

    /// A signal while signing in or planning ends both: nothing was started yet.
    private func planned(
        _ started: Date, _ store: SQLiteStateStore, _ relay: SignalRelay
    ) async throws(RunStop) -> (Connection, PlanComparison) {
        let memory: StateMemory
        do throws(SQLiteError) {
            memory = try await store.memory()
        } catch {
            throw RunStop(Failure(state: error))
        }
        let planning = Task { () -> Result<(Connection, PlanComparison), PlanRefusal> in
            do throws(PlanRefusal) {
                let connection = try await connect()
                let plan = try await Planner(
                    client: connection.client, inspectBasemap: BasemapFile.inspect, memory: manifest.remembered
                ).plan(manifest, only: areas)
                if let problem = savedPlan.flatMap({ PlanChange.problem(saved: $0, now: plan) }) {
                    throw PlanRefusal(problems: [problem])
                }
                return .success((connection, try await compared(plan, memory, connection, started)))
            } catch {
                return .failure(error)
            }
        }
        relay.onFirst { planning.cancel() }
        do throws(PlanRefusal) {
            let result = try await planning.value.get()
            relay.onFirst(nil)
            return result
        } catch {
            if let signal = relay.signal { throw RunStop(signal: signal) }
            throw RunStop(error)
        }
    }

    /// Where no map is out there is nothing to compare with.
    private func compared(
        _ plan: Plan, _ memory: StateMemory, _ connection: Connection, _ now: Date
    ) async throws(PlanRefusal) -> PlanComparison {
        for note in plan.notes { observe(.note(note)) }
        for area in plan.areas {
            for remark in area.remarks { observe(.note("area \(area.id): \(remark.words)")) }
        }
        let comparison = try await PlanComparison.make(
            plan, output: manifest.output.directory, memory: memory, asking: connection.client, policy: manifest.onDrift,
            everything: refreshesEverything, now: now)
        for note in comparison.plan.drift.map(\.words) + comparison.notes { observe(.note(note)) }
        return comparison
    }

    private func execute(
        _ comparison: PlanComparison, _ started: Date, _ store: SQLiteStateStore, _ artifacts: ArtifactStore,
        _ connection: Connection,
        _ relay: SignalRelay
    ) async throws(RunStop) -> RunReport {
        let plan = comparison.plan
        let work = plan.keeping(Set(comparison.held.keys))
        let planHash = await offPool { () throws(Never) in plan.hash }
        let earlier: RunRecord?
        let rollbacks: [String: Rollback]
        do throws(SQLiteError) {
            earlier = refreshesEverything ? nil : try await store.resumableRun(of: plan.name, now: started.timestamp)
            rollbacks = try await store.rollbacks()
        } catch {
            throw RunStop(Failure(state: error))
        }
        let restoration = Restoration(
            plan: work, artifacts: artifacts, output: manifest.output.directory, isStopping: { relay.signal != nil })
        var restored = await restoration(earlier?.recorded ?? [:])
        // What an earlier process of this run did was done by this run; only the rest can be unchanged.
        let unchanged = comparison.unchanged(besides: restored)
        restored.merge(unchanged) { first, _ in first }
        // Half restored, the other half would be submitted again.
        if let signal = relay.signal { throw RunStop(signal: signal) }
        let run: RunRecord
        do throws(SQLiteError) {
            run = try await store.openRun(
                work, hash: planHash, continuing: earlier, known: unchanged, isWhole: areas.isEmpty, now: started.timestamp)
        } catch {
            throw RunStop(Failure(state: error))
        }
        try await checkSpace(work, before: comparison.bytesBefore, restored)
        let client = connection.client
        let thumbnail = ThumbnailSource(client: client, url: plan.map.thumbnailURL, file: plan.map.itemInfo.thumbnail)
        let local = LocalJobs(
            plan: plan, planHash: planHash, output: manifest.output.directory, artifacts: artifacts, started: started,
            thumbnail: { await thumbnail.picture() }, rollbacks: rollbacks, fetched: Int(run.started), kept: comparison.keptParts,
            lastGood: comparison.lastGood)
        let replicas = ReplicaLedger(client: client, store: store)
        let performer = ServiceJobPerformer(
            client: client, jobClient: connection.jobClient, transport: connection.transport, artifacts: artifacts, local: local,
            replicas: replicas, jobDeadline: .milliseconds(plan.limits.jobDeadlineMilliseconds),
            space: SpaceWatch(state: stateDirectory, output: manifest.output.directory, free: freeSpace),
            onPublished: { area, generation, failed in
                let publication = comparison.publication(of: area, generation, failed: failed, at: Date().timestamp)
                try? await store.recordPublications([publication], run: run.id, now: Date().timestamp)
            })
        var night: ShortNight?
        if let finishBy { night = await ShortNight(plan: plan, finishBy: finishBy, store: store, restored: restored) }
        var executor = Executor(
            plan: night?.plan ?? plan, run: run, store: store, performer: performer, observe: observe, window: night?.window)
        executor.maps = comparison.maps
        executor.held = comparison.held
        executor.dispensable = comparison.dispensable
        executor.unchanged = Set(unchanged.keys)
        let ended = await executor(restored: restored, stop: relay.signals)
        var report = await offPool { () throws(Never) in ended.described(by: plan) }
        report.notes += comparison.notes
        report.planHash = planHash
        report.finishBy = finishBy
        do throws(SQLiteError) {
            try await store.recordPublications(comparison.confirmed(by: report), run: run.id, now: Date().timestamp)
            try await store.recordDurations(report.durations)
            let needed = try await close(run, report.outcome, store, artifacts)
            if relay.signal == nil { await tidy(plan, started) }
            await release(needed, comparison.artifacts(staying: report), replicas, relay)
        } catch {
            // The report knows what was done; only the state does not.
            report.error = report.error ?? Failure(state: error)
            report.outcome = .storage
            report.exitCode = Outcome.storage.exitCode
        }
        return report
    }

    /// Before anything is submitted: what a server made for nobody is a burden on it.
    private func checkSpace(
        _ plan: Plan, before: [String: Int], _ restored: [String: JobProgress]
    ) async throws(RunStop) {
        let (output, state) = (manifest.output.directory, stateDirectory)
        let need = SpaceNeed(plan.jobs, before: before) { id in if case .done = restored[id] { true } else { false } }
        let places: [SpaceNeed.Place]
        do throws(SystemError) {
            places = try await offPool { () throws(SystemError) in try need.measure(state: state, output: output) }
        } catch {
            throw RunStop(Failure(.state, error))
        }
        if let failure = SpaceNeed.problem(at: places) { throw RunStop(failure) }
    }

    private func close(
        _ run: RunRecord, _ outcome: Outcome, _ store: SQLiteStateStore, _ artifacts: ArtifactStore
    ) async throws(SQLiteError) -> StateInUse {
        try await store.closeRun(run.id, outcome: outcome, now: Date().timestamp)
        let needed = try await store.inUse(now: Date().timestamp)
        _ = try? await offPool { () throws(SystemError) in
            try artifacts.prune(keeping: needed.artifacts, downloads: needed.keys)
        }
        return needed
    }

    /// Publishing removes what is too old, and this does for areas whose map is out already.
    private func tidy(_ plan: Plan, _ now: Date) async {
        let tidying = MapTidying(output: manifest.output.directory, keep: plan.keep)
        let areas = plan.areas.map(\.id)
        let remarks = await offPool { () throws(Never) in
            areas.flatMap { area in tidying(area, now: now).map { "area \(area): \($0)" } }
        }
        for remark in remarks { observe(.note(remark)) }
    }

    /// Replicas that no map needs any more.
    private func release(
        _ needed: StateInUse, _ current: Set<String>, _ replicas: ReplicaLedger, _ relay: SignalRelay
    ) async {
        let output = OutputFolder(manifest.output.directory)
        let release = Task {
            await replicas.releaseLeftovers(inUse: needed, current: current) {
                await offPool { () throws(Never) in output.artifacts() }
            }
        }
        relay.onFirst { release.cancel() }
        await release.value
    }
}

extension Date {
    /// Milliseconds since 1970.
    var timestamp: Timestamp { Timestamp(timeIntervalSince1970 * 1000) }
}

extension Manifest {
    /// What the maps in its output folder know.
    public var remembered: MapMemory {
        let output = OutputFolder(output.directory)
        return MapMemory(
            services: { await offPool { () throws(Never) in output.rememberedServices() } },
            itemEdits: { await offPool { () throws(Never) in output.rememberedItemEdits() } })
    }
}
