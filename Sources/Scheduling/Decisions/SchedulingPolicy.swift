import Planning

/// Limits, retry times and deadlines as plain values; the scheduler has no others.
public struct SchedulingPolicy: Sendable, Equatable {
    public var jobsPerHost: Int
    public var jobsPerService: Int
    /// Files fetched at once: results vanish at the server, so this is about the network, not about politeness.
    public var fetches = 4
    /// Local jobs (package, publish) at once.
    public var localJobs = 2
    /// Submissions of one job, the first included.
    public var attempts: Int
    /// Submissions in a row that may meet trouble before a service is asked by one job at a time.
    public var missesBeforeProbing = 8
    /// From the first submission of a try to its verified file.
    public var jobDeadline: Timestamp
    /// Ids of jobs whose failure does not keep those that wait for them from going on without them.
    public var dispensable: Set<String> = []
    /// false: the first failure that an area cannot do without ends the area.
    public var continueOnErrors: Bool
    /// nil: the run may take as long as it takes.
    public var window: NightWindow?
    public var retry = Backoff(first: 1_000, factor: 2, cap: 60_000)
    public var poll = Backoff(first: 300, factor: 1.2, cap: 5_000)

    public init(_ limits: PlannedLimits) {
        jobsPerHost = limits.jobsPerHost
        jobsPerService = limits.jobsPerService
        attempts = limits.attempts
        continueOnErrors = limits.continueOnErrors
        jobDeadline = Timestamp(limits.jobDeadlineMilliseconds)
    }
}

/// Growing waits: `first · factor^n`, never over `cap`; milliseconds.
public struct Backoff: Sendable, Equatable {
    public var first: Double
    public var factor: Double
    public var cap: Double

    public init(first: Double, factor: Double, cap: Double) {
        self.first = first
        self.factor = factor
        self.cap = cap
    }

    /// The wait before try `number` + 1, `number` counted from 0.
    public func wait(_ number: Int) -> Timestamp {
        var wait = first
        for _ in 0..<number where wait < cap { wait *= factor }
        return Timestamp(min(wait, cap))
    }

    /// Jobs that failed together must not come back together: between half of the wait and the whole, by `draw` in 0..<1.
    public func jittered(_ number: Int, draw: Double) -> Timestamp {
        let whole = Double(wait(number))
        return Timestamp(whole / 2 + whole / 2 * draw)
    }
}
