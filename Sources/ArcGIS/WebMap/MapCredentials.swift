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
        guard let question = text.firstIndex(of: "?"), !text.contains(where: \.isWhitespace), !text.contains("<") else {
            return text
        }
        let query = text[text.index(after: question)...].prefix { $0 != "#" }
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { !tokenNames.contains($0.prefix { $0 != "=" }.lowercased()) }
        if kept.count == pairs.count { return text }
        return text[..<question] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + text[query.endIndex...]
    }
}
