import Basics
import Transport

/// Tells an error that was sent instead of a file from the file itself, by its content (cases B04).
public enum ErrorBody {
    /// `bytes` are the beginning of the body, at best all of it. nil when they are no error: JSON without an error is a file
    /// like any other. `contentType` decides only where the bytes do not: nothing is expected of an empty body.
    public static func check(_ bytes: some Collection<UInt8>, contentType: String? = nil, url: String = "") -> ArcGISError? {
        let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) || [0xEF, 0xBB, 0xBF].contains($0) }
        guard let first = start.first else {
            return ArcGISError(kind: .unexpectedAnswer(what: "an empty body", excerpt: ""), url: url)
        }
        if first == UInt8(ascii: "{"), let answer = try? JSON.parse(Array(bytes), limit: JSON.foreignLimit),
            let kind = ErrorEnvelope.error(in: answer)
        {
            return ArcGISError(kind: kind, url: url, httpStatus: 200)
        }
        // Cache descriptions are XML files that were asked for; a page is HTML.
        if first == UInt8(ascii: "<"), let page = HTMLPage(start), isPage(start, contentType: contentType) {
            return ArcGISError(kind: .notJSON(title: page.title, code: page.code, syntax: nil), url: url, httpStatus: 200)
        }
        return nil
    }

    private static func isPage(_ bytes: some Collection<UInt8>, contentType: String?) -> Bool {
        if contentType?.lowercased().hasPrefix("text/html") == true { return true }
        let head = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
        return head.hasPrefix("<!doctype html") || head.contains("<html")
    }
}
