/// Where a portal is: `https://www.arcgis.com` or `https://host/context`.
public struct PortalAddress: Sendable, Hashable {
    /// Without trailing slash and without `/sharing/rest`.
    public let root: String
    public let origin: Origin?

    public init(_ text: String) {
        let trimmed = text.trimmed
        var parts = URLParts(trimmed.contains("://") || trimmed.hasPrefix("//") ? trimmed : "https://" + trimmed)
        parts?.query = nil
        var segments = parts?.segments.map(String.init) ?? []
        if let sharing = segments.firstIndex(where: { $0.lowercased() == "sharing" || $0.lowercased() == "home" }) {
            segments = Array(segments[..<sharing])
        }
        parts?.path = segments.isEmpty ? "" : "/" + segments.joined(separator: "/")
        root = parts?.text ?? trimmed
        origin = parts?.origin
    }

    /// The root of the portal API (REST reference 1).
    public var sharing: String { root + "/sharing/rest" }

    /// Whether a URL is one of the portal API.
    func contains(_ url: String) -> Bool { (url.lowercased() + "/").hasPrefix(sharing.lowercased() + "/") }

    /// ArcGIS Online, under its common name or an organisation's.
    public var isArcGISOnline: Bool { origin?.isArcGISOnline ?? false }

    /// Whether another spelling of a portal's URL means this one: host and context count, protocol and case do not, and the
    /// names of ArcGIS Online in one environment are one (REST reference 1.8).
    public func isSame(as other: PortalAddress) -> Bool {
        guard let mine = origin, let theirs = other.origin else { return false }
        if mine.isArcGISOnline && theirs.isArcGISOnline { return mine.onlineEnvironment == theirs.onlineEnvironment }
        return place == other.place
    }

    private var place: String { root.lowercased().drop { $0 != ":" }.description }
}

extension Origin {
    enum OnlineEnvironment: Hashable { case production, qualityAssurance, development }

    /// Esri's test environments are apart: a token of one is no token of another.
    var onlineEnvironment: OnlineEnvironment {
        if host.contains("devext") { return .development }
        return host.contains("qaext") ? .qualityAssurance : .production
    }
}
