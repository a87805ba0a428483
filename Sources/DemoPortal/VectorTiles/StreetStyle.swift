import Basics
import Geography

/// GL styles of the street map: the service's own, and a dark one that a portal item can carry.
struct StreetStyle: Sendable {
    var land: String
    var district: String
    var park: String
    var water: String
    var casing: String
    var local: String
    var arterial: String
    var main: String
    var text: String
    var halo: String

    static let light = StreetStyle(
        land: "#f4f1ea", district: "#ebe6da", park: "#cde6b8", water: "#a8cce4", casing: "#bdb5a6", local: "#ffffff",
        arterial: "#fbd98b", main: "#1f5fd6", text: "#4a4238", halo: "#ffffff")
    static let dark = StreetStyle(
        land: "#1d2226", district: "#262c31", park: "#24382a", water: "#16303f", casing: "#0f1214", local: "#4a5157",
        arterial: "#8a6d2f", main: "#5aa0ff", text: "#d8dde0", halo: "#1d2226")

    /// Where a style finds its sprite, its glyphs and its tiles; relative to the style or absolute.
    struct Places: Sendable {
        var sprite = "../sprites/sprite"
        var glyphs = "../fonts/{fontstack}/{range}.pbf"
        var source = "../../"
    }

    /// `bounds` are degrees.
    func json(_ places: Places, bounds: Envelope) -> JSON {
        [
            "version": 8, "sprite": .string(places.sprite), "glyphs": .string(places.glyphs),
            "sources": [
                "esri": [
                    "type": "vector", "url": .string(places.source), "scheme": "xyz",
                    "bounds": .array([bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax].map(JSON.number)),
                    "minzoom": JSON(VectorTiles.levels.lowerBound), "maxzoom": JSON(VectorTiles.levels.upperBound),
                ]
            ],
            "layers": .array(layers),
        ]
    }

    private var layers: [JSON] {
        let arterial: JSON = ["==", "class", "arterial"]
        let local: JSON = ["==", "class", "local"]
        return [
            ["id": "land", "type": "background", "paint": ["background-color": .string(land)]],
            fill("districts", color: district, extra: ("fill-outline-color", .string(casing))), fill("parks", color: park),
            fill("water", color: water),
            line("streets/casing", "streets", color: casing, widths: [11, 1, 16, 14]),
            line("streets/local", "streets", color: self.local, widths: [11, 0.5, 16, 11], filter: local),
            line("streets/arterial", "streets", color: self.arterial, widths: [8, 0.8, 16, 16], filter: arterial),
            line("mains", "mains", color: main, widths: [13, 0.8, 16, 2.5]),
            symbol("hydrants", "hydrants", from: 15, layout: ["icon-image": "hydrant", "icon-allow-overlap": true]),
            symbol(
                "streets/name", "streets", from: 14,
                layout: label(field: "{name}", size: 11, placement: "line")),
            symbol("places/name", "places", from: 4, layout: label(field: "{name}", size: 15, placement: "point")),
        ]
    }

    private func label(field: String, size: Int, placement: String) -> JSON {
        [
            "text-field": .string(field), "text-size": JSON(size), "symbol-placement": .string(placement),
            "text-font": [.string(VectorTileResources.fontStack)],
        ]
    }

    private func fill(_ layer: String, color: String, extra: (key: String, value: JSON)? = nil) -> JSON {
        var paint: JSON = ["fill-color": .string(color)]
        if let extra { paint[extra.key] = extra.value }
        return ["id": .string(layer), "type": "fill", "source": "esri", "source-layer": .string(layer), "paint": paint]
    }

    /// `widths`: zoom, pixels, zoom, pixels.
    private func line(_ id: String, _ layer: String, color: String, widths: [Double], filter: JSON? = nil) -> JSON {
        var line: JSON = ["id": .string(id), "type": "line", "source": "esri", "source-layer": .string(layer)]
        if let filter { line["filter"] = filter }
        line["layout"] = ["line-cap": "round", "line-join": "round"]
        line["paint"] = [
            "line-color": .string(color),
            "line-width": [
                "base": 1.4,
                "stops": [[.number(widths[0]), .number(widths[1])], [.number(widths[2]), .number(widths[3])]],
            ],
        ]
        return line
    }

    private func symbol(_ id: String, _ layer: String, from zoom: Int, layout: JSON) -> JSON {
        [
            "id": .string(id), "type": "symbol", "source": "esri", "source-layer": .string(layer), "minzoom": JSON(zoom),
            "layout": layout,
            "paint": ["text-color": .string(text), "text-halo-color": .string(halo), "text-halo-width": 1.2],
        ]
    }
}
