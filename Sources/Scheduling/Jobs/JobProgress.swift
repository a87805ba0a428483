import Planning

/// Milliseconds since 1970-01-01 UTC: what is recorded survives the process, so no clock of the process is used.
public typealias Timestamp = Int64

/// How far a job has come; what `state.db` holds about it, and all that is needed to go on after a crash.
///
///     planned → submitting → submitted → ready → fetched → done
///                    any → failed | skipped
///
/// Local jobs (style, package, publish) go from `planned` to `done`.
public enum JobProgress: Codable, Sendable, Equatable {
    case planned
    /// The request may be on its way. After a crash nobody knows whether it arrived: it is sent again.
    case submitting
    /// The server works on it; only this URL leads to the result.
    case submitted(jobURL: String, at: Timestamp)
    /// The file waits at the server, which deletes it about 10 minutes after the last access (REST reference 2.4).
    case ready(resultURL: String, sendsCredentials: Bool, at: Timestamp)
    /// In the artifact store, verified.
    case done(ArtifactReference?)
    case failed(Failure)
    case skipped(failedJob: String)

    public var isFinal: Bool {
        switch self {
        case .done, .failed, .skipped: true
        default: false
        }
    }
}

/// A file of the artifact store and what verification found in it.
public struct ArtifactReference: Codable, Sendable, Equatable, Hashable {
    /// Lower-case hex; also the file's name in the store.
    public var sha256: String
    public var bytes: Int
    /// "geodatabase", "tpkx", "tpk", "vtpk", "zip".
    public var fileExtension: String
    /// What a person should know although the file is good.
    public var warnings: [String]
    /// Rows by layer or tiles by level, as proven.
    public var counts: [String: Int]

    public init(sha256: String, bytes: Int, fileExtension: String, warnings: [String] = [], counts: [String: Int] = [:]) {
        self.sha256 = sha256
        self.bytes = bytes
        self.fileExtension = fileExtension
        self.warnings = warnings
        self.counts = counts
    }
}
