import Planning
import Scheduling

/// The side effects of jobs, one function a step. The real one talks to servers and disks; tests script one.
///
/// Every function may be cancelled through its task and then throws a failure of kind `.cancelled`.
public protocol JobPerformer: Sendable {
    func submit(_ job: Job) async throws(Failure) -> Submission
    func poll(_ job: Job, jobURL: String) async throws(Failure) -> PollAnswer
    /// Downloads and proves the result. `progress` gets the size of the file so far and, where known, its end; both are equal once
    /// the file is here, before it is proven.
    func fetch(
        _ job: Job, resultURL: String, sendsCredentials: Bool, progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws(Failure) -> ArtifactReference
    /// A style, package or publish job.
    func perform(_ job: Job, inputs: JobInputs) async throws(Failure) -> LocalResult
    /// The end of the job is recorded: what was kept for the case of a crash may go, here and at the server. Best effort.
    func settle(_ job: Job) async
    /// Best effort: the server may not know how.
    func cancel(_ job: Job, jobURL: String) async
}

/// What the jobs came to that another one waits for, and those behind them, by id.
public struct JobInputs: Sendable, Equatable {
    public var artifacts: [String: ArtifactReference] = [:]
    /// Of dispensable jobs.
    public var failures: [String: Failure] = [:]

    public init() {}
}

public enum Submission: Sendable, Equatable {
    case job(url: String)
    case file(url: String, sendsCredentials: Bool)
}

public enum PollAnswer: Sendable, Equatable {
    /// With the server's own status word.
    case running(String)
    case ready(resultURL: String, sendsCredentials: Bool, warnings: [String])
    /// The server does not know the job any more.
    case gone(Failure)
}

public enum LocalResult: Sendable, Equatable {
    case artifact(ArtifactReference)
    case packaged(bytes: Int, warnings: [String])
    case published(generation: String, bytes: Int, warnings: [String])
}
