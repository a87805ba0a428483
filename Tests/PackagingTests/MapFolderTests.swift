import Basics
import Geography
import Manifest
import Planning
import TestSupport
import Testing

@testable import Packaging

@Suite("Map folder")
struct MapFolderTests {
    private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    @Test("the files of the folder, by kind")
    func files() throws {
        var fixture = try Fixture()
        fixture.thumbnail = Thumbnail(bytes: Self.picture)
        let bytes = try fixture.write()
        let files = try fixture.files()
        #expect(files.filter { !$0.contains("/") } == ["inventory.json", "package.info", "thumbnail.png"])
        let data = files.filter { $0.hasPrefix("p13/") }.map { $0.dropFirst(4) }
        #expect(data.filter { $0.hasSuffix(".geodatabase") || $0.hasSuffix(".tpkx") || $0.hasSuffix(".vtpk") }.count == 3)
        // The style is unpacked, its paths as they are.
        let style = data.filter { $0.contains("/") }.map { String($0.split(separator: "/", maxSplits: 1)[1]) }
        #expect(style == ["fonts/Arial Bold/0-255.pbf", "sprites/sprite.png", "styles/root.json"])
        #expect(data.count == 3 + 3 + 1)
        #expect(try files.map { try Files.size(fixture.folder.file("map/\($0)")) }.reduce(0, +) == bytes)
    }

    @Test("file names are the same every night")
    func stableNames() throws {
        let fixture = try Fixture()
        _ = try fixture.write(to: "monday")
        _ = try fixture.write(to: "tuesday")
        #expect(try fixture.files(in: "monday") == fixture.files(in: "tuesday"))
        #expect(
            try fixture.json("p13/mobile_map.mmap", in: "monday") == fixture.json("p13/mobile_map.mmap", in: "tuesday"))
    }

    /// formats.md 4.2: milliseconds, degrees, 32 lower-case hexadecimal digits.
    @Test("package.info and the map's item")
    func descriptions() throws {
        var fixture = try Fixture()
        fixture.thumbnail = Thumbnail(bytes: Self.picture)
        _ = try fixture.write()
        let info = try fixture.json("package.info")
        #expect(info["created"] == .integer(Fixture.created) && info["modified"] == .integer(Fixture.created))
        #expect(info["extent"] == [[-88.16, 41.765], [-88.14, 41.78]])
        #expect(info["maps"] == ["mobile_map"] && info["name"] == "mobile_map")
        #expect(info["type"] == "Mobile Map Package" && info["version"] == "3.2")
        #expect(info["spatialReference"] == "WGS_1984_Web_Mercator_Auxiliary_Sphere")
        #expect(info["title"]?.string?.contains("Water") == true && info["title"]?.string?.contains("downtown") == true)
        #expect(info["guid"]?.string?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        // From the portal's item; its null is left out.
        #expect(info["snippet"] == "The network" && info["tags"] == ["water"] && info["description"] == nil)
        #expect(info["thumbnail"] == "data:image/png;base64,iVBORw0KGgo=")
        let item = try fixture.json("p13/mobile_map.mmap")["item"]
        #expect(item?["originalPortalItemId"] == "map1" && item?["portalUrl"] == "https://gis.example.org/portal")
        #expect(item?["type"] == "Mobile Map" && item?["guid"] == info["guid"])
    }

    @Test("itemInfo of the manifest stands in the place of what the item says")
    func itemInfo() throws {
        var fixture = try Fixture()
        fixture.plan.map.itemInfo = ItemInfo(title: "By night", tags: ["a"], description: "D")
        _ = try fixture.write()
        for item in [try fixture.json("package.info"), try #require(try fixture.json("p13/mobile_map.mmap")["item"])] {
            #expect(item["title"] == "By night – downtown" && item["tags"] == ["a"] && item["description"] == "D")
            #expect(item["snippet"] == "The network")
        }
        #expect(try fixture.json("inventory.json")["webMap"]?["title"] == "Water")
    }

    @Test("an area across the antimeridian is its own box, not the whole earth")
    func antimeridian() throws {
        var fixture = try Fixture()
        let sides = [
            Envelope(xmin: 177, ymin: -19, xmax: 180, ymax: -16), Envelope(xmin: -180, ymin: -19, xmax: -178, ymax: -16),
        ]
        fixture.area.shape = .polygon(Polygon(rings: sides.map(\.ring)))
        _ = try fixture.write()
        #expect(try fixture.json("package.info")["extent"] == [[177, -19], [182, -16]])
    }

    @Test("an area in metres has its extent in degrees")
    func extent() throws {
        var fixture = try Fixture()
        // 20037508.342789 / 180 m a degree on the equator.
        fixture.area.shape = .envelope(Envelope(xmin: 0, ymin: 0, xmax: 111319.490793, ymax: 111325.142866))
        fixture.area.spatialReference = .webMercator
        _ = try fixture.write()
        #expect(try fixture.json("package.info")["extent"] == [[0, 0], [1, 1]])
    }

    @Test("a picture is what begins like one: servers answer errors as pages")
    func thumbnails() {
        #expect(Thumbnail(bytes: Array("<html>".utf8)) == nil && Thumbnail(bytes: []) == nil)
        #expect(Thumbnail(bytes: [0xFF, 0xD8, 0xFF, 0xE0])?.fileName == "thumbnail.jpeg")
        #expect(Thumbnail(bytes: Array("GIF89a".utf8))?.fileName == "thumbnail.gif")
    }

    @Test("the inventory lists every file with its hash, every layer with its reason, every source with its request")
    func inventory() throws {
        var fixture = try Fixture()
        fixture.plan.gaps = [PlannedGap(area: "downtown", layer: LayerLabel(id: "tiled", title: "Hillshade"))]
        fixture.parts.removeAll { $0.job.kind == .tiles }
        _ = try fixture.write()
        let inventory = try fixture.json("inventory.json")
        let listed = inventory["files"]?.array ?? []
        #expect(listed.compactMap { $0["path"]?.string } == (try fixture.files().filter { $0 != "inventory.json" }))
        for file in listed {
            let bytes = try Files.read(fixture.folder.file("map/" + (file["path"]?.string ?? "")))
            #expect(file["sha256"]?.string == SHA256.hex(of: bytes) && file["bytes"]?.int == bytes.count)
        }
        let layers = inventory["layers"]?.array ?? []
        #expect(layers.compactMap { $0["id"]?.string } == fixture.plan.layers.map(\.id))
        func layer(_ id: String) -> JSON? { layers.first { $0["id"]?.string == id } }
        #expect(layer("radar")?["verdict"] == "online only" && layer("radar")?["reason"] == "because of radar")
        #expect(layer("tiled")?["verdict"] == "online only" && layer("tiled")?["path"] == .null)
        #expect(layer("tiled")?["reason"] == "The service has no tiles in this area.")
        #expect(layer("abandoned")?["verdict"] == "excluded")
        let document = try fixture.json("p13/mobile_map.mmap")["map"]
        #expect(layer("hydrants")?["path"] == document?["operationalLayers"]?[0]?["layers"]?[0]?["path"])

        let replica = inventory["sources"]?.array?.first { $0["kind"] == "replica" }
        #expect(replica?["url"]?.string == Fixture.water + "/createReplica" && replica?["parameters"] == ["f1": "v1"])
        #expect(replica?["counts"] == ["Hydrant": 12])
        let path = replica?["path"]?.string ?? ""
        #expect(try SHA256.hex(of: Files.read(fixture.folder.file("map/" + path))) == replica?["sha256"]?.string)
        #expect(inventory["plan"]?.string == fixture.plan.hash && inventory["webMap"]?["id"] == "map1")
        #expect(inventory["areaOfInterest"]?["spatialReference"] == ["wkid": 4326])
    }
}
