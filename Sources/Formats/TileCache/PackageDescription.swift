import Basics
import Geography

/// What a tile package says of itself, apart from its tiles.
public struct PackageDescription: Sendable, Hashable {
    public var name: String
    public var title: String
    public var summary: String
    /// Upper case with dashes, no braces.
    public var guid: String
    /// Epoch milliseconds.
    public var created: Int64
    public var scheme: TilingScheme
    /// Of the content, in the scheme's units.
    public var extent: Envelope
    /// The same in degrees.
    public var geographicExtent: Envelope
    /// Level ids that hold tiles, ascending.
    public var presentLevels: [Int]
    /// A PNG.
    public var thumbnail: [UInt8]

    /// Without a `guid` one is derived from name and extent, so that the same export gives the same bytes.
    public init(
        name: String, title: String? = nil, summary: String = "", guid: String? = nil, created: Int64 = 0, scheme: TilingScheme,
        extent: Envelope, geographicExtent: Envelope, presentLevels: [Int], thumbnail: [UInt8]
    ) {
        self.name = name
        self.title = title ?? name
        self.summary = summary
        self.guid = guid ?? Self.derivedIdentifier(from: "\(name) \(extent) \(presentLevels)")
        self.created = created
        self.scheme = scheme
        self.extent = extent
        self.geographicExtent = geographicExtent
        self.presentLevels = presentLevels.sorted()
        self.thumbnail = thumbnail
    }

    private static func derivedIdentifier(from text: String) -> String {
        let digits = Array(SHA256.hex(of: text).uppercased())
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return groups.joined(separator: "-")
    }

    var minLOD: Int { presentLevels.first ?? 0 }
    var maxLOD: Int { presentLevels.last ?? 0 }
    var minScale: Double { scheme[level: minLOD]?.scale ?? 0 }
    var maxScale: Double { scheme[level: maxLOD]?.scale ?? 0 }
}
