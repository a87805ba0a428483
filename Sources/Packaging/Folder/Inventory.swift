import ArcGIS
import Basics
import Geography
import Planning

/// `inventory.json`: what is in a map folder, where it came from, what was proven about it, and what is missing and why.
struct Inventory {
    var plan: Plan
    var planHash: String
    var area: PlannedArea
    var parts: [PackagedPart]
    var document: MapDocument
    /// Path below the folder → hash and size.
    var files: [(path: String, sha256: String, bytes: Int)]
    /// Milliseconds since 1970.
    var created: Int64

    var json: JSON {
        [
            "inventoryVersion": 1, "name": .string(plan.name), "area": .string(area.id), "created": .integer(created),
            "plan": .string(planHash), "portal": .string(plan.portal),
            "webMap": webMap,
            "areaOfInterest": area.shape.esriJSON(spatialReference: area.spatialReference),
            "sources": .array(parts.map(source)), "layers": .array(plan.layers.map(layer)),
            "files": .array(
                files.sorted { $0.path < $1.path }.map {
                    ["path": .string($0.path), "sha256": .string($0.sha256), "bytes": JSON($0.bytes)]
                }),
        ]
    }

    /// null where the map is made of services.
    private var webMap: JSON {
        if plan.map.isMadeOfServices { return .null }
        return [
            "id": plan.map.itemID.map(JSON.string) ?? .null, "title": .string(plan.map.title),
            "modified": plan.map.item["modified"] ?? .null,
        ]
    }

    private func source(_ part: PackagedPart) -> JSON {
        var json: JSON = [
            "job": .string(part.job.id), "kind": .string(part.job.kind.rawValue), "reason": .string(part.job.reason),
            "layers": .array(part.job.layers.map { ["id": .string($0.id), "title": .string($0.title)] }),
            "path": .string("p13/" + part.name), "sha256": .string(part.sha256), "bytes": JSON(part.bytes),
            "counts": .object(
                JSONObject(part.counts.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: JSON($0.value)) })),
            "warnings": .array(part.warnings.map(JSON.string)),
        ]
        if let request = part.job.request {
            json["url"] = .string(request.url)
            json["parameters"] = .object(
                JSONObject(request.parameters.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) }))
        }
        if case .replica(let work) = part.job.work {
            json["lastEditDates"] = .object(
                JSONObject(
                    work.layers.map { .init(key: "\($0.layerID) \($0.name)", value: $0.lastEditDate.map { JSON($0) } ?? .null) }))
        }
        return json
    }

    private func layer(_ layer: PlannedLayer) -> JSON {
        let gap = plan.gap(of: layer.id, in: area.id)
        let verdict = gap.map { $0.staysOnline ? .onlineOnly : .excluded } ?? layer.verdict
        return [
            "id": .string(layer.id), "title": .string(layer.title), "url": layer.url.map(JSON.string) ?? .null,
            "verdict": .string(verdict.rawValue), "rule": .string(layer.rule),
            "reason": .string(gap != nil ? "The service has no tiles in this area." : layer.reason),
            "path": document.paths[layer.id].map(JSON.string) ?? .null,
        ]
    }
}
