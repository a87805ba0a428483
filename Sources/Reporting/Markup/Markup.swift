/// A piece of HTML or SVG as a tree. It is escaped by construction: names can only be literals of this program, and whatever else
/// goes in, goes in as text or as the value of an attribute, which are escaped when the tree is written.
indirect enum Markup {
    case text(String)
    case element(Name, [(name: Name, value: String)], [Markup])
    case group([Markup])
    /// The content of a `style` element, where escapes mean nothing: a literal of this program.
    case styleSheet(StaticString)

    /// The name of an element or attribute; only a literal can be one.
    struct Name: ExpressibleByStringLiteral {
        let text: String
        init(stringLiteral value: StaticString) { text = value.description }
    }

    static let nothing = Markup.group([])

    /// A whole document.
    var document: String { "<!DOCTYPE html>\n" + source + "\n" }

    var source: String {
        var source: [UInt8] = []
        write(into: &source)
        return String(decoding: source, as: UTF8.self)
    }

    private func write(into source: inout [UInt8]) {
        switch self {
        case .text(let text): Self.escape(text, into: &source)
        case .group(let pieces): for piece in pieces { piece.write(into: &source) }
        case .styleSheet(let sheet): source += "<style>\n\(sheet)</style>".utf8
        case .element(let name, let attributes, let content):
            source.append(UInt8(ascii: "<"))
            source += name.text.utf8
            for attribute in attributes {
                source.append(UInt8(ascii: " "))
                source += attribute.name.text.utf8
                source += "=\"".utf8
                Self.escape(attribute.value, into: &source)
                source.append(UInt8(ascii: "\""))
            }
            source.append(UInt8(ascii: ">"))
            if Self.void.contains(name.text) { return }
            for piece in content { piece.write(into: &source) }
            source += "</".utf8
            source += name.text.utf8
            source.append(UInt8(ascii: ">"))
        }
    }

    /// Elements of HTML that have no content and no end.
    private static let void: Set<String> = ["meta", "br", "hr"]

    /// For text and for attributes in double quotes alike. Control characters, which no document may hold, become visible. What needs
    /// no escape is copied in one piece.
    private static func escape(_ text: String, into source: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            var copied = 0
            for index in bytes.indices {
                guard let escape = escape(bytes[index], before: index + 1 < bytes.count ? bytes[index + 1] : 0) else { continue }
                source += bytes[copied..<index]
                source += escape.text.utf8
                copied = index + escape.length
            }
            source += bytes[copied...]
        }
    }

    /// What stands for the character that begins with a byte, and how many bytes it takes; nil where it stands for itself.
    private static func escape(_ byte: UInt8, before next: UInt8) -> (text: String, length: Int)? {
        switch byte {
        case UInt8(ascii: "&"): ("&amp;", 1)
        case UInt8(ascii: "<"): ("&lt;", 1)
        case UInt8(ascii: ">"): ("&gt;", 1)
        case UInt8(ascii: "\""): ("&quot;", 1)
        case UInt8(ascii: "'"): ("&#39;", 1)
        case UInt8(ascii: "\n"), UInt8(ascii: "\t"): nil
        case ..<0x20, 0x7F: ("\u{FFFD}", 1)
        // U+0080 to U+009F.
        case 0xC2 where next < 0xA0: ("\u{FFFD}", 2)
        default: nil
        }
    }
}

/// An element. Attributes without a value (nil) are left out.
func element(
    _ name: Markup.Name, _ attributes: KeyValuePairs<Markup.Name, String?> = [:],
    @MarkupBuilder _ content: () -> Markup = { .nothing }
) -> Markup {
    .element(name, attributes.compactMap { pair in pair.value.map { (name: pair.key, value: $0) } }, [content()])
}

@resultBuilder
enum MarkupBuilder {
    static func buildExpression(_ markup: Markup) -> Markup { markup }
    static func buildExpression(_ text: String) -> Markup { .text(text) }
    static func buildBlock(_ pieces: Markup...) -> Markup { .group(pieces) }
    static func buildOptional(_ piece: Markup?) -> Markup { piece ?? .nothing }
    static func buildEither(first piece: Markup) -> Markup { piece }
    static func buildEither(second piece: Markup) -> Markup { piece }
    static func buildArray(_ pieces: [Markup]) -> Markup { .group(pieces) }
}
