import Basics
import Foundation
import Planning

enum AreaJSON {
    static func json(_ area: AreaReport, at now: Date) -> JSON {
        [
            "id": .string(area.id), "state": .string(area.state.rawValue),
            "generation": area.generation.map(JSON.string) ?? .null, "bytes": JSON(area.bytes),
            "lastSuccess": Age.date(area.lastSuccess), "ageSeconds": Age.seconds(area.lastSuccess, now),
            "outline": area.outline?.json ?? .null, "since": Age.date(area.since),
            "reason": area.reason.map { .string(Redaction.text($0)) } ?? .null,
            "missingLayers": .array(area.missingLayers.map(JSON.string)),
        ]
    }
}

enum LayerJSON {
    static func json(_ layer: LayerReport, at now: Date) -> JSON {
        [
            "area": .string(layer.area), "layer": label(layer.layer), "groups": .array(layer.groups.map(JSON.string)),
            "verdict": .string(layer.verdict.rawValue), "rule": .string(layer.rule),
            "state": layer.state.map { .string($0.rawValue) } ?? .null, "jobs": .array(layer.jobs.map(JSON.string)),
            "rows": layer.rows.map { JSON($0) } ?? .null, "tiles": layer.tiles.map { JSON($0) } ?? .null,
            "bytes": layer.bytes.map { JSON($0) } ?? .null, "seconds": .number((layer.seconds * 1000).rounded() / 1000),
            "lastSuccess": Age.date(layer.lastSuccess), "ageSeconds": Age.seconds(layer.lastSuccess, now),
            "reason": .string(Redaction.text(layer.reason)), "error": layer.error.map { ErrorJSON.json($0) } ?? .null,
            "next": Wording.nextStep(for: layer).map(JSON.string) ?? .null, "staleSince": Age.date(layer.staleSince),
        ]
    }

    static func label(_ layer: LayerLabel) -> JSON { ["id": .string(layer.id), "title": .string(layer.title)] }
}

enum ChangesJSON {
    static func json(_ changes: ReportChanges) -> JSON {
        [
            "since": .string(ISOTime.text(changes.since)), "outcome": .string(changes.outcome.rawValue),
            "rows": JSON(changes.rows), "bytes": JSON(changes.bytes),
            "addedAreas": .array(changes.addedAreas.map(JSON.string)),
            "removedAreas": .array(changes.removedAreas.map(JSON.string)),
            "addedLayers": .array(changes.addedLayers.map(LayerJSON.label)),
            "removedLayers": .array(changes.removedLayers.map(LayerJSON.label)),
            "newlyFailing": .array(changes.newlyFailing.map(json)), "recovered": .array(changes.recovered.map(json)),
            "differences": .array(changes.differences.map(json)),
        ]
    }

    private static func json(_ place: ReportChanges.Place) -> JSON {
        ["area": .string(place.area), "layer": place.layer.map(LayerJSON.label) ?? .null]
    }

    private static func json(_ difference: ReportChanges.Difference) -> JSON {
        func number(_ value: Int?) -> JSON { value.map { JSON($0) } ?? .null }
        return [
            "area": .string(difference.area), "layer": LayerJSON.label(difference.layer),
            "rowsBefore": number(difference.rowsBefore), "rows": number(difference.rows),
            "bytesBefore": number(difference.bytesBefore), "bytes": number(difference.bytes),
        ]
    }
}

/// How old what is current was when the run ended.
enum Age {
    static func date(_ date: Date?) -> JSON { date.map { .string(ISOTime.text($0)) } ?? .null }
    static func seconds(_ date: Date?, _ now: Date) -> JSON {
        date.map { JSON(Int(max(0, now.timeIntervalSince($0)))) } ?? .null
    }
}

extension Wording {
    /// What to do about a layer that did not come; nil when there is nothing to do.
    static func nextStep(for layer: LayerReport) -> String? {
        if let error = layer.error { return nextStep(for: error) }
        switch layer.verdict {
        case .onlineOnly, .unsupported:
            let help = RuleWords.help(for: layer.rule)
            return help.isEmpty || help == "Nothing." ? nil : help
        case .replica, .tiles, .vectorTiles, .style, .keptInMap, .excluded: return nil
        }
    }
}
