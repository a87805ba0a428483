/// XML as Esri's servers write it into geodatabases: single quotes, `typens` types, no white space.
enum XMLText {
    private static let namespaces =
        "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:xs='http://www.w3.org/2001/XMLSchema' "
        + "xmlns:typens='http://www.esri.com/schemas/ArcGIS/10.4'"

    /// `content` is XML already.
    static func element(_ name: String, type: String? = nil, _ content: String) -> String {
        "<\(name)\(type.map { " xsi:type='\($0)'" } ?? "")>\(content)</\(name)>"
    }

    static func element(_ name: String, text: String) -> String { element(name, escaped(text)) }

    /// Several elements with text.
    static func elements(_ pairs: [(name: String, text: String)]) -> String {
        pairs.map { element($0.name, text: $0.text) }.joined()
    }

    /// The root of a definition.
    static func document(_ name: String, _ content: String) -> String {
        "<\(name) xsi:type='typens:\(name)' \(namespaces)>\(content)</\(name)>"
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            default: result.append(character)
            }
        }
        return result
    }
}
