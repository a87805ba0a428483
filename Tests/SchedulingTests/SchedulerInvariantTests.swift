import Planning
import Testing

@testable import Scheduling

/// What holds of a whole run, however its events are ordered and however many areas it has.
@Suite struct SchedulerInvariantTests {
    /// Of each area a replica of three services, its package and its publication.
    private static func jobs(areas: Int) -> [Job] {
        (1...areas).flatMap { area in
            let parts = (1...3).map { replica("\(area)/\($0)", service: "https://h/s\($0)") }
            return parts + [
                local("\(area)/package", .package, parts.map(\.id)), local("\(area)/publish", .publish, ["\(area)/package"]),
            ]
        }
    }

    /// With costs that grow with the number of jobs at every event, this would take minutes.
    @Test func carriesAThousandAreas() {
        let jobs = Self.jobs(areas: 1000)
        var scheduler = Scheduler(jobs: jobs, policy: policy(perService: 4, perHost: 8), draw: { 0.5 })
        var now: Timestamp = 0
        var waiting = scheduler.on(.begin(restored: [:]), at: now)
        var polls = 0
        var wake: Timestamp?
        var order: [String] = []
        while waiting.last != .end {
            let actions = waiting
            waiting = []
            var event: [ScheduleEvent] = []
            for action in actions {
                switch action {
                case .submit(let id):
                    order.append(id)
                    event.append(.submitted(job: id, jobURL: id))
                case .poll(let id, _):
                    polls += 1
                    event.append(
                        polls.isMultiple(of: 4)
                            ? .resultReady(job: id, resultURL: id, sendsCredentials: false)
                            : .stillRunning(job: id, word: "InProgress"))
                case .fetch(let id, _, _), .perform(let id): event.append(.finished(job: id, nil))
                case .wake(let at): wake = at
                default: break
                }
            }
            if event.isEmpty {
                now = max(now + 1, wake ?? now)
                event = [.tick]
            }
            for next in event where waiting.last != .end { waiting += scheduler.on(next, at: now) }
        }
        #expect(scheduler.progress.allSatisfy { $0.progress == .done(nil) })
        #expect(order.count == 3000 && Set(order).count == 3000)
        // In the order of the plan, as far as the limits allow.
        #expect(order.first == "1/1" && order.last?.hasPrefix("1000/") == true)
    }

    /// Random servers and networks, many orders of events: the invariants that no order may break.
    @Test(arguments: 0..<40) func keepsItsInvariantsInAnyOrder(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let jobs = Self.jobs(areas: 6)
        var scheduler = Scheduler(jobs: jobs, policy: policy(perService: 2, perHost: 4), draw: { 0.5 })
        var now: Timestamp = 0
        var inFlight: [ScheduleAction] = []
        var atServer: Set<String> = []
        var done: Set<String> = []
        var ended = false
        var wake: Timestamp?
        func take(_ actions: [ScheduleAction]) {
            for action in actions {
                switch action {
                case .submit(let id):
                    #expect(!atServer.contains(id))
                    atServer.insert(id)
                    inFlight.append(action)
                case .poll, .fetch: inFlight.append(action)
                case .perform(let id):
                    let job = jobs.first { $0.id == id }
                    #expect(job?.dependsOn.allSatisfy(done.contains) == true)
                    inFlight.append(action)
                case .wake(let at): wake = at
                case .end: ended = true
                default: break
                }
            }
            #expect(atServer.count <= 4)
        }
        take(scheduler.on(.begin(restored: [:]), at: now))
        var steps = 0
        while !ended, steps < 5_000 {
            steps += 1
            if inFlight.isEmpty {
                now = max(now + 1, wake ?? now)
                take(scheduler.on(.tick, at: now))
                continue
            }
            now += 7
            let action = inFlight.remove(at: Int(random.next() % UInt64(inFlight.count)))
            let luck = random.next() % 10
            switch action {
            case .submit(let id):
                if luck < 2 {
                    atServer.remove(id)
                    take(
                        scheduler.on(
                            .failed(job: id, Failure(phase: .submit, kind: luck == 0 ? .permanent : .transient, message: "x")),
                            at: now))
                } else {
                    take(scheduler.on(.submitted(job: id, jobURL: id), at: now))
                }
            case .poll(let id, _):
                if luck < 4 {
                    take(scheduler.on(.stillRunning(job: id, word: "InProgress"), at: now))
                } else if luck == 4 {
                    take(scheduler.on(.failed(job: id, Failure(phase: .poll, kind: .transient, message: "x")), at: now))
                } else {
                    atServer.remove(id)
                    take(scheduler.on(.resultReady(job: id, resultURL: id, sendsCredentials: false), at: now))
                }
            case .fetch(let id, _, _):
                done.insert(id)
                take(scheduler.on(.finished(job: id, nil), at: now))
            case .perform(let id):
                done.insert(id)
                take(scheduler.on(.finished(job: id, nil), at: now))
            default: break
            }
        }
        #expect(ended)
        #expect(scheduler.progress.allSatisfy { $0.progress.isFinal })
    }
}
