import Basics
import Geography

/// The files under `resources` of the vector tile service, and those of a portal item with a style of its own.
enum VectorTileResources {
    struct Resource: Sendable {
        var bytes: [UInt8]
        var contentType: String

        static func json(_ value: JSON) -> Resource {
            Resource(bytes: Array(value.serialized().utf8), contentType: "application/json")
        }
    }

    static let fontStack = "Noto Sans Regular"
    /// The ranges that `resources/info` lists; any range is answered.
    static let listedRanges = ["0-255", "256-511", "8192-8447"]

    /// A path below `resources`, such as `styles/root.json` or `fonts/Noto Sans Regular/0-255.pbf`, decoded; nil when there is none.
    static func resource(_ path: String, bounds: Envelope) -> Resource? {
        switch path {
        case "styles", "styles/root.json": .json(StreetStyle.light.json(StreetStyle.Places(), bounds: bounds))
        case "info", "info/root.json": .json(["resourceInfo": .array(listed.map { .string("../" + encoded($0)) })])
        default: sprite(path) ?? glyphs(path)
        }
    }

    /// Fonts and sprites, as `resources/info` lists them.
    static var listed: [String] {
        listedRanges.map { "fonts/\(fontStack)/\($0).pbf" }
            + ["sprites/sprite.json", "sprites/sprite.png", "sprites/sprite@2x.json", "sprites/sprite@2x.png"]
    }

    private static func encoded(_ path: String) -> String {
        path.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
    }

    private static func sprite(_ path: String) -> Resource? {
        switch path {
        case "sprites/sprite.json": .json(SpriteSheet(scale: 1).index)
        case "sprites/sprite@2x.json": .json(SpriteSheet(scale: 2).index)
        case "sprites/sprite.png": Resource(bytes: SpriteSheet(scale: 1).picture, contentType: "image/png")
        case "sprites/sprite@2x.png": Resource(bytes: SpriteSheet(scale: 2).picture, contentType: "image/png")
        default: nil
        }
    }

    /// A valid glyph file without glyphs: clients draw no text and do not complain.
    private static func glyphs(_ path: String) -> Resource? {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 3, parts[0] == "fonts", parts[1] == fontStack, parts[2].hasSuffix(".pbf") else { return nil }
        let range = String(parts[2].dropLast(4))
        let ends = range.split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, ends[0] % 256 == 0, ends[1] == ends[0] + 255, (0...65_280).contains(ends[0]) else { return nil }
        var stack = ProtobufWriter()
        stack.text(1, fontStack)
        stack.text(2, range)
        var file = ProtobufWriter()
        file.data(1, stack.bytes)
        return Resource(bytes: file.bytes, contentType: "application/x-protobuf")
    }
}

/// A portal item's own style: absolute addresses, a time-stamped sprite name (REST reference 7.5).
struct CustomStyle: Sendable {
    /// `…/content/items/{id}/resources`.
    var itemResourcesURL: String
    /// `…/VectorTileServer`.
    var serviceURL: String

    private static let spriteName = "sprite-1717200000000"

    /// The paths of the item's resources.
    static let paths =
        ["styles/root.json", "info/root.json"]
        + ["", "@2x"].flatMap { ["sprites/\(spriteName)\($0).json", "sprites/\(spriteName)\($0).png"] }

    func resource(_ path: String, bounds: Envelope) -> VectorTileResources.Resource? {
        switch path {
        case "styles/root.json":
            return .json(
                StreetStyle.dark.json(
                    StreetStyle.Places(
                        sprite: "\(itemResourcesURL)/sprites/\(Self.spriteName)",
                        glyphs: "\(serviceURL)/resources/fonts/{fontstack}/{range}.pbf", source: serviceURL), bounds: bounds))
        case "info/root.json":
            let sprites = Self.paths.filter { $0.hasPrefix("sprites/") }.map { "\(itemResourcesURL)/\($0)" }
            let fonts = VectorTileResources.listedRanges.map {
                "\(serviceURL)/resources/fonts/"
                    + VectorTileResources.fontStack.split(separator: " ").joined(separator: "%20") + "/\($0).pbf"
            }
            return .json(["resourceInfo": .array((fonts + sprites).map(JSON.string))])
        default:
            guard path.hasPrefix("sprites/\(Self.spriteName)") else { return nil }
            return VectorTileResources.resource(
                "sprites/sprite" + path.dropFirst("sprites/\(Self.spriteName)".count), bounds: bounds)
        }
    }
}

extension VectorTiles {
    private var bounds: Envelope { WebMercator.degrees(fullExtent) }

    func resource(_ path: String) -> VectorTileResources.Resource? { VectorTileResources.resource(path, bounds: bounds) }

    /// A resource of a portal item that restyles this service.
    func customStyle(itemResourcesURL: String, serviceURL: String, path: String) -> VectorTileResources.Resource? {
        CustomStyle(itemResourcesURL: itemResourcesURL, serviceURL: serviceURL).resource(path, bounds: bounds)
    }
}
