import ArcGIS
import Basics
import Planning

/// The JSON Schema (2020-12) of `report.json`, for programs that read it and for `offline-batch schema report`.
///
/// Later versions may add members, so readers let unknown ones pass; every member named here is always there.
public enum ReportSchema {
    /// Indented text, ends with a newline; the same as `schemas/report.schema.json`.
    public static let json: String = document(isStrict: false).serialized(.indented) + "\n"

    /// `isStrict` refuses members that the schema does not name: for tests.
    static func document(isStrict: Bool) -> JSON {
        let maker = Maker(isStrict: isStrict)
        var root: JSON = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "offline-batch report",
            "description": "What a run did. Times are UTC (RFC 3339). Members may be added; those named here are always there.",
        ]
        for member in maker.report.object?.members ?? [] { root[member.key] = member.value }
        root["$defs"] = ["layer": maker.layer, "failure": maker.failure, "place": maker.place]
        return root
    }

    private struct Maker {
        var isStrict: Bool

        var report: JSON {
            object([
                ("formatVersion", ["const": JSON(RunReport.formatVersion)], "Raised when the meaning of a member changes."),
                ("name", text, "The manifest's name."),
                ("outcome", choice(Outcome.allCases), "How the run ended (docs/scripting.md)."),
                ("exitCode", integer, "The exit code of the same."),
                ("meaning", text, "The outcome in words."),
                ("started", time, "When the run began; of a continued run, when its first process did."),
                ("finished", time, "When it ended."),
                ("finishBy", nullable(time), "When the run had to be over (--finish-by); null when it had no end."),
                ("planHash", nullable(text), "SHA-256 of the plan; null when there was none."),
                ("counts", counts, "Jobs by state."),
                ("areas", list(area), "Every area, also those that this run was not about."),
                ("layers", list(layerReport), "Every layer of the map in every area, in the order of the map."),
                ("jobs", list(job), "Every job of the plan."),
                ("drift", list(drift), "What differs from the maps that were out when the run began."),
                ("notes", list(text), "What the plan did without being told to, and why."),
                ("changes", nullable(changes), "The difference to the report before; null when there is none."),
                ("versions", ["type": "object", "additionalProperties": text], "Of the program and its libraries."),
                ("error", nullable(failureReference), "What stopped the run as a whole."),
                ("problems", list(problem), "Everything that refused the plan; the first is `error`."),
            ])
        }

        private var counts: JSON {
            object([("total", natural, nil)] + JobReport.State.worstFirst.reversed().map { ($0.rawValue, natural, nil) })
        }

        private var area: JSON {
            object([
                ("id", text, "As in the manifest."),
                (
                    "state", choice(AreaReport.State.allCases),
                    "`unchanged`: nothing to do; `kept`: the last good map stays (`onDrift`, `onError`); `partial`: layers are missing or stale; `untouched`: not part of this run."
                ),
                (
                    "generation", nullable(text),
                    "The generation that is current, where this run published or compared it, below the output folder."
                ),
                ("bytes", natural, "Size of the map that is current."),
                (
                    "lastSuccess", nullable(time),
                    "When the map that is current was published or found unchanged; null when there is none."
                ),
                ("ageSeconds", nullable(natural), "How old that was when the run ended."),
                ("outline", nullable(outline), "Where it is, as a GeoJSON MultiPolygon with few corners."),
                ("since", nullable(time), "When the map was made that stays; null when a new one was."),
                ("reason", nullable(text), "Why it stays, where something changed."),
                ("missingLayers", list(text), "Titles of the layers that the map lacks which this run published."),
            ])
        }

        private var drift: JSON {
            object([
                ("layer", layerReference, nil), ("change", ["type": "object"], "The kind of change, with what it was and is."),
                ("breaking", ["type": "boolean"], "Something that apps may rely on is gone: `onDrift` decides."),
                ("message", text, "In words."), ("areas", list(text), "Areas whose map is affected."),
            ])
        }

        private var outline: JSON {
            let place: JSON = ["type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2]
            return object([
                ("type", ["const": "MultiPolygon"], nil), ("coordinates", list(list(list(place))), "Longitude, latitude."),
            ])
        }

        private var layerReport: JSON {
            object([
                ("area", text, nil), ("layer", layerReference, nil), ("groups", list(text), "Group layers around it."),
                ("verdict", choice(Verdict.allCases), "What becomes of it."),
                ("rule", text, "The rule behind the verdict (docs/rules.md)."),
                ("state", nullable(choice(JobReport.State.allCases)), "Null when nothing is fetched for it here."),
                ("jobs", list(text), "Ids of the jobs that bring it."),
                ("rows", nullable(natural), "Rows in the map that is current."),
                ("tiles", nullable(natural), "Tiles in the map that is current."),
                ("bytes", nullable(natural), "Size of the files that bring it, with all layers in them."),
                ("seconds", number, "What its jobs took in this run."),
                ("lastSuccess", nullable(time), "When the current map got what it holds of this layer."),
                ("ageSeconds", nullable(natural), "How old that was when the run ended."),
                ("reason", text, "Why it was to be fetched, or why not."),
                ("error", nullable(failureReference), "Why it did not come."),
                ("next", nullable(text), "What to do about it."),
                ("staleSince", nullable(time), "It did not come, and the new map has it as it came then; else null."),
            ])
        }

        private var job: JSON {
            let times: [(String, String)] = [
                ("queued", "Nothing but limits kept it from beginning."), ("started", "Its first step began."),
                ("submitted", "The server accepted it."), ("ready", "The server had the result."),
                ("fetched", "The result was here, not yet verified."), ("done", "It was verified, had failed or was skipped."),
            ]
            return object([
                ("id", text, "Unique and stable between nights."), ("kind", choice(Job.Kind.allCases), nil),
                ("area", text, nil), ("layers", list(layerReference), nil),
                (
                    "state", choice(JobReport.State.allCases),
                    "`reused`: finished by an earlier process; `unchanged`: need not run; `pending`: not reached."
                ),
                ("reason", text, "Why it ran, or why it need not."),
                ("attempts", natural, nil), ("bytes", natural, nil), ("seconds", number, nil),
                (
                    "times", object(times.map { ($0.0, nullable(["type": "number"]), $0.1) }),
                    "Seconds since `started` of the report; null for what did not happen."
                ),
                (
                    "counts", ["type": "object", "additionalProperties": natural],
                    "Rows by layer or tiles by level, as verification counted them."
                ),
                ("warnings", list(text), nil), ("error", nullable(failureReference), nil),
                ("staleSince", nullable(time), "It failed, and its file of the last good map is in the new one; else null."),
            ])
        }

        private var changes: JSON {
            let differences = object([
                ("area", text, nil), ("layer", layerReference, nil), ("rowsBefore", nullable(natural), nil),
                ("rows", nullable(natural), nil), ("bytesBefore", nullable(natural), nil), ("bytes", nullable(natural), nil),
            ])
            return object([
                ("since", time, "When the run before ended."), ("outcome", choice(Outcome.allCases), "How it ended."),
                ("rows", integer, "Rows of all current maps, now less before."), ("bytes", integer, "The same for bytes."),
                ("addedAreas", list(text), nil), ("removedAreas", list(text), nil),
                ("addedLayers", list(layerReference), nil), ("removedLayers", list(layerReference), nil),
                ("newlyFailing", list(placeReference), "Fails now and did not before."),
                ("recovered", list(placeReference), "Failed before and is good now."),
                ("differences", list(differences), "Layers whose rows or bytes are others."),
            ])
        }

        private var problem: JSON {
            object([
                ("area", nullable(text), nil), ("layer", nullable(layerReference), nil),
                ("origin", nullable(text), "`file:line:column` in the manifest."), ("failure", failureReference, nil),
            ])
        }

        var layer: JSON { object([("id", text, "In the web map."), ("title", text, nil)]) }
        var place: JSON { object([("area", text, nil), ("layer", nullable(layerReference), "Null: the area itself.")]) }

        var failure: JSON {
            var failure = object([
                ("phase", choice(Failure.Phase.allCases), "Where in a job's life it happened."),
                ("kind", choice(Failure.Class.allCases), "What follows from it."),
                ("code", nullable(integer), "The server's code, or the HTTP status."), ("message", text, nil),
                ("details", list(text), nil), ("next", text, "One next step for a person."),
                (
                    "lastStatus",
                    nullable(
                        object([
                            ("word", text, "The server's own."), ("seconds", number, "How long the server had said it."),
                        ])),
                    "How far the server was with a job that was given up at its deadline; else null."
                ),
            ])
            failure["properties"]?["retryAfterSeconds"] = ["type": "number", "description": "The server asked to wait so long."]
            return failure
        }

        private var layerReference: JSON { ["$ref": "#/$defs/layer"] }
        private var placeReference: JSON { ["$ref": "#/$defs/place"] }
        private var failureReference: JSON { ["$ref": "#/$defs/failure"] }

        private let text: JSON = ["type": "string"]
        private let integer: JSON = ["type": "integer"]
        private let natural: JSON = ["type": "integer", "minimum": 0]
        private let number: JSON = ["type": "number", "minimum": 0]
        private let time: JSON = ["type": "string", "format": "date-time"]

        private func list(_ items: JSON) -> JSON { ["type": "array", "items": items] }
        private func nullable(_ shape: JSON) -> JSON { ["anyOf": [shape, ["type": "null"]]] }
        private func choice<Case: RawRepresentable>(_ cases: [Case]) -> JSON where Case.RawValue == String {
            ["enum": .array(cases.map { .string($0.rawValue) })]
        }

        /// All members are required.
        private func object(_ members: [(name: String, shape: JSON, meaning: String?)]) -> JSON {
            var properties = JSONObject()
            for member in members {
                var shape = member.shape
                if let meaning = member.meaning { shape["description"] = .string(meaning) }
                properties[member.name] = shape
            }
            var result: JSON = [
                "type": "object", "required": .array(members.map { .string($0.name) }), "properties": .object(properties),
            ]
            if isStrict { result["additionalProperties"] = false }
            return result
        }
    }
}
