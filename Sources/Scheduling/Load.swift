import Planning

/// The kinds of next step, most urgent first.
enum Stage: CaseIterable { case fetch, poll, local, submit }

extension Scheduler.Entry {
    /// The step that would come next; nil when there is none.
    var stage: Stage? {
        switch progress {
        case .ready: .fetch
        case .submitted: .poll
        case .planned, .submitting: job.kind.isExport ? .submit : .local
        case .done, .failed, .skipped: nil
        }
    }

    var record: ScheduleAction { .record(job: job.id, progress, attempt: attempt) }

    /// Another job with the same key does the work.
    func isFollowing(_ entries: [Scheduler.Entry]) -> Bool {
        leader.map { !entries[$0].progress.isFinal } ?? false
    }

    /// A server job of ours is, or may be, alive.
    var isOpenAtServer: Bool {
        switch progress {
        case .submitting, .submitted: true
        default: step == .submitting
        }
    }
}

/// How much is going on, by host, service and kind of step.
struct Load {
    private var hosts: [String: Int] = [:]
    private var services: [String: Int] = [:]
    private var fetches = 0
    private var local = 0

    init(_ entries: [Scheduler.Entry]) {
        for entry in entries {
            if entry.job.kind.isExport, entry.isOpenAtServer { open(entry) }
            if entry.step == .fetching { fetches += 1 }
            if entry.step == .performing { local += 1 }
        }
    }

    func admits(_ entry: Scheduler.Entry, _ stage: Stage, _ policy: SchedulingPolicy) -> Bool {
        switch stage {
        case .fetch: fetches < policy.fetches
        case .poll: true
        case .local: local < policy.localJobs
        case .submit:
            hosts[entry.host, default: 0] < policy.jobsPerHost && services[entry.service, default: 0] < policy.jobsPerService
        }
    }

    mutating func add(_ entry: Scheduler.Entry, _ stage: Stage) {
        switch stage {
        case .fetch: fetches += 1
        case .poll: break
        case .local: local += 1
        case .submit: open(entry)
        }
    }

    private mutating func open(_ entry: Scheduler.Entry) {
        hosts[entry.host, default: 0] += 1
        services[entry.service, default: 0] += 1
    }
}

extension Job {
    /// The service that does the work; "" for local jobs.
    var service: String {
        switch work {
        case .replica(let work): work.serviceURL
        case .tiles(let work), .vectorTiles(let work): work.serviceURL
        case .style, .package, .publish: ""
        }
    }

    /// `https://host:port` of the service.
    var host: String {
        service.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
            .lowercased()
    }
}

extension Job.Kind {
    /// Two jobs of one key bring the same bytes. Packages and publications belong to their area.
    var isShareable: Bool { self != .package && self != .publish }
}
