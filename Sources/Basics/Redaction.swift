/// Takes secrets out of what people and files get to see: messages, reports, journals and recordings. Never needed on the wire.
/// Running text is `Redaction.text`.
public enum Redaction {
    public static let mark = "***"

    /// Query values of secret names become `***`, user information goes, everything else stays.
    public static func url(_ text: String) -> String {
        let bare = withoutUserInformation(text)
        guard let question = bare.firstIndex(ofSign: "?") else { return bare }
        let rest = bare[bare.unicodeScalars.index(after: question)...]
        let end = rest.firstIndex(ofSign: "#") ?? rest.endIndex
        return bare[..<rest.startIndex] + form(rest[..<end]) + rest[end...]
    }

    /// Form text, such as a query or a body.
    public static func form(_ text: some StringProtocol) -> String {
        text.pieces(between: "&").map { pair -> String in
            guard let equals = pair.firstIndex(ofSign: "=") else { return String(pair) }
            return isSecret(parameter: FormEncoding.unescaped(pair[..<equals].utf8))
                ? String(pair[..<equals]) + "=" + mark : String(pair)
        }.joined(separator: "&")
    }

    /// The document with the text members of secret names replaced; nil when there were none.
    public static func json(_ json: JSON) -> JSON? {
        switch json {
        case .object(let object):
            var isChanged = false
            let members = object.members.map { member in
                let isText = member.value.string != nil
                guard
                    let value = isText && SecretNames.always.contains(member.key.lowercased())
                        ? .string(mark) : Self.json(member.value)
                else { return member }
                isChanged = true
                return JSONObject.Member(key: member.key, value: value)
            }
            return isChanged ? .object(JSONObject(members)) : nil
        case .array(let items):
            let changed = items.map(Self.json)
            return changed.contains { $0 != nil } ? .array(zip(items, changed).map { $1 ?? $0 }) : nil
        default: return nil
        }
    }

    public static func isSecret(parameter name: String) -> Bool {
        let name = name.lowercased()
        return SecretNames.always.contains(name) || SecretNames.parameters.contains(name)
    }

    public static func isSecret(header name: String) -> Bool { SecretNames.headers.contains(name.lowercased()) }

    /// A URL for an error message: no user information, no query, no fragment.
    public static func address(_ text: String) -> String {
        let bare = withoutUserInformation(text)
        return String(bare[..<(bare.unicodeScalars.firstIndex { $0 == "?" || $0 == "#" } ?? bare.endIndex)])
    }

    private static func withoutUserInformation(_ text: String) -> String {
        guard let scheme = text.unicodeScalars.firstRange(of: "://".unicodeScalars) else { return text }
        let rest = text[scheme.upperBound...]
        let end = rest.unicodeScalars.firstIndex { "/?#".unicodeScalars.contains($0) } ?? rest.endIndex
        guard let at = rest[..<end].lastIndex(ofSign: "@") else { return text }
        return String(text[..<rest.startIndex] + rest[rest.unicodeScalars.index(after: at)...])
    }
}
