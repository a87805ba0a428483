import Basics
import Formats
import Geography
import Planning

/// Proves a tile package against its plan: every bundle and tile is read, levels and counts are compared (design chapter 7).
enum TileProof {
    /// Blocks.
    static func prove(_ path: String, _ work: TileWork) throws(Failure) -> Proof {
        do throws(FormatError) {
            return work.service == .vector ? try vector(path, work) : try raster(path, work)
        } catch {
            throw Failure(.verify, error)
        }
    }

    private static func raster(_ path: String, _ work: TileWork) throws(FormatError) -> Proof {
        let facts = try TilePackage.inspect(path)
        var proof = Proof(fileExtension: facts.storage.fileExtension)
        let found = Dictionary(facts.levels.map { ($0.level, $0.tiles) }) { $0 + $1 }
        try compare(found, work, &proof, path: path)
        for tile in facts.damaged.prefix(20) {
            proof.warnings.append("tile \(tile.address.text) is damaged: \(tile.reason.rawValue)")
        }
        if facts.damaged.count > 20 { proof.warnings.append("\(facts.damaged.count) tiles are damaged") }
        return proof
    }

    private static func vector(_ path: String, _ work: TileWork) throws(FormatError) -> Proof {
        let facts = try VectorTilePackage.inspect(path)
        var proof = Proof(fileExtension: "vtpk")
        let found = Dictionary(facts.levels.map { ($0.level, $0.tiles) }) { $0 + $1 }
        try compare(found, work, &proof, path: path)
        for tile in facts.damaged.prefix(20) {
            proof.warnings.append("tile \(tile.address.text) is damaged: \(tile.reason.rawValue)")
        }
        for resource in facts.missingResources { proof.warnings.append("style resource \(resource) is missing") }
        return proof
    }

    /// A whole level that is missing means a cut export. Single missing tiles are normal: caches have holes, indexed vector
    /// packages more of them (formats.md 2); they are said with both numbers.
    private static func compare(_ found: [Int: Int], _ work: TileWork, _ proof: inout Proof, path: String) throws(FormatError) {
        for (level, tiles) in found where tiles > 0 { proof.counts["level \(level)"] = tiles }
        if found.values.reduce(0, +) == 0 {
            throw FormatError(.missing, file: path, expected: "\(work.levels.map(\.count).reduce(0, +)) tiles", found: "0 tiles")
        }
        for planned in work.levels where planned.count > 0 {
            let tiles = found[planned.level] ?? 0
            if tiles == 0 && work.service != .vector {
                throw FormatError(
                    .missing, file: path, entry: "level \(planned.level)", expected: "\(planned.count) tiles", found: "0 tiles")
            }
            if tiles < planned.count {
                proof.warnings.append("level \(planned.level): \(tiles) of \(planned.count) tiles are in the package")
            }
        }
    }
}

extension TileAddress {
    var text: String { "\(level)/\(row)/\(column)" }
}

extension CacheStorage {
    fileprivate var fileExtension: String {
        switch self {
        case .compactV1: "tpk"
        case .compactV2: "tpkx"
        }
    }
}

extension Failure {
    init(_ phase: Phase, _ error: FormatError) {
        let place = [error.entry, error.offset.map { "byte \($0)" }].compactMap { $0 }.joined(separator: ", ")
        let comparison: String? = error.expected.map { "expected \($0), found \(error.found ?? "nothing")" }
        let words = [comparison, error.detail].compactMap { $0 }.joined(separator: "; ")
        let isLocal = error.code == .unreadable || error.code == .misuse
        self.init(
            phase: phase, kind: isLocal ? .storage : .verification, message: "\(error.code.rawValue): \(words)",
            details: place.isEmpty ? [] : [place])
    }
}
