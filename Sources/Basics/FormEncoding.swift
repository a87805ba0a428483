/// `application/x-www-form-urlencoded` text, of queries and of bodies. Everything but the unreserved characters of RFC 3986 is
/// percent-encoded as UTF-8, a space as `%20`: the form that every server reads alike, in a body and in a query.
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

    /// One name, value or path segment.
    public static func encode(_ text: some StringProtocol) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += (digits.count == 1 ? "%0" : "%") + digits
            }
        }
        return result
    }

    /// The parameters in their order; `+` and `%20` are spaces, what is not valid stays as it is.
    public static func decode(_ text: some StringProtocol) -> [(String, String)] { decode(bytes: text.utf8) }

    /// As above, of a body.
    public static func decode(bytes: some Collection<UInt8>) -> [(String, String)] {
        bytes.split(separator: UInt8(ascii: "&")).map { pair in
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            return (unescaped(pair[..<equals]), unescaped(pair[equals...].dropFirst()))
        }
    }

    /// One name or value.
    public static func unescaped(_ text: some Collection<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                result.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let value = hexByte(rest.prefix(2)) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexByte(_ digits: some Collection<UInt8>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        return digits.reduce(UInt8?.some(0)) { value, digit in
            let number: UInt8? =
                switch digit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
                case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
                case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
                default: nil
                }
            return value.flatMap { value in number.map { value << 4 | $0 } }
        }
    }
}
