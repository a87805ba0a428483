/// Status and headers of the answer that is coming in, line by line.
struct ResponseHead {
    private(set) var status = 0
    private(set) var headers: [HTTPHeader] = []
    private var bytes = 0
    /// Of all heads together that come before the body; ArcGIS sends less than a thousandth of it.
    static let limit = 256 << 10
    /// The server sends headers without end.
    var isTooLarge: Bool { bytes > Self.limit }

    /// A status line starts a new answer: informational ones (100) come before the real one.
    mutating func add(line: String) {
        bytes += line.utf8.count
        if isTooLarge { return }
        let line = line.trimmingNewline
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append(HTTPHeader(String(line[..<colon]), String(value)))
        }
    }

    /// What a later request can name this content by: a strong entity tag, else the time of change (RFC 9110, `If-Range`).
    var validator: String? {
        if let tag = headers["ETag"], tag.hasPrefix("\"") { return tag }
        return headers["ETag"] == nil ? headers["Last-Modified"] : nil
    }
}

extension String {
    fileprivate var trimmingNewline: String {
        var text = self[...]
        while let last = text.unicodeScalars.last, last == "\r" || last == "\n" || last == " " {
            text.unicodeScalars.removeLast()
        }
        return String(text)
    }
}
