import Basics

/// An account at one stand-alone server (REST reference 1.8, case 3).
public struct ServerCredential: Sendable {
    /// Before `/rest/services`: `https://gis.example.org/server`.
    public var root: String
    /// A user or a token; portals alone know the other kinds.
    public var credential: Credential

    public init(root: String, credential: Credential) {
        self.root = root
        self.credential = credential
    }
}

/// The token of one stand-alone server. As with the portal's: one fetches it, the others wait, and a refusal is remembered.
actor ServerSignIn {
    private typealias Flight = Task<Result<IssuedToken, ArcGISError>, Never>

    nonisolated let root: String
    private let credential: Credential
    private var token: IssuedToken?
    private var flight: Flight?
    private var refusal: ArcGISError?

    init(_ server: ServerCredential) {
        root = server.root
        credential = server.credential
    }

    nonisolated var account: ServerStanding.Account? { credential.account }

    /// Same origin, and below the root: paths of ArcGIS Server know no case.
    nonisolated func covers(_ url: String) -> Bool {
        guard let place = URLParts(url), let home = URLParts(root), place.origin == home.origin else { return false }
        return (place.path.lowercased() + "/").hasPrefix(home.path.lowercased() + (home.path.hasSuffix("/") ? "" : "/"))
    }

    func token(in session: PortalSession) async throws(ArcGISError) -> IssuedToken {
        if let token, token.isFresh(at: session.now()) { return token }
        if let refusal { throw refusal }
        if let flight { return try await flight.value.get() }
        let flight = Flight { await self.signIn(in: session) }
        self.flight = flight
        return try await flight.value.get()
    }

    /// Forgets a token that the server refused, unless another has taken its place or none can be had.
    func discard(_ refused: IssuedToken) {
        if credential.isRenewable, token?.value == refused.value { token = nil }
    }

    private func signIn(in session: PortalSession) async -> Result<IssuedToken, ArcGISError> {
        defer { flight = nil }
        do throws(ArcGISError) {
            let token = try await session.issueToken(for: credential, atServer: root)
            self.token = token
            return .success(token)
        } catch {
            if !error.isTransient { refusal = error }
            return .failure(error)
        }
    }
}

extension PortalSession {
    /// A token from a server's own token service.
    func issueToken(for credential: Credential, atServer root: String) async throws(ArcGISError) -> IssuedToken {
        switch credential {
        case .token(let secret, let referer): return IssuedToken(value: secret.reveal(), issued: now(), referer: referer)
        case .user(let name, let password):
            return try await generateToken(
                at: try await tokenService(ofServer: root), ["username": name, "password": password.reveal()], referer: root)
        case .none, .apiKey, .application:
            throw ArcGISError(kind: .signIn(reason: "a server signs in users and takes tokens, nothing else"), url: root)
        }
    }

    /// The password goes where this says, so it is believed within limits.
    private func tokenService(ofServer root: String) async throws(ArcGISError) -> String {
        let place = root + "/rest/info"
        let info = try await json(place)
        guard let text = info["authInfo"]?["tokenServicesUrl"]?.string, let service = URLParts(text) else {
            throw ArcGISError(
                kind: .signIn(reason: "the server names no token service: it has no accounts of its own"), url: place)
        }
        guard let home = Origin(url: root), home.trusts(service.origin) else {
            let reason = "the server's token service is elsewhere, at \(service.origin.text): no password is sent there"
            throw ArcGISError(kind: .signIn(reason: reason), url: place)
        }
        // Servers name the page of the operation (REST reference 1.5).
        let address = text.hasSuffix("/") ? String(text.dropLast()) : text
        return address.lowercased().hasSuffix("/tokens") ? address + "/generateToken" : address
    }
}
