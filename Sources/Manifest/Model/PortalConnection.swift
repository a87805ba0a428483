/// A server that is not federated with the portal: its own token service, its own account.
public struct ServerSettings: Sendable, Hashable {
    /// Without a trailing slash, without `/rest` and what follows: `https://gis.example.org/server`.
    public var url: String
    /// A user or a token.
    public var auth: Authentication

    public init(url: String, auth: Authentication) {
        self.url = url
        self.auth = auth
    }
}

/// How the portal is reached, below the level of tokens.
public struct ConnectionSettings: Sendable, Hashable {
    public var tls: TLSSettings
    /// nil leaves it to the environment (`http_proxy`, `https_proxy`, `no_proxy`).
    public var proxy: ProxySettings?
    public var webAuth: WebAuthentication?

    public init(tls: TLSSettings = TLSSettings(), proxy: ProxySettings? = nil, webAuth: WebAuthentication? = nil) {
        self.tls = tls
        self.proxy = proxy
        self.webAuth = webAuth
    }
}

/// Absolute paths of PEM files. Nothing here turns verification off.
public struct TLSSettings: Sendable, Hashable {
    /// Authorities in place of the system's.
    public var caFile: String?
    public var clientCertificate: String?
    /// nil when the key is in the certificate's file.
    public var clientKey: String?
    /// nil when the key is not encrypted.
    public var clientKeyPassword: SecretReference?

    public init(
        caFile: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil,
        clientKeyPassword: SecretReference? = nil
    ) {
        self.caFile = caFile
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.clientKeyPassword = clientKeyPassword
    }
}

public struct ProxySettings: Sendable, Hashable {
    public struct User: Sendable, Hashable {
        public var name: String
        public var password: SecretReference

        public init(name: String, password: SecretReference) {
            self.name = name
            self.password = password
        }
    }

    public var url: String
    public var user: User?
    /// Hosts and domains that are reached directly; nil leaves it to `no_proxy`.
    public var noProxy: [String]?

    public init(url: String, user: User? = nil, noProxy: [String]? = nil) {
        self.url = url
        self.user = user
        self.noProxy = noProxy
    }
}

/// What the web server in front of a portal asks for before the portal itself is reached.
public enum WebAuthentication: Sendable, Hashable {
    /// Kerberos, with the ticket of the account that runs us.
    case negotiate
    case ntlm(name: String, password: SecretReference)
}
