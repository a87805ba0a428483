import Basics
import Planning
import Reporting

extension Command {
    static let lint = Command(
        spec: CommandSpec(
            name: "lint", summary: "says what may trouble a map offline, layer by layer, by the named rules",
            examples: [
                Example("offline-batch lint manifests/naperville.yaml", "One line a finding; docs/rules.md explains the rules."),
                Example("offline-batch lint --strict manifests/naperville.yaml", "For checks: warnings end with 2, too."),
                Example("offline-batch lint --sarif manifests/naperville.yaml > lint.sarif", "For code review tools."),
            ],
            discussion: [
                "Asks the services for their descriptions and starts nothing. It ends with 0 when there are only warnings, and with 2 when "
                    + "a finding is an error: `plan` would refuse. Findings that `lint: ignore` of the manifest accepts do not count."
            ],
            positionals: [.manifest],
            options: [
                OptionSpec(long: "strict", help: "Ends with 2 for warnings as well."),
                .json("Prints the findings as JSON."),
                OptionSpec(long: "sarif", help: "Prints the findings as SARIF 2.1.0.", conflicts: ["json"]), .portal,
                .verbose.meaning("Shows accepted findings, too."), .noColour,
            ],
            outcomes: [.ok, .partial, .manifest, .refused, .unavailable, .internal, .denied]),
        run: { (call) throws(UsageProblem) in
            guard let manifest = await call.loadManifest() else { return .manifest }
            let findings: [LintFinding]
            do throws(PlanRefusal) {
                findings = try await call.engine.lint(manifest, call.planSettings(manifest))
            } catch {
                return call.refuse("\(manifest.name): nothing to check", error)
            }
            if call.arguments.has("sarif") {
                let sarif = LintSARIF.json(findings, version: OfflineBatch.version)
                call.environment.output.write(sarif.serialized(.indented) + "\n")
            } else if call.arguments.has("json") {
                call.environment.output.write(LintJSON.json(findings).serialized(.indented) + "\n")
            } else {
                call.environment.output.write(lines: LintText(findings: findings, page: call.page).lines)
            }
            let isStrict = call.arguments.has("strict")
            let counts = findings.contains { $0.suppressed == nil && ($0.level == .error || isStrict) }
            return counts ? .partial : .ok
        })
}
