import Basics

/// Words of servers, of maps and of data on their way out: every one of them goes through one of these. (JSON keeps texts as they are
/// and writes what a screen would obey as `\u…`.)
extension Wording {
    /// For terminals and logs: without secrets, on one line, and without what a screen obeys or what turns the direction of text.
    static func clean(_ text: String) -> String { Redaction.text(text).printable }

    /// The same for what lays out both directions of writing (mails, Markdown, reviews, pictures): words that run from right to left
    /// keep their own order and do not touch that of the words around them. On the morning page `bdi` does that.
    static func foreign(_ text: String) -> String { clean(text).isolated }
}

extension String {
    /// On one line, without control characters and without marks that turn the direction of the text: servers' words must not move
    /// the cursor, recolour the terminal or make a line read otherwise than it stands. The letters of all scripts stay.
    var printable: String {
        if isPlain { return self }
        let words = split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
        return String(
            String.UnicodeScalarView(
                words.unicodeScalars.filter { $0.properties.generalCategory != .control && !$0.properties.isBidiControl }))
    }

    /// Between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX 9) if a letter of it runs from right to left. For text that has no
    /// such marks of its own any more.
    var isolated: String { !isPlain && unicodeScalars.contains(where: \.runsFromRightToLeft) ? "\u{2068}\(self)\u{2069}" : self }
}

extension Unicode.Scalar {
    /// The blocks whose letters are of the bidirectional classes R and AL, those not yet assigned included (DerivedBidiClass.txt).
    fileprivate var runsFromRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
