import ArcGIS
import Basics

/// One difference between the map that is out and what map and services say now (cases E04).
public struct Drift: Codable, Sendable, Hashable {
    public enum Change: Codable, Sendable, Hashable {
        case layerAdded
        /// It is not in the web map any more.
        case layerRemoved(wasOffline: Bool)
        /// Its number in the service holds another layer now; where the old one went, if it is still there.
        case idMoved(from: String, to: String, nowAt: Int?)
        case renamed(from: String, to: String)
        case serviceChanged(from: String, to: String)
        case geometryTypeChanged(from: String?, to: String?)
        case fieldAdded(String)
        case fieldRemoved(String)
        case fieldTypeChanged(String, from: String, to: String)
        /// It came offline, and cannot any more: the reason.
        case notOfflineAnyMore(String)
        /// No layer: another manifest, of another map, has published here.
        case otherManifest(String)
    }

    public var layer: LayerLabel
    public var change: Change
    /// Areas whose map is affected, in the order of the plan.
    public var areas: [String]

    public init(layer: LayerLabel, change: Change, areas: [String] = []) {
        self.layer = layer
        self.change = change
        self.areas = areas
    }

    public var isBreaking: Bool { change.isBreaking }
}

extension Drift.Change {
    /// Something that apps may rely on is gone or means something else. What only adds is worth a note.
    public var isBreaking: Bool {
        switch self {
        case .layerRemoved(let wasOffline): wasOffline
        case .layerAdded, .renamed, .serviceChanged, .fieldAdded: false
        case .idMoved, .geometryTypeChanged, .fieldRemoved, .fieldTypeChanged, .notOfflineAnyMore, .otherManifest: true
        }
    }
}

/// Compares the layers of a map that is out with those of a plan. Pure.
struct DriftCheck {
    var before: [PublishedLayer]
    var now: [PlannedLayer]

    /// In the order of the map, what is gone first.
    var changes: [Drift] {
        let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
        let current = Set(now.map(\.id))
        // What the manifest had put into the map is the manifest's to take away.
        let removed = before.filter { !current.contains($0.id) && !$0.isLeftOut && !$0.isOfManifest }.map {
            Drift(layer: LayerLabel(id: $0.id, title: $0.title), change: .layerRemoved(wasOffline: $0.isOffline))
        }
        return removed
            + now.flatMap { layer -> [Drift] in
                let label = LayerLabel(id: layer.id, title: layer.title)
                guard let old = old[layer.id] else {
                    return layer.isOfManifest || layer.isLeftOut ? [] : [Drift(layer: label, change: .layerAdded)]
                }
                return changes(of: layer, since: old).map { Drift(layer: label, change: $0) }
            }
    }

    private func changes(of layer: PlannedLayer, since old: PublishedLayer) -> [Drift.Change] {
        // What the manifest left out, then or now, says nothing about map and services.
        if old.isLeftOut || layer.isLeftOut { return [] }
        var changes: [Drift.Change] = []
        if let from = old.url, let to = layer.url, from != to { changes.append(.serviceChanged(from: from, to: to)) }
        if old.isOffline, !layer.isOffline {
            changes.append(.notOfflineAnyMore(layer.reason))
            return changes
        }
        guard let was = old.schema, let schema = layer.schema else { return changes }
        if was.geometryType != schema.geometryType {
            changes.append(.geometryTypeChanged(from: was.geometryType, to: schema.geometryType))
        }
        let fields = self.fields(was, schema)
        if was.name != schema.name {
            let nowAt = now.first {
                $0.id != layer.id && $0.schema?.name == was.name && $0.schema?.geometryType == was.geometryType
            }
            // Another name on the same table is a matter of taste; on another table it is another layer.
            if let other = nowAt?.serviceLayerID {
                changes.append(.idMoved(from: was.name, to: schema.name, nowAt: other))
            } else if was.geometryType != schema.geometryType || fields.contains(where: \.isBreaking) {
                changes.append(.idMoved(from: was.name, to: schema.name, nowAt: nil))
            } else {
                changes.append(.renamed(from: was.name, to: schema.name))
            }
        }
        return changes + fields
    }

    private func fields(_ was: LayerSchema, _ schema: LayerSchema) -> [Drift.Change] {
        let names = Set(was.fields.keys).union(schema.fields.keys).sorted()
        return names.compactMap { name in
            switch (was.fields[name], schema.fields[name]) {
            case (nil, _?): .fieldAdded(name)
            case (_?, nil): .fieldRemoved(name)
            case (let from?, let to?): from == to ? nil : .fieldTypeChanged(name, from: from, to: to)
            case (nil, nil): nil
            }
        }
    }
}

extension PublishedLayer {
    var isOffline: Bool { Verdict(rawValue: verdict)?.isOffline ?? false }
    var isLeftOut: Bool { PlannedLayer.rulesOfManifest.contains(rule) || wasNotSeen }
    /// Its service did not answer: nothing to compare with.
    private var wasNotSeen: Bool { rule == LayerRule.couldNotLook.rawValue && !isOffline }
}

extension PlannedLayer {
    /// `LayerPolicy`: decided by the manifest, whatever the service says.
    static let rulesOfManifest: Set<String> = ["excluded", "kept-online", "basemap-excluded", "basemap-replaced"]

    var isOffline: Bool { verdict.isOffline }
    var isLeftOut: Bool { Self.rulesOfManifest.contains(rule) || wasNotSeen }
    private var wasNotSeen: Bool { rule == LayerRule.couldNotLook.rawValue && !isOffline }
}

extension Plan {
    /// With what differs from the maps that are out. Areas that differ alike share one entry.
    public func comparing(with maps: [String: PublishedMap]) -> Plan {
        var plan = self
        var areasOf: [Drift: [String]] = [:]
        var order: [Drift] = []
        // Most areas were made in one night: their layers are compared once.
        var known: [[PublishedLayer]: [Drift]] = [:]
        for area in areas {
            guard let map = maps[area.id] else { continue }
            var found: [Drift] = []
            if isOfAnother(map) {
                let label = LayerLabel(id: self.map.itemID ?? name, title: self.map.title)
                found = [Drift(layer: label, change: .otherManifest(map.name))]
            } else if map.mapID == self.map.itemID {
                // Another web map of the same manifest is another map, not one that drifted.
                found = known[map.layers] ?? DriftCheck(before: map.layers, now: layers).changes
                known[map.layers] = found
            }
            for drift in found {
                if areasOf[drift] == nil { order.append(drift) }
                areasOf[drift, default: []].append(area.id)
            }
        }
        plan.drift = order.map { Drift(layer: $0.layer, change: $0.change, areas: areasOf[$0] ?? []) }
        return plan
    }

    /// Two manifests publish the same area in one folder. One that was renamed, and nothing else, goes on with its own maps.
    private func isOfAnother(_ map: PublishedMap) -> Bool {
        if map.name == name || map.name.isEmpty { return false }
        if map.mapID != self.map.itemID { return true }
        if map.mapID != nil { return false }
        let addresses = Set(jobs.map(\.work.comparedRequest.url)).subtracting([""])
        return !map.parts.contains { addresses.contains($0.request.url) }
    }

    /// Areas that lost something since their map was made.
    public var driftedAreas: Set<String> { Set(drift.filter(\.isBreaking).flatMap(\.areas)) }

    /// Without the jobs of some areas, whose maps stay as they are.
    public func keeping(_ areas: Set<String>) -> Plan {
        var plan = self
        plan.jobs.removeAll { areas.contains($0.area) }
        return plan
    }
}
