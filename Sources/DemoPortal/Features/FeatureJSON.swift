import Basics
import Geography

/// Rows as ArcGIS and GeoJSON write them.
enum FeatureJSON {
    static func value(_ value: FeatureTable.Value) -> JSON {
        switch value {
        case .null: .null
        case .integer(let number), .date(let number): .integer(number)
        case .double(let number): .number(number)
        case .text(let text): .string(text)
        }
    }

    static func attributes(_ row: FeatureTable.Row, fields: [FeatureTable.Field], columns: [Int]) -> JSON {
        .object(JSONObject(columns.map { .init(key: fields[$0].name, value: value(row.value(at: $0))) }))
    }

    static func geometry(_ shape: Shape, in system: GeometryParameter.System) -> JSON {
        switch shape {
        case .point(let place):
            let place = project(place, system)
            return ["x": .number(place.x), "y": .number(place.y)]
        case .polyline(let paths): return ["paths": coordinates(paths, system)]
        case .polygon(let polygon): return ["rings": coordinates(polygon.rings, system)]
        }
    }

    static func geoJSON(_ shape: Shape, in system: GeometryParameter.System) -> JSON {
        switch shape {
        case .point(let place): return ["type": "Point", "coordinates": pair(place, system)]
        case .polyline(let paths):
            if paths.count == 1 { return ["type": "LineString", "coordinates": coordinates(paths, system)[0] ?? []] }
            return ["type": "MultiLineString", "coordinates": coordinates(paths, system)]
        case .polygon(let polygon):
            // GeoJSON turns outer rings the other way.
            let rings = polygon.rings.map { Array($0.reversed()) }
            return ["type": "Polygon", "coordinates": coordinates(rings, system)]
        }
    }

    static func envelope(_ envelope: Envelope?, in system: GeometryParameter.System) -> JSON {
        guard let envelope else {
            return ["xmin": "NaN", "ymin": "NaN", "xmax": "NaN", "ymax": "NaN", "spatialReference": system.json]
        }
        let box = system == .degrees ? WebMercator.degrees(envelope) : envelope
        return [
            "xmin": .number(box.xmin), "ymin": .number(box.ymin), "xmax": .number(box.xmax), "ymax": .number(box.ymax),
            "spatialReference": system.json,
        ]
    }

    private static func project(_ place: Coordinate, _ system: GeometryParameter.System) -> Coordinate {
        system == .degrees ? WebMercator.degrees(place) : place
    }

    private static func pair(_ place: Coordinate, _ system: GeometryParameter.System) -> JSON {
        let place = project(place, system)
        return [.number(place.x), .number(place.y)]
    }

    private static func coordinates(_ parts: [[Coordinate]], _ system: GeometryParameter.System) -> JSON {
        .array(parts.map { .array($0.map { pair($0, system) }) })
    }
}
