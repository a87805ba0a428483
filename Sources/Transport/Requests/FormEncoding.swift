/// `application/x-www-form-urlencoded` text. Everything but the unreserved characters of RFC 3986 is percent-encoded as UTF-8, a
/// space as `%20`: the form that every server reads alike, in a body and in a query.
public enum FormEncoding {
    public static let contentType = "application/x-www-form-urlencoded"

    /// In the order given.
    public static func encode(_ parameters: [(String, String)]) -> String {
        parameters.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
    }

    /// Sorted by name, so that equal parameters give equal text.
    public static func encode(_ parameters: [String: String]) -> String {
        encode(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    public static func encode(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%"
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "0" + digits : digits
            }
        }
        return result
    }

    /// The parameters in their order; `+` and `%20` are spaces, what is not valid stays as it is.
    public static func decode(_ text: some StringProtocol) -> [(String, String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (unescape(parts[0]), parts.count > 1 ? unescape(parts[1]) : "")
        }
    }

    private static func unescape(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
            } else {
                result.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension HTTPRequest {
    public enum FormMethod: Sendable, Hashable {
        /// For operations that create something, and for secrets: a body is not logged.
        case post
        /// GET while the whole URL has at most 2,000 characters, else POST (REST reference 0.1). For reads only, so a POST that
        /// comes of it may be repeated.
        case getIfShort
    }

    /// A call with form parameters, in the query or in the body.
    public static func form(
        url: String, parameters: [(String, String)], method: FormMethod = .post, headers: [HTTPHeader] = [],
        timeouts: Timeouts = Timeouts()
    ) -> HTTPRequest {
        let form = FormEncoding.encode(parameters)
        let whole = form.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + form
        if method == .getIfShort && whole.count <= 2000 { return HTTPRequest(url: whole, headers: headers, timeouts: timeouts) }
        return HTTPRequest(
            method: .post, url: url, headers: headers + [HTTPHeader("Content-Type", FormEncoding.contentType)],
            body: Array(form.utf8), timeouts: timeouts, isIdempotent: method == .getIfShort)
    }

    /// As above; the parameters are sorted by name.
    public static func form(
        url: String, parameters: [String: String], method: FormMethod = .post, headers: [HTTPHeader] = [],
        timeouts: Timeouts = Timeouts()
    ) -> HTTPRequest {
        form(
            url: url, parameters: parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, method: method,
            headers: headers,
            timeouts: timeouts)
    }
}
