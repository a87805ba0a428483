/// Which services still answer submissions.
///
/// A service that met several in a row with trouble is asked by one job at a time, after pauses that grow, until one gets through; when
/// none does, whatever waits for it is given up with the same failure. So a hundred jobs do not knock at a dead door five times each,
/// and a service that comes back after a minute has lost nothing. Jobs of other services do not notice.
struct Health: Sendable {
    private struct Record: Sendable {
        /// Submissions in a row that met trouble.
        var misses = 0
        var opensAt: Timestamp = 0
    }

    private var records: [Record]

    init(services: Int) { records = Array(repeating: Record(), count: services) }

    mutating func answered(_ service: Int) { records[service] = Record() }

    /// The pause is counted by the misses beyond those that are nothing special; a server's own wish is honoured. What was under way
    /// together is one miss then.
    mutating func missed(
        _ service: Int, asked: Timestamp, draw: Double, isLastUnderWay: Bool, at now: Timestamp, _ policy: SchedulingPolicy
    ) {
        if !isProbed(service, policy) || isLastUnderWay { records[service].misses += 1 }
        let beyond = records[service].misses - policy.missesBeforeProbing
        guard beyond >= 0 else { return }
        records[service].opensAt = now + max(asked, policy.retry.jittered(beyond, draw: draw))
    }

    /// - Parameter submitting: requests of ours that are on their way to the service.
    func admits(_ service: Int, submitting: Int, at now: Timestamp, _ policy: SchedulingPolicy) -> Bool {
        !isProbed(service, policy) || (submitting == 0 && records[service].opensAt <= now)
    }

    func isLost(_ service: Int, _ policy: SchedulingPolicy) -> Bool {
        records[service].misses >= policy.missesBeforeProbing + policy.attempts
    }

    /// When the next probe may go out; nil when nothing keeps it.
    func opening(of service: Int, after now: Timestamp, _ policy: SchedulingPolicy) -> Timestamp? {
        isProbed(service, policy) && records[service].opensAt > now ? records[service].opensAt : nil
    }

    private func isProbed(_ service: Int, _ policy: SchedulingPolicy) -> Bool {
        records[service].misses >= policy.missesBeforeProbing
    }
}
