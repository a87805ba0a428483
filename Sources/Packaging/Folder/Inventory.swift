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
            "plan": .string(planHash), "key": .string(key), "portal": .string(plan.portal),
            "webMap": webMap, "complete": .bool(isComplete),
            "areaOfInterest": area.shape.esriJSON(spatialReference: area.spatialReference),
            "sources": .array(parts.map(source)), "layers": .array(plan.layers.map(layer)),
            "services": (try? JSON.encoding(plan.map.services)) ?? [],
            "files": .array(
                files.sorted { $0.path < $1.path }.map {
                    ["path": .string($0.path), "sha256": .string($0.sha256), "bytes": JSON($0.bytes)]
                }),
        ]
    }

    /// No layer is missing because it did not come.
    private var isComplete: Bool {
        plan.losses.skipped.isEmpty && !plan.gaps.contains { $0.area == area.id && $0.failure != nil }
    }

    /// null where the map is made of services.
    private var webMap: JSON {
        if plan.map.isMadeOfServices { return .null }
        return [
            "id": plan.map.itemID.map(JSON.string) ?? .null, "title": .string(plan.map.title),
            "modified": plan.map.item["modified"] ?? .null,
        ]
    }

    /// Of the job that puts the map together, as far as it follows from the parts that are really in it.
    private var key: String {
        let planned = plan.jobs.first { $0.area == area.id && $0.kind == .package }
        if let planned, isComplete, parts.allSatisfy({ $0.key == $0.job.key }) { return planned.key }
        return plan.packageKey(of: area, parts: parts.map { ($0.job.id, $0.key) })
    }

    private func source(_ part: PackagedPart) -> JSON {
        let request = part.kept?.part.request ?? part.job.work.comparedRequest
        var json: JSON = [
            "job": .string(part.job.id), "kind": .string(part.job.kind.rawValue), "key": .string(part.key),
            "reason": .string(part.job.reason), "fetched": JSON(part.fetched),
            "layers": .array(part.job.layers.map { ["id": .string($0.id), "title": .string($0.title)] }),
            "path": .string("p13/" + part.name), "sha256": .string(part.sha256), "bytes": JSON(part.bytes),
            "counts": .object(
                JSONObject(part.counts.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: JSON($0.value)) })),
            "warnings": .array(part.warnings.map(JSON.string)), "fileExtension": .string(part.fileExtension),
            "stamp": part.stamp.json,
        ]
        if let failure = part.failure {
            json["stale"] = ["since": JSON(part.fetched), "error": .string(Redaction.text(failure.message))]
        }
        if !request.url.isEmpty { json["url"] = .string(request.url) }
        if !request.parameters.isEmpty {
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
        let lost = plan.losses.unreachable.first { $0.layer.id == layer.id }?.failure
        let failure =
            gap?.failure ?? lost ?? parts.first { $0.failure != nil && $0.job.layers.contains { $0.id == layer.id } }?.failure
        let verdict = gap.map { $0.staysOnline ? .onlineOnly : .excluded } ?? layer.verdict
        return [
            "id": .string(layer.id), "title": .string(layer.title), "url": layer.url.map(JSON.string) ?? .null,
            "verdict": .string(verdict.rawValue), "rule": .string(layer.rule),
            "reason": .string(
                gap.map { $0.failure == nil ? "The service has no tiles in this area." : "It did not come." } ?? layer.reason),
            "error": failure.map { .string(Redaction.text($0.message)) } ?? .null,
            "path": document.paths[layer.id].map(JSON.string) ?? .null,
            "serviceLayerID": layer.serviceLayerID.map { JSON($0) } ?? .null,
            "schema": layer.schema?.json ?? .null, "isOfManifest": .bool(layer.isOfManifest),
        ]
    }
}
