import Manifest
import Reporting

extension Command {
    static let schema = Command(
        spec: CommandSpec(
            name: "schema", summary: "prints the JSON Schema of manifests or of report.json, for editors and checks",
            examples: [
                Example(
                    "offline-batch schema > schemas/manifest.schema.json",
                    "Then begin manifests with `# yaml-language-server: $schema=…`."),
                Example("offline-batch schema report", "What programs find in report.json."),
            ],
            positionals: [
                PositionalSpec(
                    name: "DOCUMENT", help: "manifest (the default) or report.", isRequired: false,
                    choices: ["manifest", "report"], completion: .none)
            ]),
        run: { (call) throws(UsageProblem) in
            let isReport = call.arguments.positionals.first == "report"
            call.environment.output.write(isReport ? ReportSchema.json : ManifestSchema.json)
            return .ok
        })
}
