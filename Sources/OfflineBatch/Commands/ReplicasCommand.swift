import Basics
import Planning
import Reporting

extension Command {
    static let replicas = Command(
        spec: CommandSpec(
            name: "replicas", summary: "shows or unregisters the replicas that servers hold because of us",
            examples: [
                Example(
                    "offline-batch replicas list manifests/naperville.yaml",
                    "Each replica on record, and whether its server still knows it."),
                Example(
                    "offline-batch replicas unregister manifests/naperville.yaml",
                    "Unregisters all of ours; maps that are out can then no longer be synchronised."),
                Example(
                    "offline-batch replicas unregister --id 0b9d2a30-8a0c-4a55-9f0e-6d1f6a3c2b11 manifests/naperville.yaml",
                    "Only this one."),
            ],
            discussion: [
                "Ours are the replicas that the state records. Those of others are neither shown nor touched. `unregister` needs the "
                    + "lock of a run, and ends with 2 or 1 when a server refused some or all."
            ],
            positionals: [
                PositionalSpec(name: "ACTION", help: "list or unregister.", choices: ["list", "unregister"], completion: .none),
                .manifest,
            ],
            options: [
                OptionSpec(long: "id", value: "ID", help: "unregister: only the replica with this id.", repeats: true),
                .json("Prints the replicas as JSON."), .state, .portal, .noColour,
            ],
            outcomes: [
                .ok, .failed, .partial, .manifest, .refused, .unavailable, .internal, .storage, .locked, .denied,
            ]),
        run: { (call) throws(UsageProblem) in
            let isList = call.arguments.positionals[0] == "list"
            if isList, let id = call.arguments.value("id") {
                throw .badValue(option: "--id", value: id, expected: "it goes with unregister", command: call.command)
            }
            guard let manifest = await call.loadManifest(at: 1) else { return .manifest }
            let settings = ReplicaSettings(
                stateDirectory: call.stateDirectory(manifest), ids: call.arguments.all("id"),
                variables: call.environment.variables)
            do throws(CommandStop) {
                let rows = try await (isList ? call.engine.replicas : call.engine.unregister)(manifest, settings)
                if call.arguments.has("json") {
                    call.environment.output.write(ReplicaJSON.json(rows).serialized(.indented) + "\n")
                } else {
                    call.environment.output.write(lines: ReplicaText(rows: rows, page: call.page).lines)
                }
                let failures = rows.compactMap(\.standing.failure)
                guard let first = failures.first else { return .ok }
                if isList { return Outcome(stoppedBy: first) }
                return failures.count == rows.count ? .failed : .partial
            } catch {
                return call.refuse("\(manifest.name): replicas", error)
            }
        })
}
