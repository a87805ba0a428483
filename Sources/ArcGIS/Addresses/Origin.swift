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

/// The pieces of an absolute http or https URL, as text: nothing is decoded, so nothing is lost.
struct URLParts: Hashable {
    var origin: Origin
    /// Begins with a slash or is empty.
    var path: String
    /// Without the question mark; nil when there is none.
    var query: String?

    init?(_ text: String) {
        var text = Substring(text.trimmed)
        if let hash = text.firstIndex(of: "#") { text = text[..<hash] }
        // A protocol-relative URL belongs to a page; ours is always the secure one.
        if text.hasPrefix("//") { text = "https:" + text }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var rest = text[text.index(colon, offsetBy: 3)...]
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        path = String(rest[slash...])
        guard let origin = Self.origin(scheme: scheme, authority: rest[..<slash]) else { return nil }
        self.origin = origin
    }

    private static func origin(scheme: String, authority: Substring) -> Origin? {
        // A name and password in a URL are dropped: credentials come from the manifest only.
        let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        var host = hostAndPort
        var port = Origin.defaultPort(scheme)
        if let colon = hostAndPort.lastIndex(of: ":"), !hostAndPort[colon...].contains("]") {
            host = hostAndPort[..<colon]
            let digits = hostAndPort[hostAndPort.index(after: colon)...]
            if !digits.isEmpty {
                guard let number = Int(digits), (1...65_535).contains(number) else { return nil }
                port = number
            }
        }
        let forbidden: Set<Character> = [" ", "{", "}", "<", ">", "\"", "\\"]
        guard !host.isEmpty, !host.contains(where: forbidden.contains) else { return nil }
        // Brackets stand around all of an IPv6 address or nowhere.
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
        guard !name.isEmpty, !name.contains(where: { "[]".contains($0) }) else { return nil }
        return Origin(scheme: scheme, host: host.lowercased(), port: port)
    }

    var withoutQuery: String { origin.text + path }
    var text: String { query.map { withoutQuery + "?" + $0 } ?? withoutQuery }
    var segments: [Substring] { path.split(separator: "/") }
}

extension StringProtocol {
    /// Without white space and control characters at both ends: servers pad URLs (REST reference 4.4, recorded answers).
    var trimmed: String {
        func isBlank(_ character: Character) -> Bool { character.isWhitespace || character.asciiValue.map { $0 < 32 } == true }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[first...last])
    }
}
