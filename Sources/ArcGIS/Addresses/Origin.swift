import Basics
import Transport

/// Scheme, host and port of a URL: the border that credentials do not cross.
public struct Origin: Sendable, Hashable {
    public var scheme: String
    /// Lower-case; an IPv6 address keeps its brackets.
    public var host: String
    public var port: Int

    /// nil for anything but an absolute http or https URL with a host.
    public init?(url: String) {
        guard let parts = URLParts(url) else { return nil }
        self = parts.origin
    }

    init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// `https://host` or `https://host:6443`.
    public var text: String { "\(scheme)://\(authority)" }

    var authority: String { port == Self.defaultPort(scheme) ? host : "\(host):\(port)" }

    static func defaultPort(_ scheme: String) -> Int { scheme == "http" ? 80 : 443 }

    /// Whether what is secret here may go to another origin because the server here says so: to itself, and to another port of the
    /// same host over TLS, whose certificate proves the host. On plain http another port may be anybody's.
    func trusts(_ other: Origin) -> Bool { self == other || (host == other.host && other.scheme == "https") }

    /// A host of ArcGIS Online: `arcgis.com` and all below it.
    public var isArcGISOnline: Bool { host == "arcgis.com" || host.hasSuffix(".arcgis.com") }
}

/// The pieces of an absolute http or https URL. Path and query are text: nothing is decoded, so nothing is lost. Who is asked, and may see
/// what, libcurl decides, which does the asking: whoever reads a URL otherwise than it could be led to send a token to a stranger.
struct URLParts: Hashable {
    var origin: Origin
    /// Begins with a slash or is empty.
    var path: String
    /// Without the question mark; nil when there is none.
    var query: String?

    init?(_ text: String) {
        var text = Substring(text.trimmed)
        if let hash = text.firstIndex(ofSign: "#") { text = text[..<hash] }
        // A protocol-relative URL belongs to a page; ours is always the secure one.
        if text.hasPrefix("//") { text = "https:" + text }
        let scalars = text.unicodeScalars
        guard let colon = scalars.firstIndex(of: ":"), scalars[colon...].starts(with: "://".unicodeScalars),
            ["http", "https"].contains(text[..<colon].lowercased()), let address = WebAddress(String(text))
        else { return nil }
        // A name and password in it are dropped: credentials come from the manifest only.
        origin = Origin(scheme: address.scheme, host: address.host, port: address.port)
        var rest = text[scalars.index(colon, offsetBy: 3)...]
        // libcurl would take what comes behind more slashes for the host.
        if rest.unicodeScalars.first == "/" { return nil }
        if let mark = rest.firstIndex(ofSign: "?") {
            query = String(rest[mark...].unicodeScalars.dropFirst())
            rest = rest[..<mark]
        }
        path = rest.firstIndex(ofSign: "/").map { String(rest[$0...]) } ?? ""
    }

    var withoutQuery: String { origin.text + path }
    var text: String { query.map { withoutQuery + "?" + $0 } ?? withoutQuery }
    var segments: [Substring] { path.pieces(between: "/").filter { !$0.isEmpty }.map { $0[...] } }
}

extension StringProtocol {
    /// Without white space and control characters at both ends: servers pad URLs (REST reference 4.4, recorded answers).
    var trimmed: String {
        func isBlank(_ character: Character) -> Bool { character.isWhitespace || character.asciiValue.map { $0 < 32 } == true }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[first...last])
    }
}
