import Foundation
import Geography
import Planning

/// Where the areas are and how they stand, drawn without a base map: the page asks no network for anything.
struct AreaMap {
    let report: RunReport

    /// A shape smaller than this is drawn as a dot.
    private static let smallest = 7.0
    private static let longestName = 24
    /// With more areas than this, names are for those that need a look.
    private static let manyAreas = 40

    private struct Drawn {
        var area: AreaReport
        var outline: AreaOutline
        var box: Envelope
        var isDot: Bool { max(box.width, box.height) < AreaMap.smallest }
    }

    @MarkupBuilder var figure: Markup {
        let placed = report.areasWorstFirst.compactMap { area in area.outline.map { (area, $0) } }
        let boxes = placed.flatMap { $0.1.parts.compactMap { Envelope(around: $0.joined()) } }
        if let projection = MapProjection(boxes) {
            let drawn = placed.compactMap { area, outline in
                Envelope(around: outline.parts.joined().joined().map { projection($0) }).map {
                    Drawn(area: area, outline: outline, box: $0)
                }
            }
            picture(drawn, projection)
        }
    }

    private func picture(_ drawn: [Drawn], _ projection: MapProjection) -> Markup {
        let isCrowded = drawn.count > Self.manyAreas
        let worthNaming = isCrowded ? drawn.filter { $0.area.standing.tone != .good } : drawn
        let names = names(worthNaming, among: drawn, projection)
        let unnamed = drawn.count - names.count
        return element("figure", ["class": isCrowded ? "map crowded" : "map"]) {
            element(
                "svg",
                [
                    "viewBox": "0 0 \(Self.number(projection.width)) \(Self.number(projection.height))", "role": "img",
                    "aria-labelledby": "map-title map-text",
                ]
            ) {
                element("title", ["id": "map-title"]) { "Map of the areas" }
                element("desc", ["id": "map-text"]) { description(drawn.map(\.area)) }
                element("defs") {
                    for tone in [Tone.kept, .bad] { hatch(tone) }
                }
                element("rect", ["class": "ground", "width": "100%", "height": "100%"])
                Graticule(projection: projection).lines
                // The worst are drawn last, on top.
                for shape in drawn.reversed() { self.shape(shape, projection) }
                for name in names {
                    element("text", ["class": "name", "x": Self.number(name.x), "y": Self.number(name.y)]) { name.text }
                }
                Graticule(projection: projection).scaleBar
            }
            element("figcaption") {
                legend
                if unnamed > 0 {
                    element("p") {
                        "\(Quantity.count(unnamed, "area is", "areas are")) drawn without a name; the table names them all."
                    }
                }
            }
        }
    }

    private func names(_ shapes: [Drawn], among all: [Drawn], _ projection: MapProjection) -> [LabelPlacement.Label] {
        var placement = LabelPlacement(width: projection.width, height: projection.height, shapes: all.map(\.box))
        placement.reserve(Graticule.scaleBox(projection))
        return shapes.compactMap { shape in
            let name = "\(shape.area.standing.sign) \(Wording.clean(shape.area.id).elided(to: Self.longestName).isolated)"
            return placement.place(name, at: shape.box)
        }
    }

    private func shape(_ shape: Drawn, _ projection: MapProjection) -> Markup {
        let standing = shape.area.standing
        let size = shape.area.bytes > 0 ? ", \(Quantity.bytes(shape.area.bytes))" : ""
        let age = standing == .new ? "" : report.age(shape.area.lastSuccess).map { ", \($0) old" } ?? ""
        return element("g", ["class": "area \(standing.tone.rawValue)"]) {
            element("title") { "\(Wording.foreign(shape.area.id)): \(standing.words)\(size)\(age)" }
            if shape.isDot {
                element(
                    "circle", ["cx": Self.number(shape.box.center.x), "cy": Self.number(shape.box.center.y), "r": "4.5"])
            } else {
                element("path", ["fill-rule": "evenodd", "d": Self.path(shape.outline, projection)])
            }
        }
    }

    private static func path(_ outline: AreaOutline, _ projection: MapProjection) -> String {
        outline.parts.joined().map { ring in
            "M" + ring.dropLast().map { projection($0) }.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: "L") + "Z"
        }.joined()
    }

    /// Tones are told apart without colour, too.
    private func hatch(_ tone: Tone) -> Markup {
        element(
            "pattern",
            [
                "id": "hatch-\(tone.rawValue)", "class": tone.rawValue, "width": "6", "height": "6",
                "patternUnits": "userSpaceOnUse", "patternTransform": tone == .bad ? "rotate(45)" : "rotate(-45)",
            ]
        ) {
            element("rect", ["class": "fill", "width": "6", "height": "6"])
            element("line", ["class": "stroke", "x1": "0", "y1": "0", "x2": "0", "y2": "6"])
        }
    }

    private var legend: Markup {
        element("ul", ["class": "legend"]) {
            for standing in AreaReport.Standing.allCases.reversed() {
                let count = report.areas.count { $0.standing == standing }
                if count > 0 {
                    element("li") {
                        badge(standing.tone, standing.sign, standing.words)
                        " \(Quantity.count(count))"
                    }
                }
            }
        }
    }

    private func description(_ areas: [AreaReport]) -> String {
        if areas.count > 20 { return "\(Quantity.count(areas.count)) areas; the table below tells how each of them stands." }
        return areas.map { "\(Wording.foreign($0.id)): \($0.standing.words)" }.joined(separator: "; ") + "."
    }

    static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}
