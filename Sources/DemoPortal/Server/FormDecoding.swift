/// `application/x-www-form-urlencoded`, byte by byte: `+` is a space, `%XX` a byte, the whole is UTF-8.
enum FormDecoding {
    static func parse(_ body: some Collection<UInt8>) -> [(name: String, value: String)] {
        body.split(separator: UInt8(ascii: "&")).map { item in
            let equals = item.firstIndex(of: UInt8(ascii: "="))
            let name = item[..<(equals ?? item.endIndex)]
            let value = equals.map { item[item.index(after: $0)...] }
            return (decode(name), value.map(decode) ?? "")
        }
    }

    static func decode(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index != text.endIndex {
            let byte = text[index]
            index = text.index(after: index)
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let value = hexByte(text, at: index) {
                bytes.append(value)
                index = text.index(index, offsetBy: 2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Escapes a path segment for an URL.
    static func escape(_ segment: some StringProtocol) -> String {
        var result = ""
        for byte in segment.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return result
    }

    private static func hexByte<Text: Collection<UInt8>>(_ text: Text, at index: Text.Index) -> UInt8? {
        guard let second = text.index(index, offsetBy: 1, limitedBy: text.endIndex), second != text.endIndex,
            index != text.endIndex,
            let high = hexDigit(text[index]), let low = hexDigit(text[second])
        else { return nil }
        return high << 4 | low
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
