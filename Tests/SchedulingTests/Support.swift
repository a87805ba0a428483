import Planning

@testable import Scheduling

func policy(
    perService: Int = 4, perHost: Int = 8, attempts: Int = 3, deadline: Timestamp = 3_600_000
) -> SchedulingPolicy {
    var limits = PlannedLimits(.init(), continueOnErrors: true)
    limits.jobsPerHost = perHost
    limits.jobsPerService = perService
    limits.attempts = attempts
    limits.jobDeadlineMilliseconds = Int(deadline)
    return SchedulingPolicy(limits)
}

func replica(_ id: String, key: String? = nil, service: String = "https://h/s") -> Job {
    let work = ReplicaWork(
        serviceURL: service, request: ServiceRequest(url: service, parameters: [:]), layers: [], registration: .none)
    return Job(id: id, area: "area", layers: [], reason: "new", key: key ?? id, work: .replica(work))
}

func local(_ id: String, _ work: Work, _ dependsOn: [String]) -> Job {
    Job(id: id, area: "area", layers: [], reason: "new", dependsOn: dependsOn, key: id, work: work)
}

extension [ScheduleAction] {
    var submissions: [String] { compactMap { if case .submit(let id) = $0 { id } else { nil } } }
    var fetches: [String] { compactMap { if case .fetch(let id, _, _) = $0 { id } else { nil } } }
    var wake: Timestamp? {
        for case .wake(let at) in self { return at }
        return nil
    }
}

struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
