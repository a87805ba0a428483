import Basics
import Planning
import Reporting

extension Command {
    static let plan = Command(
        spec: CommandSpec(
            name: "plan", summary: "shows what a run would do, and why; starts nothing",
            examples: [
                Example(
                    "offline-batch plan manifests/naperville.yaml",
                    "Shows, area by area, what becomes of each layer, and what is sent."),
                Example("offline-batch plan --json manifests/naperville.yaml", "The same for programs."),
                Example(
                    "offline-batch plan --dot manifests/naperville.yaml | dot -Tsvg > plan.svg", "Draws the jobs as a graph."),
                Example("offline-batch plan -o plan.json manifests/naperville.yaml", "Keeps the whole plan in a file."),
            ],
            positionals: [.manifest],
            options: [
                .json("Prints the plan as JSON."),
                OptionSpec(long: "dot", help: "Prints the jobs as a Graphviz graph.", conflicts: ["json"]),
                OptionSpec(
                    long: "output", short: "o", value: "FILE", help: "Writes the whole plan to a file as well.", completion: .file
                ),
                OptionSpec(
                    long: "no-counts",
                    help:
                        "Does not ask the services how many rows would come, nor so whether they take the filters; a budget of rows asks anyway."
                ),
                OptionSpec(
                    long: "no-sizes",
                    help: "Does not look at tiles and rows to estimate the sizes of downloads; a budget of bytes looks anyway."),
                OptionSpec(
                    long: "server-estimates",
                    help: "Lets map and image services estimate their exports themselves: each estimate is a job on the server.",
                    conflicts: ["no-sizes"]),
                OptionSpec(long: "exit-code", help: "Ends with 3 when there is something to do, with 0 when not."), .portal,
                .area, .refresh, .onDrift, .state,
                .verbose.meaning("Shows every parameter in full."), .noColour,
            ],
            outcomes: [.ok, .changes, .manifest, .refused, .unavailable, .storage, .denied, .internal]),
        run: { (call) throws(UsageProblem) in
            guard var manifest = await call.loadManifest() else { return .manifest }
            manifest.onDrift = call.driftPolicy(manifest)
            var settings = call.planSettings(manifest)
            if !call.arguments.has("no-counts") { settings.wishes.insert(.rows) }
            if !call.arguments.has("no-sizes") { settings.wishes.insert(.bytes) }
            if call.arguments.has("server-estimates") { settings.wishes.insert(.serverEstimates) }
            let plan: Plan
            do throws(PlanRefusal) {
                plan = try await call.engine.plan(manifest, settings)
            } catch {
                return call.refuse("\(manifest.name): no plan", error)
            }
            do throws(Failure) {
                if let file = call.arguments.value("output") { try save(plan, to: call.path(file)) }
                call.environment.output.write(text(plan, for: call))
                return call.arguments.has("exit-code") && plan.jobs.contains { $0.unchangedSince == nil } ? .changes : .ok
            } catch {
                return call.stop("\(manifest.name): the plan was not saved", error)
            }
        })

    private static func text(_ plan: Plan, for call: Invocation) -> String {
        if call.arguments.has("json") { return PlanJSON.json(plan).serialized(.indented) + "\n" }
        if call.arguments.has("dot") { return PlanDot.text(plan) }
        return PlanText(plan: plan, page: call.page).lines.joined(separator: "\n") + "\n"
    }

    private static func save(_ plan: Plan, to path: String) throws(Failure) {
        do {
            let text = KnownSecrets.masked(try JSON.encoding(plan).serialized(.indented) + "\n")
            try Files.writeAtomically(text.utf8, to: path)
        } catch let error as SystemError {
            throw Failure(phase: .plan, kind: .storage, message: "\(error.call) \(error.path): \(error.message)")
        } catch {
            throw Failure(phase: .plan, kind: .internal, message: "the plan does not encode: \(error)")
        }
    }
}
