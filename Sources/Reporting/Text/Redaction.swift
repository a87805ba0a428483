/// Takes secrets out of any text before people see it, whoever wrote the text: servers quote requests in their errors,
/// libraries quote URLs (case H08). What looks like a secret by its name is masked; values are not known here.
enum Redaction {
    static let mask = "‹hidden›"

    /// `name=value`, `"name":"value"` and `Authorization: value` with the names of `secretNames`, and `Bearer value`.
    static func masked(_ text: String) -> String {
        let lowered = text.lowercased()
        guard lowered.contains("bearer ") || secretNames.contains(where: lowered.contains) else { return text }
        return text.replacing(pattern) { "\($0.output.1)\(mask)" }.replacing(bearer) { "\($0.output.1)\(mask)" }
    }

    /// Whether a parameter of this name is to be hidden whole.
    static func isSecret(parameter name: String) -> Bool { secretNames.contains(name.lowercased()) }

    private static let secretNames: Set<String> = [
        "token", "access_token", "refresh_token", "password", "client_secret", "apikey", "api_key", "x-amz-signature",
        "x-amz-credential", "x-amz-security-token", "sig", "x-esri-authorization", "authorization",
    ]

    // Regexes are not Sendable, so they are made at each use; that is only where a name was found.
    private static var pattern: Regex<(Substring, Substring)> {
        #/
          (?i)
          (
            \b (?: (?:access_|refresh_)?token | password | client_secret | api_?key
              | x-amz-(?:signature|credential|security-token) | sig ) (?: = | %3D | "\s?:\s?" )
            | \b authorization "?\s?[:=]\s?"? (?: Bearer\s )?
          )
          [^\s&"',;<>)}\]]+
        /#
    }

    private static var bearer: Regex<(Substring, Substring)> { #/(?i)(\bBearer )[^\s"',;]+/# }
}
