/// One problem of a manifest, with its place and what to do about it. The words are for people and end up on the terminal as they are.
public struct Diagnostic: Error, Sendable, Hashable, Codable {
    public enum Severity: String, Sendable, Codable { case error, warning }

    public var severity: Severity
    /// The file as it was named; for an override, the variable or option that gave the value.
    public var file: String
    /// Counted from 1; 0 when the problem has no place in a text (the file cannot be read).
    public var line: Int
    /// In characters, counted from 1.
    public var column: Int
    /// Characters from `column` on that are meant; at least 1.
    public var length: Int
    public var message: String
    /// The nearest known name, or what to do next.
    public var hint: String?
    /// The line of the text, secrets masked.
    public var excerpt: String?

    public init(
        severity: Severity = .error, file: String, line: Int = 0, column: Int = 0, length: Int = 1, message: String,
        hint: String? = nil, excerpt: String? = nil
    ) {
        self.severity = severity
        self.file = file
        self.line = line
        self.column = column
        self.length = length
        self.message = message
        self.hint = hint
        self.excerpt = excerpt
    }
}

extension Diagnostic {
    /// `file:line:column`, or only the file.
    public var place: String { line > 0 ? "\(file):\(line):\(column)" : file }

    /// The problem as lines of text without colour: place and message, the source line, a caret line, a hint.
    public var lines: [String] {
        var result = ["\(place): \(severity.rawValue): \(message)"]
        if let excerpt {
            let window = Window(excerpt, around: column)
            let gutter = String(line)
            result.append("  \(gutter) | \(window.text)")
            result.append("  \(gutter.map { _ in " " }.joined()) | \(window.caret(column: column, length: length))")
        }
        if let hint { result.append("  hint: \(hint)") }
        return result
    }

    public var text: String { lines.joined(separator: "\n") }
}

/// The part of a long line that is shown, so that a minified file does not flood the terminal.
private struct Window {
    private let characters: ArraySlice<Unicode.Scalar>
    private let width = 120

    init(_ line: String, around column: Int) {
        let all = Array(line.unicodeScalars)
        let start = all.count <= width ? 0 : max(0, min(column - 1 - width / 2, all.count - width))
        characters = all[start..<min(all.count, start + width)]
    }

    var text: String { Self.string(characters) }

    func caret(column: Int, length: Int) -> String {
        let start = min(max(column - 1, characters.startIndex), characters.endIndex)
        let end = min(max(start + length, start + 1), max(characters.endIndex, start + 1))
        // A tab stays a tab, so that the caret stands under its character at any tab width.
        let indent = characters[characters.startIndex..<start].map { $0 == "\t" ? "\t" : " " as Unicode.Scalar }
        return Self.string(indent) + "^" + String(repeating: "~", count: end - start - 1)
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
