import Basics
import Foundation

/// Tells about one repetition, for events and logs.
public struct RetryNotice: Sendable, Hashable {
    public var method: HTTPRequest.Method
    /// Without query.
    public var url: String
    /// The try that failed; the first is 1.
    public var attempt: Int
    public var result: RetryPolicy.Result
    public var delay: Duration

    public init(method: HTTPRequest.Method, url: String, attempt: Int, result: RetryPolicy.Result, delay: Duration) {
        self.method = method
        self.url = url
        self.attempt = attempt
        self.result = result
        self.delay = delay
    }
}

/// Repeats what can heal, by a `RetryPolicy`. ArcGIS errors inside HTTP 200 are not looked at: that is the protocol's business.
public struct RetryingTransport: HTTPTransport {
    /// Waits, or throws when the task is cancelled.
    public typealias Sleeper = @Sendable (Duration) async throws -> Void

    private let base: any HTTPTransport
    private let policy: RetryPolicy
    private let sleep: Sleeper
    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Double
    private let onRetry: @Sendable (RetryNotice) -> Void

    /// - Parameters:
    ///   - random: 0..<1, for jitter.
    ///   - now: seconds since 1970, for `Retry-After` dates.
    public init(
        _ base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(),
        sleep: @escaping Sleeper = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 },
        onRetry: @escaping @Sendable (RetryNotice) -> Void = { _ in }
    ) {
        self.base = base
        self.policy = policy
        self.sleep = sleep
        self.random = random
        self.now = now
        self.onRetry = onRetry
    }

    public func route(to url: String) -> ProxyRoute { base.route(to: url) }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var attempt = 1
        while true {
            do {
                let response = try await base.send(request)
                let result = RetryPolicy.Result.status(
                    response.status, retryAfter: RetryAfter.duration(response.headers, now: now()))
                guard try await waited(for: result, request, attempt) else { return response }
            } catch {
                guard try await waited(for: .failure(error.kind), request, attempt) else { throw error }
            }
            attempt += 1
        }
    }

    /// A broken download goes on behind the bytes that came, when there is a record of them.
    public func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome {
        var attempt = 1
        while true {
            do {
                let outcome = try await base.download(request, to: target, progress: progress)
                guard case .response(let response) = outcome else { return outcome }
                let result = RetryPolicy.Result.status(
                    response.status, retryAfter: RetryAfter.duration(response.headers, now: now()))
                guard try await waited(for: result, request, attempt) else { return outcome }
            } catch {
                guard try await waited(for: .failure(error.kind), request, attempt) else { throw error }
            }
            attempt += 1
        }
    }

    /// True after the pause that goes before another try.
    private func waited(
        for result: RetryPolicy.Result, _ request: HTTPRequest, _ attempt: Int
    ) async throws(TransportError) -> Bool {
        let decision = policy.decide(result, attempt: attempt, isIdempotent: request.isIdempotent, random: random())
        guard case .retry(let delay) = decision else { return false }
        let place = Redaction.address(request.url)
        onRetry(RetryNotice(method: request.method, url: place, attempt: attempt, result: result, delay: delay))
        do { try await sleep(delay) } catch {
            throw TransportError(kind: .cancelled, message: "Cancelled while waiting for another try.", url: place)
        }
        return true
    }
}
