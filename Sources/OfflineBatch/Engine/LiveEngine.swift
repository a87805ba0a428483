import ArcGIS
import Basics
import Execution
import Foundation
import Manifest
import Planning
import Reporting
import Synchronization
import Transport

extension Engine {
    /// The one place where commands meet planner, runner, state and inspection.
    public static let live = Engine(
        plan: { (manifest, settings) async throws(PlanRefusal) in
            let services = try await Services.open(
                manifest.portal, limits: manifest.limits, variables: settings.variables, say: say)
            let plan = try await Planner(
                client: services.client, inspectBasemap: BasemapFile.inspect, memory: manifest.remembered
            ).plan(manifest, only: Set(settings.areas), asking: settings.wishes)
            let comparison = try await PlanComparison.make(
                plan, output: manifest.output.directory, memory: try await memory(settings.stateDirectory),
                asking: services.client, policy: manifest.onDrift, everything: settings.refreshesEverything, now: Date())
            for note in comparison.notes { say(note) }
            return comparison.plan
        },
        run: { manifest, settings, observer in
            await run(manifest, settings, observer)
        },
        status: { (manifest, settings) async throws(Failure) in
            try await StatusReader(manifest: manifest, stateDirectory: settings.stateDirectory)()
        },
        lastGoodRun: { (manifest, settings) async throws(Failure) in
            try await StatusReader(manifest: manifest, stateDirectory: settings.stateDirectory).lastGoodRun()
        },
        inspect: { (settings) async throws(Failure) in try await LiveInspection(settings)() },
        lint: { (manifest, settings) async throws(PlanRefusal) in
            let services = try await Services.open(
                manifest.portal, limits: manifest.limits, variables: settings.variables, say: say)
            return try await Linter(client: services.client).lint(manifest)
        },
        replicas: { (manifest, settings) async throws(CommandStop) in
            try await LiveReplicas(manifest: manifest, settings: settings).list()
        },
        unregister: { (manifest, settings) async throws(CommandStop) in
            try await LiveReplicas(manifest: manifest, settings: settings).unregister()
        },
        doctor: { manifest, settings in
            let (variables, zone) = (settings.variables, settings.zone)
            let caFile = manifest?.portal.connection.tls.caFile
            var findings = await offPool { () throws(Never) in
                MachineCheck(variables: variables, zone: zone, caFile: caFile).findings()
            }
            guard let manifest, let state = settings.stateDirectory else { return findings }
            let disk = DiskCheck(output: manifest.output.directory, stateDirectory: state)
            findings += await offPool { () throws(Never) in disk.findings() }
            let retired = await StatusReader(manifest: manifest, stateDirectory: state).retiredAreas()
            if !retired.isEmpty { findings.append(.retiredAreas(retired, output: manifest.output.directory)) }
            if settings.isOffline { return findings + [.notAsked] }
            let servers = ServerCheck(
                manifest: manifest, stateDirectory: state, variables: settings.variables, now: { Date() })
            return findings + (await servers.findings())
        },
        prune: { (manifest, settings) async throws(CommandStop) in try await prune(manifest, settings) },
        notify: { manifest, news in await Notifier(manifest: manifest, variables: news.variables).end(news) })

    /// What `plan` and `inspect` say while they wait: they have no observer, and standard output is their result's.
    static let say: @Sendable (String) -> Void = { TextOutput.descriptor(2).write(lines: [$0]) }

    /// Planning needs no lock, and no state either: without one there is nothing to remember.
    private static func memory(_ folder: String?) async throws(PlanRefusal) -> StateMemory {
        guard let path = folder.map({ $0 + "/state.db" }), !Files.isAbsent(path) else { return StateMemory() }
        do throws(SQLiteError) {
            return try await SQLiteStateStore(readingPath: path).memory()
        } catch {
            throw PlanRefusal(problems: [PlanProblem(failure: Failure(state: error))])
        }
    }

    private static func run(_ manifest: Manifest, _ settings: RunSettings, _ observer: any RunObserver) async -> RunReport {
        let started = Date()
        let signals = SignalSource()
        // Told under the lock, and while the plan is made: a slow answer delays nothing.
        let beginning = Beginning {
            for notice in await Notifier(manifest: manifest, variables: settings.planning.variables).start() {
                observer.on(.notified(notice))
            }
        }
        var runner = Runner(
            manifest: manifest, stateDirectory: settings.stateDirectory, areas: Set(settings.planning.areas),
            observe: { observer.on($0) },
            connect: { () async throws(PlanRefusal) in
                beginning.begin()
                let services = try await Services.open(
                    manifest.portal, limits: manifest.limits, variables: settings.planning.variables,
                    say: { observer.on(.note($0)) })
                return Runner.Connection(client: services.client, jobClient: services.jobClient, transport: services.transport)
            },
            savedPlan: settings.savedPlan, finishBy: settings.finishBy)
        runner.refreshesEverything = settings.planning.refreshesEverything
        let report = await runner(started: started, stop: signals.numbers)
        signals.stop()
        // Or its end would be told first.
        await beginning.end()
        return report
    }
}

/// Work that is begun at one place, once, and waited for at another.
private final class Beginning: Sendable {
    private let work: @Sendable () async -> Void
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

    func begin() { task.withLock { $0 = $0 ?? Task(operation: work) } }
    func end() async { await task.withLock(\.self)?.value }
}
