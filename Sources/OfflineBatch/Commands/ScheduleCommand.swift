import Basics
import Foundation
import Manifest
import Planning
import Reporting

extension Command {
    static let schedule = Command(
        spec: CommandSpec(
            name: "schedule", summary: "writes what runs a manifest every night: systemd units, a cron line, a workflow",
            examples: [
                Example(
                    "offline-batch schedule --systemd --finish-by 05:30 -o /etc/systemd/system manifests/naperville.yaml",
                    "A service and a timer; what to do with them stands in their first lines."),
                Example("offline-batch schedule --cron --at 01:40 manifests/naperville.yaml", "A line for crontab."),
                Example(
                    "offline-batch schedule --github manifests/naperville.yaml > .github/workflows/maps.yml",
                    "A workflow for a runner of your own."),
            ],
            discussion: [
                "Nothing is installed: the files go to standard output, or with -o into a folder, where files of other content are "
                    + "not replaced without --force. Credentials that the manifest names become LoadCredential= lines."
            ],
            positionals: [.manifest],
            options: [
                OptionSpec(long: "systemd", help: "A oneshot service and its timer.", conflicts: ["cron", "github"]),
                OptionSpec(long: "cron", help: "A line for crontab; with --user for /etc/cron.d.", conflicts: ["github"]),
                OptionSpec(long: "github", help: "A GitHub Actions workflow."),
                OptionSpec(long: "at", value: "TIME", help: "When to start, local time; otherwise 02:15."),
                OptionSpec(long: "finish-by", value: "TIME", help: "Passed to the run: it ends by this local time."),
                OptionSpec(
                    long: "delay", value: "MINUTES",
                    help: "systemd: starts up to so many minutes later, on the same day; otherwise 10.",
                    conflicts: ["cron", "github"]),
                OptionSpec(long: "user", value: "NAME", help: "The account that runs it.", conflicts: ["github"]),
                OptionSpec(
                    long: "credentials", value: "DIR",
                    help:
                        "The folder with the files that the manifest's credentials name; otherwise /etc/offline-batch/credentials.",
                    completion: .folder),
                OptionSpec(
                    long: "on-failure", value: "UNIT", help: "systemd: the unit to start when a run fails.",
                    conflicts: ["cron", "github"]),
                OptionSpec(
                    long: "mail-to", value: "ADDRESS", help: "cron: who gets what a run prints.",
                    conflicts: ["systemd", "github"]),
                OptionSpec(
                    long: "output", short: "o", value: "DIR", help: "Writes the files into this folder.", completion: .folder),
                OptionSpec(long: "force", help: "Replaces files of other content in the folder."), .state,
            ],
            outcomes: [.ok, .manifest, .storage]),
        run: { (call) throws(UsageProblem) in
            let at = try time(call, "at") ?? LocalTime(hour: 2, minute: 15)
            let finishBy = try time(call, "finish-by")
            let delay = try call.whole("delay", minimum: 0) ?? 10
            for option in ["user", "on-failure", "mail-to"] { try checkWord(call, option) }
            guard ["systemd", "cron", "github"].contains(where: call.arguments.has) else {
                throw .missingArgument("--systemd, --cron or --github", command: call.command)
            }
            guard let manifest = await call.loadManifest() else { return .manifest }
            let job = NightlyJob(
                title: manifest.name, manifest: call.path(call.arguments.positionals[0]).normalizedPath,
                program: call.environment.program, at: at,
                makeUp: NightlyJob.makeUp(for: at, in: call.environment.zone(), from: call.environment.now()), finishBy: finishBy,
                delay: NightlyJob.delay(.seconds(delay * 60), after: at),
                output: manifest.output.directory, state: call.stateDirectory(manifest), needs: ManifestNeeds(manifest),
                user: call.arguments.value("user"),
                credentialFolder: call.path(call.arguments.value("credentials") ?? "/etc/offline-batch/credentials"),
                onFailure: call.arguments.value("on-failure"), mailTo: call.arguments.value("mail-to"))
            return deliver(files(job, call), to: call)
        })

    private static func files(_ job: NightlyJob, _ call: Invocation) -> [ScheduleFile] {
        if call.arguments.has("systemd") { return SystemdUnits(job: job).files }
        if call.arguments.has("cron") { return CronTable(job: job).files }
        return GitHubWorkflow(
            job: job, zone: call.environment.zone(), now: call.environment.now(), manifest: call.arguments.positionals[0]
        ).files
    }

    private static func deliver(_ files: [ScheduleFile], to call: Invocation) -> Outcome {
        guard let folder = call.arguments.value("output").map(call.path) else {
            for file in files {
                // Two files in one stream need a line that says where the second begins.
                let mark = files.count > 1 ? "# \(file.name)\n" : ""
                call.environment.output.write(mark + file.text + (file == files.last ? "" : "\n"))
            }
            return .ok
        }
        do throws(SystemError) {
            try Files.makeDirectory(folder)
            for file in files {
                let path = Paths.join(folder, file.name)
                if Files.exists(path), !call.arguments.has("force"), try Files.read(path) != Array(file.text.utf8) {
                    throw SystemError(call: "replace", path: path, code: EEXIST)
                }
            }
            for file in files {
                try Files.writeAtomically(file.text.utf8, to: Paths.join(folder, file.name))
                call.environment.output.write(lines: [Paths.join(folder, file.name)])
            }
            return .ok
        } catch {
            return call.stop("schedule: the files were not written", Failure(looking: error))
        }
    }

    private static func time(_ call: Invocation, _ option: String) throws(UsageProblem) -> LocalTime? {
        guard let text = call.arguments.value(option) else { return nil }
        guard let time = LocalTime(text), time.second == 0 else {
            throw .badValue(
                option: "--\(option)", value: text, expected: "a time of the day such as 02:15", command: call.command)
        }
        return time
    }

    /// Accounts, units and addresses go into lines of their own.
    private static func checkWord(_ call: Invocation, _ option: String) throws(UsageProblem) {
        guard let text = call.arguments.value(option) else { return }
        // Units may hold specifiers: alert@%n.service.
        let marks = option == "on-failure" ? "-_.@+%:" : "-_.@+,"
        let isWord = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
        if !isWord || text.isEmpty || text.hasPrefix("-") {
            throw .badValue(option: "--\(option)", value: text, expected: "one plain word", command: call.command)
        }
    }
}

extension String {
    /// Without `.` and `..`, as a path that is read from anywhere.
    fileprivate var normalizedPath: String {
        var parts: [Substring] = []
        for part in split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
