import Basics
import Foundation
import Manifest
import Planning
import Reporting

extension Command {
    static let run = Command(
        spec: CommandSpec(
            name: "run", summary: "makes the offline maps, or goes on where the last run stopped",
            examples: [
                Example(
                    "offline-batch run manifests/naperville.yaml",
                    "Takes all areas offline; what is already there is not fetched again."),
                Example("offline-batch run --area downtown manifests/naperville.yaml", "Only one area."),
                Example(
                    "offline-batch run --plan plan.json manifests/naperville.yaml",
                    "Runs the plan that was looked at, and nothing when manifest or services have changed since."),
                Example("offline-batch run --quiet manifests/naperville.yaml", "For cron: says nothing unless something failed."),
            ],
            discussion: [
                "After an interruption of any kind the same command finishes the run. Progress goes to standard error, the summary to "
                    + "standard output, the report to report.json in the output folder."
            ],
            positionals: [.manifest],
            options: [
                .area, .portal, .state,
                OptionSpec(
                    long: "plan", value: "FILE",
                    help: "Runs exactly this plan of `plan --output`; refused when the manifest or a service has changed since.",
                    conflicts: ["area", "max-jobs-per-host"], completion: .file),
                OptionSpec(
                    long: "report", value: "FILE", help: "Where the report goes; otherwise report.json in the output folder.",
                    completion: .file),
                .json("Prints the report as JSON instead of the summary."),
                OptionSpec(
                    long: "log-format", value: "FORMAT", help: "How progress is written.", variable: "OFFLINE_BATCH_LOG_FORMAT",
                    choices: ["text", "json"]),
                OptionSpec(
                    long: "max-jobs-per-host", value: "N",
                    help: "Server jobs open at once on one host, instead of the manifest's number."),
                OptionSpec(
                    long: "quiet", short: "q", help: "Says nothing unless something failed.", conflicts: ["verbose"]),
                .verbose.meaning("Says every step of every job."), .noColour,
            ],
            outcomes: Outcome.allCases.filter { $0 != .usage && $0 != .changes }),
        run: { (call) throws(UsageProblem) in
            let limit = try call.whole("max-jobs-per-host", minimum: 1)
            let started = call.environment.now()
            guard var manifest = await call.loadManifest() else {
                return await RunEnding(call: call, manifest: nil)(invalidManifest(call, started))
            }
            if let limit { manifest.limits.jobsPerHost = limit }
            let observer = EndObserver(observer(for: call))
            var settings = RunSettings(planning: call.planSettings, stateDirectory: call.stateDirectory(manifest))
            if let file = call.arguments.value("plan") {
                do throws(Failure) {
                    let saved = try savedPlan(call.path(file))
                    settings.planning.areas = saved.onlyAreas
                    settings.savedPlan = saved
                } catch {
                    let report = RunReport(
                        name: manifest.name, outcome: .refused, started: started, finished: call.environment.now(), error: error)
                    return await RunEnding(call: call, manifest: manifest, observer: observer)(report)
                }
            }
            let report = await call.engine.run(manifest, settings, observer)
            let isPartial = !settings.planning.areas.isEmpty
            return await RunEnding(call: call, manifest: manifest, observer: observer, isPartial: isPartial)(report)
        })

    private static func observer(for call: Invocation) -> any RunObserver {
        call.choice.observer(
            errors: call.environment.errors, zone: call.environment.zone(), isVerbose: call.arguments.has("verbose"),
            isQuiet: call.arguments.has("quiet"), width: call.environment.width)
    }

    private static func savedPlan(_ path: String) throws(Failure) -> Plan {
        do {
            return try JSON.parse(Files.read(path)).decoded(as: Plan.self)
        } catch let error as SystemError {
            throw Failure(phase: .plan, kind: .permanent, message: "\(path): \(error.message)")
        } catch {
            throw Failure(
                phase: .plan, kind: .permanent, message: "\(path) is not a plan of this version",
                details: ["make it again with `plan --output`"])
        }
    }

    private static func invalidManifest(_ call: Invocation, _ started: Date) -> RunReport {
        let path = call.arguments.positionals[0]
        return RunReport(
            name: Paths.name(path), outcome: .manifest, started: started, finished: call.environment.now(),
            error: Failure(phase: .plan, kind: .permanent, message: "\(path) is not a valid manifest"))
    }
}
