import Basics
import Foundation
import Planning
import Reporting
import Testing

@testable import OfflineBatch

/// `run --finish-by`, `run --once-a-day`, `status --max-age`, `doctor`: what reaches the engine and what is said.
@Suite struct NightCommandTests {
    private static let report = RunReport(name: "water", outcome: .ok, started: Stage.now, finished: Stage.now + 5)

    // Stage.now is 2023-11-14 22:13:20 UTC, and its zone is UTC.

    @Test("run --finish-by: the next moment of that time reaches the engine")
    func finishBy() async throws {
        let stage = try Stage()
        let end = await stage("run --finish-by 05:30 m.yaml", run: Self.report)
        #expect(end.code == 0 && end.errors.contains("this run finishes by 2023-11-15 05:30"), "\(end.errors)")
        // From 22:13:20 to 05:30.
        let seconds = 7 * 3600 + 16 * 60 + 40
        #expect(stage.questions.contains { $0.contains("by \(seconds) s") }, "\(stage.questions)")
        #expect(await stage("run --finish-by soon m.yaml", run: Self.report).code == 64)
    }

    @Test("what a short night has left is said, and is no failure of anything")
    func left() async throws {
        let stage = try Stage()
        var report = RunReport(
            name: "water", outcome: .partial, started: Stage.now, finished: Stage.now + 5,
            areas: [
                AreaReport(id: "downtown", state: .published, generation: "downtown/generations/1", bytes: 1),
                AreaReport(id: "riverwalk", state: .notPublished, generation: nil, bytes: 0),
            ])
        report.finishBy = Stage.now + 3600
        let end = await stage("run --finish-by 23:13 m.yaml", run: report)
        #expect(end.code == 2)
        #expect(
            end.output.contains("Left for the next run, because this one had to finish by 2023-11-14 23:13: riverwalk\n"),
            "\(end.output)")
        let json = try JSON.parse(Files.read(stage.folder.file("out/report.json")))
        #expect(json["finishBy"] == "2023-11-14T23:13:20Z")
    }

    @Test("run --once-a-day: nothing is done when today's run ended well; yesterday's and an unreadable state do not count")
    func onceADay() async throws {
        let stage = try Stage()
        let today = await stage("run --once-a-day m.yaml", lastGoodRun: .success(Stage.now - 20 * 3600))
        #expect(today.code == 0 && today.errors.contains("began at 2023-11-14 02:13 and ended well"), "\(today.errors)")
        #expect(stage.questions.isEmpty && !Files.exists(stage.folder.file("out/report.json")))
        let quiet = await stage("run --once-a-day --quiet m.yaml", lastGoodRun: .success(Stage.now - 20 * 3600))
        #expect(quiet.code == 0 && quiet.errors.isEmpty && quiet.output.isEmpty)
        _ = await stage("run --once-a-day m.yaml", run: Self.report, lastGoodRun: .success(Stage.now - 23 * 3600))
        #expect(stage.questions.count { $0.hasPrefix("run ") } == 1)
        _ = await stage("run --once-a-day m.yaml", run: Self.report, lastGoodRun: .success(nil))
        _ = await stage("run --once-a-day m.yaml", run: Self.report)
        #expect(stage.questions.count { $0.hasPrefix("run ") } == 3)
    }

    @Test("a run says nothing to nobody: --quiet prints nothing on success")
    func quiet() async throws {
        let stage = try Stage()
        let end = await stage("run --quiet --finish-by 05:30 m.yaml", run: Self.report)
        #expect(end.code == 0 && end.output.isEmpty && end.errors.isEmpty)
    }

    struct Age: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var areas: [AreaStatus]
        var code: Int32
        var says: String = ""
    }

    private static func area(_ id: String, hours: Double?, layers: [(String, Double?)] = []) -> AreaStatus {
        func time(_ hours: Double?) -> Date? { hours.map { Stage.now - $0 * 3600 } }
        return AreaStatus(
            area: id, lastSuccess: time(hours),
            layers: layers.map { AreaStatus.Layer(id: $0.0, title: $0.0, lastSuccess: time($0.1)) })
    }

    static let ages = [
        Age(testDescription: "young", areas: [area("a", hours: 25)], code: 0),
        Age(testDescription: "exactly as old as allowed", areas: [area("a", hours: 26)], code: 0),
        Age(testDescription: "too old", areas: [area("a", hours: 27)], code: 1, says: "missing: a\n"),
        Age(testDescription: "never", areas: [area("a", hours: nil)], code: 1, says: "missing: a\n"),
        Age(testDescription: "one of two", areas: [area("a", hours: 1), area("b", hours: 99)], code: 2, says: "missing: b\n"),
        Age(testDescription: "no area is known", areas: [], code: 1),
        Age(
            testDescription: "young layers", areas: [area("a", hours: 1, layers: [("Hydrant", 2), ("Main", 26)])], code: 0),
        Age(
            testDescription: "one layer kept from long ago",
            areas: [area("a", hours: 1, layers: [("Hydrant", 99), ("Main", 1)]), area("b", hours: 1)], code: 2,
            says: "missing: a/Hydrant\n"),
        Age(
            testDescription: "a layer that never came", areas: [area("a", hours: 1, layers: [("Hydrant", nil)])], code: 1,
            says: "missing: a/Hydrant\n"),
    ]

    @Test("status --max-age: areas and layers, by the state alone", arguments: ages)
    func maxAge(_ example: Age) async throws {
        let stage = try Stage()
        let end = await stage("status --max-age 26h m.yaml", status: .success(example.areas))
        #expect(end.code == example.code)
        #expect(example.says.isEmpty || end.output.hasSuffix(example.says), "\(end.output)")
        let quiet = await stage("status --quiet --max-age 26h m.yaml", status: .success(example.areas))
        #expect(quiet.code == example.code && quiet.output.isEmpty == (example.code == 0))
        #expect(stage.questions.allSatisfy { $0 == "status FOLDER/out/.state" })
    }

    @Test("doctor: a line a finding with one next step; 1 when there is a problem")
    func doctor() async throws {
        let stage = try Stage()
        let findings: [Finding] = [
            .projections(works: true, reason: ""), .clock(ahead: -5400), .space(path: "/srv", free: 2_000_000_000, needed: nil),
            .replicas(kept: 2, leftOver: 1),
        ]
        let end = await stage("doctor m.yaml", findings: findings)
        #expect(end.code == 1)
        #expect(
            end.output
                == """
                ok       projections  PROJ finds its database and transforms coordinates
                problem  clock        this machine's clock is 1 h 30 m behind the portal's
                                      → Set the clock (`timedatectl set-ntp true`): certificates and tokens depend on it.
                ok       space        2.0 GB free for /srv
                warning  replicas     2 replicas of ours for synchronisation, 1 more that no map needs
                                      → The next run unregisters them; `offline-batch prune FOLDER/m.yaml` does it now.

                1 problem, 1 warning

                """.replacing("FOLDER", with: stage.folder.path), "\(end.output)")
        #expect(stage.questions == ["doctor water FOLDER/out/.state"])
        let json = try JSON.parse(await stage("doctor --offline --json", findings: [.zone("UTC")]).output)
        #expect(json["healthy"] == true && json["findings"]?[0]?["subject"] == "zone" && json["findings"]?[0]?["next"] == .null)
        #expect(stage.questions.last == "doctor - - offline")
        #expect(await stage("doctor bad.yaml").code == 65)
    }

    @Test("every problem and warning has a next step")
    func nextSteps() {
        let failure = Failure(phase: .signIn, kind: .transient, message: "connection refused")
        let map = Generation(
            area: "a", name: "20260101T000000Z", time: Stage.now, isCurrent: true, condition: .damaged(["x"]), bytes: 1)
        let bad: [Finding] = [
            .projections(works: false, reason: "no proj.db"), .authorities(found: nil, looked: ["/x"]),
            .folder(path: "/x", exists: true, problem: "denied"), .space(path: "/x", free: 1, needed: 2),
            .space(path: "/x", free: 1, needed: nil), .links(from: "/x", to: "/y", problem: "another device"),
            .state(path: "/x", problem: "malformed"), .damagedMap(map), .nothingCurrent(area: "a", maps: 2),
            .secrets(problem: "no variable X"), .unreachable(failure), .clock(ahead: 61), .replicas(kept: 0, leftOver: 1),
            .strayReplicas(service: "s", names: ["ob_a"]), .replicasUnknown(service: "s", failure),
        ]
        for finding in bad {
            #expect(finding.grade != .good, "\(finding)")
            #expect(DoctorText(findings: [finding], manifest: "m", page: Page(zone: .gmt)).lines[1].contains("→ "), "\(finding)")
        }
        let good: [Finding] = [
            .clock(ahead: 59), .clock(ahead: -1), .space(path: "/x", free: 5_000_000_000, needed: 4), .lock(.free), .noState,
            .folder(path: "/x", exists: false, problem: nil), .leftovers(stages: 1, downloads: 2, bytes: 3),
        ]
        for finding in good { #expect(finding.grade == .good, "\(finding)") }
    }
}
