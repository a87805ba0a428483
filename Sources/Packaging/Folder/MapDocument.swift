import ArcGIS
import Basics
import Geography
import Planning

/// The web map of one area with its layers pointing to the local files (formats.md 4.2).
struct MapDocument {
    var json: JSON
    /// Where each layer's data is, by layer id: `file:./….geodatabase?itemId=0`.
    var paths: [String: String] = [:]

    /// - Layers with a file get `path`, vector tile layers with a style of their own also `itemPath`; their online `url` stays.
    /// - Layers that the manifest left out are taken out.
    /// - Everything else stays as its author wrote it.
    init(plan: Plan, area: PlannedArea, parts: [PackagedPart]) throws(WebMapError) {
        let map = try WebMap(document: plan.map.document)
        json = map.document
        var excluded: Set<String> = []
        for planned in plan.layers {
            guard let layer = map.layer(planned.id) else { continue }
            let gap = plan.gap(of: planned.id, in: area.id)
            if planned.verdict == .excluded || gap?.staysOnline == false {
                excluded.insert(planned.id)
                continue
            }
            // What came of a layer is of no use without the rest.
            guard let source = planned.source, gap?.failure == nil else { continue }
            let own = parts.filter { $0.job.id.hasPrefix("\(area.id)/\(source)/") }
            let style = own.first { $0.job.kind == .style }
            let data = own.first { $0.job.kind != .style } ?? style.flatMap { Self.tiles(for: $0, in: parts) }
            let path = data.map { Self.path(of: layer, in: $0, planned: planned) }
            let itemPath = style.map { "file:./\($0.name)" }
            let members = [("itemPath", itemPath), ("path", path)].filter { $0.1 != nil }
            if members.isEmpty { continue }
            paths[planned.id] = path ?? itemPath
            json = json.changing(layer.path) { old in
                members.reduce(old) { $0.adding($1.0, $1.1.map(JSON.string) ?? .null) }
            }
        }
        json = Self.removing(excluded, from: json, map)
        for part in parts {
            if let basemap = part.job.work.basemap { replaceBasemap(basemap, part) }
        }
        try complete(plan, area)
    }

    /// A style that came alone draws the tiles that another layer brought of the same service.
    private static func tiles(for style: PackagedPart, in parts: [PackagedPart]) -> PackagedPart? {
        guard case .style(let work) = style.job.work else { return nil }
        return parts.first {
            if case .vectorTiles(let tiles) = $0.job.work { tiles.serviceURL == work.serviceURL } else { false }
        }
    }

    private static func path(of layer: WebMapLayer, in part: PackagedPart, planned: PlannedLayer) -> String {
        guard part.job.kind == .replica else { return "file:./\(part.name)" }
        return "file:./\(part.name)?itemId=\(planned.serviceLayerID ?? layer.layerID ?? 0)"
    }

    private static func removing(_ ids: Set<String>, from document: JSON, _ map: WebMap) -> JSON {
        guard !ids.isEmpty else { return document }
        var changed = map
        changed.document = document
        return changed.removing(layers: ids)
    }

    /// The file at the bottom; a base layer that the manifest keeps online stays above it.
    private mutating func replaceBasemap(_ basemap: ReferenceBasemap, _ part: PackagedPart) {
        let path = "file:./\(part.name)"
        let layer: JSON = [
            "id": .string(basemap.layer.id), "title": .string(basemap.title), "visibility": true, "opacity": 1,
            "layerType": basemap.content == .tiles ? "ArcGISTiledMapServiceLayer" : "VectorTileLayer", "path": .string(path),
        ]
        paths[basemap.layer.id] = path
        let kept = json["baseMap"]?["baseMapLayers"]?.array ?? []
        json["baseMap"] = ["title": .string(basemap.title), "baseMapLayers": .array([layer] + kept)]
        json["spatialReference"] = basemap.spatialReference.json
    }

    /// What the runtime's classes require of a map, and where it opens: on the area (formats.md 4.2, 11.2).
    private mutating func complete(_ plan: Plan, _ area: PlannedArea) throws(WebMapError) {
        if json["baseMap"]?.object == nil { json["baseMap"] = ["baseMapLayers": []] }
        if json["baseMap"]?["title"]?.string == nil { json["baseMap"] = json["baseMap"]?.adding("title", .string("Basemap")) }
        if json["operationalLayers"]?.array == nil { json["operationalLayers"] = [] }
        let reference = plan.map.spatialReference
        if json["spatialReference"]?.object == nil { json["spatialReference"] = reference.json }
        guard let extent = try? area.shape.extent(from: area.spatialReference, to: reference) else { return }
        let viewpoint: JSON = ["targetGeometry": AreaShape.envelope(extent).esriJSON(spatialReference: reference)]
        json["initialState"] = (json["initialState"] ?? [:]).adding("viewpoint", viewpoint)
    }
}

extension JSON {
    func adding(_ key: String, _ value: JSON) -> JSON {
        var copy = self
        copy[key] = value
        return copy
    }
}
