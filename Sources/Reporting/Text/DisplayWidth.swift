/// How many terminal columns text takes, roughly: East Asian wide characters and emoji take two, combining marks none.
public enum DisplayWidth {
    public static func columns(of text: String) -> Int {
        text.isPlain ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
    }

    static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// The blocks that terminals draw in two columns (Unicode's East_Asian_Width W and F, without the single odd characters).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// Nothing but the signs of ASCII that take a column each, as most text is.
    var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// At most `width` columns; what is cut away is shown by an ellipsis.
    func elided(to width: Int) -> String {
        guard DisplayWidth.columns(of: self) > width else { return self }
        return width < 1 ? "" : prefix(columns: width - 1) + "…"
    }

    /// Like `elided`, but keeps both ends: paths differ at their end.
    func elidedInMiddle(to width: Int) -> String {
        guard DisplayWidth.columns(of: self) > width else { return self }
        guard width > 4 else { return elided(to: width) }
        let tail = String(String(reversed()).prefix(columns: (width - 1) / 2).reversed())
        return prefix(columns: width - 1 - DisplayWidth.columns(of: tail)) + "…" + tail
    }

    func padded(to width: Int, alignment: Alignment = .left) -> String {
        let space = String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: self)))
        return alignment == .left ? self + space : space + self
    }

    private func prefix(columns: Int) -> String {
        var used = 0
        return String(
            prefix {
                used += DisplayWidth.columns(of: $0)
                return used <= columns
            })
    }

    /// Broken at spaces into lines of at most `width` columns; a longer word stays whole, and so do words around a no-break space.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, DisplayWidth.columns(of: last) + 1 + DisplayWidth.columns(of: String(word)) <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { $0.replacing("\u{A0}", with: " ") }
    }
}

enum Alignment { case left, right }
