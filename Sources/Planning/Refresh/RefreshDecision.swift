import Basics

/// Whether a job must run: stamp × parameters × artifact → the reason. Pure.
struct RefreshDecision {
    var job: Job
    /// What the map that is out has of it.
    var published: PublishedPart?
    /// Milliseconds since 1970.
    var now: Int
    /// Why the server keeps no account of the job's replica any more; nothing to do with jobs that leave none.
    var replicaLoss: ReplicaLoss?

    var reason: JobReason {
        guard let published else { return .new }
        switch published.condition {
        case .missing: return .artifactMissing
        case .damaged: return .artifactDamaged
        case .whole: break
        }
        if case .replica(let work) = job.work, work.registration == .kept, let replicaLoss { return .replicaLost(replicaLoss) }
        if job.key != published.key, let change = change(since: published) { return change }
        switch job.refresh {
        case .always: return .always
        case .never: break
        case .after(let seconds):
            if now - published.fetched > seconds * 1000 { return .olderThan(seconds: seconds) }
        case .byStamp:
            if !job.stamp.isTelling { return .noStamp }
        }
        return .unchanged(since: published.fetched)
    }

    /// The most telling of all differences: what the manifest asks for before what happened at the source. nil when only the
    /// stamps differ and the rule is not to care.
    private func change(since published: PublishedPart) -> JobReason? {
        let request = job.work.comparedRequest
        if request.url != published.request.url { return .serviceChanged }
        let (old, new) = (published.request.parameters, request.parameters)
        var names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] && !Self.undeciding.contains($0) }
        if !names.isDisjoint(with: Self.ofTheArea) { return .areaChanged }
        if names == ["layerQueries"], Self.differsInWhere(old["layerQueries"], new["layerQueries"]) { return .whereChanged }
        // A layer that comes or goes has a query that comes or goes.
        if names.contains("layers") { names.remove("layerQueries") }
        if !names.isEmpty { return .parametersChanged(names.sorted()) }
        if job.refresh == .never { return nil }
        return edit(since: published.stamp) ?? (job.kind == .style ? .styleChanged : .versionChanged)
    }

    private func edit(since old: SourceStamp) -> JobReason? {
        guard job.stamp != old else { return nil }
        // Of tiles: nobody says, or said then, when they were edited.
        if job.stamp.layers.isEmpty, !job.stamp.isTelling || !old.isTelling { return .noStamp }
        let before = Dictionary(old.layers.map { ($0.id, $0) }) { first, _ in first }
        let moved = job.stamp.layers.filter { before[$0.id] != $0 }
        if let layer = moved.first(where: {
            $0.description != before[$0.id]?.description || $0.schemaEdit != before[$0.id]?.schemaEdit
        }) {
            return .schemaChanged(layer.schemaEdit == before[layer.id]?.schemaEdit ? nil : layer.schemaEdit)
        }
        let times = moved.compactMap { $0.dataEdit ?? $0.lastEdit }
        let items = job.stamp.items.filter { old.items[$0.key] != $0.value }.map(\.value)
        return .sourceEdited((times + items).max())
    }

    /// They name the request and decide no byte of the result.
    private static let undeciding: Set<String> = ["replicaName"]
    private static let ofTheArea: Set<String> = ["geometry", "exportExtent", "extent", "areaOfInterest", "polygon"]

    private static func differsInWhere(_ old: String?, _ new: String?) -> Bool {
        func withoutClauses(_ text: String?) -> JSON? {
            guard let tree = text.flatMap({ try? JSON.parse($0) }), let members = tree.object?.members else { return nil }
            return .object(
                JSONObject(
                    members.map { member in
                        var query = member.value
                        query["where"] = Optional<JSON>.none
                        return .init(key: member.key, value: query)
                    }))
        }
        return withoutClauses(old) == withoutClauses(new)
    }
}

extension Work {
    /// What is remembered of a request to compare with; a style has its address only.
    public var comparedRequest: ServiceRequest {
        switch self {
        case .replica(let work): work.request
        case .tiles(let work), .vectorTiles(let work): work.request
        case .style(let work): ServiceRequest(url: work.styleURL, parameters: [:])
        // A file is named by its content, which is in its stamp.
        case .basemap, .package, .publish: ServiceRequest(url: "", parameters: [:])
        }
    }
}
