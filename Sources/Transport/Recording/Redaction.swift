import Basics

/// Takes secrets out of what people and files get to see. Used for messages, journals and recordings; never needed on the wire.
public enum Redaction {
    public static let mark = "***"

    /// Parameter names, in lower case, whose value is a secret. A signed URL is one too: whoever has it can fetch.
    public static let secretParameters: Set<String> = [
        "token", "password", "client_secret", "apikey", "api_key", "access_token", "refresh_token", "code", "code_verifier",
        "assertion", "signature", "sig", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature",
        "x-goog-credential", "awsaccesskeyid", "key-pair-id", "policy",
    ]

    /// Of JSON members only these: `code` is a value of a coded domain there, not a secret.
    private static let secretMembers: Set<String> = ["token", "access_token", "refresh_token", "password", "client_secret"]

    private static let secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "x-esri-authorization", "x-esri-auth-redirect", "cookie", "set-cookie",
        "x-api-key",
    ]

    /// Query values of secret names become `***`, user information goes, everything else stays.
    public static func url(_ text: String) -> String {
        let bare = withoutUserInformation(text)
        guard let question = bare.firstIndex(of: "?") else { return bare }
        let rest = bare[bare.index(after: question)...]
        let end = rest.firstIndex(of: "#") ?? rest.endIndex
        return bare[...question] + form(rest[..<end]) + rest[end...]
    }

    /// Form text, such as a query or a body.
    public static func form(_ text: some StringProtocol) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            return isSecret(FormEncoding.decode(pair[..<equals]).first?.0 ?? "") ? String(pair[...equals]) + mark : String(pair)
        }.joined(separator: "&")
    }

    /// The document with the text members of secret names replaced; nil when there were none.
    static func json(_ json: JSON) -> JSON? {
        switch json {
        case .object(let object):
            var isChanged = false
            let members = object.members.map { member in
                let isText = member.value.string != nil
                guard
                    let value = isText && secretMembers.contains(member.key.lowercased())
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

    public static func isSecret(_ parameter: String) -> Bool { secretParameters.contains(parameter.lowercased()) }

    public static func header(_ header: HTTPHeader) -> HTTPHeader {
        switch header.name.lowercased() {
        case let name where secretHeaders.contains(name): HTTPHeader(header.name, mark)
        case "location", "referer", "content-location": HTTPHeader(header.name, url(header.value))
        default: header
        }
    }

    /// A URL for an error message: no user information, no query, no fragment.
    public static func address(_ text: String) -> String {
        let bare = withoutUserInformation(text)
        return String(bare[..<(bare.firstIndex { $0 == "?" || $0 == "#" } ?? bare.endIndex)])
    }

    private static func withoutUserInformation(_ text: String) -> String {
        guard let scheme = text.range(of: "://") else { return text }
        let rest = text[scheme.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard let at = rest[..<end].lastIndex(of: "@") else { return text }
        return String(text[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}
