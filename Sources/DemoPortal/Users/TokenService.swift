import Basics

/// `generateToken` and `oauth2/token` (REST reference 1.5 and 1.6).
struct TokenService: Sendable {
    let users: UserDirectory
    /// Longest life of a token in minutes.
    let maximumMinutes: Double
    let serverRoot: String
    /// The stand-alone server's own service, which knows that server's users.
    var isServers = false

    private var accounts: [UserDirectory.User] { isServers ? users.standAlone ?? [] : users.users }

    func generateToken(_ request: Request, tokens: inout TokenTable, at now: Double) throws(RESTError) -> JSON {
        let refused = { (details: String...) in RESTError(code: 400, message: "Unable to generate token.", details: details) }
        guard request.isPost else { throw RESTError(code: 405, message: "Method not supported.", details: ["Use POST."]) }
        if !request.queryNames.isDisjoint(with: ["username", "password"]) {
            throw refused("Credentials are not accepted in the URL.")
        }
        let referer = try referer(request)
        let expires = now + minutes(request) * 60
        if let serverURL = request.parameters["serverUrl"], let text = request.parameters["token"] {
            // Exchange: the server must be one that is federated with this portal.
            guard users.standAlone == nil, serverURL.lowercased().hasPrefix(serverRoot.lowercased()) else {
                throw refused("Unable to get 'token' from the request or cookie, for server token.")
            }
            let sent = request.headers["referer"] ?? referer
            guard case .valid(let token) = tokens.check(text, referer: sent, at: now), token.scope == .portal else {
                throw .invalidToken
            }
            return grant(token.identity, .server(serverRoot), referer: referer, expires: min(expires, token.expires), &tokens)
        }
        guard let name = request.parameters["username"], let password = request.parameters["password"] else {
            throw refused("'username' and 'password' must be specified.")
        }
        guard let user = accounts.first(where: { $0.name == name && $0.password == password }) else {
            throw refused("Invalid username or password.")
        }
        return grant(
            Identity(kind: .user, name: user.name, role: user.role), isServers ? .server(serverRoot) : .portal, referer: referer,
            expires: expires, &tokens)
    }

    func oauthToken(_ request: Request, tokens: inout TokenTable, at now: Double) throws(RESTError) -> JSON {
        let client = request.parameters["client_id"] ?? ""
        switch request.parameters["grant_type"] {
        case "client_credentials":
            guard let app = users.apps.first(where: { $0.id == client }) else {
                throw RESTError(code: 400, message: "Invalid client_id", oauth: "invalid_client_id")
            }
            guard request.parameters["client_secret"] == app.secret else {
                throw RESTError(code: 400, message: "Invalid client_secret", oauth: "invalid_client_secret")
            }
            let life = minutes(request, default: 120) * 60
            let text = TokenText.make()
            tokens.add(
                text,
                .init(
                    identity: Identity(kind: .app, name: client, role: "app"), scope: .portal, expires: now + life, referer: nil))
            return ["access_token": .string(text), "expires_in": JSON(Int(life))]
        case "password":
            // Not in Esri's list of grants; refused as unknown.
            throw unsupportedGrant
        case "refresh_token", "exchange_refresh_token":
            guard let old = request.parameters["refresh_token"], let identity = tokens.refresh(old, client: client, at: now)
            else {
                throw RESTError(code: 498, message: "refresh_token expired", oauth: "invalid_request")
            }
            let life = minutes(request, default: 30) * 60
            let text = TokenText.make()
            tokens.add(text, .init(identity: identity, scope: .portal, expires: now + life, referer: nil))
            var answer: JSON = [
                "access_token": .string(text), "expires_in": JSON(Int(life)), "username": .string(identity.name), "ssl": true,
            ]
            if request.parameters["grant_type"] == "exchange_refresh_token" {
                let refresh = TokenText.make()
                tokens.addRefresh(refresh, identity: identity, client: client, expires: now + 1_209_600)
                answer["refresh_token"] = .string(refresh)
                answer["refresh_token_expires_in"] = 1_209_599
            }
            return answer
        default: throw unsupportedGrant
        }
    }

    private var unsupportedGrant: RESTError {
        RESTError(code: 400, message: "Invalid grant_type", oauth: "unsupported_grant_type")
    }

    private func grant(
        _ identity: Identity, _ scope: TokenTable.Scope, referer: String?, expires: Double, _ tokens: inout TokenTable
    ) -> JSON {
        let text = TokenText.make()
        tokens.add(text, .init(identity: identity, scope: scope, expires: expires, referer: referer))
        return ["token": .string(text), "expires": JSON(Int64(expires * 1000)), "ssl": false]
    }

    /// What the token is bound to; nil for the unbound kinds.
    private func referer(_ request: Request) throws(RESTError) -> String? {
        let wanted = request.parameters["referer"]
        switch request.parameters["client"] {
        case "referer":
            guard let wanted else {
                throw RESTError(code: 400, message: "Unable to generate token.", details: ["'referer' must be specified."])
            }
            return wanted
        case "ip":
            if request.parameters["ip"] == nil {
                throw RESTError(code: 400, message: "Unable to generate token.", details: ["'ip' must be specified."])
            }
            return nil
        case nil: return wanted
        default: return nil
        }
    }

    private func minutes(_ request: Request, default fallback: Double = 60) -> Double {
        min(request.parameters["expiration"].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? fallback, maximumMinutes)
    }
}

enum TokenText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")

    /// Whoever looks for leaks finds a token by how it begins.
    static func make() -> String {
        "demo_token_" + String((0..<53).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }
}

/// Ids as services write them.
enum Identifiers {
    private static func digits(_ count: Int) -> String {
        String((0..<count).map { _ in "0123456789abcdef".randomElement() ?? "0" })
    }

    /// `7f0a2e6c-3b0c-4b56-9a43-0f0b3b1a7d11`
    static func guid() -> String { [8, 4, 4, 4, 12].map(digits).joined(separator: "-") }
    /// `jf5b8c2e1…`, as geoprocessing jobs are named.
    static func job() -> String { "j" + digits(32) }
}
