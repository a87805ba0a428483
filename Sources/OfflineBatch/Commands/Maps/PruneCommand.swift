import Basics
import Planning
import Reporting

extension Command {
    static let prune = Command(
        spec: CommandSpec(
            name: "prune", summary: "removes old maps by the manifest's output.keep, as each run does",
            examples: [
                Example("offline-batch prune --dry-run manifests/naperville.yaml", "What would go, what stays, and why."),
                Example("offline-batch prune manifests/naperville.yaml", "Removes it, under the lock of a run."),
            ],
            discussion: [
                "Only maps older than the current one go, and only files that their inventories list: what else is in a folder stays, "
                    + "links are not followed. Replicas that only removed maps needed are unregistered, as are those that dead runs left."
            ],
            positionals: [.manifest],
            options: [
                OptionSpec(long: "dry-run", short: "n", help: "Removes nothing."), .area,
                .json("Prints what goes and stays as JSON."), .state, .portal, .noColour,
            ],
            outcomes: [.ok, .partial, .manifest, .storage, .locked]),
        run: { (call) throws(UsageProblem) in
            guard let manifest = await call.loadManifest() else { return .manifest }
            let settings = PruneSettings(
                stateDirectory: call.stateDirectory(manifest), areas: call.arguments.all("area"),
                isRehearsal: call.arguments.has("dry-run"), now: call.environment.now(), variables: call.environment.variables)
            let report: PruneReport
            do throws(CommandStop) { report = try await call.engine.prune(manifest, settings) } catch {
                return call.refuse("\(manifest.name): nothing was removed", error)
            }
            try call.checkAreas(manifest, report.rows.map(\.generation))
            if call.arguments.has("json") {
                call.environment.output.write(PruneJSON.json(report).serialized(.indented) + "\n")
            } else {
                call.environment.output.write(lines: PruneText(report: report, page: call.page).lines)
            }
            return report.hasFailed ? .partial : .ok
        })
}
