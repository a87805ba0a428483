import Basics

extension Plan {
    /// Gives every job its reason, compared with the maps that are out.
    ///
    /// - Parameters:
    ///   - maps: by area; an area without one is new.
    ///   - areasLost: areas that were published and whose map is not there any more.
    ///   - replicaLosses: replicas in the maps that are not registered any more, by job.
    ///   - everything: `run --refresh`.
    ///   - now: milliseconds since 1970.
    public func refreshed(
        against maps: [String: PublishedMap], areasLost: Set<String> = [], replicaLosses: [String: ReplicaLoss] = [:],
        everything: Bool = false, now: Int
    ) -> Plan {
        if everything {
            var plan = self
            for index in plan.jobs.indices where !plan.jobs[index].kind.isLocal && plan.jobs[index].unreachable == nil {
                plan.jobs[index].decide(.asked)
            }
            return plan
        }
        var plan = self
        let content = PackageContent(self)
        let indices = Dictionary(grouping: jobs.indices, by: { jobs[$0].area })
        for area in areas {
            let own = indices[area.id] ?? []
            let map = maps[area.id]
            for index in own where !jobs[index].kind.isLocal {
                let job = jobs[index]
                if job.unreachable != nil { continue }
                var reason = RefreshDecision(
                    job: job, published: map?.part(for: job), now: now, replicaLoss: replicaLosses[job.id]
                ).reason
                if reason == .new, areasLost.contains(area.id) { reason = .artifactMissing }
                plan.jobs[index].decide(reason)
            }
            if let map { plan.decidePackage(own, of: area, map, content) }
        }
        return plan
    }

    /// A map is put together anew when a part is fetched, when it has other parts, or when the map document says something else.
    private mutating func decidePackage(
        _ own: [Int], of area: PlannedArea, _ map: PublishedMap, _ content: PackageContent
    ) {
        let parts = own.map { jobs[$0] }.filter { !$0.kind.isLocal }
        guard parts.allSatisfy({ $0.unchangedSince != nil }) else { return }
        // A part that stays keeps the key that it was fetched with.
        let kept = parts.map { job in (id: job.id, key: map.part(for: job)?.key ?? job.key) }
        let isSame = PackageJobs.key(area: area, parts: kept, content: content) == map.packageKey
        for index in own where jobs[index].kind.isLocal {
            if map.condition != .whole {
                jobs[index].decide(map.condition == .missing ? .artifactMissing : .artifactDamaged)
            } else if isSame {
                jobs[index].decide(.unchanged(since: map.created))
            } else if jobs[index].kind == .package {
                jobs[index].decide(.mapChanged)
            }
        }
    }

    /// Areas of which nothing need be done.
    public var unchangedAreas: Set<String> {
        Set(areas.map(\.id)).subtracting(jobs.filter { $0.unchangedSince == nil }.map(\.area))
    }
}

extension Job.Kind {
    /// Made of what other jobs brought, without a server.
    public var isLocal: Bool { self == .package || self == .publish }
}
