import Basics

/// Finds the token of a request and says who it is, or why not (REST reference 1.7 and 2.2).
enum AccessControl {
    /// From the parameter, `X-Esri-Authorization` or `Authorization`, in this order.
    static func token(of request: Request) -> String? {
        if let token = request.parameters["token"] { return token }
        for header in ["x-esri-authorization", "authorization"] {
            if let value = request.headers[header], value.lowercased().hasPrefix("bearer ") { return value.dropFirst(7).trimmed }
        }
        return nil
    }

    enum Side: Sendable, Hashable { case portal, server }

    /// nil for an anonymous request; an error for a token that is not good here, also where none was needed.
    static func identity(
        of request: Request, on side: Side, tokens: TokenTable, users: UserDirectory, at now: Double
    ) throws(RESTError) -> Identity? {
        guard let text = token(of: request) else { return nil }
        let isElsewhere = side == .server && users.standAlone != nil
        if users.apiKeys.contains(text), !isElsewhere { return Identity(kind: .apiKey, name: "api key", role: "app") }
        switch tokens.check(text, referer: request.headers["referer"], at: now) {
        case .invalid: throw .invalidToken
        case .expired: throw RESTError(code: 498, message: "Token Expired.", details: ["Token Expired."])
        case .valid(let token):
            switch (side, token.scope) {
            case (.portal, .portal), (.server, .server): return token.identity
            case (.portal, .server): throw .invalidToken
            case (.server, .portal):
                if users.requiresExchange || isElsewhere { throw .invalidToken }
                return token.identity
            }
        }
    }

    static func requireAccess(toService service: String, identity: Identity?, users: UserDirectory) throws(RESTError) {
        guard users.needsSignIn(service: service) else { return }
        guard let identity else { throw .tokenRequired }
        guard users.isAllowed(identity) else {
            throw RESTError(code: 403, message: "User does not have permissions to access '\(service)'.")
        }
    }
}
