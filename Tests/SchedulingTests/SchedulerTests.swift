import Planning
import Testing

@testable import Scheduling

@Suite struct SchedulerTests {
    @Test func submitsNoMoreThanTheServiceAllows() {
        var scheduler = Scheduler(jobs: (1...5).map { replica("a\($0)") }, policy: policy(perService: 2), draw: { 0 })
        let actions = scheduler.on(.begin(restored: [:]), at: 0)
        #expect(actions.submissions == ["a1", "a2"])
        // A place becomes free when the server is done, not when the file is here.
        let more = scheduler.on(.resultReady(job: "a1", resultURL: "u", sendsCredentials: true), at: 10)
        #expect(more.fetches == ["a1"])
        #expect(more.submissions == ["a3"])
    }

    @Test func recordsBeforeItSubmits() throws {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(), draw: { 0 })
        let actions = scheduler.on(.begin(restored: [:]), at: 0)
        let record = try #require(actions.firstIndex(of: .record(job: "a", .submitting, attempt: 1)))
        let submit = try #require(actions.firstIndex(of: .submit(job: "a")))
        #expect(record < submit)
    }

    @Test func fetchesReadyResultsBeforeSubmitting() {
        var scheduler = Scheduler(jobs: [replica("a"), replica("b")], policy: policy(), draw: { 0 })
        let actions = scheduler.on(.begin(restored: ["b": .ready(resultURL: "u", sendsCredentials: false, at: 0)]), at: 0)
        let order = actions.compactMap { action -> String? in
            switch action {
            case .fetch(let id, _, _): "fetch \(id)"
            case .submit(let id): "submit \(id)"
            default: nil
            }
        }
        #expect(order == ["fetch b", "submit a"])
    }

    @Test func asksTheRecordedJobInsteadOfSubmittingAgain() {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(), draw: { 0 })
        let actions = scheduler.on(.begin(restored: ["a": .submitted(jobURL: "job/1", at: 5)]), at: 1_000_000)
        #expect(actions.contains(.poll(job: "a", jobURL: "job/1")))
        #expect(actions.submissions.isEmpty)
    }

    @Test func pollsWithGrowingPauses() {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        // 300 ms, then times 1.2: 360 ms.
        #expect(scheduler.on(.submitted(job: "a", jobURL: "j"), at: 100).wake == 400)
        #expect(scheduler.on(.tick, at: 400).contains(.poll(job: "a", jobURL: "j")))
        #expect(scheduler.on(.stillRunning(job: "a", word: "InProgress"), at: 450).wake == 810)
    }

    @Test func waitsWithoutASlotAndHonoursRetryAfter() {
        var scheduler = Scheduler(jobs: [replica("a"), replica("b")], policy: policy(perService: 1), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        let failure = Failure(phase: .submit, kind: .transient, code: 503, message: "busy", retryAfterSeconds: 30)
        let actions = scheduler.on(.failed(job: "a", failure), at: 0)
        #expect(actions.contains(.retrying(job: "a", after: 30_000, failure)))
        #expect(actions.submissions == ["b"])
    }

    @Test func triesPermanentFailuresOnce() {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        let failure = Failure(phase: .submit, kind: .permanent, code: 400, message: "no")
        let actions = scheduler.on(.failed(job: "a", failure), at: 0)
        #expect(actions.contains(.failed(job: "a", failure)))
        #expect(actions.last == .end)
    }

    @Test func aFailedPollNeverSubmitsAgain() {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(attempts: 3), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.submitted(job: "a", jobURL: "j"), at: 0)
        var now: Timestamp = 300
        let failure = Failure(phase: .poll, kind: .transient, message: "reset")
        for _ in 1...5 {
            #expect(scheduler.on(.tick, at: now).contains(.poll(job: "a", jobURL: "j")))
            let actions = scheduler.on(.failed(job: "a", failure), at: now)
            #expect(actions.submissions.isEmpty)
            now = actions.wake ?? now
        }
        _ = scheduler.on(.tick, at: now)
        #expect(scheduler.on(.failed(job: "a", failure), at: now).contains(.failed(job: "a", failure)))
    }

    @Test func startsOverWhenTheServerForgotTheJob() {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.submitted(job: "a", jobURL: "j"), at: 0)
        _ = scheduler.on(.tick, at: 300)
        let gone = Failure(phase: .poll, kind: .transient, code: 404, message: "gone")
        // The first retry waits half of 1,000 ms when the draw is 0.
        let wake = scheduler.on(.vanished(job: "a", gone), at: 300).wake
        #expect(wake == 800)
        #expect(scheduler.on(.tick, at: 800).submissions == ["a"])
    }

    @Test func skipsEverythingBehindAFailure() {
        let jobs = [
            replica("a"), local("p", .package, ["a"]), local("q", .publish, ["p"]), replica("b"), local("r", .package, ["b"]),
        ]
        var scheduler = Scheduler(jobs: jobs, policy: policy(), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        let actions = scheduler.on(.failed(job: "a", Failure(phase: .submit, kind: .permanent, message: "no")), at: 0)
        #expect(actions.contains(.skipped(job: "p", failedJob: "a")))
        #expect(actions.contains(.skipped(job: "q", failedJob: "p")))
        #expect(!actions.contains(.end))
        _ = scheduler.on(.resultReady(job: "b", resultURL: "u", sendsCredentials: true), at: 1)
        let after = scheduler.on(.finished(job: "b", nil), at: 2)
        #expect(after.contains(.perform(job: "r")))
    }

    /// Jobs a, b and c bring parts; p waits for them, q for p. Ends in any order.
    @Test(arguments: [
        (dispensable: "a", failing: "a", performs: true), ("a", "b", false), ("ab", "ab", true), ("ab", "abc", false),
        ("abc", "abc", false), ("abc", "bc", true), ("", "", true),
    ])
    func goesOnWithoutWhatIsDispensable(dispensable: String, failing: String, performs: Bool) {
        for order in [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]] {
            var policy = policy()
            policy.dispensable = Set(dispensable.map(String.init))
            let jobs = [
                replica("a"), replica("b"), replica("c"), local("p", .package, ["a", "b", "c"]), local("q", .publish, ["p"]),
            ]
            var scheduler = Scheduler(jobs: jobs, policy: policy, draw: { 0 })
            _ = scheduler.on(.begin(restored: [:]), at: 0)
            var actions: [ScheduleAction] = []
            for id in order {
                if failing.contains(id) {
                    actions += scheduler.on(.failed(job: id, Failure(phase: .submit, kind: .permanent, message: "no")), at: 0)
                } else {
                    actions += scheduler.on(.resultReady(job: id, resultURL: "u", sendsCredentials: false), at: 0)
                    actions += scheduler.on(.finished(job: id, nil), at: 0)
                }
            }
            #expect(actions.contains(.perform(job: "p")) == performs, "\(order)")
            #expect(actions.contains(.skipped(job: "q", failedJob: "p")) == !performs, "\(order)")
            #expect((actions.last == .end) == !performs, "\(order)")
        }
    }

    @Test func whatCannotBeAskedForFailsAtOnceAndIsDispensable() {
        var lost = replica("a")
        lost.unreachable = Failure(phase: .metadata, kind: .transient, message: "no answer")
        var policy = policy()
        policy.dispensable = ["a"]
        policy.continueOnErrors = false
        var scheduler = Scheduler(
            jobs: [lost, replica("b"), local("p", .package, ["a", "b"])], policy: policy, draw: { 0 })
        let first = scheduler.on(.begin(restored: ["b": .done(nil)]), at: 0)
        #expect(first.submissions.isEmpty)
        #expect(first.contains(.perform(job: "p")))
    }

    @Test func anAreaThatMustNotGoOnIsLeftAtItsFirstFailure() {
        var strict = policy()
        strict.continueOnErrors = false
        let jobs = [replica("a"), replica("b"), local("p", .package, ["a", "b"])]
        var scheduler = Scheduler(jobs: jobs, policy: strict, draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.submitted(job: "b", jobURL: "j"), at: 0)
        let actions = scheduler.on(.failed(job: "a", Failure(phase: .submit, kind: .permanent, message: "no")), at: 0)
        #expect(actions.contains(.cancel(job: "b", jobURL: "j")))
        #expect(actions.contains(.skipped(job: "b", failedJob: "a")))
        #expect(actions.contains(.skipped(job: "p", failedJob: "a")))
        #expect(actions.last == .end)
    }

    @Test func jobsOfOneKeyAreDoneOnce() {
        var scheduler = Scheduler(jobs: [replica("a", key: "k"), replica("b", key: "k")], policy: policy(), draw: { 0 })
        #expect(scheduler.on(.begin(restored: [:]), at: 0).submissions == ["a"])
        _ = scheduler.on(.resultReady(job: "a", resultURL: "u", sendsCredentials: true), at: 1)
        let artifact = ArtifactReference(sha256: "00", bytes: 1, fileExtension: "geodatabase")
        let actions = scheduler.on(.finished(job: "a", artifact), at: 2)
        #expect(actions.contains(.record(job: "b", .done(artifact), attempt: 0)))
        #expect(actions.last == .end)
    }

    @Test func cancelsAtTheDeadline() {
        var scheduler = Scheduler(
            jobs: [replica("a"), local("p", .package, ["a"])], policy: policy(deadline: 5_000), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.submitted(job: "a", jobURL: "j"), at: 0)
        #expect(scheduler.on(.tick, at: 4_999).contains { if case .cancel = $0 { true } else { false } } == false)
        let actions = scheduler.on(.tick, at: 5_000)
        #expect(actions.contains(.cancel(job: "a", jobURL: "j")))
        #expect(actions.contains(.skipped(job: "p", failedJob: "a")))
    }

    /// Of the job that its deadline ended.
    private func overdue(_ events: [(ScheduleEvent, Timestamp)]) -> Failure? {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(deadline: 60_000), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        for (event, time) in events { _ = scheduler.on(event, at: time) }
        let failures = scheduler.on(.tick, at: 60_000).compactMap { action in
            if case .failed("a", let failure) = action { failure } else { nil }
        }
        return failures.first
    }

    @Test func theDeadlineTellsTheServersLastWordAndSinceWhen() {
        let submitted = (ScheduleEvent.submitted(job: "a", jobURL: "j"), Timestamp(100))
        func said(_ word: String, _ time: Timestamp) -> (ScheduleEvent, Timestamp) { (.stillRunning(job: "a", word: word), time) }
        let long = overdue([
            submitted, said("Pending", 1_000), said("ExportAttachments", 18_000), said("ExportAttachments", 40_000),
        ])
        #expect(
            long?.message
                == "The job was not finished 60 seconds after it was submitted; the server's last word was ExportAttachments, for 42 seconds."
        )
        #expect(long?.kind == .deadline && long?.lastStatus == ServerWord(word: "ExportAttachments", seconds: 42))
        let late = overdue([submitted, said("Pending", 1_000), said("InProgress", 59_500)])
        #expect(late?.message.hasSuffix("the server's last word was InProgress, for less than a second.") == true)
        let mute = overdue([submitted, said("", 1_000)])
        #expect(
            mute?.message
                == "The job was not finished 60 seconds after it was submitted; the server never said how far it was.")
        #expect(mute?.lastStatus == nil)
        let unanswered = overdue([])
        #expect(unanswered?.message == "The server did not answer the request within 60 seconds." && unanswered?.phase == .submit)
    }

    @Test func aWordOfAnEarlierTryIsForgotten() {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(deadline: 60_000), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.submitted(job: "a", jobURL: "j"), at: 0)
        _ = scheduler.on(.stillRunning(job: "a", word: "Pending"), at: 10)
        _ = scheduler.on(.vanished(job: "a", Failure(phase: .poll, kind: .serverJob, message: "gone")), at: 20)
        _ = scheduler.on(.tick, at: 10_000)
        _ = scheduler.on(.submitted(job: "a", jobURL: "k"), at: 10_000)
        let end = scheduler.on(.tick, at: 70_000)
        #expect(end.contains(.cancel(job: "a", jobURL: "k")))
        guard case .failed(let failure)? = scheduler.progress.first?.progress else {
            Issue.record("it has not failed")
            return
        }
        #expect(failure.lastStatus == nil && failure.message.hasSuffix("the server never said how far it was."))
    }

    @Test func aFullDiskEndsTheRunAndFailsNoJob() {
        var scheduler = Scheduler(jobs: [replica("a"), replica("b")], policy: policy(perService: 1), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.resultReady(job: "a", resultURL: "u", sendsCredentials: true), at: 1)
        // a is fetched, b is submitted.
        let actions = scheduler.on(.failed(job: "a", Failure(phase: .download, kind: .storage, message: "full")), at: 2)
        #expect(actions.isEmpty)
        #expect(scheduler.on(.submitted(job: "b", jobURL: "j"), at: 3).last == .end)
        #expect(
            scheduler.progress.map(\.progress) == [
                .ready(resultURL: "u", sendsCredentials: true, at: 1), .submitted(jobURL: "j", at: 3),
            ])
    }

    @Test func whatComesLateForAJobThatWasGivenUpChangesNothing() {
        var scheduler = Scheduler(
            jobs: [replica("a"), local("p", .package, ["a"])], policy: policy(deadline: 5_000), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.submitted(job: "a", jobURL: "j"), at: 0)
        _ = scheduler.on(.tick, at: 5_000)
        let late = scheduler.on(.finished(job: "a", nil), at: 5_001)
        #expect(late == [.end])
        #expect(scheduler.progress[1].progress == .skipped(failedJob: "a"))
    }

    @Test func aJobThatWasGivenUpWhileItWasSubmittedIsCancelled() {
        var scheduler = Scheduler(jobs: [replica("a"), replica("b")], policy: policy(deadline: 5_000), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.submitted(job: "b", jobURL: "b"), at: 0)
        _ = scheduler.on(.resultReady(job: "b", resultURL: "u", sendsCredentials: true), at: 1)
        _ = scheduler.on(.tick, at: 5_000)
        #expect(scheduler.on(.submitted(job: "a", jobURL: "a"), at: 5_001) == [.cancel(job: "a", jobURL: "a")])
    }

    @Test func aDownloadMayOutliveTheDeadlineButNotFailAfterIt() {
        var scheduler = Scheduler(jobs: [replica("a")], policy: policy(deadline: 5_000), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        _ = scheduler.on(.resultReady(job: "a", resultURL: "u", sendsCredentials: true), at: 10)
        #expect(scheduler.on(.tick, at: 6_000).isEmpty)
        let failure = Failure(phase: .download, kind: .transient, message: "reset")
        let actions = scheduler.on(.failed(job: "a", failure), at: 7_000)
        #expect(actions.contains { if case .failed(_, let why) = $0 { why.kind == .deadline } else { false } })
    }

    @Test func restoredWorkIsNotRecordedAgain() {
        let jobs = [replica("a", key: "k"), replica("b", key: "k"), local("p", .package, ["a", "b"])]
        var scheduler = Scheduler(jobs: jobs, policy: policy(), draw: { 0 })
        let actions = scheduler.on(.begin(restored: ["a": .done(nil), "b": .done(nil)]), at: 0)
        #expect(actions == [.perform(job: "p")])
    }

    @Test func aFullServiceIsPassedOverForTheNext() {
        let jobs = (1...3).map { replica("x\($0)", service: "https://h/x") } + [replica("y", service: "https://h/y")]
        var scheduler = Scheduler(jobs: jobs, policy: policy(perService: 1), draw: { 0 })
        #expect(scheduler.on(.begin(restored: [:]), at: 0).submissions == ["x1", "y"])
    }

    @Test func asksForOneWakeUpAtATime() {
        var scheduler = Scheduler(jobs: [replica("a"), replica("b")], policy: policy(), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        #expect(scheduler.on(.submitted(job: "a", jobURL: "j"), at: 100).wake == 400)
        // b is due later; the tick at 400 will see to it.
        #expect(scheduler.on(.submitted(job: "b", jobURL: "j"), at: 200).wake == nil)
        #expect(scheduler.on(.tick, at: 400).wake == 500)
    }

    @Test func stoppingStartsNothingAndKeepsWhatIsOpen() {
        var scheduler = Scheduler(jobs: [replica("a"), replica("b")], policy: policy(perService: 1), draw: { 0 })
        _ = scheduler.on(.begin(restored: [:]), at: 0)
        #expect(scheduler.on(.stop, at: 1).isEmpty)
        let actions = scheduler.on(.submitted(job: "a", jobURL: "j"), at: 2)
        #expect(actions.first == .record(job: "a", .submitted(jobURL: "j", at: 2), attempt: 1))
        #expect(actions.last == .end)
        #expect(actions.submissions.isEmpty)
    }
}
