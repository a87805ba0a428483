import Basics
import Foundation
import TestSupport
import Testing

/// A web map whose author means harm, or lets a cat walk over the keyboard.
@Suite(.serialized) struct HostileMapTests {
    private static let titles = [
        "../../x", "/etc/passwd", "\u{E9}tang", "e\u{301}tang", "שכבת מים\u{2069} 2", "\u{1B}[2J\u{1B}]0;owned\u{7}red",
        String(repeating: "Langer Titel ", count: 24), "Straße",
        "STRASSE",
        "straße", "safe\u{202E}gpj.exe", ".hidden", "a\nb\tc", "CON", "💧",
    ]

    @Test func `Titles of all kinds go offline, and stay where they belong`() async throws {
        let portal = try await PortalProcess()
        let manifest = Workspace.water().replacing("acc027394bc84c2fb04d1ed317aac674", with: "map.json")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        let item = portal.url + "/sharing/rest/content/items/acc027394bc84c2fb04d1ed317aac674/data"
        var names = Self.titles[...]
        let map = Self.renamed(try JSON.parse(try await portal.fetch(item, ["f": "json"]))) { names.popFirst() }
        #expect(names.count < Self.titles.count - 7, "too few titles were used")
        try workspace.write("map.json", map.serialized())
        // What lies around must not be touched.
        try Files.makeDirectory(workspace.file("out"))
        try workspace.write("out/mine.txt", "mine")
        try workspace.write("x", "mine")

        for arguments in [
            ["plan", "manifest.yaml"], ["plan", "--dot", "manifest.yaml"], ["lint", "manifest.yaml"],
            ["run", "--verbose", "manifest.yaml"], ["status", "manifest.yaml"], ["inspect", "map.json"],
        ] {
            let ending = try await workspace.run(arguments)
            #expect([0, 2].contains(ending.code), "\(arguments): \(ending.stderr)\(ending.stdout)")
            for text in [ending.stdout, ending.stderr] { #expect(Self.harm(in: text) == nil, "\(arguments[0])") }
        }
        #expect(try workspace.json("out/report.json")["exitCode"]?.int == 0)
        // In a file that a person opens, too; letters stay.
        for file in ["report.json", "report.html", "downtown/current/inventory.json", "downtown/current/p13/mobile_map.mmap"] {
            let text = String(decoding: try workspace.read("out/" + file), as: UTF8.self)
            #expect(Self.harm(in: text) == nil, "\(file)")
            #expect(text.contains("שכבת מים"), "\(file)")
        }
        #expect(try workspace.read("out/mine.txt") == Array("mine".utf8) && workspace.read("x") == Array("mine".utf8))
        #expect(Set(try Files.list(workspace.folder.path)) == ["manifest.yaml", "map.json", "out", "x"])
        #expect(
            Set(try Files.list(workspace.file("out"))) == [
                ".lock", ".state", "downtown", "mine.txt", "report.html", "report.json",
            ])

        // Plain names, each once; and the titles themselves in the map's document.
        let published = try PublishedMap(output: workspace.file("out"), area: "downtown")
        let files = try published.files().map { Paths.name($0) }
        for file in files { #expect(file.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9 @_.-]{0,99}/) != nil, "\(file)") }
        let titles = published.layers.compactMap { $0["title"]?.string }
        #expect(titles.contains("../../x") && titles.contains("/etc/passwd"))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: workspace.file("out")).allSatisfy { !$0.contains("passwd/") })
    }

    /// Layers that a plan refuses, and jobs that fail, are told with their titles.
    @Test(arguments: [
        ("- {path: '*/FeatureServer', jsonError: {code: 400, message: no}}", 66),
        ("- {path: '*/createReplica', jsonError: {code: 400, message: no}}", 1),
    ])
    func `Titles of layers that fail move no cursor`(_ rule: String, _ code: Int) async throws {
        let portal = try await PortalProcess.faulty(rule)
        let manifest = Workspace.water().replacing("acc027394bc84c2fb04d1ed317aac674", with: "map.json")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        let item = portal.url + "/sharing/rest/content/items/acc027394bc84c2fb04d1ed317aac674/data"
        let map = Self.renamed(try JSON.parse(try await portal.fetch(item, ["f": "json"]))) {
            "x\u{1B}]8;;http://evil\u{7}\u{202E}y"
        }
        try workspace.write("map.json", map.serialized())
        for flags in [[], ["--quiet"], ["--verbose"]] {
            let run = try await workspace.run(["run"] + flags + ["manifest.yaml"])
            #expect(run.code == code, "\(run.stdout)\(run.stderr)")
            let text = run.stdout + run.stderr
            #expect(text.contains("x]8;;http://evily") && Self.harm(in: text) == nil, "\(text)")
        }
    }

    @Test func `Words of a server move no cursor`() async throws {
        let evil = #""broken \e[2J\e[31m \u202Etxt \a""#
        let portal = try await PortalProcess.faulty(
            "- {path: '*/createReplica', jsonError: {code: 400, message: \(evil), details: [\(evil)]}}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let run = try await workspace.run("run", "--verbose", "manifest.yaml")
        #expect(run.code == 1)
        #expect(run.stdout.contains("broken"))
        for text in [run.stdout, run.stderr] { #expect(Self.harm(in: text) == nil) }
    }

    /// Areas take their names from data.
    @Test func `Areas of all names stay in the output folder`() async throws {
        let portal = try await PortalProcess()
        let features = ["../../up", "/abs", "a/b", "Ä", "ä", "\u{202E}x"].enumerated().map { number, name -> JSON in
            let x = -88.16 + 0.001 * Double(number)
            let ring: JSON = .array(
                [(x, 41.77), (x + 0.0005, 41.77), (x + 0.0005, 41.771), (x, 41.77)].map { [.number($0.0), .number($0.1)] })
            return [
                "type": "Feature", "properties": ["NAME": .string(name)], "geometry": ["type": "Polygon", "coordinates": [ring]],
            ]
        }
        let manifest = Workspace.water().replacing(
            /areas: .*/, with: "areas: [{ features: { file: areas.json, id: NAME } }]")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        try workspace.write(
            "areas.json", (["type": "FeatureCollection", "features": .array(features)] as JSON).serialized())
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)\(run.stdout)")
        #expect(Self.harm(in: run.stdout + run.stderr) == nil)
        #expect(Set(try Files.list(workspace.folder.path)) == ["areas.json", "manifest.yaml", "out"])
        let areas = try Files.list(workspace.file("out")).filter { !$0.hasPrefix(".") && !$0.hasPrefix("report.") }
        #expect(areas.count == 6)
        for area in areas { #expect(Files.exists(workspace.file("out/\(area)/current/inventory.json")), "\(area)") }
    }

    /// A character that a terminal obeys, or that turns the direction of its line.
    private static func harm(in text: String) -> String? {
        text.unicodeScalars.first { scalar in
            scalar.properties.isBidiControl || (scalar.properties.generalCategory == .control && scalar != "\n")
        }.map { "U+" + String($0.value, radix: 16) + " in " + text.debugDescription.prefix(600) }
    }

    /// Gives every layer that has a title the next one.
    private static func renamed(_ json: JSON, _ next: () -> String?) -> JSON {
        switch json {
        case .array(let items): return .array(items.map { renamed($0, next) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map { member in
                        let isTitle = member.key == "title" && object.keys.contains("layerType")
                        let title = isTitle ? next().map(JSON.string) : nil
                        return .init(key: member.key, value: title ?? renamed(member.value, next))
                    }))
        default: return json
        }
    }
}
