import Basics

/// The content of the portal.
struct PortalItem: Sendable {
    enum Access: String, Sendable {
        case everyone = "public"
        case owner = "private"
        case organization = "org"
    }

    struct Resource: Sendable {
        var path: String
        var bytes: [UInt8]
        var contentType: String
    }

    var id: String
    var owner = "gis_admin"
    var title: String
    var type: String
    var keywords: [String]
    var snippet: String
    var description: String
    var tags: [String]
    var url: String?
    var access = Access.everyone
    /// Degrees: xmin, ymin, xmax, ymax.
    var extent: (Double, Double, Double, Double)
    /// What `/data` gives: JSON for maps, nothing for services.
    var data: JSON?
    /// The bytes of a file item, with its path.
    var file: String?
    var resources: [Resource] = []
    var thumbnail: [UInt8]
    /// Milliseconds since 1970.
    var modified = Self.firstModified

    static let created: Int64 = 1_700_000_000_000
    static let firstModified: Int64 = 1_717_200_000_000
    static let thumbnailPath = "thumbnail/thumbnail.png"

    /// REST reference 1.2.
    var document: JSON {
        let text = { (value: String?) in value.map(JSON.string) ?? .null }
        return [
            "id": .string(id), "owner": .string(owner), "orgId": .string(PortalSelf.organizationID),
            "created": .integer(Self.created), "modified": .integer(modified), "guid": nil,
            "name": url == nil ? nil : .string(title), "title": .string(title), "type": .string(type),
            "typeKeywords": .array(keywords.map(JSON.string)), "description": .string(description),
            "tags": .array(tags.map(JSON.string)),
            "snippet": .string(snippet), "thumbnail": .string(Self.thumbnailPath), "documentation": nil,
            "extent": [[.number(extent.0), .number(extent.1)], [.number(extent.2), .number(extent.3)]], "categories": [],
            "spatialReference": nil, "accessInformation": "Invented data of a demo portal", "licenseInfo": nil,
            "culture": "en-us",
            "properties": nil, "advancedSettings": nil, "url": text(url), "proxyFilter": nil, "access": .string(access.rawValue),
            "size": data.map { JSON($0.serialized().utf8.count) } ?? -1, "subInfo": 0, "appCategories": [], "industries": [],
            "languages": [], "largeThumbnail": nil, "banner": nil, "screenshots": [], "listed": false, "numComments": 0,
            "numRatings": 0, "avgRating": 0, "numViews": 12, "scoreCompleteness": 81, "groupDesignations": nil,
            "classification": nil, "commentsEnabled": true, "lastViewed": .integer(modified),
        ]
    }
}
