extension Drift {
    /// One sentence that names the layer; for notes, refusals and the reason of an area that keeps its map.
    public var words: String {
        let name = "\(layer.title) (\(layer.id))"
        return switch change {
        case .layerAdded: "\(name) is new in the web map"
        case .layerRemoved: "\(name) is not in the web map any more"
        case .idMoved(let from, let to, let place):
            "\(name) was \(from) and is \(to) now" + (place.map { "; \(from) is layer \($0) of the service" } ?? "")
        case .renamed(let from, let to): "\(name): its service calls it \(to) now, before \(from)"
        case .serviceChanged(let from, let to): "\(name) comes from \(to) now, before from \(from)"
        case .geometryTypeChanged(let from, let to):
            "\(name) has the geometry \(to ?? "of a table") now, before \(from ?? "that of a table")"
        case .fieldAdded(let field): "\(name) has the new field \(field)"
        case .fieldRemoved(let field): "\(name) has lost the field \(field)"
        case .fieldTypeChanged(let field, let from, let to): "\(name): the field \(field) is \(to) now, before \(from)"
        case .notOfflineAnyMore(let reason): "\(name) cannot go offline any more: \(reason)"
        case .otherManifest(let other):
            "the map that is out is that of another manifest, \(other); one of the two needs another `output.directory` or another id "
                + "for the area"
        }
    }

    /// `onDrift: stop`.
    public var problem: PlanProblem {
        PlanProblem(
            layer: layer,
            failure: .refusal("\(words), since the last good run", ["areas: " + areas.prefix(20).joined(separator: ", ")]))
    }
}
