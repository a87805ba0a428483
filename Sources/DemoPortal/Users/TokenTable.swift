/// Tokens as pure state. Times are seconds since 1970, given by the caller.
struct TokenTable: Sendable {
    enum Scope: Sendable, Hashable {
        case portal
        /// For one server root, made by exchange.
        case server(String)
    }

    struct Token: Sendable, Hashable {
        var identity: Identity
        var scope: Scope
        var expires: Double
        /// Sent back in the `Referer` header, or the token is not valid.
        var referer: String?
    }

    enum Check: Sendable, Hashable {
        case valid(Token)
        case expired
        case invalid
    }

    private var tokens: [String: Token] = [:]
    private var refreshTokens: [String: (identity: Identity, client: String, expires: Double)] = [:]

    mutating func add(_ text: String, _ token: Token) { tokens[text] = token }

    mutating func addRefresh(_ text: String, identity: Identity, client: String, expires: Double) {
        refreshTokens[text] = (identity, client, expires)
    }

    func refresh(_ text: String, client: String, at now: Double) -> Identity? {
        guard let entry = refreshTokens[text], entry.client == client, entry.expires > now else { return nil }
        return entry.identity
    }

    /// Every token given so far has expired from now on; API keys have no end.
    mutating func expireAll(at now: Double) {
        tokens = tokens.mapValues { token in
            var token = token
            token.expires = min(now, token.expires)
            return token
        }
    }

    func check(_ text: String, referer: String?, at now: Double) -> Check {
        guard let token = tokens[text] else { return .invalid }
        if token.expires <= now { return .expired }
        if let bound = token.referer, referer != bound { return .invalid }
        return .valid(token)
    }
}
