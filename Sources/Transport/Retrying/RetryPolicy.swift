/// Which failures are tried again, how often and how soon: plain data and pure functions.
public struct RetryPolicy: Sendable, Hashable, Codable {
    /// Tries in all; 1 never repeats.
    public var attempts: Int
    public var baseDelaySeconds: Double
    /// No delay of ours is longer.
    public var maximumDelaySeconds: Double
    /// A server that asks for a longer wait is given up: its job is better resumed later.
    public var maximumRetryAfterSeconds: Double
    /// 0 waits exactly; 1 anywhere between nothing and the full delay; 0.5 between half and all of it. Spread keeps a hundred jobs
    /// from knocking at the same moment.
    public var jitter: Double

    public init(
        attempts: Int = 5, baseDelaySeconds: Double = 1, maximumDelaySeconds: Double = 60, maximumRetryAfterSeconds: Double = 300,
        jitter: Double = 0.5
    ) {
        self.attempts = attempts
        self.baseDelaySeconds = baseDelaySeconds
        self.maximumDelaySeconds = maximumDelaySeconds
        self.maximumRetryAfterSeconds = maximumRetryAfterSeconds
        self.jitter = jitter
    }

    public static let never = RetryPolicy(attempts: 1)

    /// What came of a try.
    public enum Result: Sendable, Hashable {
        case failure(TransportError.Kind)
        case status(Int, retryAfter: Duration?)
    }

    public enum Decision: Sendable, Hashable {
        case retry(after: Duration)
        /// Hand the result on: it is a success, cannot heal, must not be sent twice, or enough was tried.
        case giveUp
    }

    /// Before the try number `attempt` + 1 (the first try is 1): base · 2^(attempt − 1), capped, less jitter. `random` is in 0..<1.
    public func delay(attempt: Int, random: Double) -> Duration {
        var full = baseDelaySeconds
        for _ in 1..<max(1, min(attempt, 64)) where full < maximumDelaySeconds { full *= 2 }
        full = min(full, maximumDelaySeconds)
        return .seconds(full - full * jitter * random)
    }

    public func decide(
        _ result: Result, attempt: Int, isIdempotent: Bool, random: Double
    ) -> Decision {
        guard attempt < attempts, Self.mayHeal(result, isIdempotent: isIdempotent) else { return .giveUp }
        let delay = delay(attempt: attempt, random: random)
        guard case .status(_, let asked?) = result else { return .retry(after: delay) }
        if asked > .seconds(maximumRetryAfterSeconds) { return .giveUp }
        return .retry(after: max(asked, delay))
    }

    /// Where a request may have had its effect without us knowing, only idempotent ones go again. A name that did not resolve, a
    /// connection that was not made, 429 and 503 say that nothing was done.
    static func mayHeal(_ result: Result, isIdempotent: Bool) -> Bool {
        switch result {
        case .failure(let kind):
            switch kind {
            case .nameResolution, .connect: true
            case .timeout, .inactivity, .closedEarly, .wrongLength: isIdempotent
            case .badURL, .tls, .tooManyRedirects, .unsafeRedirect, .proxy, .proxySignIn, .localStorage, .cancelled, .other,
                .tooLarge:
                false
            }
        case .status(let status, _):
            switch status {
            case 429, 503: true
            case 500, 502, 504: isIdempotent
            default: false
            }
        }
    }
}
