import Manifest

/// What a run does about layers that do not come (`onError`, `publish`).
public struct PlannedLosses: Codable, Sendable, Equatable {
    /// A layer whose service did not answer, and on which the manifest does not insist.
    public struct Layer: Codable, Sendable, Equatable {
        public var layer: LayerLabel
        public var onError: FailurePolicy
        public var failure: Failure
        /// Of its override: "file:line:column".
        public var origin: String?
    }

    public var publish = PublishPolicy.complete
    public var unreachable: [Layer] = []
    /// Layers of which the portal did not say whether they changed: they count as they were.
    public var unasked: [LayerLabel] = []
    /// Ids of layers that leave the map where nothing of them comes (`onlineOnlyServicesOption`).
    public var leaving: [String] = []

    public init() {}

    /// Layers that no area has.
    public var skipped: [Layer] { unreachable.filter { $0.onError == .skip } }
}

extension Plan {
    /// The plan without some layers in one area, because of what happened to their job.
    public mutating func leaveOut(_ layers: [LayerLabel], of area: String, because failure: Failure) {
        gaps += layers.map {
            PlannedGap(area: area, layer: $0, staysOnline: !losses.leaving.contains($0.id), failure: failure)
        }
    }
}
