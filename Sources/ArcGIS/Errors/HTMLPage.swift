/// What can be read off an HTML page that came instead of JSON (REST reference 2.2): its title and an error number.
struct HTMLPage: Hashable {
    var title: String?
    /// From `Error: 498` or `Code: 499`, tags between the words ignored.
    var code: Int?

    /// nil when the bytes do not begin like a page.
    init?(_ bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes.prefix(16_384), as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard start.hasPrefix("<") else { return nil }
        title = Self.title(in: start)
        code = Self.number(after: ["error:", "code:"], in: Self.withoutTags(start))
    }

    private static func title(in text: Substring) -> String? {
        guard let open = text.range(ofASCII: "<title"), let end = text[open.upperBound...].firstIndex(of: ">") else { return nil }
        let words = text[text.index(after: end)...].prefix { $0 != "<" }.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    private static func withoutTags(_ text: Substring) -> String {
        var output = ""
        var inTag = false
        for character in text {
            if character == "<" {
                inTag = true
            } else if character == ">" {
                inTag = false
            } else if !inTag {
                output.append(character)
            }
        }
        return output
    }

    private static func number(after words: [String], in text: String) -> Int? {
        for word in words {
            var rest = Substring(text)
            while let range = rest.range(ofASCII: word) {
                rest = rest[range.upperBound...]
                let digits = rest.drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
                if digits.count == 3, let number = Int(digits) { return number }
            }
        }
        return nil
    }
}

extension Substring {
    /// The first place of an ASCII word, in any case of letters.
    fileprivate func range(ofASCII word: String) -> Range<Index>? {
        let wanted = Array(word.utf8)
        let bytes = utf8
        var start = bytes.startIndex
        while start != bytes.endIndex {
            var index = start
            var matched = 0
            while matched < wanted.count, index != bytes.endIndex, (bytes[index] | 0x20) == (wanted[matched] | 0x20) {
                index = bytes.index(after: index)
                matched += 1
            }
            if matched == wanted.count { return start..<index }
            start = bytes.index(after: start)
        }
        return nil
    }
}
