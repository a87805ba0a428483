import Basics
import Geography

/// `levels` with `exportBy`: `0,1,2`, `0-5`, `0-5,7,9-11`; or exact scales or resolutions of the scheme (REST reference 6.4).
enum LevelList {
    static func read(_ text: String?, exportBy: String?, scheme: TilingScheme) throws(RESTError) -> [Int] {
        let known = scheme.levels
        guard let text else { return known.map(\.level) }
        switch exportBy?.lowercased() {
        case nil, "levelid", "level": return try ids(text, known: Set(known.map(\.level)))
        case "scale": return try exact(text, known.map { ($0.level, $0.scale) })
        case "resolution": return try exact(text, known.map { ($0.level, $0.resolution) })
        default: throw .invalidParameters("'exportBy' parameter is invalid")
        }
    }

    private static func ids(_ text: String, known: Set<Int>) throws(RESTError) -> [Int] {
        var levels: Set<Int> = []
        for item in text.split(separator: ",") {
            let ends = item.split(separator: "-").map { Int($0.trimmed) }
            guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last,
                last < 100
            else {
                throw .invalidParameters("'levels' parameter is invalid: \(item.trimmed)")
            }
            for level in first...last {
                guard known.contains(level) else { throw .invalidParameters("Level \(level) is not part of the tiling scheme.") }
                levels.insert(level)
            }
        }
        if levels.isEmpty { throw .invalidParameters("'levels' parameter is invalid") }
        return levels.sorted()
    }

    private static func exact(_ text: String, _ known: [(level: Int, value: Double)]) throws(RESTError) -> [Int] {
        var levels: Set<Int> = []
        for item in text.split(separator: ",") {
            guard let value = Double(item.trimmed), let match = known.first(where: { abs($0.value - value) <= $0.value * 1e-6 })
            else {
                throw .invalidParameters("\(item.trimmed) is no scale or resolution of the tiling scheme.")
            }
            levels.insert(match.level)
        }
        return levels.sorted()
    }
}
