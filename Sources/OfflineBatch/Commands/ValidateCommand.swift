import Basics
import Manifest
import Planning
import Reporting

extension Command {
    static let validate = Command(
        spec: CommandSpec(
            name: "validate", summary: "checks manifests, without a network",
            examples: [
                Example(
                    "offline-batch validate manifests/naperville.yaml",
                    "Every problem at once, with line, column and the nearest key."),
                Example(
                    "offline-batch validate --json manifests/*.yaml", "The same for programs, for all manifests of a folder."),
            ],
            positionals: [PositionalSpec(name: "MANIFEST", help: "Manifests, YAML files.", repeats: true)],
            options: [.json("Prints the problems as JSON on standard output."), .noColour], outcomes: [.ok, .manifest]),
        run: { (call) throws(UsageProblem) in
            var diagnostics: [Diagnostic] = []
            for path in call.arguments.positionals {
                let result = await call.load(path)
                diagnostics += result.diagnostics
                if !call.arguments.has("json") { report(result, of: path, to: call) }
            }
            let isValid = diagnostics.allSatisfy { $0.severity != .error }
            if call.arguments.has("json") {
                let list = (try? JSON.encoding(diagnostics)) ?? []
                call.environment.output.write(
                    ((["valid": .bool(isValid), "problems": list] as JSON).serialized(.indented)) + "\n")
            }
            return isValid ? .ok : .manifest
        })

    private static func report(_ result: ManifestResult, of path: String, to call: Invocation) {
        call.environment.errors.write(lines: ProblemText(diagnostics: result.diagnostics, page: call.errorPage).lines)
        guard let manifest = result.manifest else { return }
        let areas = "\(manifest.areas.count) area\(manifest.areas.count == 1 ? "" : "s")"
        call.environment.output.write(lines: [call.page.ink("\(path): valid", .green) + ", \(manifest.name), \(areas)"])
    }
}
