import Basics
import Foundation
import Planning
import Scheduling

/// Performs a plan: asks the scheduler what may be done, records it, does it, and tells the scheduler what came of it.
///
/// One task runs the loop and owns all state; the steps run in tasks of their own and only send events.
public struct Executor: Sendable {
    public var plan: Plan
    public var run: RunRecord
    public var store: any StateStore
    public var performer: any JobPerformer
    public var observe: @Sendable (RunEvent) -> Void
    /// Nothing that does not fit is begun, and the run stops softly at its end.
    public var window: NightWindow?
    /// Every pause and every deadline is measured by it.
    public var now: @Sendable () -> Date = SteadyClock.started()
    public var draw: @Sendable () -> Double = { Double.random(in: 0..<1) }
    /// The maps that were out when the run began, by area.
    public var maps: [String: PublishedMap] = [:]
    /// Areas of which no job is done, with the reason: their maps stay.
    public var held: [String: String] = [:]
    /// Ids of jobs that need not run.
    public var unchanged: Set<String> = []
    /// Ids of jobs without which their areas go on.
    public var dispensable: Set<String> = []

    public init(
        plan: Plan, run: RunRecord, store: any StateStore, performer: any JobPerformer,
        observe: @escaping @Sendable (RunEvent) -> Void, window: NightWindow? = nil
    ) {
        self.plan = plan
        self.window = window
        self.run = run
        self.store = store
        self.performer = performer
        self.observe = observe
    }

    var jobs: [Job] { held.isEmpty ? plan.jobs : plan.jobs.filter { held[$0.area] == nil } }

    /// How long steps in flight may go on after a stop: submissions finish so that their job is not lost (design chapter 6).
    static let grace = Duration.seconds(6)

    /// Runs until every job has ended or `stop` gives a signal number. Never throws: what went wrong is in the report.
    public func callAsFunction(restored: [String: JobProgress], stop: AsyncStream<Int32>) async -> RunReport {
        var loop = RunLoop(executor: self, restored: restored)
        return await loop.run(stop: stop)
    }
}

/// The mutable half of `Executor`, alive for one run.
private struct RunLoop {
    enum Message: Sendable {
        case event(ScheduleEvent)
        case packaged(job: String, bytes: Int, warnings: [String])
        case published(job: String, generation: String, bytes: Int, warnings: [String])
        case warned(job: String, [String])
        /// The file is here; its verification begins.
        case fetched(job: String)
        case signal(Int32)
        /// The time of `NightWindow.end` has come.
        case windowOver
        /// Nothing can be recorded any more.
        case stateLost
        /// The time of `Executor.grace` is over.
        case graceOver
    }

    let executor: Executor
    let jobs: [String: Job]
    let losses: Ledger.Losses
    let restored: [String: JobProgress]
    var scheduler: Scheduler
    var ledger = Ledger()
    var artifacts: [String: ArtifactReference] = [:]
    var failures: [String: Failure] = [:]
    var steps: [String: (task: Task<Void, Never>, isSubmission: Bool)] = [:]
    /// Work after the end of jobs, awaited at the end of the run.
    var settling: [Task<Void, Never>] = []
    var wake: Task<Void, Never>?
    var isStopping = false
    var signal: Int32?
    /// The local disk or the state refused.
    var storageFailure: Failure?
    var hasLostState = false
    let messages: AsyncStream<Message>
    let send: AsyncStream<Message>.Continuation

    init(executor: Executor, restored: [String: JobProgress]) {
        self.executor = executor
        self.restored = restored
        let all = executor.jobs
        jobs = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        losses = Ledger.Losses(
            layers: executor.plan.losses.skipped.map(\.layer), skippable: Set(all.filter { $0.onError == .skip }.map(\.id)))
        var policy = SchedulingPolicy(executor.plan.limits)
        policy.window = executor.window
        policy.dispensable = executor.dispensable
        scheduler = Scheduler(jobs: all, policy: policy, draw: executor.draw)
        (messages, send) = AsyncStream.makeStream()
        ledger.origin = Date(timeIntervalSince1970: Double(executor.run.started) / 1000)
    }

    mutating func run(stop: AsyncStream<Int32>) async -> RunReport {
        executor.observe(.runStarted(name: executor.plan.name, jobs: executor.jobs))
        let began = executor.now()
        restore()
        let listener = Task { [send] in for await number in stop { send.yield(.signal(number)) } }
        let closing = closeWindow()
        send.yield(.event(.begin(restored: restored)))
        for await message in messages {
            guard let event = translate(message) else { break }
            let actions = scheduler.on(event, at: timestamp)
            await record(actions)
            for action in actions { perform(action) }
            if actions.last == .end { break }
        }
        listener.cancel()
        closing?.cancel()
        wake?.cancel()
        for step in steps.values { step.task.cancel() }
        send.finish()
        await finishSettling()
        return report(began)
    }

    private func closeWindow() -> Task<Void, Never>? {
        executor.window.map { window in
            let pause = Duration.milliseconds(max(0, window.end - timestamp))
            return Task { [send] in
                do { try await Task.sleep(for: pause) } catch { return }
                send.yield(.windowOver)
            }
        }
    }

    /// What is not settled in time is left to the next run.
    private func finishSettling() async {
        let limit = Task { [settling] in
            if !isStopping { try? await Task.sleep(for: Executor.grace) }
            for task in settling { task.cancel() }
        }
        for task in settling { await task.value }
        limit.cancel()
    }

    private var timestamp: Timestamp { Timestamp(executor.now().timeIntervalSince1970 * 1000) }

    private mutating func restore() {
        var finished = 0
        for job in executor.jobs {
            guard let progress = restored[job.id] else { continue }
            switch progress {
            case .done(let artifact):
                artifacts[job.id] = artifact
                if executor.unchanged.contains(job.id) {
                    ledger.keep(job.id, artifact)
                } else {
                    finished += 1
                    ledger.reuse(job.id, artifact)
                }
                executor.observe(.jobFinished(ledger.jobReport(job, progress, attempt: 0)))
            case .submitted(_, let time), .ready(_, _, let time):
                let milestone: Ledger.Milestone = if case .ready = progress { .ready } else { .submitted }
                ledger.mark(job.id, milestone, at: Date(timeIntervalSince1970: Double(time) / 1000))
                executor.observe(.jobSubmitted(id: job.id, reattached: true))
            case .planned, .submitting, .failed, .skipped: break
            }
        }
        if executor.run.isResumed { executor.observe(.resumed(finishedJobs: finished)) }
    }

    /// nil: leave the loop although steps are still in flight.
    private mutating func translate(_ message: Message) -> ScheduleEvent? {
        switch message {
        case .event(let event):
            if let job = event.job { steps[job] = nil }
            switch event {
            case .submitted(let job, _): ledger.mark(job, .submitted, at: executor.now())
            case .resultReady(let job, _, _): ledger.mark(job, .ready, at: executor.now())
            case .finished(let job, let artifact?):
                artifacts[job] = artifact
                ledger.finish(
                    job, bytes: artifact.bytes, counts: artifact.counts, warnings: artifact.warnings, at: executor.now())
            default: break
            }
            if case .failed(let job, let failure) = event, failure.kind == .storage {
                ledger.note(failure, of: job)
                ledger.end(job, at: executor.now())
                storageFailure = storageFailure ?? failure
                beginStop()
            }
            return event
        case .packaged(let job, let bytes, let warnings):
            steps[job] = nil
            ledger.finish(job, bytes: bytes, warnings: warnings, at: executor.now())
            return .finished(job: job, nil)
        case .published(let job, let generation, let bytes, let warnings):
            steps[job] = nil
            ledger.finish(job, bytes: bytes, warnings: warnings, at: executor.now())
            if let area = jobs[job]?.area { ledger.publish(area, generation: generation, bytes: bytes) }
            return .finished(job: job, nil)
        case .warned(let job, let warnings):
            for warning in warnings { warn(job, warning) }
            return .tick
        case .fetched(let job):
            ledger.mark(job, .fetched, at: executor.now())
            return .tick
        case .signal(let number):
            if signal == nil {
                signal = number
                executor.observe(.stopping(signal: number))
            }
            beginStop()
            return .stop
        case .stateLost, .windowOver:
            beginStop()
            return .stop
        case .graceOver:
            return nil
        }
    }

    private mutating func warn(_ job: String, _ warning: String) {
        ledger.warn(job, warning)
        executor.observe(.jobWarning(id: job, message: warning))
    }

    private mutating func beginStop() {
        if isStopping { return }
        isStopping = true
        for step in steps.values where !step.isSubmission { step.task.cancel() }
        Task { [send] in
            try? await Task.sleep(for: Executor.grace)
            send.yield(.graceOver)
        }
    }

    // MARK: - Actions

    private mutating func perform(_ action: ScheduleAction) {
        switch action {
        case .record: break
        case .submit(let id):
            begin(id, isSubmission: true) { performer, job, _ throws(Failure) in
                switch try await performer.submit(job) {
                case .job(let url): .event(.submitted(job: id, jobURL: url))
                case .file(let url, let sendsCredentials):
                    .event(.resultReady(job: id, resultURL: url, sendsCredentials: sendsCredentials))
                }
            }
        case .poll(let id, let url):
            begin(id) { [observe = executor.observe] performer, job, send throws(Failure) in
                switch try await performer.poll(job, jobURL: url) {
                case .running(let word):
                    observe(.jobStatus(id: id, status: word))
                    return .event(.stillRunning(job: id, word: word))
                case .ready(let resultURL, let sendsCredentials, let warnings):
                    if !warnings.isEmpty { send.yield(.warned(job: id, warnings)) }
                    return .event(.resultReady(job: id, resultURL: resultURL, sendsCredentials: sendsCredentials))
                case .gone(let failure): return .event(.vanished(job: id, failure))
                }
            }
        case .fetch(let id, let url, let sendsCredentials):
            begin(id) { [observe = executor.observe] performer, job, send throws(Failure) in
                do throws(Failure) {
                    let artifact = try await performer.fetch(job, resultURL: url, sendsCredentials: sendsCredentials) {
                        observe(.jobProgress(id: id, bytes: $0, total: $1))
                        if $0 == $1 { send.yield(.fetched(job: id)) }
                    }
                    return .event(.finished(job: id, artifact))
                } catch {
                    guard error.isResultGone else { throw error }
                    return .event(.vanished(job: id, error))
                }
            }
        case .perform(let id):
            let inputs = inputs(of: id)
            begin(id) { performer, job, _ throws(Failure) in
                switch try await performer.perform(job, inputs: inputs) {
                case .artifact(let artifact): .event(.finished(job: id, artifact))
                case .packaged(let bytes, let warnings): .packaged(job: id, bytes: bytes, warnings: warnings)
                case .published(let generation, let bytes, let warnings):
                    .published(job: id, generation: generation, bytes: bytes, warnings: warnings)
                }
            }
        case .cancel(let id, let url):
            steps[id]?.task.cancel()
            guard let job = jobs[id] else { return }
            // Awaited at the end, or the process could be gone before the request is out.
            settling.append(Task { [performer = executor.performer] in await performer.cancel(job, jobURL: url) })
        case .retrying(let id, let pause, let failure):
            executor.observe(.jobRetrying(id: id, after: .milliseconds(pause), failure: failure))
        case .failed(let id, let failure):
            failures[id] = failure
            ledger.end(id, at: executor.now())
        case .skipped(let id, _): ledger.end(id, at: executor.now())
        case .wake(let time): sleep(until: time)
        case .end: break
        }
    }

    /// Writes all records of one event in one go, before anything that follows from it begins. What is not recorded must not
    /// happen: when the state cannot be written, the run stops.
    private mutating func record(_ actions: [ScheduleAction]) async {
        let entries = actions.compactMap { action -> StateEntry? in
            guard case .record(let id, let progress, let attempt) = action, let job = jobs[id] else { return nil }
            return StateEntry(job: job, progress: progress, attempt: attempt)
        }
        if entries.isEmpty || hasLostState { return }
        do throws(SQLiteError) {
            try await executor.store.record(entries, run: executor.run.id, now: timestamp)
        } catch {
            hasLostState = true
            storageFailure = storageFailure ?? Failure(state: error)
            send.yield(.stateLost)
            return
        }
        for entry in entries { announce(entry) }
    }

    private mutating func announce(_ entry: StateEntry) {
        let job = entry.job
        if case .submitted = entry.progress { executor.observe(.jobSubmitted(id: job.id, reattached: false)) }
        guard entry.progress.isFinal else { return }
        if case .done(let artifact?) = entry.progress { artifacts[job.id] = artifact }
        ledger.end(job.id, at: executor.now())
        let report = ledger.jobReport(job, entry.progress, attempt: entry.attempt)
        executor.observe(.jobFinished(report))
        if job.kind == .publish, report.state == .done {
            let failed = failures.filter { jobs[$0.key]?.area == job.area }.compactMap { failure in
                jobs[failure.key].map { ledger.jobReport($0, .failed(failure.value), attempt: 1) }
            }
            executor.observe(.areaPublished(ledger.areaReport(job.area, jobs: failed + [report], losses: losses)))
        }
        if job.kind.isExport { settling.append(Task { [performer = executor.performer] in await performer.settle(job) }) }
    }

    private mutating func begin(
        _ id: String, isSubmission: Bool = false,
        _ step: @escaping @Sendable (any JobPerformer, Job, AsyncStream<Message>.Continuation) async throws(Failure) -> Message
    ) {
        guard let job = jobs[id], !hasLostState else { return }
        if ledger.begin(id, at: executor.now()) { executor.observe(.jobStarted(id: id)) }
        let task = Task { [performer = executor.performer, send] in
            do throws(Failure) {
                send.yield(try await step(performer, job, send))
            } catch {
                send.yield(.event(.failed(job: id, error)))
            }
        }
        steps[id] = (task, isSubmission)
    }

    private func inputs(of id: String) -> JobInputs {
        var needed = Set(jobs[id]?.dependsOn ?? [])
        // A publication needs what its package held.
        for other in needed { needed.formUnion(jobs[other]?.dependsOn ?? []) }
        var inputs = JobInputs()
        for other in needed {
            inputs.artifacts[other] = artifacts[other]
            inputs.failures[other] = failures[other]
        }
        return inputs
    }

    private mutating func sleep(until time: Timestamp) {
        wake?.cancel()
        let pause = Duration.milliseconds(max(0, time - timestamp))
        wake = Task { [send] in
            do { try await Task.sleep(for: pause) } catch { return }
            send.yield(.event(.tick))
        }
    }

    // MARK: - End

    /// A failed job whose file of the last good map is in the new one.
    private func markingStale(_ report: JobReport) -> JobReport {
        guard report.state == .failed, ledger.isPublished(report.area), let job = jobs[report.id] else { return report }
        var report = report
        report.staleSince = executor.maps[report.area]?.lastGood(of: job).map {
            Date(timeIntervalSince1970: Double($0.fetched) / 1000)
        }
        return report
    }

    private func report(_ began: Date) -> RunReport {
        let ended = scheduler.progress.map { ledger.jobReport($0.job, $0.progress, attempt: $0.attempt) }
        let reports = ledger.queueTimes(ended, of: executor.jobs, since: began).map(markingStale)
        let byArea = Dictionary(grouping: reports, by: \.area)
        let areas = executor.plan.areas.map { area in
            let map = executor.maps[area.id]
            if let reason = executor.held[area.id] {
                return AreaReport(id: area.id, state: .kept, map, bytes: map?.bytes ?? 0, reason: reason)
            }
            return ledger.areaReport(area.id, jobs: byArea[area.id] ?? [], map: map, losses: losses)
        }
        var outcome = Outcome.of(reports, areas: areas)
        if storageFailure != nil {
            outcome = .storage
        } else if let signal, outcome != .ok {
            outcome = signal == SIGTERM ? .terminated : .interrupted
        } else if executor.window != nil, outcome == .failed, !reports.contains(where: { $0.state == .failed }) {
            // The night was too short for everything; that is no failure of anything.
            outcome = .unavailable
        }
        var report = RunReport(
            name: executor.plan.name, outcome: outcome, started: Date(timeIntervalSince1970: Double(executor.run.started) / 1000),
            finished: executor.now(), areas: areas, jobs: reports, error: storageFailure)
        report.drift = executor.plan.drift
        return report
    }
}

extension ScheduleEvent {
    fileprivate var job: String? {
        switch self {
        case .submitted(let job, _), .resultReady(let job, _, _), .stillRunning(let job, _), .vanished(let job, _),
            .finished(let job, _),
            .failed(let job, _):
            job
        case .begin, .tick, .stop: nil
        }
    }
}
