/// The jobs of the server as pure state: what runs, what waits for a slot, what is over. Time is given by the caller, so a test
/// is its own clock; nothing here waits.
struct JobTable: Sendable {
    enum Outcome: Sendable, Hashable {
        case succeeded
        case failed(message: String)
        case cancelled
    }

    enum Phase: Sendable, Hashable {
        case waiting
        /// `progress` is 0 ..< 1.
        case running(progress: Double)
        case finished(Outcome)
    }

    /// What fault injection does to a job.
    enum Fault: String, Sendable, Hashable {
        case fails, sticks, forgets, losesResult, completesWithErrors, dropsRows
    }

    struct Entry: Sendable, Hashable {
        var id: String
        var submitted: Double
        var started: Double?
        var finished: Double?
        var outcome: Outcome?
        var fault: Fault?
        /// When the artefact was there, or why it will never be.
        var artefact: Artefact = .making
        var lastUpdate: Double
    }

    enum Artefact: Sendable, Hashable {
        case making
        case ready(at: Double)
        case failed(at: Double, message: String)

        var time: Double? {
            switch self {
            case .making: nil
            case .ready(let at), .failed(let at, _): at
            }
        }
    }

    /// Seconds that a job runs, at least.
    let seconds: Double
    /// Jobs that run at once.
    let slots: Int
    private var entries: [String: Entry] = [:]
    /// Ids without a slot yet, first come first served.
    private var queue: [String] = []
    private var running: Set<String> = []

    init(seconds: Double, slots: Int) {
        self.seconds = seconds
        self.slots = max(1, slots)
    }

    mutating func submit(_ id: String, fault: Fault? = nil, at now: Double) {
        advance(to: now)
        entries[id] = Entry(id: id, submitted: now, fault: fault, lastUpdate: now)
        queue.append(id)
        fillSlots(at: now)
    }

    mutating func artefactReady(_ id: String, at now: Double) { entries[id]?.artefact = .ready(at: now) }

    mutating func artefactFailed(_ id: String, message: String, at now: Double) {
        entries[id]?.artefact = .failed(at: now, message: message)
    }

    /// A job that is over stays as it is, as on the server.
    mutating func cancel(_ id: String, at now: Double) {
        advance(to: now)
        guard let entry = entries[id], entry.outcome == nil else { return }
        queue.removeAll { $0 == id }
        running.remove(id)
        end(id, .cancelled, at: now)
        fillSlots(at: now)
    }

    /// nil for an unknown job and for one that forgets itself.
    mutating func phase(of id: String, at now: Double) -> Phase? {
        advance(to: now)
        guard let entry = entries[id] else { return nil }
        if let outcome = entry.outcome { return entry.fault == .forgets ? nil : .finished(outcome) }
        guard let started = entry.started else { return .waiting }
        let share = seconds > 0 ? (now - started) / seconds : 0.99
        return .running(progress: min(0.99, max(0, share)))
    }

    func entry(_ id: String) -> Entry? { entries[id] }

    mutating func forget(before time: Double) {
        for (id, entry) in entries where (entry.finished ?? .infinity) < time { entries[id] = nil }
    }

    /// Plays what happened since: jobs end in the order of their ends, and each freed slot goes to the next in the queue at the
    /// moment it became free, however late anybody looks.
    private mutating func advance(to now: Double) {
        while let next = running.compactMap(endTime).filter({ $0.time <= now }).min(by: { ($0.time, $0.id) < ($1.time, $1.id) }) {
            running.remove(next.id)
            end(next.id, outcome(of: next.id), at: next.time)
            fillSlots(at: next.time)
        }
    }

    private func endTime(_ id: String) -> (id: String, time: Double)? {
        guard let entry = entries[id], let started = entry.started, entry.fault != .sticks else { return nil }
        let earliest = started + seconds
        if entry.fault == .fails { return (id, earliest) }
        return entry.artefact.time.map { (id, max(earliest, $0)) }
    }

    private func outcome(of id: String) -> Outcome {
        guard let entry = entries[id] else { return .cancelled }
        if entry.fault == .fails { return .failed(message: "An unexpected error occurred processing the request.") }
        if case .failed(_, let message) = entry.artefact { return .failed(message: message) }
        return .succeeded
    }

    private mutating func end(_ id: String, _ outcome: Outcome, at time: Double) {
        entries[id]?.outcome = outcome
        entries[id]?.finished = time
        entries[id]?.lastUpdate = time
    }

    private mutating func fillSlots(at time: Double) {
        while running.count < slots, !queue.isEmpty {
            let id = queue.removeFirst()
            running.insert(id)
            entries[id]?.started = time
            entries[id]?.lastUpdate = time
        }
    }
}
