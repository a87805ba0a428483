import Basics
import Manifest
import Planning
import Reporting

extension Command {
    private static let tokenVariable = "OFFLINE_BATCH_TOKEN"

    static let inspect = Command(
        spec: CommandSpec(
            name: "inspect", summary: "lists every layer of a web map or service, whether it can go offline, and why not",
            examples: [
                Example("offline-batch inspect acc027394bc84c2fb04d1ed317aac674", "A web map of ArcGIS Online, by its item id."),
                Example(
                    "offline-batch inspect https://maps.example.com/server/rest/services/Water/FeatureServer",
                    "A service: its layers with their numbers, for `services` of a manifest."),
                Example("offline-batch inspect --json map.json", "A web map from a file, for programs."),
                Example(
                    "offline-batch inspect --portal https://maps.example.com/portal --token-file token.txt 5a030a31e42841a89914bd7c5ecf4d8f",
                    "A map of an own portal, signed in."),
                Example(
                    "offline-batch inspect --manifest manifests/naperville.yaml 5a030a31e42841a89914bd7c5ecf4d8f",
                    "Another map of a manifest's portal, with its sign-in, servers, certificates and proxy."),
            ],
            positionals: [
                PositionalSpec(
                    name: "MAP",
                    help: "The item id of a web map or service, the address of a service, or a file with web map JSON.")
            ],
            options: [
                .json("Prints the layers as JSON."), .portal.meaning("The portal of the item."),
                OptionSpec(
                    long: "token-file", value: "FILE",
                    help: "A file with a token, readable by its owner only; \(tokenVariable) is the last resort.",
                    completion: .file),
                OptionSpec(
                    long: "manifest", value: "FILE",
                    help: "The `portal` of this manifest: sign-in, servers, certificates, proxy.",
                    conflicts: ["token-file"], completion: .file),
                .verbose.meaning("Shows the rule behind each verdict."), .noColour,
            ],
            outcomes: [.ok, .manifest, .refused, .unavailable, .denied, .internal]),
        run: { (call) throws(UsageProblem) in
            let source = try source(call)
            var portal = portal(call)
            if let file = call.arguments.value("manifest") {
                guard let manifest = await call.loadManifest(file) else { return .manifest }
                portal = manifest.portal
            }
            let settings = InspectSettings(source: source, portal: portal, variables: call.environment.variables)
            do throws(Failure) {
                let map = try await call.engine.inspect(settings)
                if call.arguments.has("json") {
                    call.environment.output.write(map.json.serialized(.indented) + "\n")
                } else {
                    call.environment.output.write(
                        lines: InspectText(title: map.title, rows: map.rows, notes: map.notes, page: call.page).lines)
                }
                return .ok
            } catch {
                return call.stop(call.arguments.positionals[0], error)
            }
        })

    /// A file when there is one of that name; else a service, or an item id, alone or in an address that was copied from a browser.
    private static func source(_ call: Invocation) throws(UsageProblem) -> InspectSource {
        let text = call.arguments.positionals[0]
        if Files.exists(call.path(text)) { return .file(call.path(text)) }
        if let service = ServiceEntry.Source(address: text) { return .service(service) }
        let words = text.split { !$0.isLetter && !$0.isNumber }
        if let id = words.last(where: { $0.count == 32 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }) {
            return .item(id.lowercased())
        }
        throw .badValue(
            option: "MAP", value: text, expected: "no such file, and not an item id of 32 hexadecimal digits",
            command: call.command)
    }

    private static func portal(_ call: Invocation) -> PortalSettings {
        var portal = PortalSettings()
        if let url = call.value("portal", variable: "OFFLINE_BATCH_PORTAL") { portal.url = PortalSettings.rootURL(url) }
        if let file = call.arguments.value("token-file") {
            portal.auth = .token(.file(call.path(file)))
        } else if call.environment.variables[tokenVariable]?.isEmpty == false {
            portal.auth = .token(.environment(tokenVariable))
        }
        return portal
    }
}
