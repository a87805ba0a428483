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
        let literal: StaticString
        init(stringLiteral value: StaticString) { literal = value }
    }

    static let nothing = Markup.group([])

    /// A whole document.
    var document: String { "<!DOCTYPE html>\n" + source + "\n" }

    var source: String {
        var source = ""
        write(into: &source)
        return source
    }

    private func write(into source: inout String) {
        switch self {
        case .text(let text): source += Self.escaped(text)
        case .group(let pieces): for piece in pieces { piece.write(into: &source) }
        case .styleSheet(let sheet): source += "<style>\n\(sheet)</style>"
        case .element(let name, let attributes, let content):
            source += "<\(name.literal)"
            for attribute in attributes { source += " \(attribute.name.literal)=\"\(Self.escaped(attribute.value))\"" }
            source += ">"
            if Self.isVoid(name) { return }
            for piece in content { piece.write(into: &source) }
            source += "</\(name.literal)>"
        }
    }

    /// Elements of HTML that have no content and no end.
    private static func isVoid(_ name: Name) -> Bool { ["meta", "br", "hr"].contains(name.literal.description) }

    /// For text and for attributes in double quotes alike. Control characters, which no document may hold, become visible.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .control: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
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
