import Basics
import Foundation
import Manifest
import Planning
import Reporting
import Synchronization
import TestSupport

@testable import OfflineBatch

/// Runs commands without a process: a folder with a manifest, streams in memory, an engine made of the given functions.
final class Stage: Sendable {
    struct End: Sendable {
        var code: Int32
        var output: String
        var errors: String
    }

    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    let folder: TemporaryFolder
    private let asked = Mutex<[String]>([])

    init(manifest: String? = Stage.manifest) throws {
        folder = try TemporaryFolder()
        if let manifest { try Files.writeAtomically(manifest.utf8, to: folder.file("m.yaml")) }
    }

    static let manifest = """
        version: 1
        name: water
        webMap: acc027394bc84c2fb04d1ed317aac674
        areas:
          - id: downtown
            envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }
        output: { directory: out }

        """

    /// What the engine was asked for.
    var questions: [String] { asked.withLock { $0 } }

    func callAsFunction(
        _ line: String, plan: Result<Plan, PlanRefusal>? = nil, run: RunReport? = nil, events: [RunEvent] = [],
        status: Result<[AreaStatus], Failure>? = nil, inspection: Result<MapInspection, Failure>? = nil,
        lint: Result<[LintFinding], PlanRefusal>? = nil, replicas: Result<[ReplicaRow], CommandStop>? = nil,
        lastGoodRun: Result<Date?, Failure>? = nil, findings: [Finding] = [], prune: Result<PruneReport, CommandStop>? = nil,
        notices: [Notice] = [], variables: [String: String] = [:]
    ) async -> End {
        let (output, errors) = (Recorder(), Recorder())
        let none = Failure(phase: .plan, kind: .internal, message: "not on this stage")
        let stop = CommandStop(outcome: .internal, problems: [PlanProblem(failure: none)])
        let engine = Engine(
            plan: { (_, settings) throws(PlanRefusal) in
                self.note("plan \(settings.areas)\(settings.wishes.contains(.rows) ? " counting" : "")")
                return try (plan ?? .failure(PlanRefusal(problems: [PlanProblem(failure: none)]))).get()
            },
            run: { manifest, settings, observer in
                let saved = settings.savedPlan.map { "plan \($0.hash.prefix(12)) " } ?? ""
                self.note(
                    "run \(settings.planning.areas) \(saved)\(settings.finishBy.map { "by \(Int($0.timeIntervalSince(Self.now))) s " } ?? "")\(manifest.limits.jobsPerHost) \(manifest.portal.url) \(settings.stateDirectory)"
                )
                for event in events { observer.on(event) }
                return run ?? RunReport(name: manifest.name, outcome: .internal, started: Self.now, finished: Self.now)
            },
            status: { (_, settings) throws(Failure) in
                self.note("status \(settings.stateDirectory)")
                return try (status ?? .failure(none)).get()
            },
            lastGoodRun: { (_, _) throws(Failure) in try (lastGoodRun ?? .failure(none)).get() },
            inspect: { (settings) throws(Failure) in
                self.note("inspect \(settings.source) \(settings.portal.url) \(settings.portal.auth)")
                return try (inspection ?? .failure(none)).get()
            },
            lint: { (_, settings) throws(PlanRefusal) in
                self.note("lint")
                return try (lint ?? .failure(PlanRefusal(problems: [PlanProblem(failure: none)]))).get()
            },
            replicas: { (_, settings) throws(CommandStop) in
                self.note("replicas \(settings.stateDirectory)")
                return try (replicas ?? .failure(stop)).get()
            },
            unregister: { (_, settings) throws(CommandStop) in
                self.note("unregister \(settings.ids)")
                return try (replicas ?? .failure(stop)).get()
            },
            doctor: { manifest, settings in
                self.note(
                    "doctor \(manifest?.name ?? "-") \(settings.stateDirectory ?? "-")\(settings.isOffline ? " offline" : "")")
                return findings
            },
            prune: { (_, settings) throws(CommandStop) in
                self.note("prune \(settings.areas)\(settings.isRehearsal ? " rehearsal" : "")")
                return try (prune ?? .failure(stop)).get()
            },
            notify: { _, news in
                if !notices.isEmpty { self.note("notify \(news.report.outcome) \(news.reportPath ?? "-")") }
                return notices
            })
        let environment = Environment(
            variables: variables, now: { Self.now }, zone: { .gmt }, currentFolder: folder.path, output: output.text,
            errors: errors.text)
        // Manifests are opened by the path that was typed.
        let words = line.split(separator: " ").map { $0 == "m.yaml" ? folder.file("m.yaml") : String($0) }
        let code = await OfflineBatch.main(arguments: words, environment: environment, engine: engine)
        return End(code: code, output: output.content, errors: errors.content)
    }

    private func note(_ question: String) {
        asked.withLock { $0.append(question.replacing(folder.path, with: "FOLDER")) }
    }
}

/// Remembers what was written.
final class Recorder: Sendable {
    private let chunks = Mutex("")
    var content: String { chunks.withLock { $0 } }
    var text: TextOutput { TextOutput { text in self.chunks.withLock { $0 += text } } }
}
