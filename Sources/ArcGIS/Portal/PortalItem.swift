import Basics

/// An item of the portal, read leniently (REST reference 1.2).
public struct PortalItem: Sendable, Hashable {
    public var id: String
    public var title: String
    /// "Web Map", "Feature Service", …; may be localised in old portals, then the keywords tell.
    public var type: String
    public var typeKeywords: [String]
    public var owner: String?
    public var snippet: String?
    public var description: String?
    public var tags: [String]
    public var accessInformation: String?
    /// Of a service item.
    public var url: String?
    /// Path below `/info/`, its folder included.
    public var thumbnail: String?
    /// WGS 84; nil when unset.
    public var extent: ServiceExtent?
    /// Milliseconds since 1970.
    public var modified: Int?
    public var raw: JSON

    public init(_ json: JSON) {
        id = json["id"]?.string ?? ""
        type = json["type"]?.string ?? ""
        title = json["title"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? json["name"]?.string ?? id
        typeKeywords = (json["typeKeywords"]?.array ?? []).compactMap(\.string)
        owner = json["owner"]?.string
        snippet = json["snippet"]?.string
        description = json["description"]?.string
        tags = (json["tags"]?.array ?? []).compactMap(\.string)
        accessInformation = json["accessInformation"]?.string
        url = json["url"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        thumbnail = json["thumbnail"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        extent = ServiceExtent(corners: json["extent"])
        modified = json["modified"]?.int
        raw = json
    }

    public var isWebMap: Bool { type == "Web Map" || (typeKeywords.contains("Web Map") && !isWebScene) }
    public var isWebScene: Bool { type == "Web Scene" || typeKeywords.contains("Web Scene") }
    /// The author switched offline use off (REST reference 9.7).
    public var isOfflineDisabled: Bool { typeKeywords.contains("OfflineDisabled") }
}
