import Basics

extension Command {
    static let version = Command(
        spec: CommandSpec(
            name: "version", summary: "says which version this is, and of which libraries",
            examples: [Example("offline-batch version --json", "For bug reports and inventories.")],
            options: [.json("Prints the versions as JSON.")]),
        run: { (call) throws(UsageProblem) in
            let (name, version) = (CommandTree.offlineBatch.name, OfflineBatch.version)
            if call.arguments.has("json") {
                let members = LibraryVersion.all.map { JSONObject.Member(key: $0.name, value: .string($0.version)) }
                let json: JSON = ["name": .string(name), "version": .string(version), "libraries": .object(JSONObject(members))]
                call.environment.output.write(json.serialized(.indented) + "\n")
            } else {
                call.environment.output.write(
                    lines: ["\(name) \(version)"] + LibraryVersion.all.map { "  \($0.name) \($0.version)" })
            }
            return .ok
        })
}

extension OfflineBatch {
    /// Of the program and its libraries, by name; for reports.
    static var versions: [String: String] {
        let libraries = LibraryVersion.all.map { ($0.name, $0.version) }
        return Dictionary([(CommandTree.offlineBatch.name, version)] + libraries) { first, _ in first }
    }
}
