import Basics
import Foundation
import Geography
import Planning

/// `package.info` and the `item` of the map document, in the runtime's own shape (formats.md 4.2).
struct ItemDescription {
    var plan: Plan
    var area: PlannedArea
    /// 32 hexadecimal digits.
    var guid: String
    /// Milliseconds since 1970.
    var created: Int64
    var thumbnail: Thumbnail?

    private var title: String { "\(plan.map.itemInfo.title ?? plan.map.title) – \(area.id)" }

    /// `[[xmin,ymin],[xmax,ymax]]` in degrees; `xmax` is over 180 for an area that crosses the antimeridian.
    private var extent: JSON {
        guard let degrees = try? area.shape.extent(from: area.spatialReference, to: .wgs84) else { return [] }
        func round(_ value: Double) -> JSON { .number((value * 1e7).rounded() / 1e7) }
        return [[round(degrees.xmin), round(degrees.ymin)], [round(degrees.xmax), round(degrees.ymax)]]
    }

    private var common: JSON {
        var json: JSON = [
            "created": .integer(created), "modified": .integer(created), "extent": extent, "guid": .string(guid),
            "name": "mobile_map",
            "spatialReference": .string(plan.map.spatialReference.esriName), "title": .string(title),
        ]
        for key in ["snippet", "description", "tags", "accessInformation", "licenseInfo"] {
            if let value = plan.map.item[key], !value.isNull { json[key] = value }
        }
        let own = plan.map.itemInfo
        if let snippet = own.snippet { json["snippet"] = .string(snippet) }
        if let description = own.description { json["description"] = .string(description) }
        if let tags = own.tags { json["tags"] = .array(tags.map(JSON.string)) }
        return json
    }

    var packageInfo: JSON {
        var json = common
        json["maps"] = ["mobile_map"]
        json["type"] = "Mobile Map Package"
        json["typeKeywords"] = ["Mobile Map Package", "Map", "2D", "ArcGIS Runtime", "mmpk", "Mobile"]
        json["version"] = "3.2"
        // As ArcGIS Pro does it: the picture inside the text (formats.md 4.4).
        if let thumbnail { json["thumbnail"] = .string(thumbnail.dataURI) }
        return json
    }

    var mapItem: JSON {
        var json = common
        json["id"] = .string(guid)
        json["type"] = "Mobile Map"
        json["typeKeywords"] = ["Map", "Mobile Map", "2D", "ArcGIS Runtime", "mmpk", "Mobile"]
        json["portalUrl"] = .string(plan.portal)
        if let itemID = plan.map.itemID { json["originalPortalItemId"] = .string(itemID) }
        return json
    }
}

/// The picture of the portal item.
public struct Thumbnail: Sendable, Equatable {
    public var bytes: [UInt8]

    /// nil for what is neither PNG, JPEG nor GIF: servers answer errors as pages.
    public init?(bytes: [UInt8]) {
        guard Self.type(of: bytes) != nil else { return nil }
        self.bytes = bytes
    }

    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg" }
        return bytes.starts(with: Array("GIF8".utf8)) ? "gif" : nil
    }

    private var type: String { Self.type(of: bytes) ?? "png" }
    var fileName: String { "thumbnail.\(type)" }
    var dataURI: String { "data:image/\(type);base64,\(Data(bytes).base64EncodedString())" }
}

extension SpatialReference {
    /// Esri's name of the system; for others its id says enough.
    fileprivate var esriName: String {
        if isWebMercator { return "WGS_1984_Web_Mercator_Auxiliary_Sphere" }
        if isWGS84 { return "GCS_WGS_1984" }
        return requestID.map { "\($0)" } ?? wkt ?? ""
    }
}
