/// How the engine connects. Certificates are always verified; there is no switch for that.
public struct CurlConfiguration: Sendable, Hashable {
    /// Exchanges that run at once with one origin; the others wait in line. Each has a connection of its own: before curl 8
    /// several connections are faster than streams in one.
    public var connectionsPerHost: Int
    /// Idle connections kept for reuse, over all hosts.
    public var idleConnections: Int
    /// `send` refuses larger bodies with `.localStorage` and EFBIG.
    public var maximumBodySize: Int
    /// A PEM file of certificate authorities in place of the system's.
    public var certificateAuthorities: String?
    /// A PEM file, for portals that ask for a client certificate.
    public var clientCertificate: String?
    public var clientKey: String?
    public var userAgent: String

    /// Proxies come from the environment: `http_proxy`, `https_proxy`, `no_proxy`, as curl reads them.
    public init(
        connectionsPerHost: Int = 6, idleConnections: Int = 64, maximumBodySize: Int = 256 << 20,
        certificateAuthorities: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil,
        userAgent: String = "offline-batch/0.1"
    ) {
        self.connectionsPerHost = connectionsPerHost
        self.idleConnections = idleConnections
        self.maximumBodySize = maximumBodySize
        self.certificateAuthorities = certificateAuthorities
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.userAgent = userAgent
    }
}
