import Foundation

/// Lengths, durations, sizes and level ids as people write them.
enum Quantities {
    static let lengthPattern = "^[0-9]+([.][0-9]+)? ?(m|km|ft|mi)$"
    static let durationPattern = "^(?=.*[1-9])[0-9]+([.][0-9]+)? ?(ms|s|min|h|d)$"
    static let bytesPattern = "^(?=.*[1-9])[0-9]{1,15}([.][0-9]{1,3})? ?(B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)$"
    static let ageWords = ["always", "never"]
    static let levelsPattern: String = {
        let level = "(0|[1-9][0-9]?)"
        let range = "\(level)( ?- ?\(level))?"
        return "^\(range)( ?, ?\(range))*$"
    }()
    static let maximumLevel = 99

    private static let metres = ["m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.344]
    private static let bytes: [String: Double] = [
        "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30, "TiB": 0x1p40,
    ]
    private static let seconds = ["ms": 0.001, "s": 1, "min": 60, "h": 3600, "d": 86400]

    /// Metres of a text that has the form of `lengthPattern`.
    static func length(_ text: String) -> Double? { amount(text, metres) }
    /// At least 1; more than any disk holds is as good as no limit.
    static func bytes(_ text: String) -> Int? { amount(text, bytes).map { Int(max(1, min($0.rounded(), 1e18))) } }
    static func duration(_ text: String) -> Duration? { amount(text, seconds).map(duration(seconds:)) }

    /// At most 30 years: `Duration` traps on what it cannot hold.
    static func duration(seconds: Double) -> Duration { .seconds(min(seconds, 1e9)) }

    private static func amount(_ text: String, _ units: [String: Double]) -> Double? {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let unit = text.dropFirst(number.count).drop { $0 == " " }
        guard let value = Double(number), let factor = units[String(unit)] else { return nil }
        return value * factor
    }

    /// Sorted, without duplicates; nil when a range runs backwards or the text has another form.
    static func levels(_ text: String) -> [Int]? {
        var levels: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
                Int($0.trimmingCharacters(in: .whitespaces))
            }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last, last <= maximumLevel
            else { return nil }
            levels.formUnion(first...last)
        }
        return levels.sorted()
    }
}

/// Whether `text` holds a match of `pattern`. ICU lets `$` stand before a last line break; ECMAScript and the schema do not.
func matches(_ text: String, _ pattern: String) -> Bool {
    let exact = pattern.hasSuffix("$") ? pattern.dropLast() + #"\z"# : pattern[...]
    return text.range(of: exact, options: .regularExpression) != nil
}
