import Basics
import Geography

/// Makes a `Manifest` of a tree. First the shape of everything is checked, then values are built of what is right, so that one
/// wrong key hides no other problem.
struct ManifestDecoder {
    let folder: ManifestFolder
    let read: Manifest.FileReader
    /// The manifest as it was named.
    let path: String
    var problems: Problems

    mutating func manifest(_ root: Node) -> Manifest {
        problems.check(root, .object(ManifestKeys.manifest), name: "manifest")
        let name = root["name"]?.text ?? ""
        let options = options(root["options"])
        for item in [root["options"]] + (root["layers"]?.items ?? []) + (root["services"]?.items ?? []) {
            refuseUnsynced(item, options.updateMode)
        }
        var manifest = Manifest(
            name: name, path: path,
            portal: portal(root["portal"]),
            webMap: root["webMap"].map { webMap($0) }, services: services(root["services"]), areas: areas(root["areas"]),
            scale: scale(root["scale"]),
            layers: layers(root["layers"]),
            options: options,
            writtenOptions: Set((root["options"]?.entries ?? []).compactMap { $0.key.scalar?.text }),
            output: output(root["output"], name: name), limits: limits(root["limits"]),
            budget: Budget(
                tiles: root["budget"]?["tiles"]?.plainInteger, rows: root["budget"]?["rows"]?.plainInteger,
                bytes: root["budget"]?["bytes"]?.bytes))
        manifest.tileRefresh = root["refresh"]?["tiles"]?.age
        if let policy = root["onDrift"]?.text.flatMap(DriftPolicy.init(rawValue:)) { manifest.onDrift = policy }
        if let policy = root["onError"]?.text.flatMap(FailurePolicy.init(rawValue:)) { manifest.onError = policy }
        if let policy = root["publish"]?.text.flatMap(PublishPolicy.init(rawValue:)) { manifest.publish = policy }
        return manifest
    }

    private mutating func webMap(_ node: Node) -> WebMapSource {
        guard let text = node.text else { return .item("") }
        if matches(text, TextForm.itemID.pattern) { return .item(text.lowercased()) }
        let file = folder.resolve(text)
        do throws(SystemError) {
            let bytes = try read(file)
            do throws(JSONSyntaxError) {
                let json = try JSON.parse(bytes)
                if json.object == nil {
                    problems.error(node.span, "`\(text)` holds no web map: a web map is a JSON object")
                } else if json["operationalLayers"] == nil && json["baseMap"] == nil {
                    problems.error(
                        node.span, "`\(text)` holds no web map: it has neither `operationalLayers` nor `baseMap`",
                        hint: "take the data of the item (`…/content/items/ID/data?f=json`), not the item itself")
                }
            } catch {
                problems.error(node.span, "`\(text)` is not JSON: \(error.reason)")
            }
        } catch {
            let isNearlyID = (28...36).contains(text.utf8.count) && matches(text, "^[0-9a-zA-Z]+$")
            problems.error(
                node.span, "the web map `\(text)` cannot be read: \(error.words)",
                hint: isNearlyID ? "an item id has 32 hexadecimal digits; this has \(text.utf8.count) characters" : nil)
        }
        return .file(file)
    }

    private mutating func scale(_ node: Node?) -> ScaleRange {
        let range = ScaleRange(min: node?["min"]?.plainNumber ?? 0, max: node?["max"]?.plainNumber ?? 0)
        if range.min != 0, range.max != 0, range.min <= range.max, let place = node?.entry("min") {
            problems.error(
                place.value.span,
                "`min` must be larger than `max`: these are denominators, 1:\(place.value.scalar?.text ?? "") is zoomed out",
                hint: range.min == range.max ? nil : "swap the two numbers")
        }
        return range
    }

    private func output(_ node: Node?, name: String) -> OutputSettings {
        let directory = node?["directory"]?.text ?? Paths.join("out", Paths.slug(name))
        let standard = OutputSettings(directory: folder.resolve(directory))
        return OutputSettings(directory: standard.directory, keep: node?["keep"].map(keep) ?? standard.keep)
    }

    private func keep(_ node: Node) -> KeepSettings {
        if let count = node.plainInteger { return KeepSettings(count: count) }
        return KeepSettings(count: node["count"]?.plainInteger, age: node["age"]?.duration)
    }

    func origin(_ node: Node) -> String { "\(path):\(node.span.line):\(node.span.column)" }
}

extension PortalSettings {
    /// The address that paths such as `/sharing/rest` are put behind: people copy longer ones from their browser.
    public static func rootURL(_ text: String) -> String {
        var url = text
        for ending in ["/", "/sharing/rest", "/sharing", "/home", "/"] where url.hasSuffix(ending) {
            url.removeLast(ending.count)
        }
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}
