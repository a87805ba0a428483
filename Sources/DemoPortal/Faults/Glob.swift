/// `*` for any text, `?` for one character. Used on URL paths and service names.
enum Glob {
    static func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern.utf8)
        let text = Array(text.utf8)
        var p = 0
        var t = 0
        var star: (pattern: Int, text: Int)?
        while t < text.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                star = (p, t)
                p += 1
            } else if p < pattern.count, pattern[p] == text[t] || pattern[p] == UInt8(ascii: "?") {
                p += 1
                t += 1
            } else if let back = star {
                star = (back.pattern, back.text + 1)
                p = back.pattern + 1
                t = back.text + 1
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
