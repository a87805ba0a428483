import Basics

/// The requests that make tokens (REST reference 1.5, 1.6, 1.8). Secrets travel in POST bodies only.
extension PortalSession {
    /// A portal token for a credential.
    func issueToken(for credential: Credential) async throws(ArcGISError) -> IssuedToken {
        switch credential {
        case .none: throw ArcGISError(kind: .signIn(reason: "no credential"), url: portal.root)
        case .apiKey(let secret): return IssuedToken(value: secret.reveal(), issued: now())
        case .token(let secret, let referer):
            return IssuedToken(value: secret.reveal(), issued: now(), referer: referer)
        case .user(let name, let password):
            return try await generateToken(
                at: portal.sharing + "/generateToken", ["username": name, "password": password.reveal()], referer: portal.root)
        case .application(let clientID, let clientSecret):
            let url = portal.sharing + "/oauth2/token"
            let answer = try await tokenAnswer(
                url,
                [
                    "grant_type": "client_credentials", "client_id": clientID, "client_secret": clientSecret.reveal(),
                ], referer: nil)
            guard let token = answer["access_token"]?.string, !token.isEmpty else {
                throw .unexpected("a sign-in answer without a token", answer, url: url)
            }
            // Seconds from now, unlike `generateToken`.
            return IssuedToken(value: token, expires: answer["expires_in"]?.double.map { now() + $0 }, issued: now())
        }
    }

    /// A token for one federated server in exchange for the portal's (REST reference 1.8).
    func exchange(_ token: IssuedToken, serverRoot: String, at url: String) async throws(ArcGISError) -> IssuedToken {
        try await generateToken(at: url, ["token": token.value, "serverUrl": serverRoot], referer: token.referer)
    }

    func generateToken(
        at url: String, _ parameters: [String: String], referer: String?
    ) async throws(ArcGISError) -> IssuedToken {
        var parameters = parameters
        if let referer {
            parameters["client"] = "referer"
            parameters["referer"] = referer
        }
        // An hour is what servers grant unasked; renewal is part of every request, so longer is not needed.
        parameters["expiration"] = "60"
        let answer: JSON
        do {
            answer = try await tokenAnswer(url, parameters, referer: referer)
        } catch {
            // Cases A03: a server that grants less says so; then its own default is asked for, once.
            let words = ([error.message] + error.details).joined(separator: " ").lowercased()
            guard error.code == 400, words.contains("expiration") else { throw error }
            parameters["expiration"] = nil
            answer = try await tokenAnswer(url, parameters, referer: referer)
        }
        guard let token = answer["token"]?.string, !token.isEmpty else {
            throw .unexpected("a sign-in answer without a token", answer, url: url)
        }
        return IssuedToken(value: token, expires: answer["expires"]?.double.map { $0 / 1_000 }, issued: now(), referer: referer)
    }

    private func tokenAnswer(_ url: String, _ parameters: [String: String], referer: String?) async throws(ArcGISError) -> JSON {
        var request = Self.request(url, parameters, method: .post)
        // Another token does no harm.
        request.isIdempotent = true
        if let referer { request.headers.append(.init("Referer", referer)) }
        return try Answer.read(try await send(request), of: url, now: now())
    }
}
