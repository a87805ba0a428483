import Basics
import Foundation
import Manifest
import Planning
import Reporting

/// What a command asks of the modules below, as functions: a command translates options into these values and the answer into
/// text and an exit code. Tests put their own functions in.
public struct Engine: Sendable {
    public var plan: @Sendable (Manifest, PlanSettings) async throws(PlanRefusal) -> Plan
    /// Never throws: what stopped the run is in the report (`outcome`, `error`). Writes no report file, prints nothing.
    public var run: @Sendable (Manifest, RunSettings, any RunObserver) async -> RunReport
    /// Reads the state and nothing else; areas that no run has reached come with `lastSuccess` nil.
    public var status: @Sendable (Manifest, StatusSettings) async throws(Failure) -> [AreaStatus]
    /// When the newest run of all areas began that ended well; reads the state only.
    public var lastGoodRun: @Sendable (Manifest, StatusSettings) async throws(Failure) -> Date?
    public var inspect: @Sendable (InspectSettings) async throws(Failure) -> MapInspection

    /// Reads metadata and starts nothing.
    public var lint: @Sendable (Manifest, PlanSettings) async throws(PlanRefusal) -> [LintFinding]
    /// The replicas on record, each looked up at its server. Needs no lock.
    public var replicas: @Sendable (Manifest, ReplicaSettings) async throws(CommandStop) -> [ReplicaRow]
    /// Unregisters replicas on record, under the lock of a run.
    public var unregister: @Sendable (Manifest, ReplicaSettings) async throws(CommandStop) -> [ReplicaRow]
    /// Looks at the machine and, with a manifest, at its folders, maps and servers. What cannot be looked at is a finding.
    public var doctor: @Sendable (Manifest?, DoctorSettings) async -> [Finding]
    /// Removes old maps, or says what would go.
    public var prune: @Sendable (Manifest, PruneSettings) async throws(CommandStop) -> PruneReport

    /// Tells those whom the manifest names how a run went. Never throws: whom it could not tell is in the notices.
    public var notify: @Sendable (Manifest, News) async -> [Notice]

    public init(
        plan: @escaping @Sendable (Manifest, PlanSettings) async throws(PlanRefusal) -> Plan,
        run: @escaping @Sendable (Manifest, RunSettings, any RunObserver) async -> RunReport,
        status: @escaping @Sendable (Manifest, StatusSettings) async throws(Failure) -> [AreaStatus],
        lastGoodRun: @escaping @Sendable (Manifest, StatusSettings) async throws(Failure) -> Date?,
        inspect: @escaping @Sendable (InspectSettings) async throws(Failure) -> MapInspection,
        lint: @escaping @Sendable (Manifest, PlanSettings) async throws(PlanRefusal) -> [LintFinding],
        replicas: @escaping @Sendable (Manifest, ReplicaSettings) async throws(CommandStop) -> [ReplicaRow],
        unregister: @escaping @Sendable (Manifest, ReplicaSettings) async throws(CommandStop) -> [ReplicaRow],
        doctor: @escaping @Sendable (Manifest?, DoctorSettings) async -> [Finding],
        prune: @escaping @Sendable (Manifest, PruneSettings) async throws(CommandStop) -> PruneReport,
        notify: @escaping @Sendable (Manifest, News) async -> [Notice]
    ) {
        self.plan = plan
        self.run = run
        self.status = status
        self.lastGoodRun = lastGoodRun
        self.inspect = inspect
        self.lint = lint
        self.replicas = replicas
        self.unregister = unregister
        self.doctor = doctor
        self.prune = prune
        self.notify = notify
    }
}

public struct PlanSettings: Sendable, Equatable {
    /// Ids of the areas wanted; empty for all.
    public var areas: [String]
    /// For secrets by reference to variables, and proxies.
    public var variables: [String: String]
    /// What the services are asked of what will come.
    public var wishes: EstimateWishes
    /// Absolute; what earlier runs left there is compared with.
    public var stateDirectory: String?
    /// What did not change is fetched, too.
    public var refreshesEverything = false

    public init(
        areas: [String] = [], variables: [String: String] = [:], wishes: EstimateWishes = [], stateDirectory: String? = nil,
        refreshesEverything: Bool = false
    ) {
        self.areas = areas
        self.variables = variables
        self.wishes = wishes
        self.stateDirectory = stateDirectory
        self.refreshesEverything = refreshesEverything
    }
}

public struct RunSettings: Sendable, Equatable {
    public var planning: PlanSettings
    /// Absolute.
    public var stateDirectory: String
    /// The run is refused unless this is what the manifest still gives.
    public var savedPlan: Plan?
    /// By then the run is to be over: what does not fit is left, the oldest maps come first.
    public var finishBy: Date?

    public init(
        planning: PlanSettings = PlanSettings(), stateDirectory: String, savedPlan: Plan? = nil, finishBy: Date? = nil
    ) {
        self.planning = planning
        self.stateDirectory = stateDirectory
        self.savedPlan = savedPlan
        self.finishBy = finishBy
    }
}

public struct StatusSettings: Sendable, Equatable {
    /// Absolute.
    public var stateDirectory: String

    public init(stateDirectory: String) { self.stateDirectory = stateDirectory }
}

public struct ReplicaSettings: Sendable, Equatable {
    /// Absolute.
    public var stateDirectory: String
    /// Of the replicas to unregister; empty for all.
    public var ids: [String]
    public var variables: [String: String]

    public init(stateDirectory: String, ids: [String] = [], variables: [String: String] = [:]) {
        self.stateDirectory = stateDirectory
        self.ids = ids
        self.variables = variables
    }
}

public struct DoctorSettings: Sendable, Equatable {
    /// Absolute; nil without a manifest.
    public var stateDirectory: String?
    /// No server is asked.
    public var isOffline: Bool
    public var variables: [String: String]
    public var zone: TimeZone

    public init(stateDirectory: String?, isOffline: Bool, variables: [String: String], zone: TimeZone) {
        self.stateDirectory = stateDirectory
        self.isOffline = isOffline
        self.variables = variables
        self.zone = zone
    }
}

public struct PruneSettings: Sendable, Equatable {
    /// Absolute.
    public var stateDirectory: String
    /// Empty for all.
    public var areas: [String]
    public var isRehearsal: Bool
    public var now: Date
    public var variables: [String: String]

    public init(
        stateDirectory: String, areas: [String] = [], isRehearsal: Bool, now: Date, variables: [String: String] = [:]
    ) {
        self.stateDirectory = stateDirectory
        self.areas = areas
        self.isRehearsal = isRehearsal
        self.now = now
        self.variables = variables
    }
}

/// What stopped a command, where the exit code does not follow from the failures alone (the lock).
public struct CommandStop: Error, Sendable, Equatable {
    public var outcome: Outcome
    public var problems: [PlanProblem]

    public init(outcome: Outcome, problems: [PlanProblem]) {
        self.outcome = outcome
        self.problems = problems
    }
}

/// What `inspect` looks at.
public enum InspectSource: Sendable, Equatable {
    /// Of a web map or of a service: 32 hexadecimal digits.
    case item(String)
    /// Absolute path of web map JSON.
    case file(String)
    case service(ServiceEntry.Source)
}

public struct InspectSettings: Sendable, Equatable {
    public var source: InspectSource
    public var portal: PortalSettings
    public var variables: [String: String]

    public init(source: InspectSource, portal: PortalSettings, variables: [String: String] = [:]) {
        self.source = source
        self.portal = portal
        self.variables = variables
    }
}

public struct MapInspection: Sendable, Equatable {
    public var title: String
    public var rows: [InspectRow]
    /// Remarks about the map as a whole, for people.
    public var notes: [String]
    /// The document of `inspect --json` (issue 2, part 6).
    public var json: JSON

    public init(title: String, rows: [InspectRow], notes: [String] = [], json: JSON) {
        self.title = title
        self.rows = rows
        self.notes = notes
        self.json = json
    }
}
