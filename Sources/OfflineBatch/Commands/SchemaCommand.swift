import Manifest

extension Command {
    static let schema = Command(
        spec: CommandSpec(
            name: "schema", summary: "prints the JSON Schema of manifests, for editors and checks",
            examples: [
                Example(
                    "offline-batch schema > schemas/manifest.schema.json",
                    "Then begin manifests with `# yaml-language-server: $schema=…`.")
            ]),
        run: { (call) throws(UsageProblem) in
            call.environment.output.write(ManifestSchema.json)
            return .ok
        })
}
