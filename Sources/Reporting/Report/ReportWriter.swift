import Basics
import Foundation
import Planning

/// `report.json`: what a run did, for programs. Times are UTC; the keys are a contract (`ReportSchema`, docs/scripting.md).
public enum ReportWriter {
    /// The report as a document, with the next step filled in for every failure. Reads back as a `RunReport`.
    public static func json(_ report: RunReport) -> JSON {
        [
            "formatVersion": JSON(RunReport.formatVersion),
            "name": .string(report.name),
            "outcome": .string(report.outcome.rawValue),
            "exitCode": JSON(report.exitCode),
            "meaning": .string(Wording.words(for: report.outcome)),
            "started": .string(ISOTime.text(report.started)),
            "finished": .string(ISOTime.text(report.finished)),
            "finishBy": report.finishBy.map { .string(ISOTime.text($0)) } ?? .null,
            "planHash": report.planHash.map(JSON.string) ?? .null,
            "counts": counts(report),
            "areas": .array(report.areas.map { AreaJSON.json($0, at: report.finished) }),
            "layers": .array(report.layers.map { LayerJSON.json($0, at: report.finished) }),
            "jobs": .array(report.jobs.map(json)),
            "drift": .array(report.drift.map(DriftText.json)),
            "notes": .array(report.notes.map { .string(Redaction.text($0)) }),
            "changes": report.changes.map(ChangesJSON.json) ?? .null,
            "versions": .object(
                JSONObject(report.versions.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) })),
            "error": report.error.map { ErrorJSON.json($0) } ?? .null,
            "problems": .array(report.problems.map(json)),
        ]
    }

    /// Replaces the file in one step; its folder is made when it is missing.
    public static func write(_ report: RunReport, to path: String) throws(SystemError) {
        try write(json(report).serialized(.indented) + "\n", to: path)
    }

    /// The same for the morning page.
    public static func write(_ text: String, to path: String) throws(SystemError) {
        try Files.makeDirectory(Paths.parent(path))
        try Files.writeAtomically(KnownSecrets.masked(text).utf8, to: path)
    }

    /// The report at a path; nil when there is none, or one of another format.
    public static func read(_ path: String) -> RunReport? {
        guard let bytes = try? Files.read(path), let json = try? JSON.parse(bytes),
            json["formatVersion"]?.int == RunReport.formatVersion
        else { return nil }
        return try? json.decoded()
    }

    private static func counts(_ report: RunReport) -> JSON {
        var counts: JSON = ["total": JSON(report.jobs.count)]
        for state in JobReport.State.worstFirst.reversed() {
            counts[state.rawValue] = JSON(report.jobs.count { $0.state == state })
        }
        return counts
    }

    private static func json(_ problem: PlanProblem) -> JSON {
        [
            "area": problem.area.map(JSON.string) ?? .null, "layer": problem.layer.map(LayerJSON.label) ?? .null,
            "origin": problem.origin.map(JSON.string) ?? .null, "failure": ErrorJSON.json(problem.failure),
        ]
    }

    private static func json(_ job: JobReport) -> JSON {
        [
            "id": .string(job.id), "kind": .string(job.kind.rawValue), "area": .string(job.area),
            "layers": .array(job.layers.map(LayerJSON.label)),
            "state": .string(job.state.rawValue), "reason": .string(job.reason), "attempts": JSON(job.attempts),
            "bytes": JSON(job.bytes),
            "seconds": .number((job.seconds * 1000).rounded() / 1000),
            "times": times(job.times),
            "counts": .object(
                JSONObject(job.counts.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: JSON($0.value)) })),
            "warnings": .array(job.warnings.map { .string(Redaction.text($0)) }),
            "error": job.error.map { ErrorJSON.json($0, job: job) } ?? .null, "staleSince": Age.date(job.staleSince),
        ]
    }

    private static func times(_ times: JobTimes) -> JSON {
        func json(_ seconds: Double?) -> JSON { seconds.map(JSON.number) ?? .null }
        return [
            "queued": json(times.queued), "started": json(times.started), "submitted": json(times.submitted),
            "ready": json(times.ready), "fetched": json(times.fetched), "done": json(times.done),
        ]
    }
}
