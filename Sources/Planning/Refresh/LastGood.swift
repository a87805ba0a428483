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
    /// With jobs that stand for the files of the maps that are out, of layers whose services did not answer
    /// (`onError: keepLastGood`).
    ///
    /// - Throws: what the services said, where a map has no such file.
    public func standingIn(from maps: [String: PublishedMap]) throws(PlanRefusal) -> Plan {
        let lost = losses.unreachable.filter { $0.onError == .keepLastGood }
        if lost.isEmpty { return self }
        var plan = self
        var problems: [PlanProblem] = []
        var standing: [String: [Job]] = [:]
        for lost in lost {
            for area in areas {
                let parts = maps[area.id]?.parts(of: lost.layer) ?? []
                if parts.isEmpty {
                    problems.append(
                        PlanProblem(area: area.id, layer: lost.layer, origin: lost.origin, failure: lost.failure))
                }
                for part in parts where standing[area.id]?.contains(where: { $0.id == part.job }) != true {
                    standing[area.id, default: []].append(Job(standingInFor: part, area: area.id, lost.failure))
                }
                plan.take(lost.layer, as: parts, from: maps[area.id])
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
            id: part.job, area: area, layers: part.layers, reason: "its service does not answer", key: part.key,
            work: Work(of: part), stamp: part.stamp, refresh: .never)
        onError = .keepLastGood
        unreachable = failure
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
