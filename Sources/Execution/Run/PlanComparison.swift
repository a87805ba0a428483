import ArcGIS
import Basics
import Foundation
import Manifest
import Packaging
import Planning
import Scheduling

/// A plan beside the maps that are out: which jobs need not run, what differs, and which areas keep their map because of it.
public struct PlanComparison: Sendable {
    /// With the reason of every job and all drift.
    public var plan: Plan
    public var maps: [String: PublishedMap]
    /// Areas whose map stays (`onDrift: skip`), with the reason.
    public var held: [String: String]
    /// What could not be compared, a sentence each.
    public var notes: [String] = []
    /// Replicas that servers have forgotten.
    var goneReplicas: [ReplicaRecord] = []
    /// Replicas that servers were found to have now.
    var seenReplicas: [ReplicaRecord] = []
    var output: String

    /// Reads the maps of all areas of the plan, and asks for the replicas in them.
    ///
    /// - Throws: the drift, where the policy is to stop.
    public static func make(
        _ plan: Plan, output: String, memory: StateMemory, asking client: ArcGISClient, policy: DriftPolicy,
        everything: Bool = false, now: Date
    ) async throws(PlanRefusal) -> PlanComparison {
        let ids = plan.areas.map(\.id)
        let maps = await offPool { () throws(Never) in
            ids.reduce(into: [:]) { $0[$1] = PublishedMap.read(output: output, area: $1) }
        }
        let replicas = await ReplicaLosses(
            of: plan, in: everything ? [:] : maps, books: memory.keptReplicas, asking: client, now: Timestamp(now.timestamp))
        let compared = try await offPool { () throws(PlanRefusal) in
            try plan.standingIn(from: maps).comparing(with: maps).refreshed(
                against: maps, areasLost: memory.publishedAreas.subtracting(maps.keys), replicaLosses: replicas.ofJobs,
                everything: everything, now: Int(now.timestamp))
        }
        let drifted = compared.drift.filter(\.isBreaking)
        var held: [String: String] = [:]
        switch policy {
        case .accept: break
        case .stop: if !drifted.isEmpty { throw PlanRefusal(problems: drifted.map(\.problem)) }
        case .skip:
            for drift in drifted {
                for area in drift.areas { held[area] = [held[area], drift.words].compactMap { $0 }.joined(separator: "; ") }
            }
        }
        // Without what did not answer no map would be made that may take their place.
        let skipped = compared.losses.skipped.map(\.layer.title).joined(separator: ", ")
        for area in ids where !skipped.isEmpty && compared.losses.publish == .complete && maps[area]?.isComplete == true {
            held[area] = [held[area], "no answer from the service of \(skipped)"].compactMap { $0 }.joined(separator: "; ")
        }
        var plan = compared
        plan.held = held
        let (name, isWhole) = (compared.name, compared.onlyAreas.isEmpty)
        let retired = await offPool { () throws(Never) in
            isWhole ? RetiredAreas(in: output, of: name, besides: Set(ids)).note : nil
        }
        return PlanComparison(
            plan: plan, maps: maps, held: held, notes: replicas.notes + [retired].compactMap { $0 }, goneReplicas: replicas.gone,
            seenReplicas: replicas.seen, output: output)
    }

    private func part(of job: Job) -> PublishedPart? {
        job.unchangedSince == nil || held[job.area] != nil ? nil : maps[job.area]?.part(for: job)
    }

    /// What need not be done, as the state records it. A map of which an earlier process of this run has begun to fetch parts anew
    /// (`run --refresh`) is put together of them.
    func unchanged(besides restored: [String: JobProgress]) -> [String: JobProgress] {
        let renewed = Set(
            plan.jobs.filter { job in
                guard !job.kind.isLocal, let progress = restored[job.id] else { return false }
                guard case .done(let artifact?) = progress else { return true }
                return artifact.sha256 != maps[job.area]?.part(for: job)?.sha256
            }.map(\.area))
        var unchanged: [String: JobProgress] = [:]
        for job in plan.jobs where job.unchangedSince != nil && held[job.area] == nil && restored[job.id] == nil {
            if job.kind.isLocal {
                if !renewed.contains(job.area) { unchanged[job.id] = .done(nil) }
            } else if let part = part(of: job) {
                unchanged[job.id] = .done(ArtifactReference(part))
            }
        }
        return unchanged
    }

    /// What the jobs of the maps brought, by their ids.
    var bytesBefore: [String: Int] {
        maps.values.reduce(into: [:]) { bytes, map in for part in map.parts { bytes[part.job] = part.bytes } }
    }

    /// Hashes of what is in the maps that stay out.
    func artifacts(staying report: RunReport) -> Set<String> {
        let staying = report.areas.filter { $0.state == .unchanged || $0.state == .kept }.compactMap { maps[$0.id] }
        return Set(staying.flatMap { $0.parts.map(\.sha256) })
    }

    /// Jobs of one key share one artifact: an area that needs it takes it from the map of another.
    var keptParts: [String: KeptPart] {
        plan.jobs.reduce(into: [:]) { kept, job in
            guard let part = part(of: job), let map = maps[job.area] else { return }
            kept[job.key] = KeptPart(part: part, folder: Paths.join(output, map.generation))
        }
    }

    /// What stands in for jobs that fail, by their ids (`onError: keepLastGood`).
    var lastGood: [String: KeptPart] {
        plan.jobs.reduce(into: [:]) { kept, job in
            guard let map = maps[job.area], let part = map.lastGood(of: job) else { return }
            kept[job.id] = KeptPart(part: part, folder: Paths.join(output, map.generation))
        }
    }

    /// Ids of jobs whose failure does not keep their area from a new map. An incomplete map takes the place of a complete one only
    /// with `publish: partial`.
    var dispensable: Set<String> {
        let ids = plan.jobs.filter { job in
            switch job.onError {
            case .fail: false
            case .skip: plan.losses.publish == .partial || maps[job.area]?.isComplete != true
            case .keepLastGood: maps[job.area]?.lastGood(of: job) != nil
            }
        }.map(\.id)
        return Set(ids)
    }

    /// What a publication brings; a layer that did not come is as old as its file, and without one never came.
    func publication(of area: String, _ generation: String, failed: Set<String>, at time: Timestamp) -> PublicationRecord {
        var record = PublicationRecord(
            area: area, generation: generation, published: time,
            layers: plan.jobs.filter { $0.area == area }.layers + plan.losses.skipped.map(\.layer))
        for layer in plan.losses.skipped { record.checked[layer.layer.id] = 0 }
        for job in plan.jobs where failed.contains(job.id) {
            let time = maps[area]?.lastGood(of: job).map { Timestamp($0.fetched) } ?? 0
            for layer in job.layers { record.checked[layer.id] = min(record.checked[layer.id] ?? time, time) }
        }
        let carried = plan.jobs.filter { $0.area == area && $0.unchangedSince != nil }.layers
        record.unasked = Set(plan.losses.unasked.map(\.id)).intersection(carried.map(\.id))
        return record
    }

    /// Maps that were found to be what a new one would be.
    func confirmed(by report: RunReport) -> [PublicationRecord] {
        let jobs = Dictionary(grouping: plan.jobs, by: \.area)
        return report.areas.filter { $0.state == .unchanged }.compactMap { area in
            maps[area.id].map { map in
                var record = PublicationRecord(
                    area: area.id, generation: map.generation, published: Timestamp(map.created),
                    layers: (jobs[area.id] ?? []).layers)
                record.unasked = Set(plan.losses.unasked.map(\.id))
                return record
            }
        }
    }
}

extension [Job] {
    /// Of which they fetch something, each once.
    fileprivate var layers: [LayerLabel] {
        var seen: Set<LayerLabel> = []
        return flatMap(\.layers).filter { seen.insert($0).inserted }
    }
}

extension ArtifactReference {
    init(_ part: PublishedPart) {
        self.init(
            sha256: part.sha256, bytes: part.bytes, fileExtension: part.fileExtension, warnings: part.warnings,
            counts: part.counts)
    }
}
