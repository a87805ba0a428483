import Basics

/// Why something did not work, as data; the words for people are made in `Reporting`.
public struct Failure: Error, Codable, Sendable, Hashable {
    /// Where in a job's life it happened.
    public enum Phase: String, Codable, Sendable, CaseIterable {
        case signIn, metadata, plan, submit, poll, result, download, verify, package, publish, state
    }

    /// What follows from it: whether a retry may heal it, and which exit code it leads to.
    public enum Class: String, Codable, Sendable, CaseIterable {
        /// May heal by itself: network, 5xx, 429.
        case transient
        /// The same request will fail again.
        case permanent
        /// Sign-in missing, refused or not enough.
        case denied
        /// What came is not what was asked for.
        case verification
        /// The server accepted the job and could not do it.
        case serverJob
        /// Disk full, not writable.
        case storage
        /// Over its deadline.
        case deadline
        /// The run was stopped.
        case cancelled
        /// A job that it waits for has failed.
        case upstream
        /// A mistake of ours.
        case `internal`
    }

    public var phase: Phase
    public var kind: Class
    /// The server's error code, or the HTTP status.
    public var code: Int?
    /// The server's, libcurl's or the system's own words; for checks of ours, what was expected and found.
    public var message: String
    public var details: [String]
    /// The server asked to wait this long.
    public var retryAfterSeconds: Double?
    /// Of a job that was given up: how far it was in the server's own word.
    public var lastStatus: ServerWord?

    public init(
        phase: Phase, kind: Class, code: Int? = nil, message: String, details: [String] = [], retryAfterSeconds: Double? = nil
    ) {
        self.phase = phase
        self.kind = kind
        self.code = code
        self.message = message
        self.details = details
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// A status word of a server's job, and how long the server had said it when it was last asked.
public struct ServerWord: Codable, Sendable, Hashable {
    public var word: String
    public var seconds: Double

    public init(word: String, seconds: Double) {
        self.word = word
        self.seconds = seconds
    }
}

/// Exit codes (design chapter 6).
public enum Outcome: String, Codable, Sendable, CaseIterable {
    case ok, failed, partial, changes, usage, manifest, refused, unavailable, `internal`, storage, locked, denied
    case interrupted, terminated

    public var exitCode: Int32 {
        switch self {
        case .ok: 0
        case .failed: 1
        case .partial: 2
        case .changes: 3
        case .usage: 64
        case .manifest: 65
        case .refused: 66
        case .unavailable: 69
        case .internal: 70
        case .storage: 73
        case .locked: 75
        case .denied: 77
        case .interrupted: 130
        case .terminated: 143
        }
    }
}
