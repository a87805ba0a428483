/// Where something stands: first character and the one after the last, counted from 1 in lines and characters.
struct Span: Sendable, Hashable {
    var line: Int
    var column: Int
    var endLine: Int
    var endColumn: Int

    init(line: Int, column: Int, endLine: Int? = nil, endColumn: Int? = nil) {
        self.line = line
        self.column = column
        self.endLine = endLine ?? line
        self.endColumn = endColumn ?? column + 1
    }

    /// Characters on the first line; 1 when the thing goes on over several lines.
    var length: Int { endLine == line ? max(1, endColumn - column) : 1 }
}

/// A text by lines, counted as libyaml counts them.
struct SourceText: Sendable {
    let file: String
    private(set) var lines: [[Unicode.Scalar]]

    init(file: String, text: String) {
        self.file = file
        lines = [[]]
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": lines.append([])
            default: lines[lines.count - 1].append(scalar)
            }
            previous = scalar
        }
    }

    func line(_ number: Int) -> String? {
        guard lines.indices.contains(number - 1) else { return nil }
        var text = String.UnicodeScalarView()
        // Control characters could write anywhere on a terminal; one sign for each keeps the columns.
        text.append(contentsOf: lines[number - 1].map { $0 != "\t" && $0.isControl ? "\u{FFFD}" : $0 })
        return String(text)
    }

    /// Puts stars in the place of the characters of `span`; the positions of everything else stay.
    mutating func mask(_ span: Span) {
        for number in span.line...max(span.line, span.endLine) where lines.indices.contains(number - 1) {
            let count = lines[number - 1].count
            let start = number == span.line ? min(span.column - 1, count) : 0
            let end = number == span.endLine ? min(span.endColumn - 1, count) : count
            for index in start..<max(start, end) where lines[number - 1][index] != " " { lines[number - 1][index] = "*" }
        }
    }

    /// Masks every occurrence of a text within a line.
    mutating func mask(_ text: String) {
        let wanted = Array(text.unicodeScalars)
        guard wanted.count >= 4 else { return }
        for number in lines.indices where lines[number].count >= wanted.count {
            var index = 0
            while index + wanted.count <= lines[number].count {
                if lines[number][index..<index + wanted.count].elementsEqual(wanted) {
                    for offset in wanted.indices { lines[number][index + offset] = "*" }
                    index += wanted.count
                } else {
                    index += 1
                }
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control || ["\u{2028}", "\u{2029}"].contains(self) }
}

extension String {
    /// On one line and without control characters, which a quoted value may bring along.
    var onOneLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
