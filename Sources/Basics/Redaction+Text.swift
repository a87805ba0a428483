extension Redaction {
    /// Running text, whoever wrote it: servers quote requests in their errors, libraries quote URLs (cases H08). Masked are the
    /// values in `name=value`, `name%3Dvalue`, `"name":"value"`, `Authorization: value` and `Bearer value`, and every value that this
    /// process knows as a secret, short ones where they stand alone.
    public static func text(_ text: String) -> String {
        let text = KnownSecrets.maskedWords(text)
        var scanner = SecretScanner(text)
        return scanner.masked() ?? text
    }
}

/// Reads a text from left to right and copies it, but for the values of secrets.
private struct SecretScanner {
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    /// nil when there is no secret.
    mutating func masked() -> String? {
        var copied = 0
        while index < bytes.count {
            guard Self.initials[Int(bytes[index])], isWordStart, let value = valueStart() else {
                index += 1
                continue
            }
            let end = bytes[value...].firstIndex { Self.ends.contains($0) } ?? bytes.count
            index = max(end, index + 1)
            guard end > value else { continue }
            output += bytes[copied..<value] + Array(Redaction.mark.utf8)
            copied = end
        }
        return copied == 0 ? nil : String(decoding: output + bytes[copied...], as: UTF8.self)
    }

    private static let ends = Set(" \t\r\n&\"',;<>)}]".utf8)
    private static let names = SecretNames.always.map { Array($0.utf8) }
    private static let bearer = Array("bearer ".utf8)
    private static let authorization = Array("authorization".utf8)
    private static let encodedEquals = Array("%3d".utf8)
    /// By byte: one of the words begins with it. Reports are megabytes, and next to no word of them is a secret's name.
    private static let initials: [Bool] = {
        let first = Set((names + [bearer, authorization]).map { $0[0] })
        return (0...UInt8.max).map { first.contains($0 | 0x20) }
    }()

    private var isWordStart: Bool { index == 0 || !Self.isWord(bytes[index - 1]) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Where the value begins whose name stands here.
    private func valueStart() -> Int? {
        if let end = skip(Self.bearer, at: index) { return end }
        if let end = skip(Self.authorization, at: index) {
            let quoted = skip("\"", at: end) ?? end
            guard let colon = skip(":", at: blank(quoted)) ?? skip("=", at: blank(quoted)) else { return nil }
            let value = blank(skip("\"", at: blank(colon)) ?? colon)
            return skip(Self.bearer, at: value) ?? value
        }
        for name in Self.names {
            guard let end = skip(name, at: index) else { continue }
            if let value = skip("=", at: end) ?? skip(Self.encodedEquals, at: end) { return value }
            guard let colon = skip("\"", at: end).flatMap({ skip(":", at: blank($0)) }) else { continue }
            if let value = skip("\"", at: blank(colon)) { return value }
        }
        return nil
    }

    private func blank(_ place: Int) -> Int { skip(" ", at: place) ?? place }

    private func skip(_ sign: Unicode.Scalar, at place: Int) -> Int? {
        place < bytes.count && bytes[place] == UInt8(ascii: sign) ? place + 1 : nil
    }

    /// The place behind a lower-case word, if it stands there in any case.
    private func skip(_ word: [UInt8], at place: Int) -> Int? {
        guard place + word.count <= bytes.count else { return nil }
        for (offset, wanted) in word.enumerated() {
            let byte = bytes[place + offset]
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if (isUpper ? byte | 0x20 : byte) != wanted { return nil }
        }
        return place + word.count
    }
}
