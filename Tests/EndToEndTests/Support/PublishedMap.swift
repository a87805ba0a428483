import Basics
import Foundation

/// The folder that `current` of an area points to.
struct PublishedMap {
    let folder: String
    /// The target of `current`.
    let link: String
    let inventory: JSON
    let information: JSON
    /// `p13/mobile_map.mmap`: `item` and `map`.
    let document: JSON

    init(output: String, area: String) throws {
        folder = "\(output)/\(area)/current"
        link = try FileManager.default.destinationOfSymbolicLink(atPath: folder)
        inventory = try JSON.parse(Files.read(folder + "/inventory.json"))
        information = try JSON.parse(Files.read(folder + "/package.info"))
        document = try JSON.parse(Files.read(folder + "/p13/mobile_map.mmap"))
    }

    /// All layers and tables, groups opened, base map first.
    var layers: [JSON] { Self.layers(of: document["map"] ?? [:]) }

    static func layers(of map: JSON) -> [JSON] {
        func flat(_ layers: [JSON]) -> [JSON] {
            layers.flatMap { $0["layerType"] == "GroupLayer" ? flat($0["layers"]?.array ?? []) : [$0] }
        }
        return flat(map["baseMap"]?["baseMapLayers"]?.array ?? []) + flat(map["operationalLayers"]?.array ?? [])
            + (map["tables"]?.array ?? [])
    }

    /// What one job brought.
    func source(_ kind: String) -> JSON? { inventory["sources"]?.array?.first { $0["kind"]?.string == kind } }
    func file(of kind: String) -> String { "\(folder)/\(source(kind)?["path"]?.string ?? "no-such-file")" }

    /// Paths below the folder of all files in it.
    func files() throws -> Set<String> {
        func walk(_ path: String) throws -> [String] {
            try Files.list(folder + "/" + path).flatMap { name -> [String] in
                let child = path.isEmpty ? name : "\(path)/\(name)"
                return Files.isDirectory("\(folder)/\(child)") ? try walk(child) : [child]
            }
        }
        return Set(try walk(""))
    }
}
