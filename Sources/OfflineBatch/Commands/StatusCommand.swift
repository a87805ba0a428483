import Planning
import Reporting

extension Command {
    static let status = Command(
        spec: CommandSpec(
            name: "status", summary: "says how old each offline map is; reads the state only",
            examples: [
                Example(
                    "offline-batch status manifests/naperville.yaml",
                    "The last success of each area, and what an unfinished run has left."),
                Example(
                    "offline-batch status --max-age 36h manifests/naperville.yaml",
                    "For monitoring: fails when an area is older or missing."),
            ],
            positionals: [.manifest],
            options: [
                .json("Prints the status as JSON."), .state,
                OptionSpec(
                    long: "max-age", value: "AGE",
                    help: "Fails when the last success of an area or layer is older than this, or there is none: 90m, 36h, 2d."),
                OptionSpec(long: "quiet", short: "q", help: "With --max-age: says nothing when everything is young enough."),
                .noColour,
            ],
            outcomes: [.ok, .failed, .partial, .manifest, .storage]),
        run: { (call) throws(UsageProblem) in
            let maxAge = try maxAge(call)
            guard let manifest = await call.loadManifest() else { return .manifest }
            do throws(Failure) {
                let areas = try await call.engine.status(manifest, StatusSettings(stateDirectory: call.stateDirectory(manifest)))
                let status = StatusReport(name: manifest.name, areas: areas, now: call.environment.now(), maxAge: maxAge)
                if call.arguments.has("json") {
                    call.environment.output.write(StatusJSON.json(status).serialized(.indented) + "\n")
                } else if !(call.arguments.has("quiet") && status.isFresh) {
                    call.environment.output.write(lines: StatusText(status: status, page: call.page).lines)
                }
                if maxAge == nil || status.isFresh { return .ok }
                return status.areas.contains(where: status.isFresh) ? .partial : .failed
            } catch {
                return call.stop("\(manifest.name): the state cannot be read", error)
            }
        })

    /// Seconds of "90m", "36h", "2d" or "3600s".
    private static func maxAge(_ call: Invocation) throws(UsageProblem) -> Double? {
        guard let text = call.arguments.value("max-age") else { return nil }
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()), number > 0, number.isFinite
        else {
            throw .badValue(
                option: "--max-age", value: text, expected: "a number and a unit: 90m, 36h, 2d", command: call.command)
        }
        return number * unit
    }
}
