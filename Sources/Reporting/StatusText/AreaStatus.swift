import Foundation

/// What the state says about one area; `status` prints it and asks nothing else.
public struct AreaStatus: Sendable, Equatable {
    public struct Layer: Sendable, Equatable {
        public var id: String
        public var title: String
        /// When its job was last done and verified; nil for never.
        public var lastSuccess: Date?

        public init(id: String, title: String, lastSuccess: Date?) {
            self.id = id
            self.title = title
            self.lastSuccess = lastSuccess
        }
    }

    /// The area's id in the manifest.
    public var area: String
    /// When a whole offline map of it was last published; nil for never.
    public var lastSuccess: Date?
    /// Path of the published generation below the output folder.
    public var generation: String?
    /// Jobs of an unfinished run that wait or were under way.
    public var pendingJobs: Int
    public var failedJobs: Int
    public var layers: [Layer]
    /// Whether the manifest has it: a map of an area that was taken out is still there, and nobody keeps it young.
    public var isOfManifest = true

    public init(
        area: String, lastSuccess: Date?, generation: String? = nil, pendingJobs: Int = 0, failedJobs: Int = 0,
        layers: [Layer] = []
    ) {
        self.area = area
        self.lastSuccess = lastSuccess
        self.generation = generation
        self.pendingJobs = pendingJobs
        self.failedJobs = failedJobs
        self.layers = layers
    }
}

/// The areas of one manifest at one moment, judged.
public struct StatusReport: Sendable, Equatable {
    public enum State: String, Sendable {
        case current
        /// Older than `--max-age`.
        case stale
        /// Never published.
        case missing
        /// Published before; jobs of the newest run have failed.
        case failing
        /// A run was stopped, or is under way.
        case unfinished
    }

    public var name: String
    public var areas: [AreaStatus]
    /// Areas with maps that are not of this manifest.
    public var others: [AreaStatus]
    public var now: Date
    /// In seconds; nil when nobody asked.
    public var maxAge: Double?

    public init(name: String, areas: [AreaStatus], now: Date, maxAge: Double? = nil) {
        self.name = name
        self.areas = areas.filter(\.isOfManifest)
        others = areas.filter { !$0.isOfManifest }
        self.now = now
        self.maxAge = maxAge
    }

    public func state(of area: AreaStatus) -> State {
        guard let success = area.lastSuccess else { return .missing }
        if let maxAge, now.timeIntervalSince(success) > maxAge { return .stale }
        if area.failedJobs > 0 { return .failing }
        return area.pendingJobs > 0 ? .unfinished : .current
    }

    /// Nothing is missing or too old, no area and no layer of one. Without any area there is nothing that could be fresh (case H03).
    public var isFresh: Bool { !areas.isEmpty && areas.allSatisfy(isFresh) }

    public func isFresh(_ area: AreaStatus) -> Bool {
        state(of: area) != .missing && state(of: area) != .stale && oldLayers(of: area).isEmpty
    }

    /// Layers whose last success is older than asked for: their area was published without them, or with what it had of them.
    public func oldLayers(of area: AreaStatus) -> [AreaStatus.Layer] {
        guard let maxAge else { return [] }
        return area.layers.filter { layer in layer.lastSuccess.map { now.timeIntervalSince($0) > maxAge } ?? true }
    }

    func age(of success: Date?) -> Double? { success.map { max(0, now.timeIntervalSince($0)) } }
}
