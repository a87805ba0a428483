import Geography

/// The two XML files of `esriinfo` in a package (formats.md 1.7). Pro wants `item.pkinfo` even when it says little.
struct ItemInformation {
    enum Kind: String {
        case vectorTiles = "Vector Tile Package"

        var keyword: String { "vtpk" }
    }

    let description: PackageDescription
    let kind: Kind

    private static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n"

    var packageInfo: String {
        Self.declaration
            + "<pkinfo Culture='en-US'>\n"
            + Self.elements([
                ("ID", description.guid), ("name", description.name), ("version", "11.2"), ("size", "-1"), ("created", ""),
                ("type", kind.rawValue), ("servable", "false"), ("packagelocation", ""), ("pkinfolocation", ""),
            ]) + "</pkinfo>\n"
    }

    var itemInfo: String {
        let extent = description.geographicExtent
        let spatialReference = description.scheme.spatialReference
        let systemName =
            spatialReference.isWebMercator
            ? "WGS_1984_Web_Mercator_Auxiliary_Sphere" : spatialReference.isWGS84 ? "GCS_WGS_1984" : ""
        return Self.declaration + "<ESRI_ItemInformation Culture='en-US'>\n"
            + Self.elements([
                ("name", description.name), ("guid", description.guid), ("version", "1.0"), ("created", ""), ("modified", ""),
                ("catalogpath", ""), ("snippet", description.summary), ("description", ""), ("summary", description.summary),
                ("title", description.title), ("tags", ""), ("type", kind.rawValue),
            ])
            + "<typekeywords>\n"
            + Self.elements([("typekeyword", "Data"), ("typekeyword", kind.rawValue), ("typekeyword", kind.keyword)])
            + "</typekeywords>\n"
            + Self.elements([("thumbnail", "thumbnail/thumbnail.png"), ("documentation", ""), ("url", "")])
            + "<extent>\n"
            + Self.elements([
                ("xmin", "\(extent.xmin)"), ("ymin", "\(extent.ymin)"), ("xmax", "\(extent.xmax)"), ("ymax", "\(extent.ymax)"),
            ])
            + "</extent>\n"
            + Self.elements([
                ("spatialreference", systemName), ("minScale", "\(description.minScale)"),
                ("maxScale", "\(description.maxScale)"),
                ("accessinformation", ""), ("licenseinfo", ""),
            ]) + "</ESRI_ItemInformation>\n"
    }

    private static func elements(_ pairs: [(name: String, text: String)]) -> String {
        pairs.map { "<\($0.name)>\(escaped($0.text))</\($0.name)>\n" }.joined()
    }

    /// For the characters that XML 1.0 has no way to write: a space.
    private static let escapes: [Unicode.Scalar: String] = {
        let unwritable = (0..<0x20 as Range<UInt8>).map(Unicode.Scalar.init).filter { !["\n", "\t", "\r"].contains($0) }
        return Dictionary(uniqueKeysWithValues: unwritable.map { ($0, " ") } + [("<", "&lt;"), (">", "&gt;"), ("&", "&amp;")])
    }()

    private static func escaped(_ text: String) -> String {
        text.escaping(escapes)
    }
}
