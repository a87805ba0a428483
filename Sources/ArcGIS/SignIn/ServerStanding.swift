import Transport

/// What one server is to us, who we are there and how it is reached, as the requests so far have shown. Holds no secret.
public struct ServerStanding: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The portal itself.
        case portal
        /// It takes the portal's tokens, as they are or exchanged for its own.
        case federated
        /// It has an account of its own for us.
        case ownSignIn
        /// It answers anybody, and is sent nothing.
        case open
        /// It wants a sign-in, and there is none for it.
        case closed
    }

    public struct Account: Codable, Sendable, Hashable {
        public enum Kind: String, Codable, Sendable, CaseIterable {
            case user, application, apiKey, token
            /// Of the web server in front of a portal: Kerberos or NTLM.
            case web
        }

        public var kind: Kind
        /// Of the user or the application; nil when nobody has said.
        public var name: String?

        public init(_ kind: Kind, name: String? = nil) {
            self.kind = kind
            self.name = name
        }
    }

    /// The portal's address, or what stands before `/rest/services`; of other servers the origin.
    public var url: String
    public var kind: Kind
    /// nil: it meets us as anybody.
    public var account: Account?
    public var route: ProxyRoute

    public init(url: String, kind: Kind, account: Account? = nil, route: ProxyRoute = .direct) {
        self.url = url
        self.kind = kind
        self.account = account
        self.route = route
    }
}

extension ArcGISClient {
    /// The servers that were asked for something so far, the portal first.
    public func servers() async -> [ServerStanding] {
        await credentials.standings(at: portal).map { standing in
            var standing = standing
            standing.route = session.transport.route(to: standing.url)
            return standing
        }
    }
}

extension Credential {
    /// nil for an anonymous one.
    var account: ServerStanding.Account? {
        switch self {
        case .none: nil
        case .token: .init(.token)
        case .apiKey: .init(.apiKey)
        case .user(let name, _): .init(.user, name: name)
        case .application(let clientID, _): .init(.application, name: clientID)
        }
    }
}
