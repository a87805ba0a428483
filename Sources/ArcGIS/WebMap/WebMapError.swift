import Basics

/// Why a document is no web map.
public enum WebMapError: Error, Sendable, Hashable {
    /// Not JSON at all; the parser's reason.
    case notJSON(reason: String)
    /// A web scene: ground, presentation or viewing mode of three dimensions.
    case webScene
    /// A portal item's description instead of its data.
    case item(id: String, type: String)
    /// JSON without base map, operational layers or tables; `members` is what was there.
    case notAWebMap(members: [String])
}

/// What is odd about a web map without making it useless.
public enum WebMapWarning: Sendable, Hashable {
    /// Not a 2.x map.
    case version(String)
    /// A print document (ExportWebMap): it has no base map section of its own.
    case printDocument
    case webScene
    /// Entries that are no layers at all, such as null; where they stand.
    case notALayer(section: String, index: Int)
    /// Two layers share an id; the later ones got a new one here.
    case duplicateID(String)
}
