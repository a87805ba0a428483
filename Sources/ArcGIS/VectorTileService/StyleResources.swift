import Basics
import Foundation

/// What a style refers to, and its document with those references made relative to its place in the copy.
public struct StyleResources: Sendable {
    public struct Resource: Sendable, Hashable {
        public var url: String
        /// Path in the copy: `sprites/sprite@2x.png`, `fonts/Arial Regular/0-255.pbf`.
        public var name: String
        public var isOptional: Bool
    }

    public private(set) var resources: [Resource] = []
    /// Fonts whose names no folder can have; they stay out of the copy.
    public private(set) var unusableFonts: [String] = []
    public private(set) var localDocument: JSON

    public init(_ style: VectorStyle) {
        localDocument = style.document
        if let sprite = style.spriteURL {
            for (suffix, isOptional) in [(".json", false), (".png", false), ("@2x.json", true), ("@2x.png", true)] {
                resources.append(
                    Resource(url: Self.adding(suffix, to: sprite), name: "sprites/sprite\(suffix)", isOptional: isOptional))
            }
            localDocument["sprite"] = "../sprites/sprite"
        }
        if let glyphs = style.glyphsURL {
            for stack in Self.fontStacks(style.document) {
                guard Self.isFolderName(stack) else {
                    unusableFonts.append(stack)
                    continue
                }
                for range in Self.ranges {
                    let url = glyphs.replacing("{fontstack}", with: Self.encoded(stack)).replacing("{range}", with: range.text)
                    resources.append(Resource(url: url, name: "fonts/\(stack)/\(range.text).pbf", isOptional: !range.isBasic))
                }
            }
            localDocument["glyphs"] = "../fonts/{fontstack}/{range}.pbf"
        }
    }

    /// A style is text of a stranger: a font may be called anything.
    private static func isFolderName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200 && !text.hasPrefix(".")
            && text.unicodeScalars.allSatisfy { !"/\\:".unicodeScalars.contains($0) && $0.properties.generalCategory != .control }
    }

    /// The suffix goes before a query.
    private static func adding(_ suffix: String, to url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url + suffix }
        return String(url[..<mark]) + suffix + url[mark...]
    }

    private static func encoded(_ stack: String) -> String {
        stack.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~,"))) ?? stack
    }

    /// Latin and its neighbours, Greek, Cyrillic, and punctuation: what European labels need. Other scripts are drawn by the
    /// client from local fonts.
    private static let ranges: [(text: String, isBasic: Bool)] =
        (0..<6).map { ("\($0 * 256)-\($0 * 256 + 255)", $0 == 0) } + [("8192-8447", false)]

    /// Every `text-font` of the layers, plain or inside an expression.
    static func fontStacks(_ document: JSON) -> [String] {
        var stacks: Set<String> = []
        for layer in document["layers"]?.array ?? [] {
            guard let fonts = layer["layout"]?["text-font"] else { continue }
            collect(fonts, into: &stacks)
        }
        return stacks.sorted()
    }

    private static func collect(_ value: JSON, into stacks: inout Set<String>) {
        if let names = value.array, !names.isEmpty, names.allSatisfy({ $0.string != nil }),
            names[0].string.map({ !expressionWords.contains($0) }) == true
        {
            stacks.insert(names.compactMap(\.string).joined(separator: ","))
        } else if let items = value.array {
            for item in items { collect(item, into: &stacks) }
        } else if let members = value.object {
            for member in members.members { collect(member.value, into: &stacks) }
        }
    }

    private static let expressionWords: Set<String> = [
        "literal", "step", "match", "case", "get", "zoom", "interpolate", "coalesce", "concat",
    ]
}
