import Basics
import Foundation
import Planning
import TestSupport
import Testing

@testable import Reporting

@Suite struct ReportTests {
    @Test("report.json has the keys of the contract and reads back as the report")
    func keys() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("new/report.json")
        try ReportWriter.write(Samples.report, to: path)
        let json = try JSON.parse(Files.read(path))
        for key in ["outcome", "exitCode", "started", "finished", "areas", "jobs"] { #expect(json[key] != nil, "\(key)") }
        #expect(json["outcome"] == "partial")
        #expect(json["exitCode"] == 2)
        #expect(json["started"] == "2023-11-14T22:13:20Z")
        #expect(json["finished"] == "2023-11-14T22:14:24Z")
        for job in try #require(json["jobs"]?.array) {
            for key in ["id", "state", "attempts", "bytes", "seconds", "error"] { #expect(job[key] != nil, "\(key)") }
        }
        let error = try #require(json["jobs"]?[2]?["error"])
        #expect(error["phase"] == "submit")
        #expect(error["code"] == 500)
        #expect(error["message"] == "Unable to create replica. Please check your parameters.")
        #expect(error["details"] == ["Layer 4 is not sync enabled."])
        #expect(error["next"] == "Ask the service's owner to enable Sync on it, or exclude the layer in the manifest.")
        #expect(try json.decoded(as: RunReport.self) == Samples.report)
    }

    @Test("A refused plan leaves every problem in report.json, with place and next step")
    func problems() throws {
        var report = Samples.report
        report.problems = [
            PlanProblem(
                area: "downtown", layer: Samples.hydrant, origin: "m.yaml:9:5",
                failure: Failure(phase: .plan, kind: .permanent, message: "no layer of the map matches title Hydrnt"))
        ]
        let json = ReportWriter.json(report)
        #expect(json["problems"]?[0]?["layer"]?["title"] == "Hydrant")
        #expect(json["problems"]?[0]?["failure"]?["next"]?.string?.contains("offline-batch inspect") == true)
        #expect(try json.decoded(as: RunReport.self) == report)
    }

    @Test("The counts of report.json add up")
    func counts() {
        let counts = ReportWriter.json(Samples.report)["counts"]
        #expect(counts == ["total": 5, "unchanged": 0, "reused": 1, "done": 2, "pending": 0, "skipped": 1, "failed": 1])
    }

    @Test("No secret reaches report, NDJSON, summary, plan text, plan JSON or graph")
    func secrets() {
        let failure = Failure(
            phase: .download, kind: .permanent, code: 498,
            message: "GET https://h/file?token=\(Samples.secret)&f=json: Invalid token.",
            details: ["X-Esri-Authorization: Bearer \(Samples.secret)", "{\"refresh_token\":\"\(Samples.secret)\"}"])
        var report = Samples.report
        report.error = failure
        report.jobs[2].error = failure
        report.jobs[0].warnings = ["https://h/f?access_token=\(Samples.secret)"]
        let page = Page(width: 200, isVerbose: true)
        let summary = SummaryText(report: report, page: page, reportPath: nil, command: "x")
        let texts = [
            ReportWriter.json(report).serialized(), NDJSONLog.record(of: .runFinished(report), at: .now).serialized(),
            NDJSONLog.record(of: .jobFinished(report.jobs[2]), at: .now).serialized(),
            summary.lines.joined(), summary.quietLines.joined(), PlanText(plan: Samples.plan, page: page).lines.joined(),
            PlanJSON.json(Samples.plan).serialized(), PlanDot.text(Samples.plan),
            Wording.line(for: .jobRetrying(id: "a", after: .seconds(1), failure: failure)) ?? "",
        ]
        for text in texts { #expect(!text.contains(Samples.secret)) }
        #expect(texts[0].contains("token=\(Redaction.mark)&f=json"))
    }
}
