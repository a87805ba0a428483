import Basics

/// Who the portal is and who it thinks we are (REST reference 1.4).
public struct PortalSelf: Sendable, Hashable {
    public var id: String?
    public var name: String?
    /// true for ArcGIS Enterprise.
    public var isPortal: Bool
    /// nil when the request was served anonymously, whatever token it carried (cases A09).
    public var username: String?
    /// An application signed in by itself has no user.
    public var applicationID: String?
    /// Hosts of base maps that cannot be exported, and their twins that can (REST reference 8).
    public var exportHosts: [ExportHost]
    public var raw: JSON

    public init(_ json: JSON) {
        id = json["id"]?.string
        name = json["name"]?.string ?? json["portalName"]?.string
        isPortal = json["isPortal"]?.bool ?? false
        username = json["user"]?["username"]?.string
        applicationID = json["appInfo"]?["appId"]?.string
        exportHosts = (json["helperServices"]?["packaging"]?["exportTilesMap"]?.array ?? []).compactMap(ExportHost.init)
        raw = json
    }
}

/// One line of `exportTilesMap`.
public struct ExportHost: Sendable, Hashable {
    public var source: Origin
    public var export: Origin

    public init(source: Origin, export: Origin) {
        self.source = source
        self.export = export
    }

    init?(_ json: JSON) {
        guard let source = json["source"]?.string.flatMap(Origin.init(url:)),
            let export = json["export"]?.string.flatMap(Origin.init(url:))
        else { return nil }
        self.init(source: source, export: export)
    }

    /// The hosts that live answers of ArcGIS Online have listed, for maps that are looked at without a portal.
    public static let published: [ExportHost] = [
        ("services.arcgisonline.com", "tiledbasemaps.arcgis.com"), ("server.arcgisonline.com", "tiledbasemaps.arcgis.com"),
        ("basemaps-api.arcgis.com", "basemaps.arcgis.com"), ("ibasemaps-api.arcgis.com", "tiledbasemaps.arcgis.com"),
    ].map { source, export in
        ExportHost(
            source: Origin(scheme: "https", host: source, port: 443), export: Origin(scheme: "https", host: export, port: 443))
    }
}

extension [ExportHost] {
    /// The same service on its export host; nil for services that have none. Only scheme and host change.
    public func exportURL(for serviceURL: String) -> String? {
        guard var parts = URLParts(serviceURL) else { return nil }
        guard let twin = first(where: { $0.source.host == parts.origin.host })?.export else { return nil }
        parts.origin = twin
        return parts.text
    }
}
