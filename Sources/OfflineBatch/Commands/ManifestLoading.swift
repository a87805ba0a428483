import Basics
import Manifest
import Planning
import Reporting

extension Invocation {
    /// Loads the manifest of an argument; its problems go to standard error. nil when there is an error.
    func loadManifest(at position: Int = 0) async -> Manifest? {
        await loadManifest(arguments.positionals[position])
    }

    func loadManifest(_ path: String) async -> Manifest? {
        let result = await load(path)
        environment.errors.write(lines: ProblemText(diagnostics: result.diagnostics, page: errorPage).lines)
        return result.manifest
    }

    func load(_ path: String) async -> ManifestResult {
        let (variables, portal) = (environment.variables, arguments.value("portal"))
        return await offPool { Manifest.load(path: path, environment: variables, portalOverride: portal) }
    }

    func stateDirectory(_ manifest: Manifest) -> String {
        value("state", variable: "OFFLINE_BATCH_STATE").map(path) ?? Paths.join(path(manifest.output.directory), ".state")
    }

    func planSettings(_ manifest: Manifest) -> PlanSettings {
        PlanSettings(
            areas: arguments.all("area"), variables: environment.variables, stateDirectory: stateDirectory(manifest),
            refreshesEverything: arguments.has("refresh"))
    }

    /// What the command line says instead of the manifest.
    func driftPolicy(_ manifest: Manifest) -> DriftPolicy {
        arguments.value("on-drift").flatMap(DriftPolicy.init(rawValue:)) ?? manifest.onDrift
    }

    /// All reasons why there is no plan, each with one next step.
    func refuse(_ title: String, _ refusal: PlanRefusal) -> Outcome {
        environment.errors.write(lines: Wording.blocks(title: title, problems: refusal.problems, page: errorPage))
        return refusal.outcome
    }

    func refuse(_ title: String, _ stop: CommandStop) -> Outcome {
        environment.errors.write(lines: Wording.blocks(title: title, problems: stop.problems, page: errorPage))
        return stop.outcome
    }

    /// A failure that stops a command before any job: on standard error, with one next step.
    func stop(_ title: String, _ failure: Failure) -> Outcome {
        environment.errors.write(lines: Wording.block(title: title, failure: failure, page: errorPage))
        return Outcome(stoppedBy: failure)
    }
}
