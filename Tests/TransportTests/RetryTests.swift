import Basics
import Synchronization
import TestSupport
import Testing

@testable import Transport

@Suite struct RetryPolicyTests {
    private let policy = RetryPolicy(
        attempts: 4, baseDelaySeconds: 2, maximumDelaySeconds: 10, maximumRetryAfterSeconds: 100, jitter: 0.5)

    @Test(arguments: [
        (1, 0.0, 2.0), (2, 0, 4), (3, 0, 8), (4, 0, 10), (40, 0, 10), (1, 0.5, 1.5), (3, 0.999, 8 - 8 * 0.5 * 0.999),
    ])
    func delaysDoubleUpToTheCap(attempt: Int, random: Double, seconds: Double) {
        #expect(abs(policy.delay(attempt: attempt, random: random).seconds - seconds) < 1e-9)
    }

    /// (what came, idempotent, retried)
    @Test(arguments: [
        (RetryPolicy.Result.status(200, retryAfter: nil), true, false), (.status(404, retryAfter: nil), true, false),
        (.status(400, retryAfter: nil), true, false), (.status(401, retryAfter: nil), true, false),
        (.status(429, retryAfter: nil), false, true), (.status(503, retryAfter: nil), false, true),
        (.status(500, retryAfter: nil), true, true), (.status(500, retryAfter: nil), false, false),
        (.status(502, retryAfter: nil), true, true), (.status(502, retryAfter: nil), false, false),
        (.status(504, retryAfter: nil), true, true), (.status(504, retryAfter: nil), false, false),
        (.failure(.connect), false, true), (.failure(.nameResolution), false, true), (.failure(.timeout), true, true),
        (.failure(.timeout), false, false), (.failure(.inactivity), true, true), (.failure(.inactivity), false, false),
        (.failure(.closedEarly), true, true), (.failure(.closedEarly), false, false), (.failure(.tls), true, false),
        (.failure(.badURL), true, false), (.failure(.localStorage), true, false), (.failure(.cancelled), true, false),
        (.failure(.unsafeRedirect), true, false), (.failure(.tooManyRedirects), true, false),
    ])
    func whatMayHeal(result: RetryPolicy.Result, isIdempotent: Bool, retried: Bool) {
        let decision = policy.decide(result, attempt: 1, isIdempotent: isIdempotent, random: 0)
        #expect(decision == (retried ? .retry(after: .seconds(2)) : .giveUp))
    }

    @Test func theServersWishCounts() {
        func decide(_ seconds: Int) -> RetryPolicy.Decision {
            policy.decide(.status(429, retryAfter: .seconds(seconds)), attempt: 1, isIdempotent: true, random: 0)
        }
        #expect(decide(30) == .retry(after: .seconds(30)))
        #expect(decide(0) == .retry(after: .seconds(2)))
        #expect(decide(101) == .giveUp)
    }

    @Test func attemptsEnd() {
        #expect(policy.decide(.failure(.connect), attempt: 3, isIdempotent: true, random: 0) != .giveUp)
        #expect(policy.decide(.failure(.connect), attempt: 4, isIdempotent: true, random: 0) == .giveUp)
        #expect(RetryPolicy.never.decide(.failure(.connect), attempt: 1, isIdempotent: true, random: 0) == .giveUp)
    }

    /// 1445412480 is Wed, 21 Oct 2015 07:28:00 GMT.
    @Test(arguments: [
        ("120", 120.0), (" 7 ", 7), ("Wed, 21 Oct 2015 07:28:00 GMT", 60), ("Wednesday, 21-Oct-15 07:28:00 GMT", 60),
        ("Wed Oct 21 07:28:00 2015", 60), ("Tue, 20 Oct 2015 07:28:00 GMT", 0), ("-5", nil), ("soon", nil), ("", nil),
    ])
    func retryAfterForms(text: String, seconds: Double?) {
        #expect(RetryAfter.duration([HTTPHeader("retry-after", text)], now: 1_445_412_420)?.seconds == seconds)
    }
}

@Suite struct RetryingTransportTests {
    private final class Journal: Sendable {
        let pauses = Mutex<[Duration]>([])
        let notices = Mutex<[RetryNotice]>([])
    }

    private func transport(
        _ answers: [Result<HTTPResponse, TransportError>], journal: Journal,
        policy: RetryPolicy = RetryPolicy(attempts: 3, jitter: 0)
    ) -> (RetryingTransport, ReplayTransport) {
        let rest = Mutex(answers)
        let replay = ReplayTransport { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        let retrying = RetryingTransport(
            replay, policy: policy, sleep: { pause in journal.pauses.withLock { $0.append(pause) } }, random: { 0 }, now: { 0 },
            onRetry: { notice in journal.notices.withLock { $0.append(notice) } })
        return (retrying, replay)
    }

    private static let dropped = TransportError(kind: .closedEarly, message: "gone", url: "http://a/")

    @Test func triesAgainAndTells() async throws {
        let journal = Journal()
        let busy = HTTPResponse(status: 503, headers: [HTTPHeader("Retry-After", "9")], url: "http://a/")
        let (transport, replay) = transport(
            [.success(busy), .failure(Self.dropped), .success(HTTPResponse(status: 200, url: "http://a/"))], journal: journal)
        #expect(try await transport.send(HTTPRequest(url: "http://a/?token=SECRET")).status == 200)
        #expect(journal.pauses.withLock { $0 } == [.seconds(9), .seconds(2)])
        #expect(replay.requests.count == 3)
        let notices = journal.notices.withLock { $0 }
        #expect(notices.map(\.attempt) == [1, 2])
        #expect(notices[0].url == "http://a/" && notices[1].result == .failure(.closedEarly))
    }

    @Test func submissionsAreNotRepeatedBlindly() async {
        let (transport, replay) = transport([.failure(Self.dropped)], journal: Journal())
        let error = await failure { () throws(TransportError) in
            try await transport.send(HTTPRequest(method: .post, url: "http://a/createReplica"))
        }
        #expect(error == Self.dropped)
        #expect(replay.requests.count == 1)
    }

    @Test func theLastResultIsHandedOn() async throws {
        let (transport, replay) = transport([.success(HTTPResponse(status: 503, url: "http://a/"))], journal: Journal())
        #expect(try await transport.send(HTTPRequest(url: "http://a/")).status == 503)
        #expect(replay.requests.count == 3)
    }

    @Test func cancellingEndsThePause() async {
        let replay = ReplayTransport { _ in .failure(Self.dropped) }
        let transport = RetryingTransport(replay, policy: RetryPolicy(baseDelaySeconds: 1000, maximumDelaySeconds: 1000))
        let task = Task { await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: "http://a/")) } }
        while replay.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
    }
}
