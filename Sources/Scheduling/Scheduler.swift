import Planning

/// Decides which job may do its next step now. Pure: events and times in, actions out; no clock, no I/O, no chance (`draw`).
///
/// Rules, in order of weight:
/// 1. Results that are ready are fetched before anything is submitted: servers delete them.
/// 2. A host has at most `jobsPerHost` open server jobs, a service at most `jobsPerService`.
/// 3. Jobs with the same key are done once; the others take its artifact.
/// 4. A job that waits for its retry holds no slot: no job waits for another's retry.
public struct Scheduler: Sendable {
    struct Entry: Sendable {
        var job: Job
        var host: String
        var service: String
        var progress = JobProgress.planned
        var step = Step.idle
        /// Submissions so far, or tries of a local job.
        var attempt = 0
        /// Consecutive failed polls or fetches since the last success of one.
        var troubles = 0
        var polls = 0
        var deadline: Timestamp?
        /// Not before this time.
        var notBefore: Timestamp = 0
        var openDependencies: Int
        /// The job with the same key that does the work for this one.
        var leader: Int?
    }

    /// What is going on right now for a job.
    enum Step: Sendable { case idle, submitting, polling, fetching, performing }

    public let policy: SchedulingPolicy
    var entries: [Entry]
    let index: [String: Int]
    /// Who waits for whom.
    let dependents: [[Int]]
    let followers: [Int: [Int]]
    var begun = false
    public private(set) var isStopping = false
    /// Uniform in 0..<1 from the caller, so that tests choose it.
    private let draw: @Sendable () -> Double

    public init(jobs: [Job], policy: SchedulingPolicy, draw: @escaping @Sendable () -> Double) {
        self.policy = policy
        self.draw = draw
        let index = Dictionary(jobs.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var dependents = [[Int]](repeating: [], count: jobs.count)
        var leaders: [String: Int] = [:]
        var followers: [Int: [Int]] = [:]
        entries = jobs.enumerated().map { number, job in
            let needed = job.dependsOn.compactMap { index[$0] }
            for other in needed { dependents[other].append(number) }
            var entry = Entry(job: job, host: job.host, service: job.service, openDependencies: needed.count)
            if job.kind.isShareable {
                if let leader = leaders[job.key] {
                    entry.leader = leader
                    followers[leader, default: []].append(number)
                } else {
                    leaders[job.key] = number
                }
            }
            return entry
        }
        self.index = index
        self.dependents = dependents
        self.followers = followers
    }

    public mutating func on(_ event: ScheduleEvent, at now: Timestamp) -> [ScheduleAction] {
        var actions: [ScheduleAction] = []
        let pause = policy.poll
        switch event {
        case .begin(let restored):
            begun = true
            for (id, progress) in restored { restore(id, progress, at: now, &actions) }
        case .submitted(let id, let jobURL):
            change(id) { entry in
                entry.progress = .submitted(jobURL: jobURL, at: now)
                entry.polls = 0
                entry.troubles = 0
                entry.notBefore = now + pause.wait(0)
                actions.append(entry.record)
            }
        case .resultReady(let id, let resultURL, let sendsCredentials):
            change(id) { entry in
                entry.progress = .ready(resultURL: resultURL, sendsCredentials: sendsCredentials, at: now)
                entry.troubles = 0
                entry.notBefore = now
                actions.append(entry.record)
            }
        case .stillRunning(let id):
            change(id) { entry in
                entry.polls += 1
                entry.troubles = 0
                entry.notBefore = now + pause.wait(entry.polls)
            }
        case .vanished(let id, let failure):
            change(id) { $0.progress = .planned }
            tryAgain(id, failure, at: now, &actions)
        case .finished(let id, let artifact):
            finish(id, artifact, &actions)
        case .failed(let id, let failure):
            fail(id, failure, at: now, &actions)
        case .tick: break
        case .stop: isStopping = true
        }
        enforceDeadlines(at: now, &actions)
        start(at: now, &actions)
        return actions
    }

    /// Where every job stands; for the report.
    public var progress: [(job: Job, progress: JobProgress, attempt: Int)] {
        entries.map { ($0.job, $0.progress, $0.attempt) }
    }

    public var isIdle: Bool { entries.allSatisfy { $0.step == .idle } }

    // MARK: - Ends

    private mutating func finish(_ id: String, _ artifact: ArtifactReference?, _ actions: inout [ScheduleAction]) {
        guard let number = index[id] else { return }
        settle(number, .done(artifact), &actions)
        for follower in followers[number] ?? [] where !entries[follower].progress.isFinal {
            settle(follower, .done(artifact), &actions)
        }
    }

    private mutating func settle(_ number: Int, _ progress: JobProgress, _ actions: inout [ScheduleAction]) {
        entries[number].step = .idle
        entries[number].progress = progress
        actions.append(entries[number].record)
        if case .done = progress {
            for dependent in dependents[number] { entries[dependent].openDependencies -= 1 }
        }
    }

    private mutating func fail(_ id: String, _ failure: Failure, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        guard let number = index[id], !entries[number].progress.isFinal else { return }
        let step = entries[number].step
        entries[number].step = .idle
        if failure.kind == .cancelled { return }
        guard [.transient, .verification, .serverJob].contains(failure.kind) else { return giveUp(number, failure, &actions) }
        // A poll or a download that failed says nothing about the server's job, which goes on: only the step is repeated.
        if failure.kind == .transient && (step == .polling || step == .fetching) {
            entries[number].troubles += 1
            if entries[number].troubles < policy.attempts + (step == .polling ? policy.attempts : 0) {
                return wait(number, entries[number].troubles - 1, failure, at: now, &actions)
            }
            return giveUp(number, failure, &actions)
        }
        entries[number].progress = .planned
        tryAgain(id, failure, at: now, &actions)
    }

    private mutating func tryAgain(_ id: String, _ failure: Failure, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        guard let number = index[id] else { return }
        entries[number].step = .idle
        entries[number].deadline = nil
        // What a server made wrong twice it will make wrong again; only the network deserves all attempts.
        let allowed = failure.kind == .transient ? policy.attempts : min(2, policy.attempts)
        guard entries[number].attempt < allowed else { return giveUp(number, failure, &actions) }
        actions.append(entries[number].record)
        wait(number, entries[number].attempt - 1, failure, at: now, &actions)
    }

    private mutating func wait(
        _ number: Int, _ count: Int, _ failure: Failure, at now: Timestamp, _ actions: inout [ScheduleAction]
    ) {
        let asked = failure.retryAfterSeconds.map { Timestamp($0 * 1000) } ?? 0
        let pause = max(asked, policy.retry.jittered(max(0, count), draw: draw()))
        entries[number].notBefore = now + pause
        actions.append(.retrying(job: entries[number].job.id, after: pause, failure))
    }

    private mutating func giveUp(_ number: Int, _ failure: Failure, _ actions: inout [ScheduleAction]) {
        settle(number, .failed(failure), &actions)
        actions.append(.failed(job: entries[number].job.id, failure))
        // The others with this key get their own try only if the fault was not in the common work.
        for follower in followers[number] ?? [] where !entries[follower].progress.isFinal {
            settle(follower, .failed(failure), &actions)
            actions.append(.failed(job: entries[follower].job.id, failure))
            skipDependents(of: follower, &actions)
        }
        skipDependents(of: number, &actions)
    }

    private mutating func skipDependents(of number: Int, _ actions: inout [ScheduleAction]) {
        for dependent in dependents[number] where !entries[dependent].progress.isFinal {
            settle(dependent, .skipped(failedJob: entries[number].job.id), &actions)
            actions.append(.skipped(job: entries[dependent].job.id, failedJob: entries[number].job.id))
            skipDependents(of: dependent, &actions)
        }
    }

    // MARK: - Beginnings

    private mutating func restore(
        _ id: String, _ progress: JobProgress, at now: Timestamp, _ actions: inout [ScheduleAction]
    ) {
        guard let number = index[id] else { return }
        switch progress {
        case .done:
            if !entries[number].progress.isFinal { settle(number, progress, &actions) }
        case .submitted, .ready:
            // The deadline starts again: the time when no process was there to ask is not the server's.
            entries[number].progress = progress
            entries[number].attempt = 1
            entries[number].deadline = now + policy.jobDeadline
        case .planned, .submitting, .failed, .skipped:
            break
        }
    }

    private mutating func enforceDeadlines(at now: Timestamp, _ actions: inout [ScheduleAction]) {
        for number in entries.indices {
            let entry = entries[number]
            guard let deadline = entry.deadline, now >= deadline, !entry.progress.isFinal, entry.step != .fetching else {
                continue
            }
            if case .submitted(let jobURL, _) = entry.progress { actions.append(.cancel(job: entry.job.id, jobURL: jobURL)) }
            giveUp(
                number,
                Failure(
                    phase: .poll, kind: .deadline,
                    message: "The job was not finished \(policy.jobDeadline / 1000) seconds after it was submitted."), &actions)
        }
    }

    private mutating func start(at now: Timestamp, _ actions: inout [ScheduleAction]) {
        guard begun else { return }
        var next: Timestamp?
        var load = Load(entries)
        if !isStopping {
            for stage in Stage.allCases {
                for number in entries.indices where entries[number].stage == stage && entries[number].step == .idle {
                    let entry = entries[number]
                    if entry.openDependencies > 0 || entry.isFollowing(entries) { continue }
                    if entry.notBefore > now {
                        next = min(next ?? entry.notBefore, entry.notBefore)
                        continue
                    }
                    guard load.admits(entry, stage, policy) else { continue }
                    load.add(entry, stage)
                    begin(number, stage, at: now, &actions)
                }
            }
        }
        for entry in entries where !entry.progress.isFinal && entry.step != .fetching {
            if let deadline = entry.deadline { next = min(next ?? deadline, deadline) }
        }
        if entries.allSatisfy({ $0.progress.isFinal }) || (isStopping && isIdle) {
            actions.append(.end)
        } else if !isStopping, let next {
            actions.append(.wake(at: next))
        }
    }

    private mutating func begin(_ number: Int, _ stage: Stage, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        let id = entries[number].job.id
        switch entries[number].progress {
        case .ready(let resultURL, let sendsCredentials, _):
            entries[number].step = .fetching
            actions.append(.fetch(job: id, resultURL: resultURL, sendsCredentials: sendsCredentials))
        case .submitted(let jobURL, _):
            entries[number].step = .polling
            actions.append(.poll(job: id, jobURL: jobURL))
        default:
            entries[number].attempt += 1
            if stage == .local {
                entries[number].step = .performing
                actions.append(.perform(job: id))
            } else {
                entries[number].step = .submitting
                entries[number].progress = .submitting
                entries[number].deadline = now + policy.jobDeadline
                actions.append(entries[number].record)
                actions.append(.submit(job: id))
            }
        }
    }

    private mutating func change(_ id: String, _ body: (inout Entry) -> Void) {
        guard let number = index[id], !entries[number].progress.isFinal else { return }
        entries[number].step = .idle
        body(&entries[number])
    }
}
