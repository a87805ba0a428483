import Planning
import Testing

@testable import Scheduling

/// Many jobs, few requests: what a service that does not answer gets to see of us.
@Suite struct HealthTests {
    private static let trouble = Failure(phase: .submit, kind: .transient, code: 503, message: "busy")

    /// Plays a service that answers as `isUp` says, with answers at once. Times and jobs of its submissions.
    private func submissions(
        jobs count: Int, attempts: Int = 5, seed: UInt64 = 1, isUp: (Timestamp) -> Bool
    ) -> (sent: [(time: Timestamp, job: String)], scheduler: Scheduler) {
        var random = SeededRandom(seed: seed)
        // The scheduler draws one at a time, in this task.
        nonisolated(unsafe) let next = { Double(random.next() % 1_000_000) / 1_000_000 }
        var scheduler = Scheduler(
            jobs: (0..<count).map { replica("a\($0)") }, policy: policy(attempts: attempts), draw: { next() })
        var now: Timestamp = 0
        var sent: [(Timestamp, String)] = []
        var waiting = scheduler.on(.begin(restored: [:]), at: now)
        var wake: Timestamp?
        while !waiting.contains(.end) {
            var events: [ScheduleEvent] = []
            for action in waiting {
                switch action {
                case .submit(let id):
                    sent.append((now, id))
                    events.append(
                        isUp(now)
                            ? .resultReady(job: id, resultURL: id, sendsCredentials: false) : .failed(job: id, Self.trouble))
                case .fetch(let id, _, _): events.append(.finished(job: id, nil))
                case .wake(let at): wake = at
                default: break
                }
            }
            if events.isEmpty {
                guard let time = wake else { break }
                (now, wake) = (max(now + 1, time), nil)
                events = [.tick]
            }
            waiting = []
            for event in events where !waiting.contains(.end) { waiting += scheduler.on(event, at: now) }
        }
        return (sent, scheduler)
    }

    @Test func aDeadServiceIsNotStormed() {
        let (sent, scheduler) = submissions(jobs: 500) { _ in false }
        // Eight in a row and at most three more that were on their way, then five probes.
        #expect(sent.count <= 8 + 3 + 5, "\(sent.count) requests")
        #expect(scheduler.progress.allSatisfy { if case .failed(let why) = $0.progress { why == Self.trouble } else { false } })
    }

    @Test func aServiceThatComesBackHasLostNoJob() {
        let (sent, scheduler) = submissions(jobs: 200) { $0 >= 12_000 }
        #expect(scheduler.progress.allSatisfy { $0.progress == .done(nil) })
        // All jobs once, and the misses.
        #expect(sent.count <= 200 + 8 + 3 + 5)
    }

    @Test func probesComeOneByOneAndEverMoreSeldom() {
        let (sent, _) = submissions(jobs: 50) { _ in false }
        let probes = sent.suffix(4).map(\.time)
        let pauses = zip(probes.dropFirst(), probes).map { $0 - $1 }
        #expect(pauses.allSatisfy { $0 > 0 })
        #expect(pauses[2] > pauses[0])
    }

    @Test(arguments: 1...20) func whatFailsTogetherDoesNotComeBackTogether(seed: UInt64) {
        // Four jobs, each refused once at the same moment.
        let (sent, scheduler) = submissions(jobs: 4, seed: seed) { $0 > 0 }
        #expect(scheduler.progress.allSatisfy { $0.progress == .done(nil) })
        let retries = sent.filter { $0.time > 0 }.map(\.time)
        #expect(retries.count == 4 && Set(retries).count == 4, "\(retries)")
        // Half of the first pause at least, the whole at most.
        #expect(retries.allSatisfy { (500...1000).contains($0) }, "\(retries)")
    }

    @Test func anotherServiceDoesNotNotice() {
        let jobs = (0..<20).map { replica("dead\($0)", service: "https://h/dead") } + [replica("x", service: "https://h/x")]
        var scheduler = Scheduler(jobs: jobs, policy: policy(perHost: 40, attempts: 5), draw: { 0 })
        var waiting = scheduler.on(.begin(restored: [:]), at: 0)
        #expect(waiting.contains(.submit(job: "x")))
        var sent = 0
        while true {
            let next = waiting.compactMap { if case .submit(let id) = $0, id != "x" { id } else { nil } }
            if next.isEmpty { break }
            waiting = []
            for id in next {
                sent += 1
                waiting += scheduler.on(.failed(job: id, Self.trouble), at: 0)
            }
        }
        #expect(sent <= 11)
        #expect(
            scheduler.on(.resultReady(job: "x", resultURL: "u", sendsCredentials: true), at: 1).contains {
                if case .fetch("x", _, _) = $0 { true } else { false }
            })
    }
}
