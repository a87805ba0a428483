/// `Content-Range: bytes 100-199/200` (RFC 9110); the total is nil when the server says `*`.
struct ContentRange: Equatable {
    var start: Int
    var end: Int
    var total: Int?

    /// The total in `bytes */200`, which says why a range cannot be had.
    static func unsatisfiedTotal(_ text: String?) -> Int? {
        guard let text, text.lowercased().hasPrefix("bytes */") else { return nil }
        return Int(text.dropFirst(8).filter { $0 != " " })
    }

    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/")
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-").compactMap { Int($0.filter { $0 != " " }) }
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        (start, end, total) = (ends[0], ends[1], Int(parts[1].filter { $0 != " " }))
    }
}
