import Planning

/// What the executor tells the scheduler.
public enum ScheduleEvent: Sendable, Equatable {
    /// Work may begin. `restored` holds what an earlier process had reached.
    case begin(restored: [String: JobProgress])
    case submitted(job: String, jobURL: String)
    /// The server answered a submission with the file itself.
    case resultReady(job: String, resultURL: String, sendsCredentials: Bool)
    /// With the server's own status word.
    case stillRunning(job: String, word: String)
    /// The server does not know the job any more, or its result is gone.
    case vanished(job: String, Failure)
    case finished(job: String, ArtifactReference?)
    case failed(job: String, Failure)
    /// The wake-up that was asked for.
    case tick
    /// Start nothing more.
    case stop
}

/// What the scheduler tells the executor, in order: a `record` is durable before anything after it begins.
public enum ScheduleAction: Sendable, Equatable {
    case record(job: String, JobProgress, attempt: Int)
    case submit(job: String)
    case poll(job: String, jobURL: String)
    case fetch(job: String, resultURL: String, sendsCredentials: Bool)
    /// A style, package or publish job.
    case perform(job: String)
    /// Tell the server to give up a job that is over its deadline.
    case cancel(job: String, jobURL: String)
    case retrying(job: String, after: Timestamp, Failure)
    case skipped(job: String, failedJob: String)
    case failed(job: String, Failure)
    /// Send `tick` at this time; a later `wake` replaces an earlier one.
    case wake(at: Timestamp)
    /// Nothing runs and nothing will.
    case end
}
