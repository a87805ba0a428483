import Manifest

/// Options and arguments that mean the same in every command that has them.
extension OptionSpec {
    static let portal = OptionSpec(
        long: "portal", value: "URL", help: "The portal to use instead of the manifest's.", variable: "OFFLINE_BATCH_PORTAL")
    static let state = OptionSpec(
        long: "state", value: "DIR", help: "Where the state is kept; otherwise `.state` in the output folder.",
        variable: "OFFLINE_BATCH_STATE", completion: .folder)
    static let area = OptionSpec(
        long: "area", value: "ID", help: "Only this area of the manifest.", repeats: true)
    static let refresh = OptionSpec(long: "refresh", help: "Fetches everything, also what did not change.")
    static let onDrift = OptionSpec(
        long: "on-drift", value: "POLICY",
        help:
            "What to do when the map or a service has lost something since the last good run, instead of the manifest's `onDrift`.",
        choices: DriftPolicy.allCases.map(\.rawValue))
    static let verbose = OptionSpec(long: "verbose", short: "v", help: "Says more.")
    static let noColour = OptionSpec(long: "no-color", help: "No colours, no lines that move; NO_COLOR does the same.")

    static func json(_ help: String) -> OptionSpec { OptionSpec(long: "json", help: help) }

    func meaning(_ help: String) -> OptionSpec {
        var copy = self
        copy.help = help
        return copy
    }
}

extension PositionalSpec {
    static let manifest = PositionalSpec(name: "MANIFEST", help: "The manifest, a YAML file.")
}
