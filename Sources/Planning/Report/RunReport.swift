import Foundation

/// What a run did: the content of `report.json`, of the morning page, of the summary table and of the last lines on the terminal.
public struct RunReport: Codable, Sendable, Equatable {
    /// Raised when the meaning of a member changes; new members do not raise it.
    public static let formatVersion = 1

    public var name: String
    public var outcome: Outcome
    public var exitCode: Int32
    public var started: Date
    public var finished: Date
    public var planHash: String?
    public var areas: [AreaReport]
    /// Every layer of the map in every area, in the order of the map.
    public var layers: [LayerReport] = []
    public var jobs: [JobReport]
    /// What the plan did without being told to, and why.
    public var notes: [String] = []
    /// nil when there is no earlier report to compare with.
    public var changes: ReportChanges?
    /// The program and the libraries at work, by name.
    public var versions: [String: String] = [:]
    /// What differs from the maps that were out when the run began.
    public var drift: [Drift] = []
    /// What stopped the run as a whole (sign-in, refused plan, lock, disk).
    public var error: Failure?
    /// Everything that refused the plan; the first of them is `error`.
    public var problems: [PlanProblem]
    /// When the run had to be over (`--finish-by`); areas that were not reached by then are not published.
    public var finishBy: Date?

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
    public enum State: String, Codable, Sendable, CaseIterable {
        case published, partial, failed, notPublished
        /// Nothing changed since its map was made: the map stays, and is what a new one would be.
        case unchanged
        /// The last good map stays, because of what changed (`onDrift: skip`) or did not come (`onError: skip`).
        case kept
        /// Not part of this run; what was published before stays.
        case untouched
    }

    public var id: String
    public var state: State
    /// Path of the generation below the output folder; nil when none was published by this run.
    public var generation: String?
    /// Of the map that is current.
    public var bytes: Int
    /// When the map that is current was published, or found to be what a new one would be; nil when there is none.
    public var lastSuccess: Date?
    /// Where it is, drawn with few corners.
    public var outline: AreaOutline?
    /// When the map was made that stays; nil when a new one was.
    public var since: Date?
    /// Why it stays, in words; nil when nothing changed.
    public var reason: String?
    /// Titles of the layers that the map lacks which this run published (`onError: skip`). Without one a `partial` map has stale layers.
    public var missingLayers: [String] = []

    public init(
        id: String, state: State, generation: String?, bytes: Int, lastSuccess: Date? = nil, outline: AreaOutline? = nil,
        since: Date? = nil, reason: String? = nil
    ) {
        self.id = id
        self.state = state
        self.generation = generation
        self.bytes = bytes
        self.lastSuccess = lastSuccess
        self.outline = outline
        self.since = since
        self.reason = reason
    }
}

public struct JobReport: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable {
        case done
        /// Finished by an earlier run; its artifact was used again.
        case reused
        case failed
        /// A job that it waits for has failed.
        case skipped
        /// Not reached, because the run was stopped.
        case pending
        /// Not run: the map that is out has what it would bring.
        case unchanged
    }

    public var id: String
    public var kind: Job.Kind
    public var area: String
    public var layers: [LayerLabel]
    public var state: State
    /// Why it ran, or why it need not.
    public var reason = ""
    public var attempts: Int
    public var bytes: Int
    public var seconds: Double
    public var times = JobTimes()
    /// Rows by layer ("0 Hydrant") or tiles by level ("level 12"), as verification counted them.
    public var counts: [String: Int] = [:]
    /// What verification found without failing the job: damaged tiles in the original, holes, missing sprites.
    public var warnings: [String]
    public var error: Failure?
    /// Not nil: it failed, and its file of the last good map, which came then, is in the new one.
    public var staleSince: Date?
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

/// When a job came how far, in seconds since the run's start; nil for what did not happen, or not in this run.
public struct JobTimes: Codable, Sendable, Equatable {
    /// Nothing but limits kept it from beginning.
    public var queued: Double?
    public var started: Double?
    /// The server accepted it.
    public var submitted: Double?
    /// The server has the result.
    public var ready: Double?
    /// The result is here, whole.
    public var fetched: Double?
    /// Verified and on record, failed or skipped.
    public var done: Double?

    public init(
        queued: Double? = nil, started: Double? = nil, submitted: Double? = nil, ready: Double? = nil, fetched: Double? = nil,
        done: Double? = nil
    ) {
        self.queued = queued
        self.started = started
        self.submitted = submitted
        self.ready = ready
        self.fetched = fetched
        self.done = done
    }
}
