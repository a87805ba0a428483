import Basics

/// How the engine connects. Certificates are always verified; there is no switch for that.
public struct CurlConfiguration: Sendable, Hashable {
    /// Exchanges that run at once with one origin; the others wait in line. Each has a connection of its own: before curl 8
    /// several connections are faster than streams in one.
    public var connectionsPerHost: Int
    /// Idle connections kept for reuse, over all hosts.
    public var idleConnections: Int
    /// `send` refuses larger bodies with `.tooLarge`; of compressed ones what they unpack to counts.
    public var maximumBodySize: Int
    /// A PEM file of certificate authorities in place of the system's.
    public var certificateAuthorities: String?
    /// A PEM file, for portals that ask for a client certificate.
    public var clientCertificate: String?
    public var clientKey: String?
    /// What the key is encrypted with.
    public var clientKeyPassword: Secret?
    /// nil: proxies come from the variables.
    public var proxy: Proxy?
    /// `http_proxy`, `https_proxy`, `no_proxy` and their kin, read as curl reads them.
    public var proxyVariables: ProxyVariables
    /// Sign-in below HTTP, for one origin alone.
    public var webAuthentication: WebAuthentication?
    public var userAgent: String

    public struct Proxy: Sendable, Hashable {
        /// A name and a password for the proxy itself, in whichever way it asks for them.
        public struct User: Sendable, Hashable {
            public var name: String
            public var password: Secret

            public init(name: String, password: Secret) {
                self.name = name
                self.password = password
            }
        }

        public var url: String
        public var user: User?
        /// Hosts and domains that are reached directly; nil leaves it to `no_proxy`.
        public var exceptions: [String]?

        public init(url: String, user: User? = nil, exceptions: [String]? = nil) {
            self.url = url
            self.user = user
            self.exceptions = exceptions
        }
    }

    /// What a web server asks for in a 401, answered by libcurl. Goes to no other origin, whatever that asks for.
    public struct WebAuthentication: Sendable, Hashable {
        public enum Scheme: Sendable, Hashable {
            /// SPNEGO with the Kerberos ticket of the account.
            case negotiate
            case ntlm(name: String, password: Secret)
        }

        public var scheme: Scheme
        let origin: String?

        /// - Parameter url: any address at the origin.
        public init(_ scheme: Scheme, at url: String) {
            self.scheme = scheme
            origin = WebAddress(url)?.origin
        }
    }

    public init(
        connectionsPerHost: Int = 6, idleConnections: Int = 64, maximumBodySize: Int = 256 << 20,
        certificateAuthorities: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil,
        clientKeyPassword: Secret? = nil, proxy: Proxy? = nil, proxyVariables: ProxyVariables = .ofProcess,
        webAuthentication: WebAuthentication? = nil, userAgent: String = "offline-batch/0.1"
    ) {
        self.connectionsPerHost = connectionsPerHost
        self.idleConnections = idleConnections
        self.maximumBodySize = maximumBodySize
        self.certificateAuthorities = certificateAuthorities
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.clientKeyPassword = clientKeyPassword
        self.proxy = proxy
        self.proxyVariables = proxyVariables
        self.webAuthentication = webAuthentication
        self.userAgent = userAgent
    }
}

extension CurlConfiguration {
    var proxyRules: ProxyRules { ProxyRules(configured: proxy, variables: proxyVariables) }
}
