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
                "With --finish-by the areas whose maps are the oldest come first. An area that would not be out in time, going by "
                    + "how long it took before, is not begun; at that time the run stops as after SIGTERM. It ends with 2 when areas "
                    + "are left, with 69 when none was published. With --once-a-day a run does nothing when one of all areas, begun "
                    + "on the same local day, has ended well: a night with a clock change has one run, too.",
                "Under systemd ($NOTIFY_SOCKET, $WATCHDOG_USEC) the run reports its state and feeds the watchdog.",
                "After an interruption of any kind the same command finishes the run. Progress goes to standard error, the summary to "
                    + "standard output, the report to report.json in the output folder.",
            ],
            positionals: [.manifest],
            options: [
                .area, .portal, .state, .refresh, .onDrift,
                OptionSpec(
                    long: "plan", value: "FILE",
                    help: "Runs exactly this plan of `plan --output`; refused when the manifest or a service has changed since.",
                    conflicts: ["area", "max-jobs-per-host"], completion: .file),
                OptionSpec(
                    long: "finish-by", value: "TIME",
                    help: "Ends by this local time, today or tomorrow: 05:30. Begins only what fits."),
                OptionSpec(long: "once-a-day", help: "Does nothing when today's run has ended well already."),
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
            let finishBy = try finishBy(call, started)
            guard var manifest = await call.loadManifest() else {
                return await RunEnding(call: call, manifest: nil)(invalidManifest(call, started))
            }
            if let limit { manifest.limits.jobsPerHost = limit }
            manifest.onDrift = call.driftPolicy(manifest)
            if let outcome = await todaysOutcome(call, manifest, started) { return outcome }
            let observer = EndObserver(observer(for: call))
            var settings = RunSettings(
                planning: call.planSettings(manifest), stateDirectory: call.stateDirectory(manifest), finishBy: finishBy)
            if let finishBy {
                observer.on(.note(Wording.finishing(by: finishBy, in: call.environment.zone())))
            }
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
            let watchdog = Task { await ServiceManager(variables: call.environment.variables)?.feedWatchdog() }
            defer { watchdog.cancel() }
            let report = await call.engine.run(manifest, settings, observer)
            let isPartial = !settings.planning.areas.isEmpty
            return await RunEnding(call: call, manifest: manifest, observer: observer, isPartial: isPartial)(report)
        })

    private static func observer(for call: Invocation) -> any RunObserver {
        let progress = call.choice.observer(
            errors: call.environment.errors, zone: call.environment.zone(), isVerbose: call.arguments.has("verbose"),
            isQuiet: call.arguments.has("quiet"), width: call.environment.width)
        guard let manager = ServiceManager(variables: call.environment.variables) else { return progress }
        let notices = ServiceNotices(send: { manager.send($0) })
        notices.ready()
        return RunObservers([progress, notices])
    }

    private static func finishBy(_ call: Invocation, _ now: Date) throws(UsageProblem) -> Date? {
        guard let text = call.arguments.value("finish-by") else { return nil }
        guard let time = LocalTime(text) else {
            throw .badValue(
                option: "--finish-by", value: text, expected: "a time of the day such as 05:30", command: call.command)
        }
        return time.next(after: now, in: call.environment.zone())
    }

    /// With --once-a-day: the end of a command that has nothing to do any more, whose report is that of the earlier run.
    private static func todaysOutcome(_ call: Invocation, _ manifest: Manifest, _ now: Date) async -> Outcome? {
        guard call.arguments.has("once-a-day") else { return nil }
        let zone = call.environment.zone()
        do throws(Failure) {
            let settings = StatusSettings(stateDirectory: call.stateDirectory(manifest))
            guard let last = try await call.engine.lastGoodRun(manifest, settings),
                LocalDay(of: last, in: zone) == LocalDay(of: now, in: zone)
            else { return nil }
            if !call.arguments.has("quiet") {
                call.environment.errors.write(lines: [Wording.doneToday(manifest.name, began: last, in: zone)])
            }
            return .ok
        } catch {
            // A state that cannot be read is for the run itself to report.
            return nil
        }
    }

    private static func savedPlan(_ path: String) throws(Failure) -> Plan {
        do {
            return try JSON.parse(Files.read(path, takesPipes: true)).decoded(as: Plan.self)
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
