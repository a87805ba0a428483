/// The kinds of next step, most urgent first.
enum Stage: CaseIterable, Sendable { case fetch, poll, local, submit }

/// Jobs that may begin their next step now, in the order of the plan. Submissions wait by service, so that a full one is passed
/// over in one look, however many wait for it.
struct Lanes: Sendable {
    private var fetches = MinHeap<Int>()
    private var polls = MinHeap<Int>()
    private var local = MinHeap<Int>()
    private var submissions: [MinHeap<Int>]

    init(services: Int) { submissions = Array(repeating: MinHeap(), count: services) }

    mutating func add(_ job: Int, _ stage: Stage, service: Int) {
        switch stage {
        case .fetch: fetches.insert(job)
        case .poll: polls.insert(job)
        case .local: local.insert(job)
        case .submit: submissions[service].insert(job)
        }
    }

    /// Services for which jobs wait.
    var awaited: [Int] { submissions.indices.filter { submissions[$0].min != nil } }

    /// Takes out the next job that load and health admit, by urgency, then by its place in the plan.
    mutating func next(
        _ stage: Stage, _ load: Load, _ health: Health, at now: Timestamp, _ policy: SchedulingPolicy
    ) -> Int? {
        switch stage {
        case .fetch: return load.fetches < policy.fetches ? fetches.popMin() : nil
        case .poll: return polls.popMin()
        case .local: return load.local < policy.localJobs ? local.popMin() : nil
        case .submit:
            let first = submissions.indices.filter {
                load.admits(service: $0, policy) && health.admits($0, submitting: load.submitting[$0], at: now, policy)
            }
            .compactMap { service in submissions[service].min.map { (job: $0, service: service) } }.min { $0.job < $1.job }
            guard let first else { return nil }
            return submissions[first.service].popMin()
        }
    }
}
