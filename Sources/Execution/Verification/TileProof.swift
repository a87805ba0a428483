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
        proof.warnings += warnings(facts.damaged)
        return proof
    }

    private static func vector(_ path: String, _ work: TileWork) throws(FormatError) -> Proof {
        let facts = try VectorTilePackage.inspect(path)
        var proof = Proof(fileExtension: "vtpk")
        let found = Dictionary(facts.levels.map { ($0.level, $0.tiles) }) { $0 + $1 }
        try compare(found, work, &proof, path: path)
        proof.warnings += warnings(facts.damaged)
        if let problem = facts.styleProblem { proof.warnings.append("the style in the package: \(problem)") }
        proof.warnings += missing(facts.missingResources + facts.missingSprites)
        return proof
    }

    /// A font without glyphs lacks 256 files: they are one fact.
    private static func missing(_ resources: [String]) -> [String] {
        let folders = Dictionary(grouping: resources, by: Paths.parent)
        return folders.sorted { $0.key < $1.key }.flatMap { folder, files in
            guard files.count > 3, let first = files.first, let last = files.last else {
                return files.map { "style resource \($0) is missing in the package" }
            }
            return [
                "\(files.count) style resources in \(folder) are missing in the package, \(Paths.name(first)) to \(Paths.name(last))"
            ]
        }
    }

    /// Each damaged tile as far as a person would read on, then their number.
    private static func warnings(_ damaged: [DamagedTile]) -> [String] {
        let shown = damaged.prefix(10).map { "tile \($0.address.text) is damaged in the package: \($0.reason.words)" }
        return damaged.count > 10 ? shown + ["\(damaged.count) tiles are damaged in the package"] : Array(shown)
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

extension DamagedTile.Reason {
    fileprivate var words: String {
        switch self {
        case .unknownSignature(let bytes): "it begins with \(bytes), which no tile format does"
        case .sizeMismatch(let index, let prefix): "\(prefix) bytes stand before it, \(index) in the index"
        case .badCompression(let code): "its compression is broken (\(code))"
        case .notAVectorTile(let what): "it is no vector tile: \(what)"
        case .brokenElevation(let code): "its heights cannot be decoded (liblerc \(code))"
        case .wrongSize(let width, let height): "it holds \(width) × \(height) heights, which no tile of this cache does"
        case .unknownLevel: "its level is not in the tiling scheme"
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
