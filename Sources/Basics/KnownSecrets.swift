import Glibc
import Synchronization

/// The values of all secrets that this process has held, so that they are masked wherever they turn up: in the words of a server, of
/// a library, under a name that nobody thought of. What is a secret by its name is the business of `SecretNames`.
///
/// One list for the process: a value is secret wherever it stands, and text leaves at many places.
public enum KnownSecrets {
    /// Shorter values are parts of too many words: they are masked only where they stand alone (`ShortSecret`).
    public static let minimumLength = 8
    /// Still shorter ones stand alone in half of all texts, and are none.
    static let minimumAlone = 3

    private struct Values {
        var whole: Set<String> = []
        /// The spellings of the values that are long enough to be looked for anywhere, longest first.
        var spellings: [String] = []
        /// Those of the others.
        var short: [ShortSecret] = []
        /// Where the short ones came from.
        var shortSources: Set<String> = []
    }

    private static let values = Mutex(Values())

    /// - Parameter source: what the user calls it: "environment variable PASSWORD".
    public static func add(_ value: String, from source: String? = nil) {
        values.withLock { values in
            let isShort = value.utf8.count < minimumLength
            if isShort, let source { values.shortSources.insert(source) }
            guard !value.isEmpty, values.whole.insert(value).inserted else { return }
            let encoded = FormEncoding.encode(value)
            let spelt: Set = [value, encoded, encoded.lowercased(), inJSON(value), inHTML(value)]
            if value.utf8.count < minimumAlone { return }
            if isShort {
                values.short += spelt.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.map(ShortSecret.init)
            } else {
                values.spellings = Set(values.spellings).union(spelt).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
            }
        }
    }

    /// Sources of secrets that are too short to be masked wherever they turn up, sorted.
    public static var shortSources: [String] { values.withLock(\.shortSources).sorted() }

    /// The text with every known value replaced, plain, percent-encoded or escaped as in JSON or HTML. For whole documents: short values
    /// stay, because they may be words of the document's own.
    public static func masked(_ text: String) -> String {
        let spellings = values.withLock(\.spellings)
        var text = text
        for spelling in spellings { text.mask(spelling) }
        return text
    }

    /// Running text of others: short values are masked, too, where they stand alone.
    static func maskedWords(_ text: String) -> String {
        values.withLock(\.short).reduce(masked(text)) { $1.masked(in: $0) }
    }

    /// A URL without the parameters whose value is a secret of ours: some servers write the token of a request into the addresses that
    /// they give. The parameters of others stay: a signature is what makes its URL work.
    public static func removed(from url: String) -> String {
        let (address, query) = split(url)
        guard let query else { return url }
        let whole = values.withLock(\.whole)
        let parameters = query.pieces(between: "&")
        let kept = parameters.filter { pair in
            guard let equals = pair.firstIndex(ofSign: "=") else { return true }
            return !whole.contains(FormEncoding.unescaped(pair[equals...].utf8.dropFirst()))
        }
        if kept.count == parameters.count { return url }
        return kept.isEmpty ? address : address + "?" + kept.joined(separator: "&")
    }

    private static func split(_ url: String) -> (address: String, query: Substring?) {
        guard let mark = url.firstIndex(ofSign: "?") else { return (url, nil) }
        let rest = url[url.unicodeScalars.index(after: mark)...]
        return (String(url[..<mark]), rest[..<(rest.firstIndex(ofSign: "#") ?? rest.endIndex)])
    }

    private static func inJSON(_ value: String) -> String { String(JSON.string(value).serialized().dropFirst().dropLast()) }

    private static func inHTML(_ value: String) -> String {
        value.escaping(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
    }
}

extension String {
    /// Byte by byte: a page is megabytes, and a value is found whatever stands around it.
    fileprivate mutating func mask(_ value: String) {
        let wanted = Array(value.utf8)
        let masked = withUTF8 { text -> [UInt8]? in
            var masked: [UInt8] = []
            var copied = 0
            while let found = text.firstPlace(of: wanted, from: copied) {
                masked += text[copied..<found]
                masked += Redaction.mark.utf8
                copied = found + wanted.count
            }
            return copied == 0 ? nil : masked + text[copied...]
        }
        if let masked { self = String(decoding: masked, as: UTF8.self) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func firstPlace(of value: [UInt8], from start: Int) -> Int? {
        var place = start
        while place + value.count <= count, let base = baseAddress, let first = value.first {
            // Where its first byte stands it may begin.
            guard let next = memchr(base + place, Int32(first), count - value.count + 1 - place) else { return nil }
            if memcmp(next, value, value.count) == 0 { return UnsafeRawPointer(base).distance(to: next) }
            place = UnsafeRawPointer(base).distance(to: next) + 1
        }
        return nil
    }
}
