import Basics
import Execution
import Packaging
import Planning
import Reporting

extension Command {
    static let verify = Command(
        spec: CommandSpec(
            name: "verify", summary: "reads the maps from end to end and says what is damaged",
            examples: [
                Example("offline-batch verify manifests/naperville.yaml", "Every file of every map against its recorded hash."),
                Example("offline-batch verify --current manifests/naperville.yaml", "Only the maps that people use now."),
            ],
            discussion: [
                "Each file is compared with size and SHA-256 in inventory.json; packages are walked tile by tile, replicas row by "
                    + "row, and compared with the counts that were proven when they came. Needs no network and changes nothing.",
                "Ends with 1 when an area has no whole current map, with 2 when something else is damaged.",
            ],
            positionals: [.manifest],
            options: [
                .area, OptionSpec(long: "current", help: "Only the current map of each area."),
                .json("Prints what was found as JSON."),
                OptionSpec(long: "quiet", short: "q", help: "Says nothing unless something is damaged."), .noColour,
            ],
            outcomes: [.ok, .failed, .partial, .manifest, .storage]),
        run: { (call) throws(UsageProblem) in
            guard let manifest = await call.loadManifest() else { return .manifest }
            var maps: [Generation]
            do throws(SystemError) { maps = try await call.maps(of: manifest) } catch {
                return call.stop("\(manifest.name): the maps cannot be listed", Failure(looking: error))
            }
            try call.checkAreas(manifest, maps)
            if call.arguments.has("current") { maps = maps.filter(\.isCurrent) }
            // Folders of others are not ours to judge, unless `current` points to one.
            let checked = maps.filter { $0.isOurs || $0.isCurrent }
            let output = OutputFolder(manifest.output.directory)
            let checks = await offPool { () throws(Never) in
                var verifier = MapVerifier(output)
                return checked.map { verifier.verify($0) }
            }
            let outcome = outcome(of: checks, areas: Set(maps.map(\.area)))
            if call.arguments.has("json") {
                call.environment.output.write(VerifyJSON.json(checks).serialized(.indented) + "\n")
            } else if outcome != .ok || !call.arguments.has("quiet") {
                let text = VerifyText(checks: checks, manifest: call.arguments.positionals[0], page: call.page)
                call.environment.output.write(lines: text.lines)
            }
            return outcome
        })

    /// Nothing there is no success.
    static func outcome(of checks: [MapCheck], areas: Set<String>) -> Outcome {
        let good = Set(checks.filter { $0.isWhole && $0.generation.isCurrent }.map(\.generation.area))
        if areas.isEmpty || !areas.isSubset(of: good) { return .failed }
        return checks.allSatisfy(\.isWhole) ? .ok : .partial
    }
}
