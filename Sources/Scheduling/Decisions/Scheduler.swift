import Planning

/// Decides which job may do its next step now. Pure: events and times in, actions out; no clock, no I/O, no chance (`draw`).
///
/// Rules, in order of weight:
/// 1. Results that are ready are fetched before anything is submitted: servers delete them.
/// 2. A host has at most `jobsPerHost` open server jobs, a service at most `jobsPerService`.
/// 3. Jobs with the same key are done once; the others take its artifact.
/// 4. A job that waits for its retry holds no slot: no job waits for another's retry.
/// 5. With a window, an area that no longer fits is left whole.
/// 6. A service that meets submission after submission with trouble is probed by one at a time, and given up when none gets through.
/// 7. What waits for a job that failed is skipped, unless the job is dispensable.
/// 8. A local disk that refuses ends the run, and every job stays as far as it came.
///
/// An event costs the logarithm of the number of jobs, so plans of many thousands are no matter.
public struct Scheduler: Sendable {
    public let policy: SchedulingPolicy
    public internal(set) var isStopping = false
    let jobs: [Job]
    let index: [String: Int]
    /// Who waits for whom.
    let dependents: [[Int]]
    /// Who takes whose artifact.
    let followers: [Int: [Int]]
    /// Changed by `update` only, which keeps `load` true.
    var entries: [Entry]
    private(set) var load: Load
    private var lanes: Lanes
    var health: Health
    private var appointments = Timetable()
    var deadlines = Timetable()
    /// The tick that was asked for and has not come.
    private var wake: Timestamp?
    private var begun = false
    /// Areas of which a step has begun, and those that the window left out.
    var begunAreas: Set<String> = []
    var leftAreas: Set<String> = []
    /// Uniform in 0..<1 from the caller, so that tests choose it.
    let draw: @Sendable () -> Double

    public init(jobs: [Job], policy: SchedulingPolicy, draw: @escaping @Sendable () -> Double) {
        self.jobs = jobs
        self.policy = policy
        self.draw = draw
        let places = Places(jobs)
        load = Load(hostsOfServices: places.hosts)
        lanes = Lanes(services: places.hosts.count)
        health = Health(services: places.hosts.count)
        let index = Dictionary(jobs.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var dependents = [[Int]](repeating: [], count: jobs.count)
        var leaders: [String: Int] = [:]
        var followers: [Int: [Int]] = [:]
        entries = []
        for (number, job) in jobs.enumerated() {
            let needed = job.dependsOn.compactMap { index[$0] }
            for other in needed { dependents[other].append(number) }
            var entry = Entry(service: places.services[number], openDependencies: needed.count)
            if job.kind.isShareable {
                if let leader = leaders[job.key] {
                    entry.isFollower = true
                    followers[leader, default: []].append(number)
                } else {
                    leaders[job.key] = number
                }
            }
            entries.append(entry)
            load.count(entry, 1)
        }
        self.index = index
        self.dependents = dependents
        self.followers = followers
    }

    public mutating func on(_ event: ScheduleEvent, at now: Timestamp) -> [ScheduleAction] {
        var actions: [ScheduleAction] = []
        switch event {
        case .begin(let restored): begin(restored, at: now, &actions)
        case .submitted(let id, let jobURL):
            noteAnswer(id)
            // Given up while the request was on its way: nobody will want the result.
            guard open(id) != nil else {
                actions.append(.cancel(job: id, jobURL: jobURL))
                break
            }
            advance(id, to: .submitted(jobURL: jobURL, at: now), notBefore: now + policy.poll.wait(0), at: now, &actions)
        case .resultReady(let id, let resultURL, let sendsCredentials):
            noteAnswer(id)
            let ready = JobProgress.ready(resultURL: resultURL, sendsCredentials: sendsCredentials, at: now)
            advance(id, to: ready, notBefore: now, at: now, &actions)
        case .stillRunning(let id, let word):
            guard let number = open(id) else { break }
            update(number) { [poll = policy.poll] entry in
                if entry.said?.word != word { entry.said = (word, now) }
                entry.step = .idle
                entry.polls += 1
                entry.troubles = 0
                entry.notBefore = now + poll.wait(entry.polls)
            }
            queue(number, at: now)
        case .vanished(let id, let failure):
            if let number = open(id) { tryAgain(number, failure, at: now, &actions) }
        case .finished(let id, let artifact):
            if let number = open(id) { finish(number, artifact, at: now, &actions) }
        case .failed(let id, let failure):
            if let number = open(id) { fail(number, failure, at: now, &actions) }
        case .tick: wake = nil
        case .stop: isStopping = true
        }
        enforceDeadlines(at: now, &actions)
        start(at: now, &actions)
        return actions
    }

    /// Where every job stands; for the report.
    public var progress: [(job: Job, progress: JobProgress, attempt: Int)] {
        zip(jobs, entries).map { ($0, $1.progress, $1.attempt) }
    }

    private mutating func noteAnswer(_ id: String) {
        guard let number = index[id], entries[number].step == .submitting, let service = entries[number].service else { return }
        health.answered(service)
    }

    // MARK: - Changes

    /// The number of a job that has not ended: what comes late for one that was given up is of no use.
    private func open(_ id: String) -> Int? {
        guard let number = index[id], !entries[number].progress.isFinal else { return nil }
        return number
    }

    mutating func update(_ number: Int, _ change: (inout Entry) -> Void) {
        load.count(entries[number], -1)
        change(&entries[number])
        load.count(entries[number], 1)
    }

    private mutating func advance(
        _ id: String, to progress: JobProgress, notBefore: Timestamp, at now: Timestamp, _ actions: inout [ScheduleAction]
    ) {
        guard let number = open(id) else { return }
        update(number) { entry in
            entry.step = .idle
            entry.progress = progress
            entry.said = nil
            entry.polls = 0
            entry.troubles = 0
            entry.notBefore = notBefore
        }
        record(number, &actions)
        queue(number, at: now)
    }

    func record(_ number: Int, _ actions: inout [ScheduleAction]) {
        actions.append(.record(job: jobs[number].id, entries[number].progress, attempt: entries[number].attempt))
    }

    /// Puts a job where its next step will be found.
    mutating func queue(_ number: Int, at now: Timestamp) {
        let entry = entries[number]
        guard begun, entry.mayGoOn, let stage = entry.stage else { return }
        if entry.notBefore > now {
            appointments.add(number, at: entry.notBefore)
        } else {
            lanes.add(number, stage, service: entry.service ?? 0)
        }
    }

    // MARK: - Beginnings

    /// What an earlier process had reached is not recorded again. Failed and skipped jobs have another chance.
    private mutating func begin(_ restored: [String: JobProgress], at now: Timestamp, _ actions: inout [ScheduleAction]) {
        begun = true
        for (number, job) in jobs.enumerated() {
            guard let progress = restored[job.id] else { continue }
            switch progress {
            case .done: update(number) { $0.progress = progress }
            case .submitted, .ready:
                // The deadline starts again: the time when no process was there to ask is not the server's.
                update(number) { entry in
                    entry.progress = progress
                    entry.attempt = 1
                }
                begunAreas.insert(job.area)
                setDeadline(number, at: now)
            case .planned, .submitting, .failed, .skipped: break
            }
        }
        for number in jobs.indices {
            guard case .done(let artifact) = entries[number].progress else { continue }
            release(dependents[number].filter { !entries[$0].progress.isFinal }, at: now)
            for follower in followers[number] ?? [] where !entries[follower].progress.isFinal {
                end(follower, .done(artifact), &actions)
                // Followers come later in the plan, so this loop releases theirs too.
            }
        }
        for number in jobs.indices where !entries[number].progress.isFinal {
            if let failure = jobs[number].unreachable { giveUp(number, failure, at: now, &actions) }
        }
        for number in jobs.indices where entries[number].openDependencies == 0 && jobs[number].dependsOn.isEmpty {
            queue(number, at: now)
        }
    }

    private mutating func setDeadline(_ number: Int, at now: Timestamp) {
        entries[number].deadline = now + policy.jobDeadline
        deadlines.add(number, at: now + policy.jobDeadline)
    }

    private mutating func start(at now: Timestamp, _ actions: inout [ScheduleAction]) {
        guard begun else { return }
        if load.unfinished == 0 || (isStopping && load.active == 0) { return actions.append(.end) }
        if isStopping { return }
        for number in appointments.due(at: now, stands: { [entries] in entries[$0].awaits($1) }) { queue(number, at: now) }
        for stage in Stage.allCases {
            while let number = lanes.next(stage, load, health, at: now, policy) {
                // It may have ended while it stood in the lane.
                if entries[number].mayGoOn { begin(number, stage, at: now, &actions) }
            }
        }
        // Nothing that was left to do fits any more.
        if load.unfinished == 0 { return actions.append(.end) }
        let openings = lanes.awaited.map { health.opening(of: $0, after: now, policy) }
        let next =
            ([
                appointments.next { [entries] in entries[$0].awaits($1) },
                deadlines.next { [entries] in entries[$0].isBound(by: $1) },
            ] + openings).compactMap { $0 }.min()
        guard let next, wake.map({ next < $0 }) ?? true else { return }
        wake = next
        actions.append(.wake(at: next))
    }

    private mutating func begin(_ number: Int, _ stage: Stage, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        let id = jobs[number].id
        switch entries[number].progress {
        case .ready(let resultURL, let sendsCredentials, _):
            update(number) { $0.step = .fetching }
            actions.append(.fetch(job: id, resultURL: resultURL, sendsCredentials: sendsCredentials))
        case .submitted(let jobURL, _):
            update(number) { $0.step = .polling }
            actions.append(.poll(job: id, jobURL: jobURL))
        default:
            guard fits(number, at: now) else { return }
            update(number) { $0.attempt += 1 }
            if stage == .local {
                update(number) { $0.step = .performing }
                actions.append(.perform(job: id))
            } else {
                update(number) { entry in
                    entry.step = .submitting
                    entry.progress = .submitting
                }
                setDeadline(number, at: now)
                record(number, &actions)
                actions.append(.submit(job: id))
            }
        }
    }
}

extension Scheduler.Entry {
    /// An appointment for the next step still stands.
    fileprivate func awaits(_ time: Timestamp) -> Bool { mayGoOn && notBefore == time }

    /// A deadline still stands. A download is not cut off: it moves, or its own limits end it.
    func isBound(by time: Timestamp) -> Bool { deadline == time && !progress.isFinal && step != .fetching }
}
