extension JSON {
    public struct Style: Sendable {
        public var indented: Bool
        /// Sorted keys make one text of equal documents: hashes and golden files need it.
        public var sortedKeys: Bool

        public init(indented: Bool = false, sortedKeys: Bool = false) {
            self.indented = indented
            self.sortedKeys = sortedKeys
        }

        public static let compact = Style()
        public static let canonical = Style(sortedKeys: true)
        public static let indented = Style(indented: true)
    }

    /// JSON text. Numbers that JSON cannot hold (NaN, infinity) become `null`.
    public func serialized(_ style: Style = .compact) -> String { String(decoding: utf8(style), as: UTF8.self) }

    /// The same text as bytes, for hashes and files.
    public func utf8(_ style: Style = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self, depth: 0)
        return writer.output
    }
}

/// Reports and plans are megabytes of text, so it is put together byte by byte.
private struct JSONWriter {
    let style: JSON.Style
    var output: [UInt8] = []

    mutating func write(_ value: JSON, depth: Int) {
        switch value {
        case .null: put("null")
        case .bool(let flag): put(flag ? "true" : "false")
        case .integer(let number): put(String(number))
        case .number(let number): put(Self.text(number))
        case .string(let text): quote(text)
        case .array(let items):
            list(items, "[", "]", depth: depth) { writer, item in writer.write(item, depth: depth + 1) }
        case .object(let object):
            let members = style.sortedKeys ? object.members.sorted { $0.key < $1.key } : object.members
            list(members, "{", "}", depth: depth) { [colon = style.indented ? ": " : ":"] writer, member in
                writer.quote(member.key)
                writer.put(colon)
                writer.write(member.value, depth: depth + 1)
            }
        }
    }

    private mutating func list<Item>(
        _ items: [Item], _ open: Unicode.Scalar, _ close: Unicode.Scalar, depth: Int, body: (inout JSONWriter, Item) -> Void
    ) {
        output.append(UInt8(ascii: open))
        var isFirst = true
        for item in items {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            newline(depth: depth + 1)
            body(&self, item)
        }
        if !items.isEmpty { newline(depth: depth) }
        output.append(UInt8(ascii: close))
    }

    private mutating func newline(depth: Int) {
        guard style.indented else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    /// Whole numbers print without `.0`, as servers write them.
    static func text(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
        return "\(number)"
    }

    private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }

    /// What needs no escape is copied in one piece.
    private mutating func quote(_ text: String) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var (copied, index) = (0, 0)
            while index < bytes.count {
                let length = Self.escapedLength(bytes, at: index)
                if length > 0 {
                    output.append(contentsOf: bytes[copied..<index])
                    put(Self.escape(bytes[index..<index + length]))
                    copied = index + length
                }
                index += max(1, length)
            }
            output.append(contentsOf: bytes[copied...])
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Bytes of the character at `index` if it has to be escaped, else 0. Beside what JSON demands these are what a screen obeys, what
    /// turns the direction of text, and what other readers take for the end of a line: the value is the same, and the text may be looked at
    /// anywhere. They begin with one of three bytes: U+0080 to U+009F, U+061C, and some between U+200E and U+2069.
    private static func escapedLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let byte = bytes[index]
        if byte < 0x80 { return byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F ? 1 : 0 }
        switch byte {
        case 0xC2: return bytes[index + 1] < 0xA0 ? 2 : 0
        case 0xD8: return bytes[index + 1] == 0x9C ? 2 : 0
        case 0xE2:
            switch (bytes[index + 1], bytes[index + 2]) {
            case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): return 3
            default: return 0
            }
        default: return 0
        }
    }

    private static func escape(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        switch bytes.first {
        case UInt8(ascii: "\""): return "\\\""
        case UInt8(ascii: "\\"): return "\\\\"
        case UInt8(ascii: "\n"): return "\\n"
        case UInt8(ascii: "\r"): return "\\r"
        case UInt8(ascii: "\t"): return "\\t"
        default:
            let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first?.value ?? 0
            let digits = String(scalar, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
