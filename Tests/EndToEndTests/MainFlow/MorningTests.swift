import Basics
import TestSupport
import Testing

/// Report and morning page over a row of nights: the first, a bad one, one without a portal, a good one again.
@Suite(.serialized) struct MorningTests {
    @Test func `Every night leaves a valid report and a page that compare it with the night before`() async throws {
        let workspace = try Workspace(manifest: Workspace.water(areas: 2))
        var reports: [JSON] = []
        func night(_ portal: String, code: Int32, _ arguments: String...) async throws -> JSON {
            let run = try await workspace.run(["run", "manifest.yaml"] + arguments, variables: ["OFFLINE_BATCH_PORTAL": portal])
            #expect(run.code == code, "\(run.stdout)\(run.stderr)")
            let report = try workspace.json("out/report.json")
            let page = String(decoding: try workspace.read("out/report.html"), as: UTF8.self)
            #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
            #expect(page.contains("(exit \(code))"))
            #expect(
                try Files.list(workspace.file("out")).filter { $0.hasPrefix("report") }.sorted() == [
                    "report.html", "report.json",
                ])
            reports.append(report)
            return report
        }

        let portal = try await PortalProcess()
        let first = try await night(portal.url, code: 0)
        #expect(first["changes"] == .null)
        let layers = try #require(first["layers"]?.array)
        let hydrants = try #require(layers.first { $0["layer"]?["title"] == "Hydrant" && $0["area"] == "downtown" })
        // The service itself counts them for the same box.
        let count = try await portal.ask(
            portal.service("Water_Network/FeatureServer") + "/0/query",
            [
                "where": "1=1", "geometry": "-88.160,41.765,-88.140,41.780", "geometryType": "esriGeometryEnvelope",
                "inSR": "4326",
                "returnCountOnly": "true",
            ])
        #expect(hydrants["rows"] == count["count"])
        let streets = try #require(layers.first { $0["layer"]?["title"] == "World Street Map" && $0["area"] == "downtown" })
        #expect((streets["tiles"]?.int ?? 0) > 0 && streets["state"] == "done" && streets["lastSuccess"]?.string != nil)
        #expect(first["areas"]?[0]?["outline"]?["coordinates"]?[0]?[0]?[0] == [-88.16, 41.765])
        // A job that another one does the work of (the style of both areas) has only a beginning and an end.
        for job in first["jobs"]?.array ?? [] {
            let times = ["queued", "started", "submitted", "ready", "fetched", "done"].compactMap { job["times"]?[$0]?.double }
            #expect(times == times.sorted() && times.count >= 2, "\(job["id"]?.string ?? ""): \(times)")
        }

        // The second replica of the night is refused for good.
        let broken = try await PortalProcess.faulty(
            "- {path: '*/createReplica', nth: 2, jsonError: {code: 400, message: Unable to create replica., details: []}}")
        let second = try await night(broken.url, code: 2, "--max-jobs-per-host", "1")
        let newly = try #require(second["changes"]?["newlyFailing"]?.array)
        #expect(newly.count { $0["layer"]?.isNull == true } == 1, "\(newly)")
        let failed = try #require(newly.first?["area"]?.string)
        let kept = try #require(second["areas"]?.array?.first { $0["id"]?.string == failed })
        let before = try #require(first["areas"]?.array?.first { $0["id"]?.string == failed })
        #expect(kept["state"] == "failed" && kept["lastSuccess"] == before["lastSuccess"] && kept["bytes"] == before["bytes"])
        let page = String(decoding: try workspace.read("out/report.html"), as: UTF8.self)
        #expect(page.contains("keeps its last good map"))

        let third = try await night("http://127.0.0.1:1/portal", code: 69)
        #expect(third["areas"]?.array?.map { $0["state"] } == ["untouched", "untouched"])
        #expect(third["areas"]?.array?.count { $0["lastSuccess"]?.isNull == false } == 2)

        // What was not finished is gone on with: a run of its own needs a new state.
        let fourth = try await night(portal.url, code: 0)
        #expect(fourth["changes"]?["outcome"] == "unavailable")
        let fifth = try await night(portal.url, code: 0, "--area", failed, "--refresh")
        #expect(
            fifth["areas"]?.array?.map { $0["state"]?.string }.sorted { ($0 ?? "") < ($1 ?? "") } == ["published", "untouched"])
        try judge(reports, workspace)
    }

    private func judge(_ reports: [JSON], _ workspace: Workspace) throws {
        guard PythonJudge.isAvailable else { return }
        let folder = try TemporaryFolder()
        let paths = try reports.enumerated().map { index, report in
            try Files.writeAtomically(report.serialized().utf8, to: folder.file("\(index).json"))
            return folder.file("\(index).json")
        }
        let schema = SharedFiles.packageRoot + "/schemas/report.schema.json"
        let verdict = try Command.run(PythonJudge.interpreter ?? "", ["-m", "check_jsonschema", "--schemafile", schema] + paths)
        #expect(verdict.status == 0, "\(verdict.output)")
    }
}
