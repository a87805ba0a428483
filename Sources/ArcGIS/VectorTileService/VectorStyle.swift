import Basics

/// A style document of vector tiles with its references made absolute (REST reference 7.2, 7.5).
public struct VectorStyle: Sendable, Hashable {
    public var url: String
    public var document: JSON
    /// Service URLs of the vector sources, in the style's order.
    public var serviceURLs: [String]
    /// Without extension: `….json`, `.png`, `@2x.json` and `@2x.png` belong to it.
    public var spriteURL: String?
    /// With `{fontstack}` and `{range}`.
    public var glyphsURL: String?

    public init(url: String, document: JSON) {
        self.url = url
        self.document = document
        spriteURL = document["sprite"]?.string.flatMap { URLText.resolve($0, against: url) }
        glyphsURL = document["glyphs"]?.string.flatMap { Self.resolveTemplate($0, against: url) }
        serviceURLs = (document["sources"]?.object?.members ?? []).compactMap { source in
            guard source.value["type"]?.string ?? "vector" == "vector" else { return nil }
            let reference = source.value["url"]?.string ?? source.value["tiles"]?[0]?.string
            return reference.flatMap { Self.service($0, styleURL: url) }
        }
    }

    private static func service(_ reference: String, styleURL: String) -> String? {
        guard let resolved = resolveTemplate(reference, against: styleURL) else { return nil }
        guard let address = ServiceAddress(resolved) else { return nil }
        return address.service
    }

    /// Braces are no URL characters: they are kept out of the resolver's hands.
    private static func resolveTemplate(_ reference: String, against base: String) -> String? {
        let brace = reference.firstIndex(of: "{") ?? reference.endIndex
        let fixed = String(reference[..<brace])
        let resolved = fixed.isEmpty ? URLText.resolve("./", against: base) : URLText.resolve(fixed, against: base)
        return resolved.map { $0 + reference[brace...] }
    }
}
