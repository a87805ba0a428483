import Foundation

/// What a run did: the content of `report.json`, of the summary table and of the last lines on the terminal.
public struct RunReport: Codable, Sendable, Equatable {
    public var name: String
    public var outcome: Outcome
    public var exitCode: Int32
    public var started: Date
    public var finished: Date
    public var planHash: String?
    public var areas: [AreaReport]
    public var jobs: [JobReport]
    /// What stopped the run as a whole (sign-in, refused plan, lock, disk).
    public var error: Failure?
    /// Everything that refused the plan; the first of them is `error`.
    public var problems: [PlanProblem]

    public init(
        name: String, outcome: Outcome, started: Date, finished: Date, planHash: String? = nil, areas: [AreaReport] = [],
        jobs: [JobReport] = [], error: Failure? = nil, problems: [PlanProblem] = []
    ) {
        self.name = name
        self.outcome = outcome
        exitCode = outcome.exitCode
        self.started = started
        self.finished = finished
        self.planHash = planHash
        self.areas = areas
        self.jobs = jobs
        self.error = error
        self.problems = problems
    }
}

public struct AreaReport: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable { case published, partial, failed, notPublished }

    public var id: String
    public var state: State
    /// Path of the generation below the output folder; nil when none was published by this run.
    public var generation: String?
    public var bytes: Int

    public init(id: String, state: State, generation: String?, bytes: Int) {
        self.id = id
        self.state = state
        self.generation = generation
        self.bytes = bytes
    }
}

public struct JobReport: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable {
        case done
        /// Finished by an earlier run; its artifact was used again.
        case reused
        case failed
        /// A job that it waits for has failed.
        case skipped
        /// Not reached, because the run was stopped.
        case pending
    }

    public var id: String
    public var kind: Job.Kind
    public var area: String
    public var layers: [LayerLabel]
    public var state: State
    public var attempts: Int
    public var bytes: Int
    public var seconds: Double
    /// What verification found without failing the job: damaged tiles in the original, holes, missing sprites.
    public var warnings: [String]
    public var error: Failure?
    /// The next step for a person; filled by `Reporting`.
    public var next: String?

    public init(
        id: String, kind: Job.Kind, area: String, layers: [LayerLabel], state: State, attempts: Int, bytes: Int, seconds: Double,
        warnings: [String] = [], error: Failure? = nil, next: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.area = area
        self.layers = layers
        self.state = state
        self.attempts = attempts
        self.bytes = bytes
        self.seconds = seconds
        self.warnings = warnings
        self.error = error
        self.next = next
    }
}

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
    case runFinished(RunReport)
}
