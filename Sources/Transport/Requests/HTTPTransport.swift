import Basics

/// One request as the wire sees it. Parameters are already encoded: see `FormEncoding`.
public struct HTTPRequest: Sendable, Hashable {
    public enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case head = "HEAD"
    }

    public var method: Method
    /// An absolute http or https URL.
    public var url: String
    public var headers: [HTTPHeader]
    public var body: [UInt8]
    public var timeouts: Timeouts
    /// Sending it twice does no more than sending it once, so it may be sent again when nobody knows whether it arrived. True for
    /// GET and HEAD; a POST that only reads says so.
    public var isIdempotent: Bool

    public init(
        method: Method = .get, url: String, headers: [HTTPHeader] = [], body: [UInt8] = [], timeouts: Timeouts = Timeouts(),
        isIdempotent: Bool? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        self.isIdempotent = isIdempotent ?? (method != .post)
    }
}

public struct HTTPHeader: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPHeader] {
    /// The last value under a name; case of the name does not count.
    public subscript(name: String) -> String? { last { $0.name.lowercased() == name.lowercased() }?.value }
}

/// Three separate limits, because a slow transfer that moves is not a hang (cases D9).
public struct Timeouts: Sendable, Hashable {
    public var connect: Duration
    /// No byte in either direction for this long.
    public var inactivity: Duration
    /// The whole exchange. nil: as long as it takes for a download, ten times the longest silence for what comes into memory.
    public var total: Duration?

    public init(connect: Duration = .seconds(30), inactivity: Duration = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.inactivity = inactivity
        self.total = total
    }
}

public struct HTTPResponse: Sendable, Hashable {
    public var status: Int
    public var headers: [HTTPHeader]
    public var body: [UInt8]
    /// Where the answer came from, after redirects.
    public var url: String

    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], url: String) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }
}

/// A file that grows: bytes already there are kept as far as their record vouches for them and the server agrees, else the file starts
/// again.
public struct DownloadTarget: Sendable, Hashable {
    public var path: String

    public init(path: String) { self.path = path }

    /// What is known about the bytes, for the next try or, after a kill, the next process. Whoever removes the file removes it, too.
    public var recordPath: String { path + ".record" }
}

public struct DownloadResponse: Sendable, Hashable {
    public var status: Int
    public var headers: [HTTPHeader]
    public var url: String
    /// Size of the whole file, bytes of earlier tries included.
    public var size: Int
    /// Bytes that came over the network in this try.
    public var transferred: Int
    /// Of the whole file, lower-case hex.
    public var sha256: String
    public var validator: String?

    public init(
        status: Int, headers: [HTTPHeader], url: String, size: Int, transferred: Int, sha256: String, validator: String?
    ) {
        self.status = status
        self.headers = headers
        self.url = url
        self.size = size
        self.transferred = transferred
        self.sha256 = sha256
        self.validator = validator
    }
}

/// Why there is no answer. An answer with a status of 400 or 500 is an answer, not one of these.
public struct TransportError: Error, Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, Codable {
        case badURL, nameResolution, connect, tls, timeout, inactivity, closedEarly, wrongLength, tooManyRedirects
        case unsafeRedirect, proxy, proxySignIn, localStorage, cancelled, other
        /// More came than is read of any answer.
        case tooLarge
    }

    public var kind: Kind
    /// libcurl's or the system's own words; without credentials.
    public var message: String
    /// The URL without its query.
    public var url: String
    /// The `errno` of a local storage failure.
    public var systemCode: Int32?

    public init(kind: Kind, message: String, url: String, systemCode: Int32? = nil) {
        self.kind = kind
        self.message = message
        self.url = url
        self.systemCode = systemCode
    }
}

/// Anything that carries requests: the curl engine at the bottom, retry, limits and recording stacked on top, a replayer in tests.
/// Cancelling the calling task ends the exchange and throws `.cancelled`.
public protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

    /// Streams the body to `target.path`, hashing on the way; a `.file` is whole and flushed. A status other than 200 or 206 leaves the file alone and gives the
    /// (short) body as `.response`. `progress` gets the size of the file so far, from the
    /// thread that moves all bytes: it must be quick.
    func download(
        _ request: HTTPRequest, to target: DownloadTarget, progress: @escaping @Sendable (Int) -> Void
    ) async throws(TransportError) -> DownloadOutcome

    /// How an address is reached.
    func route(to url: String) -> ProxyRoute
}

extension HTTPTransport {
    /// Of transports that know no proxies.
    public func route(to url: String) -> ProxyRoute { .direct }
}

public enum DownloadOutcome: Sendable, Hashable {
    case file(DownloadResponse)
    case response(HTTPResponse)
}
