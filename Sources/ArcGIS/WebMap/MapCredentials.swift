import Basics

extension JSON {
    /// Without the tokens that viewers and print services wrote into a map: members with the names of ArcGIS tokens, and such
    /// parameters of URLs. They are whoever's who saved it, and they would be published with every copy. The rows of feature
    /// collections (`attributes`) are data and stay.
    var withoutTokens: JSON {
        switch self {
        case .object(let object):
            let kept = object.members.filter { !Self.tokenNames.contains($0.key.lowercased()) || $0.value.string == nil }
            return .object(
                JSONObject(
                    kept.map { .init(key: $0.key, value: $0.key == "attributes" ? $0.value : $0.value.withoutTokens) }))
        case .array(let items): return .array(items.map(\.withoutTokens))
        case .string(let text): return .string(Self.withoutToken(text))
        default: return self
        }
    }

    private static let tokenNames: Set<String> = ["token", "access_token", "refresh_token"]

    /// Of a text that is a URL, only the token goes; all else stays as it is written.
    private static func withoutToken(_ text: String) -> String {
        guard let question = text.firstIndex(ofSign: "?"), !text.contains(where: \.isWhitespace), !text.contains(sign: "<") else {
            return text
        }
        let rest = text[text.unicodeScalars.index(after: question)...]
        let query = rest[..<(rest.firstIndex(ofSign: "#") ?? rest.endIndex)]
        let pairs = query.pieces(between: "&")
        let kept = pairs.filter { !tokenNames.contains(String($0.pieces(between: "=")[0]).lowercased()) }
        if kept.count == pairs.count { return text }
        return text[..<question] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + text[query.endIndex...]
    }
}
