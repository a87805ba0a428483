import Foundation

/// The tokens of one portal and of the servers federated with it. Whoever asks first does the work, the others wait for it;
/// a refused sign-in is remembered, so that a wrong password is tried once and not once a job.
public actor CredentialStore {
    private typealias Flight = Task<Result<IssuedToken, ArcGISError>, Never>

    private let credential: Credential
    private var portalToken: IssuedToken?
    private var portalFlight: Flight?
    private var signInRefusal: ArcGISError?
    private var servers: [String: Server] = [:]

    /// All that is known of one server root.
    private struct Server {
        var federation: Federation?
        var federationFlight: Task<Result<Federation, ArcGISError>, Never>?
        var token: IssuedToken?
        var flight: Flight?
        var refusal: ArcGISError?
    }

    /// Servers with accounts of their own: they see those, and nothing of the portal's.
    private let ownAccounts: [ServerSignIn]

    public init(_ credential: Credential, servers: [ServerCredential] = []) {
        self.credential = credential
        // The longest root first: a server may lie below another.
        ownAccounts = servers.sorted { $0.root.utf8.count > $1.root.utf8.count }.map(ServerSignIn.init)
    }

    nonisolated var isAnonymous: Bool { credential.isAnonymous }
    nonisolated var serverRoots: [String] { ownAccounts.map(\.root) }

    private var met = MetServers()

    /// The token for a URL; nil for an anonymous request.
    func authorization(for url: String, in session: PortalSession) async throws(ArcGISError) -> Authorization? {
        let chosen = try await choice(for: url, in: session)
        note(url, chosen?.source, session.portal)
        return chosen
    }

    private func choice(for url: String, in session: PortalSession) async throws(ArcGISError) -> Authorization? {
        if let server = ownAccount(for: url, portal: session.portal) {
            return Authorization(token: try await server.token(in: session), source: .ownAccount(root: server.root))
        }
        if credential.isAnonymous { return nil }
        switch scope(of: url, portal: session.portal) {
        case .nowhere: return nil
        case .portal: return Authorization(token: try await portalToken(in: session), source: .portal)
        case .server(let root):
            switch try await federation(of: root, in: session) {
            case .anonymous: return nil
            case .portalToken: return Authorization(token: try await portalToken(in: session), source: .portal)
            case .exchange(let tokenURL):
                guard let token = try await serverToken(root, at: tokenURL, in: session) else { return nil }
                return Authorization(token: token, source: .server(root: root))
            }
        }
    }

    /// Another token after a service refused one (498, 499); nil when there is none to be had. Several callers with the same
    /// refused token get the same new one.
    func renewed(
        after refused: Authorization?, for url: String, in session: PortalSession
    ) async throws(ArcGISError) -> Authorization? {
        guard let refused else { return nil }
        switch refused.source {
        case .portal: try await renewPortalToken(refused: refused.token, in: session)
        case .server(let root):
            // The exchanged token is made anew; should the portal's be the dead one, the exchange says so and renews it.
            if servers[root]?.token?.value == refused.token.value { servers[root]?.token = nil }
        case .ownAccount: await ownAccount(for: url, portal: session.portal)?.discard(refused.token)
        }
        let next = try await authorization(for: url, in: session)
        return next?.token.value == refused.token.value ? nil : next
    }

    /// Why the portal made no token for the server behind a URL, to explain the service's 499 (cases A06).
    func refusal(for url: String) -> ArcGISError? {
        ServiceAddress.serverRoot(of: url).flatMap { servers[$0]?.refusal }
    }

    /// Not for the portal itself, should a server's root be the whole host.
    private func ownAccount(for url: String, portal: PortalAddress) -> ServerSignIn? {
        portal.contains(url) ? nil : ownAccounts.first { $0.covers(url) }
    }

    /// A file of a known server may lie outside its `/rest`: it belongs to the same server.
    private func scope(of url: String, portal: PortalAddress) -> TokenScope {
        let scope = TokenScope.of(url, portal: portal)
        guard scope == .nowhere, let origin = Origin(url: url) else { return scope }
        if origin.scheme == "http", portal.origin?.scheme == "https" { return scope }
        let root = servers.keys.sorted().first { Origin(url: $0) == origin && servers[$0]?.token != nil }
        return root.map { .server(root: $0) } ?? scope
    }
}

// MARK: - Who we are where

extension CredentialStore {
    /// - Parameter isKnownToWebServer: no token was sent; the server in front of the portal has signed us in.
    func learn(identity: String?, isKnownToWebServer: Bool) {
        met.identity = identity
        met.isKnownToWebServer = isKnownToWebServer
    }

    /// A server refused a request that had no token, and there is none to be had.
    func noteRefusal(of url: String, portal: PortalAddress) { met.noteRefusal(of: url, portal) }

    private func note(_ url: String, _ source: Authorization.Source?, _ portal: PortalAddress) {
        met.note(
            url, source, isFederated: { root in if case .exchange? = servers[root]?.federation { true } else { false } }, portal)
    }

    func standings(at portal: PortalAddress) -> [ServerStanding] {
        met.standings(portal, account: credential.account) { root in ownAccounts.first { $0.root == root }?.account }
    }
}

// MARK: - The portal's token

extension CredentialStore {
    private func portalToken(in session: PortalSession) async throws(ArcGISError) -> IssuedToken {
        if let portalToken, portalToken.isFresh(at: session.now()) { return portalToken }
        if let signInRefusal { throw signInRefusal }
        if let portalFlight { return try await portalFlight.value.get() }
        let flight = Flight { await self.signIn(in: session) }
        portalFlight = flight
        return try await flight.value.get()
    }

    private func signIn(in session: PortalSession) async -> Result<IssuedToken, ArcGISError> {
        defer { portalFlight = nil }
        do throws(ArcGISError) {
            let token = try await session.issueToken(for: credential)
            portalToken = token
            return .success(token)
        } catch {
            if !error.isTransient { signInRefusal = error }
            return .failure(error)
        }
    }

    private func renewPortalToken(refused: IssuedToken, in session: PortalSession) async throws(ArcGISError) {
        guard credential.isRenewable, portalToken?.value == refused.value else { return }
        portalToken = nil
        _ = try await portalToken(in: session)
    }
}

// MARK: - Tokens of federated servers

extension CredentialStore {
    private func federation(of root: String, in session: PortalSession) async throws(ArcGISError) -> Federation {
        if let known = servers[root]?.federation { return known }
        if let flight = servers[root]?.federationFlight { return try await flight.value.get() }
        let flight = Task { await self.discover(root, in: session) }
        servers[root, default: Server()].federationFlight = flight
        return try await flight.value.get()
    }

    private func discover(_ root: String, in session: PortalSession) async -> Result<Federation, ArcGISError> {
        defer { servers[root]?.federationFlight = nil }
        do throws(ArcGISError) {
            let found = try await session.federation(ofServer: root)
            servers[root, default: Server()].federation = found
            return .success(found)
        } catch {
            return .failure(error)
        }
    }

    /// nil when the portal refuses and the server has to be met anonymously.
    private func serverToken(_ root: String, at url: String, in session: PortalSession) async throws(ArcGISError) -> IssuedToken?
    {
        if let token = servers[root]?.token, token.isFresh(at: session.now()) { return token }
        if servers[root]?.refusal != nil { return nil }
        let flight: Flight
        if let running = servers[root]?.flight {
            flight = running
        } else {
            flight = Flight { await self.exchange(root, at: url, in: session) }
            servers[root, default: Server()].flight = flight
        }
        switch await flight.value {
        case .success(let token): return token
        case .failure(let error):
            if error.isTransient || error == signInRefusal { throw error }
            // Cases A06: a hosting server behind the portal may take the portal's token as it is. Only on the portal's own
            // host: elsewhere a server could claim to be federated to be handed our token.
            if let server = Origin(url: root), session.portal.origin?.trusts(server) == true {
                servers[root]?.federation = .portalToken
                return try await portalToken(in: session)
            }
            servers[root]?.refusal = error
            return nil
        }
    }

    private func exchange(_ root: String, at url: String, in session: PortalSession) async -> Result<IssuedToken, ArcGISError> {
        defer { servers[root]?.flight = nil }
        do throws(ArcGISError) {
            let portalToken = try await portalToken(in: session)
            let token: IssuedToken
            do throws(ArcGISError) {
                token = try await session.exchange(portalToken, serverRoot: root, at: url)
            } catch {
                guard error.isAuthentication, credential.isRenewable else { throw error }
                try await renewPortalToken(refused: portalToken, in: session)
                token = try await session.exchange(try await self.portalToken(in: session), serverRoot: root, at: url)
            }
            servers[root, default: Server()].token = token
            return .success(token)
        } catch {
            return .failure(error)
        }
    }
}
