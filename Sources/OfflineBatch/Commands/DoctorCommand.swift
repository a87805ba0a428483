import Basics
import Manifest
import Planning
import Reporting

extension Command {
    static let doctor = Command(
        spec: CommandSpec(
            name: "doctor", summary: "looks for what would go wrong at night, and says what to do",
            examples: [
                Example("offline-batch doctor", "This machine: libraries, PROJ's database, certificate authorities."),
                Example(
                    "offline-batch doctor manifests/naperville.yaml",
                    "Also folders, space, state, lock, maps, sign-in, clock and replicas of one manifest."),
                Example("offline-batch doctor --offline --json manifests/naperville.yaml", "Without a network, for programs."),
            ],
            discussion: [
                "Run it as the account that will run the nights. It changes nothing; where it tries to write a file, it removes it "
                    + "again. Ends with 1 when there is a problem, with 0 when there are only warnings."
            ],
            positionals: [PositionalSpec(name: "MANIFEST", help: "The manifest, a YAML file.", isRequired: false)],
            options: [
                OptionSpec(long: "offline", help: "Asks no server."), .json("Prints the findings as JSON."), .state, .portal,
                .noColour,
            ],
            outcomes: [.ok, .failed, .manifest]),
        run: { (call) throws(UsageProblem) in
            let typed = call.arguments.positionals.first
            var manifest: Manifest?
            if typed != nil {
                guard let loaded = await call.loadManifest() else { return .manifest }
                manifest = loaded
            }
            let settings = DoctorSettings(
                stateDirectory: manifest.map(call.stateDirectory), isOffline: call.arguments.has("offline"),
                variables: call.environment.variables, zone: call.environment.zone())
            let findings = await call.engine.doctor(manifest, settings)
            if call.arguments.has("json") {
                call.environment.output.write(DoctorJSON.json(findings, manifest: typed).serialized(.indented) + "\n")
            } else {
                call.environment.output.write(lines: DoctorText(findings: findings, manifest: typed, page: call.page).lines)
            }
            return findings.contains { $0.grade == .problem } ? .failed : .ok
        })
}
