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
    public func serialized(_ style: Style = .compact) -> String {
        var writer = JSONWriter(style: style)
        writer.write(self, depth: 0)
        return writer.output
    }
}

private struct JSONWriter {
    let style: JSON.Style
    var output = ""

    mutating func write(_ value: JSON, depth: Int) {
        switch value {
        case .null: output += "null"
        case .bool(let flag): output += flag ? "true" : "false"
        case .integer(let number): output += String(number)
        case .number(let number): output += Self.text(number)
        case .string(let text): write(text)
        case .array(let items):
            list(items, brackets: ("[", "]"), depth: depth) { $0.write($1, depth: depth + 1) }
        case .object(let object):
            let members = style.sortedKeys ? object.members.sorted { $0.key < $1.key } : object.members
            let colon = style.indented ? ": " : ":"
            list(members, brackets: ("{", "}"), depth: depth) {
                $0.write($1.key)
                $0.output += colon
                $0.write($1.value, depth: depth + 1)
            }
        }
    }

    private mutating func list<Item>(
        _ items: [Item], brackets: (open: String, close: String), depth: Int, body: (inout JSONWriter, Item) -> Void
    ) {
        output += brackets.open
        for (index, item) in items.enumerated() {
            if index > 0 { output += "," }
            newline(depth: depth + 1)
            body(&self, item)
        }
        if !items.isEmpty { newline(depth: depth) }
        output += brackets.close
    }

    private mutating func newline(depth: Int) {
        guard style.indented else { return }
        output += "\n" + String(repeating: "  ", count: depth)
    }

    /// Whole numbers print without `.0`, as servers write them.
    static func text(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
        return "\(number)"
    }

    mutating func write(_ text: String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }
}
