import Basics
import Planning

/// `report.json`: what a run did, for programs. Times are UTC; the keys are a contract (issue 2, part 6).
public enum ReportWriter {
    /// The report as a document, with the next step filled in for every failure. Reads back as a `RunReport`.
    public static func json(_ report: RunReport) -> JSON {
        [
            "name": .string(report.name),
            "outcome": .string(report.outcome.rawValue),
            "exitCode": JSON(report.exitCode),
            "meaning": .string(Wording.words(for: report.outcome)),
            "started": .string(Moment.utc(report.started)),
            "finished": .string(Moment.utc(report.finished)),
            "planHash": report.planHash.map(JSON.string) ?? .null,
            "counts": counts(report),
            "areas": .array(report.areas.map(json)),
            "jobs": .array(report.jobs.map(json)),
            "error": report.error.map { ErrorJSON.json($0) } ?? .null,
            "problems": .array(report.problems.map(json)),
        ]
    }

    /// Replaces the file in one step; its folder is made when it is missing.
    public static func write(_ report: RunReport, to path: String) throws(SystemError) {
        try Files.makeDirectory(Paths.parent(path))
        try Files.writeAtomically((json(report).serialized(.indented) + "\n").utf8, to: path)
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
            "area": problem.area.map(JSON.string) ?? .null,
            "layer": problem.layer.map { ["id": .string($0.id), "title": .string($0.title)] } ?? .null,
            "origin": problem.origin.map(JSON.string) ?? .null, "failure": ErrorJSON.json(problem.failure),
        ]
    }

    private static func json(_ area: AreaReport) -> JSON {
        [
            "id": .string(area.id), "state": .string(area.state.rawValue),
            "generation": area.generation.map(JSON.string) ?? .null, "bytes": JSON(area.bytes),
        ]
    }

    private static func json(_ job: JobReport) -> JSON {
        [
            "id": .string(job.id), "kind": .string(job.kind.rawValue), "area": .string(job.area),
            "layers": .array(job.layers.map { ["id": .string($0.id), "title": .string($0.title)] }),
            "state": .string(job.state.rawValue), "attempts": JSON(job.attempts), "bytes": JSON(job.bytes),
            "seconds": .number((job.seconds * 1000).rounded() / 1000),
            "warnings": .array(job.warnings.map { .string(Redaction.text($0)) }),
            "error": job.error.map { ErrorJSON.json($0, job: job) } ?? .null,
        ]
    }
}

extension JobReport.State {
    /// The order of the summary.
    static let worstFirst: [JobReport.State] = [.failed, .skipped, .pending, .done, .reused]
}
