import ArcGIS
import Basics
import Manifest

extension PublishedMap {
    /// The file that may stand in for what a job does not bring: whole, and asked for as the job asks.
    public func lastGood(of job: Job) -> PublishedPart? {
        guard job.onError == .keepLastGood, let part = part(for: job), part.condition == .whole else { return nil }
        var (old, new) = (part.request, job.work.comparedRequest)
        // It names the request and decides no byte of the result.
        old.parameters["replicaName"] = nil
        new.parameters["replicaName"] = nil
        return old == new ? part : nil
    }
}

extension Plan {
    /// With jobs that stand for the files of the maps that are out, of layers that could not be asked
    /// (`onError: keepLastGood`). The job of an area that has no such file fails, and with it the area alone.
    ///
    /// - Throws: what the services said, where no area has one.
    public func standingIn(from maps: [String: PublishedMap]) throws(PlanRefusal) -> Plan {
        let lost = losses.unreachable.filter { $0.onError == .keepLastGood }
        if lost.isEmpty { return self }
        var plan = self
        var problems: [PlanProblem] = []
        var standing: [String: [Job]] = [:]
        for lost in lost {
            let parts = areas.map { (area: $0.id, parts: maps[$0.id]?.parts(of: lost.layer) ?? []) }
            guard let example = parts.first(where: { !$0.parts.isEmpty }) else {
                problems.append(PlanProblem(layer: lost.layer, origin: lost.origin, failure: lost.failure))
                continue
            }
            for (area, own) in parts {
                let jobs =
                    own.isEmpty
                    ? example.parts.map { Job(missing: $0, of: example.area, in: area, lost.failure) }
                    : own.map { Job(standingInFor: $0, area: area, lost.failure) }
                for job in jobs where standing[area]?.contains(where: { $0.id == job.id }) != true {
                    standing[area, default: []].append(job)
                }
                plan.take(lost.layer, as: own, from: maps[area])
            }
        }
        if !problems.isEmpty { throw PlanRefusal(problems: problems) }
        let content = PackageContent(plan)
        let planned = Dictionary(grouping: jobs.filter { !$0.kind.isLocal }, by: \.area)
        plan.jobs = areas.flatMap { area in
            let parts = (planned[area.id] ?? []) + (standing[area.id] ?? [])
            return parts + PackageJobs.jobs(area: area, parts: parts, content: content)
        }
        return plan
    }

    /// The layer is what it was when it last came.
    private mutating func take(_ layer: LayerLabel, as parts: [PublishedPart], from map: PublishedMap?) {
        guard let index = layers.firstIndex(where: { $0.id == layer.id }), let part = parts.first,
            let before = map?.layers.first(where: { $0.id == layer.id })
        else { return }
        layers[index].verdict = part.kind.verdict
        layers[index].source = part.job.split(separator: "/").dropLast().last.map(String.init)
        layers[index].schema = before.schema
        layers[index].serviceLayerID = before.serviceLayerID
    }
}

extension PublishedMap {
    fileprivate func parts(of layer: LayerLabel) -> [PublishedPart] {
        let own = parts.filter { part in part.layers.contains { $0.id == layer.id } }
        return own.allSatisfy { $0.condition == .whole } ? own : []
    }
}

extension Job {
    fileprivate init(standingInFor part: PublishedPart, area: String, _ failure: Failure) {
        self.init(
            id: part.job, area: area, layers: part.layers, reason: "it could not be looked at", key: part.key,
            work: Work(of: part), stamp: part.stamp, refresh: .never)
        onError = .keepLastGood
        unreachable = failure
    }

    /// Of an area that has no file which could stand in; it can only fail.
    fileprivate init(missing part: PublishedPart, of other: String, in area: String, _ failure: Failure) {
        self.init(standingInFor: part, area: area, failure)
        id = area + part.job.dropFirst(other.count)
        // Another file than that of the other area.
        key = JobKey.make(kind, area, [:], .string(part.key))
    }
}

extension Work {
    /// As far as a map remembers it; enough to compare with, not to do it.
    fileprivate init(of part: PublishedPart) {
        let service = Paths.parent(part.request.url)
        func tiles(_ kind: ExportService) -> TileWork {
            TileWork(serviceURL: service, service: kind, request: part.request, levels: [])
        }
        self =
            switch part.kind {
            case .replica: .replica(ReplicaWork(serviceURL: service, request: part.request, layers: [], registration: .none))
            case .tiles: .tiles(tiles(.map))
            case .vectorTiles: .vectorTiles(tiles(.vector))
            case .style: .style(StyleWork(styleURL: part.request.url, serviceURL: ""))
            // No part of a map has these kinds, and a base map file has no service.
            case .basemap, .package, .publish: .package
            }
    }
}

extension Job.Kind {
    fileprivate var verdict: Verdict {
        switch self {
        case .replica: .replica
        case .tiles: .tiles
        case .vectorTiles: .vectorTiles
        case .style, .basemap, .package, .publish: .style
        }
    }
}
