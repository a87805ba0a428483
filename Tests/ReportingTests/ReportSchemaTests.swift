import Basics
import Foundation
import Planning
import TestSupport
import Testing

@testable import Reporting

@Suite struct ReportSchemaTests {
    static let committed = SharedFiles.packageRoot + "/schemas/report.schema.json"

    @Test("The committed schema is the generated one (OFFLINE_BATCH_BLESS=1 writes it)")
    func committed() throws {
        if ProcessInfo.processInfo.environment["OFFLINE_BATCH_BLESS"] != nil {
            try Files.writeAtomically(ReportSchema.json.utf8, to: Self.committed)
        }
        #expect(String(decoding: try Files.read(Self.committed), as: UTF8.self) == ReportSchema.json)
    }

    /// Invented reports: every outcome, small and large, with and without a plan.
    static var reports: [RunReport] {
        var reports = Outcome.allCases.map { outcome in
            RunReport(
                name: "water", outcome: outcome, started: Night.started, finished: Night.started + 3,
                error: Failure(phase: .signIn, kind: .denied, code: 498, message: "Invalid token.", retryAfterSeconds: 3))
        }
        reports.append(Samples.report)
        reports.append(Night.withChanges(areas: 4, failing: 2))
        reports.append(Night.report(areas: 30, failing: 3, missing: 2))
        var refused = reports[0]
        refused.problems = [
            PlanProblem(area: "downtown", layer: Night.hydrant, origin: "m.yaml:9:5", failure: Night.failure),
            PlanProblem(failure: Night.failure),
        ]
        reports.append(refused.following(Night.report(areas: 2), isPartial: false, published: [:]))
        return reports
    }

    @Test(
        "check-jsonschema accepts reports of every outcome, and every member of them is in the schema",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func reportsAreValid() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(ReportSchema.document(isStrict: true).serialized().utf8, to: folder.file("strict.json"))
        let paths = try Self.reports.enumerated().map { index, report in
            try ReportWriter.write(report, to: folder.file("\(index).json"))
            return folder.file("\(index).json")
        }
        for schema in [folder.file("strict.json"), Self.committed] {
            let verdict = try Command.run(
                PythonJudge.interpreter ?? "", ["-m", "check_jsonschema", "--schemafile", schema] + paths)
            #expect(verdict.status == 0, "\(verdict.output)")
        }
    }

    @Test(
        "The schema refuses what is no report",
        .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func refuses() throws {
        let folder = try TemporaryFolder()
        let json = ReportWriter.json(Night.report(areas: 1))
        for (name, key, value) in [
            ("a", "outcome", JSON.string("fine")), ("b", "exitCode", .string("0")), ("c", "areas", .null),
            ("d", "formatVersion", 2),
        ] {
            var wrong = json
            wrong[key] = value
            try Files.writeAtomically(wrong.serialized().utf8, to: folder.file(name + ".json"))
            let verdict = try Command.run(
                PythonJudge.interpreter ?? "",
                ["-m", "check_jsonschema", "--schemafile", Self.committed, folder.file(name + ".json")])
            #expect(verdict.status == 1, "\(key)")
        }
        let meta = try Command.run(
            PythonJudge.interpreter ?? "", ["-m", "check_jsonschema", "--check-metaschema", Self.committed])
        #expect(meta.status == 0, "\(meta.output)")
    }

    @Test("A report with all its parts reads back as it was")
    func readsBack() throws {
        for report in Self.reports {
            #expect(try ReportWriter.json(report).decoded(as: RunReport.self) == report)
        }
        let folder = try TemporaryFolder()
        try ReportWriter.write(Night.withChanges(areas: 4, failing: 2), to: folder.file("report.json"))
        #expect(ReportWriter.read(folder.file("report.json")) == Night.withChanges(areas: 4, failing: 2))
        #expect(ReportWriter.read(folder.file("none.json")) == nil)
        try Files.writeAtomically(#"{"formatVersion": 2}"#.utf8, to: folder.file("next.json"))
        #expect(ReportWriter.read(folder.file("next.json")) == nil)
    }
}
