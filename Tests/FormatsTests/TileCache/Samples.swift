import Formats
import Geography

/// Schemes and descriptions for tests.
enum Samples {
    /// The usual Web Mercator scheme of formats.md 1.1, levels 0–19; 512 pixels shift it by one level.
    static func webMercator(pixels: Int = 256) -> CacheScheme {
        let top = pixels == 256 ? (156543.03392800014, 591657527.591555) : (78271.516964, 295828763.7957775)
        return CacheScheme(
            spatialReference: .webMercator, origin: Coordinate(x: -20037508.342787, y: 20037508.342787), rows: pixels,
            columns: pixels,
            dpi: 96,
            levels: (0..<20).map { level in
                let factor = Double(1 << level)
                return CacheLevel(level: level, resolution: top.0 / factor, scale: top.1 / factor)
            })
    }

    static func description(_ scheme: CacheScheme, levels: [Int], extent: Envelope) -> PackageDescription {
        PackageDescription(
            name: "town", title: "A town <with & signs>", summary: "Streets", scheme: scheme, extent: extent,
            geographicExtent: Envelope(xmin: -90, ymin: 0, xmax: 0, ymax: 66.5), presentLevels: levels,
            thumbnail: [0x89, 0x50, 0x4E, 0x47])
    }
}
