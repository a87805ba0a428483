import Formats
import Geography

/// Descriptions for tests.
enum Samples {
    static func description(_ scheme: TilingScheme, levels: [Int], extent: Envelope) -> PackageDescription {
        PackageDescription(
            name: "town", title: "A town <with & signs>", summary: "Streets", scheme: scheme, extent: extent,
            geographicExtent: Envelope(xmin: -90, ymin: 0, xmax: 0, ymax: 66.5), presentLevels: levels,
            thumbnail: [0x89, 0x50, 0x4E, 0x47])
    }
}
