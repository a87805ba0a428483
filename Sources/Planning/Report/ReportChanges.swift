import Foundation

/// What is different from the report of the run before.
public struct ReportChanges: Codable, Sendable, Equatable {
    /// An area, or a layer in it.
    public struct Place: Codable, Sendable, Hashable {
        public var area: String
        public var layer: LayerLabel?

        public init(area: String, layer: LayerLabel? = nil) {
            self.area = area
            self.layer = layer
        }
    }

    /// A layer whose current map holds something else than before.
    public struct Difference: Codable, Sendable, Equatable {
        public var area: String
        public var layer: LayerLabel
        public var rowsBefore: Int?
        public var rows: Int?
        public var bytesBefore: Int?
        public var bytes: Int?

        public init(
            area: String, layer: LayerLabel, rowsBefore: Int? = nil, rows: Int? = nil, bytesBefore: Int? = nil, bytes: Int? = nil
        ) {
            self.area = area
            self.layer = layer
            self.rowsBefore = rowsBefore
            self.rows = rows
            self.bytesBefore = bytesBefore
            self.bytes = bytes
        }
    }

    /// When the run before ended, and how.
    public var since: Date
    public var outcome: Outcome
    /// Of all current maps together, now less before.
    public var rows: Int
    public var bytes: Int
    public var addedAreas: [String]
    public var removedAreas: [String]
    public var addedLayers: [LayerLabel]
    public var removedLayers: [LayerLabel]
    public var newlyFailing: [Place]
    public var recovered: [Place]
    public var differences: [Difference]

    public init(
        since: Date, outcome: Outcome, rows: Int = 0, bytes: Int = 0, addedAreas: [String] = [], removedAreas: [String] = [],
        addedLayers: [LayerLabel] = [], removedLayers: [LayerLabel] = [], newlyFailing: [Place] = [], recovered: [Place] = [],
        differences: [Difference] = []
    ) {
        self.since = since
        self.outcome = outcome
        self.rows = rows
        self.bytes = bytes
        self.addedAreas = addedAreas
        self.removedAreas = removedAreas
        self.addedLayers = addedLayers
        self.removedLayers = removedLayers
        self.newlyFailing = newlyFailing
        self.recovered = recovered
        self.differences = differences
    }

    public var isEmpty: Bool { self == ReportChanges(since: since, outcome: outcome) }
}

extension ReportChanges {
    /// Both reports are complete (`RunReport.following`), so what is missing in one is not there.
    init(from before: RunReport, to now: RunReport) {
        self.init(since: before.finished, outcome: before.outcome)
        rows = now.layers.sum(\.rows) - before.layers.sum(\.rows)
        bytes = now.areas.sum(\.bytes) - before.areas.sum(\.bytes)
        addedAreas = now.areas.map(\.id).without(before.areas.map(\.id))
        removedAreas = before.areas.map(\.id).without(now.areas.map(\.id))
        // Without a plan on one side nothing is known about layers.
        if !before.layers.isEmpty, !now.layers.isEmpty {
            addedLayers = now.layers.map(\.layer).without(before.layers.map(\.layer))
            removedLayers = before.layers.map(\.layer).without(now.layers.map(\.layer))
        }
        let failing = (before: before.failingPlaces, now: now.failingPlaces)
        newlyFailing = failing.now.without(failing.before)
        let renewed = now.areas.filter { [.published, .partial, .unchanged].contains($0.state) }.map { Place(area: $0.id) }
        let good = Set(renewed + now.layers.filter { $0.state?.isGood == true }.map(\.place))
        recovered = failing.before.filter(good.contains)
        let earlier = Dictionary(before.layers.map { ($0.place, $0) }) { first, _ in first }
        differences = now.layers.compactMap { layer in
            guard let old = earlier[layer.place], old.rows != layer.rows || old.bytes != layer.bytes else { return nil }
            return Difference(
                area: layer.area, layer: layer.layer, rowsBefore: old.rows, rows: layer.rows, bytesBefore: old.bytes,
                bytes: layer.bytes)
        }
    }
}

extension LayerReport {
    var place: ReportChanges.Place { ReportChanges.Place(area: area, layer: layer) }
}

extension RunReport {
    /// Areas that have no new map although they should, and the layers that are to blame.
    fileprivate var failingPlaces: [ReportChanges.Place] {
        areas.filter { $0.state == .failed }.map { ReportChanges.Place(area: $0.id) } + layers.filter(\.isFailing).map(\.place)
    }
}

extension Array {
    fileprivate func sum(_ value: (Element) -> Int?) -> Int { reduce(0) { $0 + (value($1) ?? 0) } }
}

extension Array where Element: Hashable {
    /// In this order, each once.
    fileprivate func without(_ others: [Element]) -> [Element] {
        var seen = Set(others)
        return filter { seen.insert($0).inserted }
    }
}
