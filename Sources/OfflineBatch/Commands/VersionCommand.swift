import Basics
import Formats
import Geography
import Manifest
import Transport

extension Command {
    static let version = Command(
        spec: CommandSpec(
            name: "version", summary: "says which version this is, and of which libraries",
            examples: [Example("offline-batch version --json", "For bug reports and inventories.")],
            options: [.json("Prints the versions as JSON.")]),
        run: { (call) throws(UsageProblem) in
            let (name, version) = (CommandTree.offlineBatch.name, OfflineBatch.version)
            if call.arguments.has("json") {
                let members = libraries.map { JSONObject.Member(key: $0.name, value: .string($0.version)) }
                let json: JSON = ["name": .string(name), "version": .string(version), "libraries": .object(JSONObject(members))]
                call.environment.output.write(json.serialized(.indented) + "\n")
            } else {
                call.environment.output.write(lines: ["\(name) \(version)"] + libraries.map { "  \($0.name) \($0.version)" })
            }
            return .ok
        })

    /// As loaded, not as compiled against.
    fileprivate static var libraries: [LibraryVersion] {
        (LibraryVersion.basics + LibraryVersion.geography + LibraryVersion.manifest + LibraryVersion.transport
            + LibraryVersion.formats)
            .sorted { $0.name < $1.name }
    }
}

extension OfflineBatch {
    /// Of the program and its libraries, by name; for reports.
    static var versions: [String: String] {
        let libraries = Command.libraries.map { ($0.name, $0.version) }
        return Dictionary([(CommandTree.offlineBatch.name, version)] + libraries) { first, _ in first }
    }
}
