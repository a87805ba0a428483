import Basics
import Planning

/// `plan --json`: the plan for programs. The keys are a contract (issue 2, part 6); unknown numbers are null, never 0.
public enum PlanJSON {
    public static func json(_ plan: Plan) -> JSON {
        [
            "name": .string(plan.name),
            "hash": .string(plan.hash),
            "portal": .string(Redaction.text(plan.portal)),
            "map": ["itemID": plan.map.itemID.map(JSON.string) ?? .null, "title": .string(plan.map.title)],
            "servers": .array(plan.servers.map(ServerTable.json)),
            "notes": .array((plan.notes + Wording.synchronousReplicas(of: plan)).map(JSON.string)),
            "areas": .array(
                plan.areas.map { area in
                    [
                        "id": .string(area.id), "repaired": .bool(area.isRepaired),
                        "notes": .array(area.remarks.map { .string($0.words) }),
                        "held": plan.held[area.id].map { .string(Redaction.text($0)) } ?? .null,
                        "extent": area.degrees.map { .array([$0.xmin, $0.ymin, $0.xmax, $0.ymax].map(JSON.number)) } ?? .null,
                    ]
                }),
            "layers": .array(plan.layers.map(json)),
            "gaps": .array(
                plan.gaps.map {
                    ["area": .string($0.area), "layer": ["id": .string($0.layer.id), "title": .string($0.layer.title)]]
                }),
            "jobs": .array(plan.jobs.map(json)),
            "drift": .array(plan.drift.map(DriftText.json)),
        ]
    }

    private static func json(_ layer: PlannedLayer) -> JSON {
        [
            "id": .string(layer.id), "title": .string(layer.title), "groups": .array(layer.groups.map(JSON.string)),
            "url": layer.url.map { .string(Redaction.text($0)) } ?? .null, "verdict": .string(layer.verdict.rawValue),
            "rule": .string(layer.rule), "reason": .string(layer.reason),
        ]
    }

    private static func json(_ job: Job) -> JSON {
        [
            "id": .string(job.id), "kind": .string(job.kind.rawValue), "area": .string(job.area),
            "layer": .string(job.layers.map(\.title).joined(separator: ", ")),
            "layers": .array(job.layers.map { ["id": .string($0.id), "title": .string($0.title)] }),
            "reason": .string(job.reason), "unchanged": .bool(job.unchangedSince != nil),
            "dependsOn": .array(job.dependsOn.map(JSON.string)),
            "estimate": [
                "tiles": number(job.estimate.tiles), "rows": number(job.estimate.rows),
                "layers": .array(
                    job.estimate.layerRows.map { ["id": JSON($0.layerID), "name": .string($0.name), "rows": JSON($0.rows)] }),
                "bytes": number(job.estimate.bytes?.likely), "bytesLow": number(job.estimate.bytes?.low),
                "bytesHigh": number(job.estimate.bytes?.high), "sampled": number(job.estimate.bytes?.sampled),
                "sizeFrom": job.estimate.bytes.map { .string($0.sample.rawValue) } ?? .null,
                "sizeProblem": job.estimate.sizeProblem.map { .string($0.message) } ?? .null,
            ],
            "levels": .array(job.work.levels.map { ["level": JSON($0.level), "tiles": JSON($0.count)] }),
            "key": .string(job.key), "file": job.work.basemap.map { .string($0.path) } ?? .null,
            "request": job.work.request.map { request($0.masked) } ?? .null, "async": isAsynchronous(job.work),
        ]
    }

    /// Whether the server works on it as a job that can be asked; null where no server does.
    private static func isAsynchronous(_ work: Work) -> JSON {
        switch work {
        case .replica(let work): .bool(!work.isSynchronous)
        case .tiles, .vectorTiles: true
        case .style, .basemap, .package, .publish: .null
        }
    }

    private static func number(_ value: Int?) -> JSON { value.map { JSON($0) } ?? .null }

    private static func request(_ request: ServiceRequest) -> JSON {
        let parameters = request.parameters.sorted { $0.key < $1.key }
        return [
            "url": .string(request.url),
            "parameters": .object(JSONObject(parameters.map { JSONObject.Member(key: $0.key, value: .string($0.value)) })),
        ]
    }
}
