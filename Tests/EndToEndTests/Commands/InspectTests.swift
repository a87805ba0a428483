import Basics
import TestSupport
import Testing

/// `inspect` of a map of the portal and of all recorded web maps.
@Suite(.serialized) struct InspectTests {
    @Test func `A map of the portal: every layer and table, with verdict, rule and reason`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(portal: portal)
        let ending = try await workspace.run("inspect", "acc027394bc84c2fb04d1ed317aac674", "--json")
        #expect(ending.code == 0, "\(ending.stderr)")
        let json = try JSON.parse(ending.stdout)
        #expect(json["title"] == "Naperville Water Network")
        let rows = (json["layers"]?.array ?? []).map { layer in
            [layer["title"], layer["verdict"], layer["group"]].map { $0?.string ?? "-" }.joined(separator: "|")
        }
        #expect(
            rows == [
                "Street Map (Vector)|vectorTiles|-", "World Street Map|tiles|-", "Parcels|online only|-", "Districts|replica|-",
                "Main|replica|Water Network", "Service Connection|replica|Water Network", "System Valve|replica|Water Network",
                "Hydrant|replica|Water Network", "Inspections|replica|-",
            ])
        #expect(!portal.journal.contains { $0.method == "POST" })

        // The hamlet's own numbers: 54 hydrants, each counted by the service; abandoned connections are filtered by the map.
        func size(_ title: String) -> JSON? { json["layers"]?.array?.first { $0["title"]?.string == title }?["size"] }
        #expect(size("Hydrant") == ["rows": 54])
        #expect(size("World Street Map") == ["levels": "0-19", "maxExportTiles": 100000, "format": "PNG24"])
        #expect(size("Street Map (Vector)")?["levels"]?.string?.hasPrefix("0-") == true)
        let open = try await portal.ask(
            portal.service("Water_Network/FeatureServer/2/query"), ["where": "STATUS <> 'Abandoned'", "returnCountOnly": "true"])
        #expect(size("Service Connection")?["rows"] == open["count"])
        let text = try await workspace.run("inspect", "acc027394bc84c2fb04d1ed317aac674")
        #expect(text.stdout.contains("54 rows") && text.stdout.contains("levels 0-19"), "\(text.stdout)")
    }

    /// Counted by an independent reader: no layer of the document may be lost, groups flattened.
    private static let judge = """
        import json, sys
        def flat(layers):
            n = 0
            for layer in layers or []:
                if not isinstance(layer, dict): continue
                inner = layer.get('layers') if layer.get('layerType') == 'GroupLayer' else None
                n += flat(inner) if isinstance(inner, list) else 1
            return n
        for path in sys.argv[1:]:
            with open(path, encoding='utf-8-sig') as file: data = json.load(file)
            if isinstance(data, dict): data = data.get('itemData', data)
            if isinstance(data, dict) and isinstance(data.get('data'), dict): data = data['data']
            base = (data.get('baseMap') or {}) if isinstance(data, dict) else {}
            print(flat(base.get('baseMapLayers')) + flat(data.get('operationalLayers')) + flat(data.get('tables')) if isinstance(data, dict) else 0)
        """

    @Test(.enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func `Every recorded web map is listed whole, or refused in clear words`() async throws {
        let workspace = try Workspace()
        let files = try Files.list(SharedFiles.path("recorded/webmaps")).map { SharedFiles.path("recorded/webmaps/" + $0) }
        #expect(files.count >= 35)
        let judged = try await offPool { try Command.run("python3", ["-c", Self.judge] + files) }
        #expect(judged.status == 0, "\(judged.errors)")
        let counts = judged.output.split(separator: "\n").compactMap { Int($0) }
        #expect(counts.count == files.count)
        for (file, count) in zip(files, counts) {
            let ending = try await workspace.run("inspect", file, "--json")
            if ending.code != 0 {
                #expect(ending.code == 66, "\(file)")
                #expect(ending.stderr.contains("next"), "\(file): \(ending.stderr)")
                continue
            }
            let layers = try #require(try JSON.parse(ending.stdout)["layers"]?.array, "\(file)")
            #expect(layers.count == count, "\(Paths.name(file))")
            for layer in layers {
                for key in ["id", "title", "kind", "url", "verdict", "rule", "reason"] {
                    #expect(layer[key] != nil, "\(file): \(key)")
                }
                #expect(layer["reason"]?.string?.isEmpty == false, "\(file)")
            }
        }
    }

    @Test func `What is no web map is refused with one next step`() async throws {
        let workspace = try Workspace()
        try workspace.write("not-json.json", "<html>Sign in</html>")
        try workspace.write("array.json", "[1, 2]")
        for name in ["not-json.json", "array.json"] {
            let ending = try await workspace.run("inspect", name)
            #expect(ending.code == 66, "\(name)")
            #expect(ending.stderr.contains("Give the item id of a web map"), "\(name): \(ending.stderr)")
        }
        let missing = try await workspace.run("inspect", "no-such-file.json")
        #expect(missing.code == 64)
    }
}
