import ArcGIS
import Basics
import Geography
import Planning
import TestSupport
import Testing

@testable import Packaging

/// The rules of formats.md 4.2 for `p13/mobile_map.mmap`.
@Suite("Map document")
struct MapDocumentTests {
    private static let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

    private static func document(_ fixture: Fixture) throws -> JSON {
        try MapDocument(plan: fixture.plan, area: fixture.area, parts: fixture.parts).json
    }

    private static func isMatch(_ text: String?, _ pattern: String) throws -> Bool {
        try text?.wholeMatch(of: Regex(pattern)) != nil
    }

    @Test("layers with data point to it, and keep what their author wrote")
    func paths() throws {
        let fixture = try Fixture()
        let json = try Self.document(fixture)
        let network = try #require(json["operationalLayers"]?[0])
        let hydrants = try #require(network["layers"]?[0])
        #expect(try Self.isMatch(hydrants["path"]?.string, "file:\\./\(Self.uuid)\\.geodatabase\\?itemId=0"))
        #expect(hydrants["url"]?.string == Fixture.water + "/0")
        #expect(hydrants["popupInfo"] == ["title": "{TAG}"])
        #expect(hydrants["layerDefinition"] == ["definitionExpression": "KIND = 1"])
        // One file for all layers and tables of a service, each by its number.
        let visits = try #require(json["tables"]?[0]?["path"]?.string)
        let file = try #require(hydrants["path"]?.string?.split(separator: "?").first)
        #expect(visits == "\(file)?itemId=5")
        #expect(json["operationalLayers"]?[1]?["path"]?.string == "\(file)?itemId=2")
        let tiled = json["baseMap"]?["baseMapLayers"]?[1]
        #expect(try Self.isMatch(tiled?["path"]?.string, "file:\\./\(Self.uuid)\\.tpkx"))
        #expect(tiled?["itemPath"] == nil)
    }

    @Test("a vector tile layer with a style of its own has it beside the package")
    func style() throws {
        var fixture = try Fixture()
        let vector = try #require(try Self.document(fixture)["baseMap"]?["baseMapLayers"]?[0])
        #expect(try Self.isMatch(vector["path"]?.string, "file:\\./\(Self.uuid)\\.vtpk"))
        #expect(try Self.isMatch(vector["itemPath"]?.string, "file:\\./\(Self.uuid)"))
        #expect(vector["opacity"] == 0.5 && vector["styleUrl"]?.string == Fixture.style)
        fixture.parts.removeAll { $0.job.kind == .style }
        let plain = try #require(try Self.document(fixture)["baseMap"]?["baseMapLayers"]?[0])
        #expect(plain["path"] == vector["path"] && plain["itemPath"] == nil)
    }

    @Test("a style that came alone draws the tiles of another layer on the same service, else it waits for a network")
    func styleAlone() throws {
        var fixture = try Fixture()
        let vector = try #require(fixture.plan.layers.firstIndex { $0.id == "vector" })
        let tiles = try #require(fixture.parts.firstIndex { $0.job.kind == .vectorTiles })
        fixture.plan.layers[vector].verdict = .style
        // Another source brings the tiles.
        fixture.parts[tiles].job.id = "downtown/other/vectorTiles"
        let drawn = try #require(try Self.document(fixture)["baseMap"]?["baseMapLayers"]?[0])
        #expect(try Self.isMatch(drawn["path"]?.string, "file:\\./\(Self.uuid)\\.vtpk"))
        #expect(try Self.isMatch(drawn["itemPath"]?.string, "file:\\./\(Self.uuid)"))
        fixture.parts.remove(at: tiles)
        let document = try MapDocument(plan: fixture.plan, area: fixture.area, parts: fixture.parts)
        let alone = try #require(document.json["baseMap"]?["baseMapLayers"]?[0])
        #expect(alone["path"] == nil && alone["styleUrl"]?.string == Fixture.style)
        #expect(document.paths["vector"] == alone["itemPath"]?.string)
    }

    @Test("a reference base map stands alone where the base layers were, and gives the map its spatial reference")
    func referenceBasemap() throws {
        var fixture = try Fixture()
        for index in fixture.plan.layers.indices where ["vector", "tiled"].contains(fixture.plan.layers[index].id) {
            fixture.plan.layers[index].verdict = .excluded
            fixture.plan.layers[index].source = nil
        }
        let file = ReferenceBasemap(
            path: "/maps/town.tpk", content: .tiles, fileExtension: "tpk", sha256: "a", bytes: 4, tiles: 3, levels: 1...2,
            spatialReference: .wgs84)
        let job = Job(
            id: "downtown/basemap/basemap", area: "downtown", layers: [], reason: "new", key: "k", work: .basemap(file))
        fixture.parts.append(
            PackagedPart(job: job, source: "", sha256: "a", bytes: 4, fileExtension: "tpk", counts: [:], warnings: []))
        let json = try Self.document(fixture)
        let layers = try #require(json["baseMap"]?["baseMapLayers"]?.array)
        #expect(layers.map { $0["id"]?.string } == ["reference-basemap"])
        #expect(layers[0]["layerType"] == "ArcGISTiledMapServiceLayer" && layers[0]["title"] == "town")
        #expect(try Self.isMatch(layers[0]["path"]?.string, "file:\\./\(Self.uuid)\\.tpk"))
        #expect(layers[0]["url"] == nil && json["baseMap"]?["title"] == "town")
        #expect(json["spatialReference"]?["wkid"]?.int == 4326)
    }

    @Test("excluded layers go, groups that lose their last layer go with them, others stay")
    func excluded() throws {
        let json = try Self.document(try Fixture())
        #expect(json["operationalLayers"]?.array?.compactMap { $0["id"]?.string } == ["network", "kinds", "radar"])
        #expect(json["operationalLayers"]?[0]?["layers"]?.array?.compactMap { $0["id"]?.string } == ["hydrants"])
        #expect(json["tables"]?.array?.compactMap { $0["id"]?.string } == ["visits"])
        // The parts of a subtype group are no layers of their own.
        #expect(json["operationalLayers"]?[1]?["layers"]?.array?.count == 2)
        #expect(json["bookmarks"] == [["name": "Depot"]] && json["version"] == "2.31")
    }

    @Test("a layer without data keeps its place and its URL, and has no path")
    func onlineOnly() throws {
        var fixture = try Fixture()
        fixture.parts.removeAll { $0.job.kind == .tiles }
        let document = try MapDocument(plan: fixture.plan, area: fixture.area, parts: fixture.parts)
        let radar = document.json["operationalLayers"]?[2]
        #expect(radar?["url"] == "https://w.example.org/wms" && radar?["path"] == nil)
        #expect(document.json["baseMap"]?["baseMapLayers"]?[1]?["path"] == nil)
        #expect(document.paths.keys.sorted() == ["hydrants", "kinds", "vector", "visits"])
    }

    @Test("a layer that has nothing in the area goes where the manifest wants no online layers, and there only")
    func gap() throws {
        var fixture = try Fixture()
        fixture.parts.removeAll { $0.job.kind == .tiles }
        func layers(_ gap: PlannedGap) throws -> [String]? {
            fixture.plan.gaps = [gap]
            return try Self.document(fixture)["baseMap"]?["baseMapLayers"]?.array?.compactMap { $0["id"]?.string }
        }
        let label = LayerLabel(id: "tiled", title: "Hillshade")
        #expect(try layers(PlannedGap(area: "downtown", layer: label)) == ["vector", "tiled"])
        #expect(try layers(PlannedGap(area: "downtown", layer: label, staysOnline: false)) == ["vector"])
        #expect(try layers(PlannedGap(area: "uptown", layer: label, staysOnline: false)) == ["vector", "tiled"])
    }

    @Test("files of another area are not taken")
    func otherArea() throws {
        var fixture = try Fixture()
        fixture.parts = fixture.parts.map { part in
            var part = part
            part.job.id = "downtown-2" + part.job.id.dropFirst("downtown".count)
            return part
        }
        #expect(try MapDocument(plan: fixture.plan, area: fixture.area, parts: fixture.parts).paths.isEmpty)
    }

    @Test("what the runtime's classes require is there, and the map opens on the area")
    func completed() throws {
        var fixture = try Fixture()
        var json = try Self.document(fixture)
        #expect(json["baseMap"]?["title"]?.string?.isEmpty == false)
        #expect(json["spatialReference"] == ["wkid": 102100, "latestWkid": 3857])
        // The area's corners in Web Mercator: R·λ and R·ln tan(π/4 + φ/2).
        let target = try #require(json["initialState"]?["viewpoint"]?["targetGeometry"])
        #expect(target["spatialReference"] == ["wkid": 102100, "latestWkid": 3857])
        for (key, value) in [("xmin", -9813926.3083), ("ymin", 5125842.3266), ("xmax", -9811699.9185), ("ymax", 5128081.2670)] {
            #expect(abs(try #require(target[key]?.double) - value) < 0.001, "\(key)")
        }
        // What is there stays.
        fixture.plan.map.document = try JSON.parse(
            #"{"baseMap":{"title":"Mine","baseMapLayers":[]},"initialState":{"x":1,"viewpoint":{}},"spatialReference":{"wkid":4326}}"#
        )
        fixture.plan.map.spatialReference = .wgs84
        json = try Self.document(fixture)
        #expect(json["baseMap"]?["title"] == "Mine" && json["initialState"]?["x"] == 1)
        #expect(json["operationalLayers"] == [])
        let degrees = json["initialState"]?["viewpoint"]?["targetGeometry"]
        #expect(degrees?["xmin"] == -88.16 && degrees?["spatialReference"] == ["wkid": 4326])
        // A map without any base map.
        fixture.plan.map.document = try JSON.parse(#"{"operationalLayers":[]}"#)
        #expect(try Self.document(fixture)["baseMap"]?["baseMapLayers"] == [])
    }

    /// Every member of the runtime's own documents is in ours with the same type of value; the sample's map was preplanned and
    /// written by the runtime, so a few of its members have no counterpart.
    @Test("the shape of Esri's own folder", .enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func shape() throws {
        let sample = SharedFiles.path("samples/mmpk/canyonlands-exploded")
        let fixture = try Fixture()
        _ = try fixture.write()
        let info = try JSON.parse(Files.read(sample + "/package.info"))
        #expect(try Shape.missing(in: fixture.json("package.info"), of: info) == [])
        let theirs = try JSON.parse(Files.read(sample + "/p13/mobile_map.mmap"))
        let ours = try fixture.json("p13/mobile_map.mmap")
        #expect(ours.object?.keys.sorted() == theirs.object?.keys.sorted())
        #expect(Shape.missing(in: ours["item"] ?? .null, of: theirs["item"] ?? .null) == [])
        #expect(
            Shape.missing(in: ours["map"] ?? .null, of: theirs["map"] ?? .null)
                == ["referenceScale", "authoringApp", "authoringAppVersion"])
        // The folder: names of the same kinds in the same places. A preplanned area (.marea) has no counterpart.
        let data = try Files.list(sample + "/p13").map { name in
            name.hasPrefix("mobile_map") ? name : "\(Self.uuid)\\." + name.split(separator: ".").last!
        }
        for pattern in Set(data).subtracting(["mobile_map.marea"]) {
            let kinds = pattern.hasSuffix("tpk") ? pattern + "x?" : pattern
            #expect(try Files.list(fixture.folder.file("map/p13")).contains { try Self.isMatch($0, kinds) }, "\(pattern)")
        }
        let layers = [theirs["map"]?["baseMap"]?["baseMapLayers"], theirs["map"]?["operationalLayers"]]
        // Their layers' members that the writer of the folder adds (`path`, and what a layer needs) are in ours, of the same types; the
        // others are the web map's own and pass through as they are (tested above).
        let own = layers.flatMap { $0?.array ?? [] }.filter { $0["path"] != nil }
        let written = WebMapLayers.all(in: ours["map"] ?? .null).filter { $0["path"] != nil }
        #expect(!own.isEmpty && !written.isEmpty)
        for layer in own {
            let twin = try #require(
                written.first { $0["layerType"] == layer["layerType"] || ($0["layerType"] == nil && layer["popupInfo"] != nil) })
            let missing = Shape.missing(in: twin, of: layer)
            #expect(
                Set(missing).isSubset(of: [
                    "capabilities", "itemId", "opacity", "visibility", "layerType", "popupInfo", "layerDefinition",
                ]))
        }
        let pattern = "file:\\./\(Self.uuid)\\.(tpk|tpkx|vtpk|geodatabase)(\\?itemId=[0-9]+)?"
        for layer in layers.flatMap({ $0?.array ?? [] }) {
            // The pattern that ours are tested with is theirs.
            #expect(try Self.isMatch(layer["path"]?.string, pattern))
        }
    }
}

/// Layers of a map document, groups opened.
private enum WebMapLayers {
    static func all(in map: JSON) -> [JSON] {
        func flat(_ layers: [JSON]) -> [JSON] { layers.flatMap { [$0] + flat($0["layers"]?.array ?? []) } }
        return flat(map["baseMap"]?["baseMapLayers"]?.array ?? []) + flat(map["operationalLayers"]?.array ?? [])
    }
}

/// Compares JSON documents by names and types of members.
enum Shape {
    static func missing(in ours: JSON, of theirs: JSON) -> [String] {
        (theirs.object?.members ?? []).compactMap { member in
            guard let value = ours[member.key] else { return member.key }
            return kind(value) == kind(member.value) ? nil : "\(member.key): \(kind(value)), not \(kind(member.value))"
        }
    }

    private static func kind(_ value: JSON) -> String {
        switch value {
        case .null: "null"
        case .bool: "bool"
        case .integer, .number: "number"
        case .string: "string"
        case .array(let items): "[" + Set(items.map(kind)).sorted().joined(separator: "|") + "]"
        case .object: "object"
        }
    }
}
