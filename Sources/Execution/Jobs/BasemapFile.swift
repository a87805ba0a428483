import Basics
import Formats
import Geography
import Planning

/// The file of a reference base map: looked into when planning, copied when running. All of it blocks, off the pool.
public enum BasemapFile {
    /// What the file is and that it is whole: every tile, every checksum. Fails with a reason for the user.
    public static func inspect(_ path: String) async throws(Failure) -> ReferenceBasemap {
        try await offPool { () throws(Failure) in
            let name = Paths.name(path)
            guard Files.exists(path) else { throw refused("referenceBasemap: there is no file \(path)") }
            let kind = ending(of: name)
            do {
                switch kind {
                case "tpk", "tpkx": return try tiles(path)
                case "vtpk": return try vectorTiles(path)
                case "mbtiles": return try mbtiles(path)
                default:
                    throw refused("referenceBasemap: \(name) is neither .tpkx, .tpk, .vtpk nor .mbtiles")
                }
            } catch let error as FormatError {
                let words = Failure(.plan, error)
                throw refused("referenceBasemap: \(name) is not a usable .\(kind): \(words.message)", words.details)
            } catch let error as SystemError {
                throw refused("referenceBasemap: \(path): \(error.message)")
            } catch let failure as Failure {
                throw failure
            } catch {
                throw Failure(phase: .plan, kind: .internal, message: "\(error)")
            }
        }
    }

    /// Puts it at `destination`, as it comes into the map. The file must still be the one that was planned.
    static func copy(_ basemap: ReferenceBasemap, to destination: String) async throws(Failure) -> Proof {
        try await offPool { () throws(Failure) in
            do {
                guard try SHA256.hex(ofFile: basemap.path) == basemap.sha256 else {
                    throw Failure(
                        phase: .verify, kind: .permanent, message: "\(basemap.path) has changed since the plan was made",
                        details: ["run it again"])
                }
                if basemap.isRepacked {
                    let file = try MBTiles(opening: basemap.path)
                    try file.repack(as: try file.inspect(), title: basemap.title, to: destination)
                } else {
                    try Files.copy(basemap.path, to: destination)
                    // A copy of a file that changes meanwhile is neither the old nor the new one.
                    guard try SHA256.hex(ofFile: destination) == basemap.sha256 else {
                        throw Failure(
                            phase: .verify, kind: .transient, message: "\(basemap.path) changed while it was copied")
                    }
                }
                return Proof(
                    fileExtension: basemap.fileExtension, warnings: basemap.warnings, counts: ["tiles": basemap.tiles])
            } catch let error as FormatError {
                throw Failure(.verify, error)
            } catch let error as SystemError {
                throw error.path == basemap.path
                    ? Failure(phase: .verify, kind: .permanent, message: "\(error.path): \(error.message)")
                    : Failure(.state, error)
            } catch let failure as Failure {
                throw failure
            } catch {
                throw Failure(phase: .verify, kind: .internal, message: "\(error)")
            }
        }
    }

    private static func ending(of name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    private static func tiles(_ path: String) throws -> ReferenceBasemap {
        let facts = try TilePackage.inspect(path)
        return try basemap(
            path, .tiles, facts.storage == .compactV1 ? "tpk" : "tpkx", facts.levels, facts.scheme, facts.extent,
            facts.damaged.count)
    }

    private static func vectorTiles(_ path: String) throws -> ReferenceBasemap {
        let facts = try VectorTilePackage.inspect(path)
        guard facts.style != nil else {
            throw refused(
                "referenceBasemap: \(Paths.name(path)) holds no usable style, without which nothing is drawn",
                [facts.styleProblem].compactMap { $0 })
        }
        return try basemap(path, .vectorTiles, "vtpk", facts.levels, facts.scheme, facts.extent, facts.damaged.count)
    }

    private static func mbtiles(_ path: String) throws -> ReferenceBasemap {
        let facts = try MBTiles(opening: path).inspect()
        if facts.isVector {
            throw refused(
                "referenceBasemap: \(Paths.name(path)) holds vector tiles without a style, which the ArcGIS Maps SDK does not read",
                ["make a .vtpk of it, or give an .mbtiles with PNG or JPEG tiles"])
        }
        guard facts.packageImage != nil else {
            let kinds = facts.signatures.map(\.rawValue).sorted().joined(separator: " and ")
            throw refused("referenceBasemap: \(Paths.name(path)) holds \(kinds) tiles; a tile package takes PNG and JPEG")
        }
        var found = try basemap(
            path, .tiles, "tpkx", facts.levels, .webMercator(tileSize: facts.tileSize ?? 256), facts.extent, facts.damaged.count)
        found.isRepacked = true
        return found
    }

    private static func basemap(
        _ path: String, _ content: ReferenceBasemap.Content, _ ending: String, _ levels: [LevelCount], _ scheme: TilingScheme,
        _ extent: Envelope?, _ damaged: Int
    ) throws -> ReferenceBasemap {
        let held = levels.filter { $0.tiles > 0 }
        let tiles = held.reduce(0) { $0 + $1.tiles }
        guard let first = held.first?.level, let last = held.last?.level, first <= last, damaged < tiles else {
            throw refused("referenceBasemap: \(Paths.name(path)) holds no \(tiles == 0 ? "" : "good ")tile")
        }
        return ReferenceBasemap(
            path: path, content: content, fileExtension: ending, sha256: try SHA256.hex(ofFile: path),
            bytes: try Files.size(path),
            tiles: tiles, levels: first...last, spatialReference: scheme.spatialReference, extent: extent,
            warnings: damaged == 0 ? [] : ["\(damaged) of \(tiles) tiles are damaged"])
    }

    private static func refused(_ message: String, _ details: [String] = []) -> Failure {
        Failure(phase: .plan, kind: .permanent, message: message, details: details)
    }
}
