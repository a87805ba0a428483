import Glibc

/// What a client may send back to prove that its partial file is of the same content.
struct FileValidators: Sendable, Hashable {
    var etag: String
    var lastModified: String

    init(size: Int, seconds: Int, nanoseconds: Int) {
        etag = "\"\(String(size, radix: 16))-\(String(seconds, radix: 16))-\(String(nanoseconds, radix: 16))\""
        lastModified = HTTPDate.text(seconds: seconds)
    }
}

enum HTTPDate {
    /// RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(seconds: Int) -> String {
        var clock = time_t(seconds)
        var parts = tm()
        gmtime_r(&clock, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let two = { (number: Int32) in (number < 10 ? "0" : "") + String(number) }
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}

/// A single `Range` of RFC 9110; several ranges at once are answered with the whole, which the RFC allows.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    static func answer(to headers: Headers, size: Int, validators: FileValidators) -> ByteRange {
        guard let text = headers["range"], text.hasPrefix("bytes="), !text.contains(",") else { return .whole }
        if let condition = headers["if-range"], condition != validators.etag, condition != validators.lastModified {
            return .whole
        }
        let ends = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        let first = Int(ends[0].trimmed)
        let last = Int(ends[1].trimmed)
        switch (first, last) {
        case (let first?, let last):
            if first >= size { return .unsatisfiable }
            let end = min(last.map { $0 + 1 } ?? size, size)
            return end > first ? .part(first..<end) : .whole
        case (nil, let suffix?):
            return suffix > 0 && size > 0 ? .part(max(0, size - suffix)..<size) : .unsatisfiable
        case (nil, nil): return .whole
        }
    }
}
