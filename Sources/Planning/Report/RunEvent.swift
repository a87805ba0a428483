/// What happens during a run, for the terminal, plain lines and NDJSON alike.
public enum RunEvent: Sendable, Equatable {
    case runStarted(name: String, jobs: [Job])
    /// Another process of the same run was killed; this one goes on.
    case resumed(finishedJobs: Int)
    case jobStarted(id: String)
    /// The server accepted it, or an earlier submission was found again.
    case jobSubmitted(id: String, reattached: Bool)
    /// The server's own status word.
    case jobStatus(id: String, status: String)
    case jobProgress(id: String, bytes: Int, total: Int?)
    case jobRetrying(id: String, after: Duration, failure: Failure)
    case jobWarning(id: String, message: String)
    case jobFinished(JobReport)
    case areaPublished(AreaReport)
    case stopping(signal: Int32)
    case note(String)
    case notified(Notice)
    case runFinished(RunReport)
}

/// One of those who are told how a run went (`notify:`), and whether they could be.
public struct Notice: Sendable, Equatable {
    public enum Channel: String, Sendable, CaseIterable { case metrics, ping, webhook, mail, summary, codeQuality }

    public var channel: Channel
    /// Why not, without secrets; nil when it worked.
    public var problem: String?

    public init(channel: Channel, problem: String? = nil) {
        self.channel = channel
        self.problem = problem
    }
}
