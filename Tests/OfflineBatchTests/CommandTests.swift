import ArcGIS
import Basics
import Foundation
import Geography
import Manifest
import Planning
import Reporting
import Testing

@testable import OfflineBatch

@Suite struct CommandTests {
    private static let refused = Failure(phase: .plan, kind: .permanent, message: "the override of title Hydrnt matches no layer")

    private static func report(_ outcome: Outcome, jobs: [JobReport] = []) -> RunReport {
        RunReport(name: "water", outcome: outcome, started: Stage.now, finished: Stage.now + 5, jobs: jobs)
    }

    private static let failedJob = JobReport(
        id: "downtown/water/replica", kind: .replica, area: "downtown", layers: [LayerLabel(id: "h", title: "Hydrant")],
        state: .failed, attempts: 5, bytes: 0, seconds: 3,
        error: Failure(phase: .submit, kind: .permanent, code: 500, message: "Unable to create replica."))

    private static func plan(jobs: [Job]) -> Plan {
        Plan(
            name: "water", portal: "https://h",
            map: PlannedMap(itemID: nil, title: "Town", document: [:], item: .null, thumbnailURL: nil),
            areas: [
                PlannedArea(
                    id: "downtown", shape: .envelope(Envelope(xmin: 0, ymin: 0, xmax: 1, ymax: 1)), spatialReference: .wgs84)
            ],
            layers: [], jobs: jobs, limits: PlannedLimits(LimitSettings(), continueOnErrors: true), keep: 7)
    }

    private static let job = Job(id: "downtown/package", area: "downtown", layers: [], reason: "new", key: "k", work: .package)

    @Test("validate: 0 and a word for a good manifest, 65 with place and hint for a bad one, nothing else asked")
    func validate() async throws {
        let good = try Stage()
        let end = await good("validate m.yaml")
        #expect(end.code == 0 && end.output.hasSuffix("m.yaml: valid, water, 1 area\n") && end.errors.isEmpty)

        let bad = try Stage(manifest: Stage.manifest + "scael: { min: 1 }\n")
        let refused = await bad("validate m.yaml")
        #expect(refused.code == 65 && refused.output.isEmpty)
        #expect(refused.errors.contains("m.yaml:8:1: error:") && refused.errors.contains("`scale`"))
        let json = try JSON.parse(Array(await bad("validate --json m.yaml").output.utf8))
        #expect(json["valid"] == false && json["problems"]?[0]?["line"] == 8)
        #expect(bad.questions.isEmpty)
    }

    @Test("plan: text, JSON, graph and file; --exit-code tells whether there is something to do")
    func plan() async throws {
        let stage = try Stage()
        let plan = Self.plan(jobs: [Self.job])
        let text = await stage("plan --area downtown m.yaml", plan: .success(plan))
        #expect(text.code == 0 && text.output.contains("Nothing was started"))
        #expect(stage.questions == ["plan [\"downtown\"] counting"])
        _ = await stage("plan --no-counts m.yaml", plan: .success(plan))
        #expect(stage.questions.last == "plan []")

        let json = await stage("plan --json -o plan.json --exit-code m.yaml", plan: .success(plan))
        #expect(json.code == 3)
        #expect(try JSON.parse(Array(json.output.utf8))["jobs"]?[0]?["id"] == "downtown/package")
        #expect(try JSON.parse(Files.read(stage.folder.file("plan.json"))).decoded(as: Plan.self) == plan)

        #expect(await stage("plan --exit-code m.yaml", plan: .success(Self.plan(jobs: []))).code == 0)
        #expect(await stage("plan --dot m.yaml", plan: .success(plan)).output.hasPrefix("digraph"))
    }

    /// Lines may be wrapped anywhere.
    private static func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    @Test("run --plan: the saved plan and its areas reach the engine; a file that is no plan is refused")
    func savedPlan() async throws {
        let stage = try Stage()
        var plan = Self.plan(jobs: [Self.job])
        plan.onlyAreas = ["downtown"]
        _ = await stage("plan -o plan.json m.yaml", plan: .success(plan))
        let end = await stage("run --plan plan.json m.yaml", run: Self.report(.ok))
        #expect(end.code == 0)
        #expect(stage.questions[1].hasPrefix("run [\"downtown\"] plan \(plan.hash.prefix(12)) "))

        let none = await stage("run --plan m.yaml m.yaml", run: Self.report(.ok))
        #expect(none.code == 66 && Self.words(none.output + none.errors).contains("is not a plan of this version"))
        #expect(await stage("run --plan missing.json m.yaml").code == 66)
        #expect(stage.questions.count { $0.hasPrefix("run") } == 1)
        #expect(await stage("run --plan plan.json --area a m.yaml").code == 64)
    }

    @Test("A plan that cannot be made shows every problem with its place and one next step, and ends with the code of its reason")
    func noPlan() async throws {
        let layer = LayerLabel(id: "h", title: "Hydrant")
        let two = PlanRefusal(problems: [
            PlanProblem(origin: "m.yaml:9:5", failure: Self.refused),
            PlanProblem(area: "downtown", layer: layer, failure: Self.refused),
        ])
        let end = try await Stage()("plan m.yaml", plan: .failure(two))
        #expect(end.code == 66 && end.output.isEmpty)
        #expect(end.errors.split(separator: "\n").count { $0.contains("  next      ") } == 2)
        #expect(end.errors.contains("m.yaml:9:5") && end.errors.contains("Hydrant (h)"))

        for (kind, code) in [(Failure.Class.denied, Int32(77)), (.transient, 69), (.permanent, 66)] {
            let refusal = PlanRefusal(problems: [PlanProblem(failure: Failure(phase: .metadata, kind: kind, message: "words"))])
            #expect(try await Stage()("plan m.yaml", plan: .failure(refusal)).code == code)
        }
    }

    @Test(
        "A failure that stops a command has an exit code of its own",
        arguments: [
            (Failure.Class.permanent, Outcome.refused), (.denied, .denied), (.transient, .unavailable), (.storage, .storage),
            (.internal, .internal), (.deadline, .unavailable), (.cancelled, .interrupted),
        ])
    func stopped(kind: Failure.Class, outcome: Outcome) async throws {
        let failure = Failure(phase: .state, kind: kind, message: "words")
        let end = try await Stage()("status m.yaml", status: .failure(failure))
        #expect(end.code == outcome.exitCode && end.output.isEmpty && end.errors.contains("words"))
    }

    @Test("run: options reach the engine; the report is written, the summary printed, the outcome returned")
    func run() async throws {
        let stage = try Stage()
        let end = await stage(
            "run --area downtown --max-jobs-per-host 3 --portal https://gis.example.com/portal m.yaml",
            run: Self.report(.failed, jobs: [Self.failedJob]))
        #expect(
            stage.questions == [
                "run [\"downtown\"] 3 https://gis.example.com/portal FOLDER/out/.state", "status FOLDER/out/.state",
            ])
        #expect(end.code == 1)
        #expect(
            end.output.contains("Unable to create replica.") && end.output.contains("Continue: offline-batch run --area downtown")
        )
        let json = try JSON.parse(Files.read(stage.folder.file("out/report.json")))
        #expect(json["outcome"] == "failed" && json["exitCode"] == 1 && json["jobs"]?[0]?["error"]?["code"] == 500)
        #expect(json["versions"]?["offline-batch"] == "0.1.0")
        let page = String(decoding: try Files.read(stage.folder.file("out/report.html")), as: UTF8.self)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("Unable to create replica."))
    }

    @Test("run: the report of the night before is compared with; what no run reached keeps its age; --report moves both files")
    func nights() async throws {
        let stage = try Stage()
        var first = Self.report(.ok)
        first.areas = [AreaReport(id: "downtown", state: .published, generation: "downtown/generations/1", bytes: 500)]
        let published = AreaStatus(area: "downtown", lastSuccess: Stage.now + 4)
        _ = await stage("run m.yaml", run: first, status: .success([published]))
        _ = await stage("run m.yaml", run: Self.report(.denied), status: .success([published]))
        let json = try JSON.parse(Files.read(stage.folder.file("out/report.json")))
        #expect(json["changes"]?["outcome"] == "ok")
        #expect(json["areas"]?[0]?["state"] == "untouched" && json["areas"]?[0]?["bytes"] == 500)
        #expect(json["areas"]?[0]?["lastSuccess"] == "2023-11-14T22:13:24Z" && json["areas"]?[0]?["ageSeconds"] == 1)

        _ = await stage("run --report night/r.json m.yaml", run: first, status: .success([published]))
        #expect(Files.exists(stage.folder.file("night/r.json")) && Files.exists(stage.folder.file("night/r.html")))
    }

    @Test("run: those in `notify` are told after the report is written; whom it could not tell is said, and changes nothing")
    func notices() async throws {
        let stage = try Stage()
        let notices = [Notice(channel: .metrics), Notice(channel: .webhook, problem: "h: it answered 500")]
        let end = await stage("run m.yaml", run: Self.report(.ok), notices: notices)
        #expect(end.code == 0)
        #expect(stage.questions.last == "notify ok FOLDER/out/report.json")
        #expect(end.errors.contains("notify.webhook: h: it answered 500") && !end.errors.contains("notify.metrics"))
        let quiet = await stage("run -q m.yaml", run: Self.report(.ok), notices: notices)
        #expect(quiet.errors == "water: notify.webhook: h: it answered 500\n" && quiet.output.isEmpty)
        let count = stage.questions.count
        _ = await stage("run m.yaml", run: Self.report(.locked), notices: notices)
        #expect(stage.questions.count == count + 1)
    }

    @Test("runFinished is the last event, comes once, and finds the report on the disk")
    func lastEvent() async throws {
        let stage = try Stage()
        let end = await stage(
            "run --log-format json m.yaml", run: Self.report(.ok),
            events: [.runStarted(name: "water", jobs: []), .runFinished(Self.report(.ok)), .note("afterwards")])
        let events = end.errors.split(separator: "\n").compactMap { try? JSON.parse(Array($0.utf8))["event"]?.string }
        #expect(events == ["runStarted", "note", "runFinished"])
    }

    @Test("run --quiet: nothing at all when all is well, few lines on standard error when not")
    func quiet() async throws {
        let stage = try Stage()
        let good = await stage("run -q m.yaml", run: Self.report(.ok), events: [.runStarted(name: "water", jobs: [])])
        #expect(good.code == 0 && good.output.isEmpty && good.errors.isEmpty)
        let bad = await stage("run -q m.yaml", run: Self.report(.partial, jobs: [Self.failedJob]))
        #expect(bad.code == 2 && bad.output.isEmpty)
        #expect(bad.errors.contains("downtown: Hydrant:") && bad.errors.split(separator: "\n").count <= 20)
    }

    @Test("run --log-format json: every line is an object; the end is told once, whether or not the engine told it")
    func ndjson() async throws {
        let stage = try Stage()
        for events in [[RunEvent.runStarted(name: "water", jobs: []), .runFinished(Self.report(.ok))], []] {
            let end = await stage("run --log-format json --state s m.yaml", run: Self.report(.ok), events: events)
            let records = try end.errors.split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
            #expect(records.count { $0["event"] == "runFinished" } == 1)
        }
        #expect(stage.questions.allSatisfy { $0.hasSuffix("FOLDER/s") })
    }

    @Test("A second run leaves the first one's report alone")
    func locked() async throws {
        let stage = try Stage()
        #expect(await stage("run m.yaml", run: Self.report(.locked)).code == 75)
        #expect(!Files.exists(stage.folder.file("out")))
    }

    @Test("An invalid manifest still gives the report that was asked for")
    func invalidManifest() async throws {
        let stage = try Stage(manifest: "version: 1\n")
        #expect(await stage("run --report r.json m.yaml").code == 65)
        #expect(try JSON.parse(Files.read(stage.folder.file("r.json")))["exitCode"] == 65)
        #expect(stage.questions.isEmpty)
    }

    @Test("A good run whose report cannot be written is not good")
    func unwritableReport() async throws {
        let stage = try Stage()
        let end = await stage("run --report m.yaml/r.json m.yaml", run: Self.report(.ok))
        #expect(end.code == 73)
        #expect(end.errors.contains("r.json cannot be written"))
    }

    @Test("status: --max-age fails when an area is older or missing, and without any state")
    func status() async throws {
        let stage = try Stage()
        let (fresh, old) = (
            AreaStatus(area: "north", lastSuccess: Stage.now - 3600),
            AreaStatus(area: "south", lastSuccess: Stage.now - 40 * 3600)
        )
        #expect(await stage("status m.yaml", status: .success([fresh, old])).code == 0)
        #expect(await stage("status --max-age 36h m.yaml", status: .success([fresh])).code == 0)
        let stale = await stage("status --max-age 36h m.yaml", status: .success([fresh, old]))
        #expect(stale.code == 2 && stale.output.contains("missing: south"))
        #expect(await stage("status --max-age 36h m.yaml", status: .success([])).code == 1)
        #expect(await stage("status --max-age 2d m.yaml", status: .success([fresh, old])).code == 0)
        for age in ["36", "h", "-1h", "nanh", "infh"] {
            #expect(await stage("status --max-age=\(age) m.yaml").code == 64, "\(age)")
        }
        let json = await stage("status --json m.yaml", status: .success([old]))
        #expect(try JSON.parse(Array(json.output.utf8))["areas"]?[0]?["ageSeconds"] == 144_000)
    }

    @Test("lint: warnings end with 0 or, with --strict, with 2; errors with 2; accepted findings do not count")
    func lint() async throws {
        let stage = try Stage()
        let warning = LintFinding(rule: "OB012 no-global-id", reason: "r", origin: "m.yaml:3:9")
        var (error, accepted) = (warning, warning)
        error.level = .error
        accepted.suppressed = "known"
        for (options, findings, code): (String, [LintFinding], Int32) in [
            ("", [], 0), ("", [warning], 0), ("--strict ", [warning], 2), ("", [warning, error], 2),
            ("--strict ", [accepted], 0),
        ] {
            #expect(await stage("lint \(options)m.yaml", lint: .success(findings)).code == code, "\(options) \(findings)")
        }
        #expect(
            await stage("lint m.yaml", lint: .success([warning])).output
                == "m.yaml:3:9: warning OB012 no-global-id: r\n1 warning\n")
        let sarif = await stage("lint --sarif m.yaml", lint: .success([warning])).output
        #expect(try JSON.parse(sarif)["runs"]?[0]?["tool"]?["driver"]?["version"]?.string == OfflineBatch.version)
        #expect(try JSON.parse(await stage("lint --json m.yaml", lint: .success([warning])).output)["findings"]?[0]?["line"] == 3)
        #expect(await stage("lint --json --sarif m.yaml").code == 64)
        #expect(
            await stage("lint m.yaml", lint: .failure(PlanRefusal(problems: [PlanProblem(failure: Self.refused)]))).code == 66)
    }

    @Test("inspect: item, address or file; sign-in by file before variable")
    func inspect() async throws {
        let stage = try Stage()
        try Files.writeAtomically("{}".utf8, to: stage.folder.file("map.json"))
        let map = MapInspection(title: "Town", rows: [], json: ["title": "Town", "layers": []])
        let id = "acc027394bc84c2fb04d1ed317aac674"
        #expect(
            await stage("inspect --json \(id)", inspection: .success(map)).output
                == "{\n  \"title\": \"Town\",\n  \"layers\": []\n}\n")
        _ = await stage(
            "inspect https://h/home/item.html?id=\(id)", inspection: .success(map), variables: ["OFFLINE_BATCH_TOKEN": "t"])
        _ = await stage(
            "inspect --token-file t --portal https://h/p/ map.json", inspection: .success(map),
            variables: ["OFFLINE_BATCH_TOKEN": "t"])
        _ = await stage("inspect https://h/server/rest/services/W/FeatureServer/?token=x", inspection: .success(map))
        #expect(
            stage.questions == [
                "inspect item(\"\(id)\") https://www.arcgis.com none",
                "inspect item(\"\(id)\") https://www.arcgis.com token(environment variable OFFLINE_BATCH_TOKEN, referer: nil)",
                "inspect file(\"FOLDER/map.json\") https://h/p token(file FOLDER/t, referer: nil)",
                "inspect service(Manifest.ServiceEntry.Source.url(\"https://h/server/rest/services/W/FeatureServer\")) "
                    + "https://www.arcgis.com none",
            ])
        #expect(await stage("inspect nothing.json").code == 64)
    }

    @Test("inspect with the portal of a manifest")
    func inspectWithManifest() async throws {
        let stage = try Stage()
        let map = MapInspection(title: "Town", rows: [], json: ["title": "Town", "layers": []])
        let id = "acc027394bc84c2fb04d1ed317aac674"
        let text =
            "version: 1\nname: n\nwebMap: \(id)\nportal: { url: https://h/p, auth: { token: { env: T } } }\n"
            + "areas: [{ id: a, envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 } }]\n"
        try Files.writeAtomically(text.utf8, to: stage.folder.file("night.yaml"))
        try Files.writeAtomically("version: 1\n".utf8, to: stage.folder.file("bad.yaml"))
        #expect(await stage("inspect --manifest \(stage.folder.file("night.yaml")) \(id)", inspection: .success(map)).code == 0)
        #expect(
            await stage(
                "inspect --manifest \(stage.folder.file("night.yaml")) --portal https://o \(id)", inspection: .success(map)
            ).code == 0)
        #expect(await stage("inspect --manifest \(stage.folder.file("bad.yaml")) \(id)", inspection: .success(map)).code == 65)
        #expect(
            await stage("inspect --manifest \(stage.folder.file("night.yaml")) --token-file t \(id)", inspection: .success(map))
                .code == 64)
        #expect(
            stage.questions == [
                "inspect item(\"\(id)\") https://h/p token(environment variable T, referer: nil)",
                "inspect item(\"\(id)\") https://o token(environment variable T, referer: nil)",
            ])
    }

    @Test("version names the libraries as loaded; schema is JSON; help leads with an example")
    func others() async throws {
        let stage = try Stage()
        let version = try JSON.parse(Array(await stage("version --json").output.utf8))
        #expect(version["version"]?.string == OfflineBatch.version)
        for name in ["libcurl", "sqlite", "geos", "proj", "libarchive", "libyaml", "simdjson"] {
            let text = try #require(version["libraries"]?[name]?.string, "\(name)")
            #expect(text.first?.isNumber == true && text.contains("."), "\(name)")
        }
        #expect(await stage("--version").output == "offline-batch \(OfflineBatch.version)\n")
        #expect(
            try JSON.parse(Array(await stage("schema").output.utf8))["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        let help = await stage("run --help")
        #expect(help.code == 0 && help.output.hasPrefix("Examples\n  offline-batch run manifests/naperville.yaml\n"))
        // Case H06: the codes for a failed and a partial run are documented where people look.
        #expect(help.output.contains("    1  failed") && help.output.contains("    2  partial"))
        let bare = await stage("")
        #expect(bare.code == 64 && bare.output.isEmpty && bare.errors.hasPrefix("Examples\n"))
        #expect(stage.questions.isEmpty)
    }
}
