import Basics
import Manifest
import Packaging
import Planning
import Reporting

extension Command {
    static let generations = Command(
        spec: CommandSpec(
            name: "generations", summary: "lists the maps on the disk: made when, how large, which is current",
            examples: [
                Example("offline-batch generations manifests/naperville.yaml", "All maps of all areas, the oldest first."),
                Example(
                    "offline-batch generations --json --area downtown manifests/naperville.yaml", "Of one area, for programs."),
            ],
            discussion: [
                "Looks at names, inventories and sizes; `verify` reads every byte. Folders that are not known as ours are shown as "
                    + "such and never touched by any command."
            ],
            positionals: [.manifest], options: [.area, .json("Prints the maps as JSON."), .noColour],
            outcomes: [.ok, .manifest, .storage]),
        run: { (call) throws(UsageProblem) in
            guard let manifest = await call.loadManifest() else { return .manifest }
            let maps: [Generation]
            let diskBytes: Int
            do throws(SystemError) {
                maps = try await call.maps(of: manifest)
                let output = manifest.output.directory
                diskBytes = try await offPool { () throws(SystemError) in
                    try OutputFolder(output).diskBytes(of: maps.map(\.path))
                }
            } catch {
                return call.stop("\(manifest.name): the maps cannot be listed", Failure(looking: error))
            }
            try call.checkAreas(manifest, maps)
            if call.arguments.has("json") {
                call.environment.output.write(GenerationJSON.json(maps, diskBytes: diskBytes).serialized(.indented) + "\n")
            } else {
                let text = GenerationText(
                    generations: maps, diskBytes: diskBytes, now: call.environment.now(), page: call.page)
                call.environment.output.write(lines: text.lines)
            }
            return .ok
        })
}

extension Invocation {
    /// The maps of the areas that `--area` names, else of all.
    func maps(of manifest: Manifest) async throws(SystemError) -> [Generation] {
        let (output, wanted) = (OutputFolder(manifest.output.directory), arguments.all("area"))
        return try await offPool { () throws(SystemError) in
            var maps: [Generation] = []
            for area in try output.areas() where wanted.isEmpty || wanted.contains(area) {
                maps += try output.generations(of: area).list()
            }
            return maps
        }
    }

    /// An area that is neither in the manifest nor on the disk is a slip of the pen.
    func checkAreas(_ manifest: Manifest, _ maps: [Generation]) throws(UsageProblem) {
        var known = Set(maps.map(\.area))
        for area in manifest.areas { if case .shape = area.place { known.insert(area.id) } }
        for area in arguments.all("area") where !known.contains(area) {
            throw .badValue(
                option: "--area", value: area, expected: "one of " + known.sorted().joined(separator: ", "), command: command)
        }
    }
}

extension Failure {
    /// The output folder could not be looked at.
    init(looking error: SystemError) {
        self.init(
            phase: .publish, kind: .storage, code: Int(error.code), message: error.message,
            details: ["\(error.call) \(error.path)"])
    }
}
