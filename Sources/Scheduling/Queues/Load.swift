import Planning

/// How much is going on, kept up to date with every change of a job.
struct Load: Sendable {
    /// Server jobs of ours that are, or may be, alive, by service and by host.
    private var openByService: [Int]
    private var openByHost: [Int]
    /// Requests for server jobs that are on their way, by service.
    private(set) var submitting: [Int]
    /// The host of each service.
    private let hosts: [Int]
    private(set) var fetches = 0
    private(set) var local = 0
    /// Jobs in the middle of a step.
    private(set) var active = 0
    /// Jobs that have not ended and are not left to another run.
    private(set) var unfinished = 0

    init(hostsOfServices hosts: [Int]) {
        self.hosts = hosts
        openByService = Array(repeating: 0, count: hosts.count)
        submitting = openByService
        openByHost = Array(repeating: 0, count: (hosts.max() ?? -1) + 1)
    }

    func admits(service: Int, _ policy: SchedulingPolicy) -> Bool {
        openByService[service] < policy.jobsPerService && openByHost[hosts[service]] < policy.jobsPerHost
    }

    /// `weight` is 1 to count a job in, -1 to count it out.
    mutating func count(_ entry: Scheduler.Entry, _ weight: Int) {
        if let service = entry.service, entry.isOpenAtServer {
            openByService[service] += weight
            openByHost[hosts[service]] += weight
        }
        if let service = entry.service, entry.step == .submitting { submitting[service] += weight }
        if entry.step == .fetching { fetches += weight }
        if entry.step == .performing { local += weight }
        if entry.step != .idle { active += weight }
        if !entry.progress.isFinal && !entry.isLeft { unfinished += weight }
    }
}

/// Services and their hosts as small numbers.
struct Places {
    /// The service of each job; nil for local ones.
    private(set) var services: [Int?] = []
    /// The host of each service.
    private(set) var hosts: [Int] = []

    init(_ jobs: [Job]) {
        var knownServices: [String: Int] = [:]
        var knownHosts: [String: Int] = [:]
        for job in jobs {
            guard let url = job.serviceURL else {
                services.append(nil)
                continue
            }
            if knownServices[url] == nil {
                knownServices[url] = hosts.count
                hosts.append(knownHosts.number(of: Self.host(url)))
            }
            services.append(knownServices[url])
        }
    }

    /// `https://host:port` of the service.
    private static func host(_ url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/").lowercased()
    }
}

extension [String: Int] {
    fileprivate mutating func number(of name: String) -> Int {
        if let number = self[name] { return number }
        self[name] = count
        return count - 1
    }
}

extension Job {
    /// The service that does the work.
    fileprivate var serviceURL: String? {
        switch work {
        case .replica(let work): work.serviceURL
        case .tiles(let work), .vectorTiles(let work): work.serviceURL
        case .style, .basemap, .package, .publish: nil
        }
    }
}
