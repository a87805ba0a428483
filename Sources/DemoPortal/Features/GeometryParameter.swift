import Basics
import Geography

/// `geometry` with `geometryType` and `inSR`, brought into Web Mercator. The portal knows 4326 and the Web Mercator ids; any other
/// reference is refused.
enum GeometryParameter {
    enum System: Sendable, Hashable {
        case degrees, mercator

        var json: JSON {
            switch self {
            case .degrees: ["wkid": 4326, "latestWkid": 4326]
            case .mercator: ["wkid": 102100, "latestWkid": 3857]
            }
        }
    }

    static func read(_ parameters: Parameters) throws(RESTError) -> AreaShape? {
        guard let text = parameters["geometry"] else { return nil }
        return try shape(text, type: parameters["geometryType"], inSR: parameters["inSR"] ?? parameters["defaultSR"])
    }

    static func shape(_ text: String, type: String?, inSR: String?) throws(RESTError) -> AreaShape {
        let invalid = RESTError.invalidParameters("'geometry' parameter is invalid")
        let stated = try inSR.map(system)
        let numbers = text.split(separator: ",").map { Double($0.trimmed) }
        if !text.trimmed.hasPrefix("{") {
            guard !numbers.contains(nil), numbers.count == 4 || (numbers.count == 2 && type == "esriGeometryPoint") else {
                throw invalid
            }
            let values = numbers.compactMap { $0 }
            let envelope =
                values.count == 4
                ? Envelope(xmin: values[0], ymin: values[1], xmax: values[2], ymax: values[3])
                : Envelope(xmin: values[0], ymin: values[1], xmax: values[0], ymax: values[1])
            return mercator(.envelope(envelope), from: stated ?? .mercator)
        }
        guard let tree = try? JSON.parse(text), let shape = shape(tree) else { throw invalid }
        if let type, type != "esriGeometryEnvelope", tree["xmin"] != nil { throw invalid }
        let own = try tree["spatialReference"].map { tree throws(RESTError) in try system(tree.serialized()) }
        return mercator(shape, from: own ?? stated ?? .mercator)
    }

    /// Envelope, polygon or point JSON as it stands.
    static func shape(_ tree: JSON) -> AreaShape? {
        if let xmin = tree["xmin"]?.double, let ymin = tree["ymin"]?.double, let xmax = tree["xmax"]?.double,
            let ymax = tree["ymax"]?.double
        {
            guard xmin <= xmax, ymin <= ymax else { return nil }
            return .envelope(Envelope(xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax))
        }
        if let x = tree["x"]?.double, let y = tree["y"]?.double {
            return .envelope(Envelope(xmin: x, ymin: y, xmax: x, ymax: y))
        }
        guard let rings = tree["rings"]?.array, !rings.isEmpty else { return nil }
        var polygon = Polygon(rings: [])
        for ring in rings {
            var coordinates: [Coordinate] = []
            for place in ring.array ?? [] {
                guard let x = place[0]?.double, let y = place[1]?.double else { return nil }
                coordinates.append(Coordinate(x: x, y: y))
            }
            guard coordinates.count >= 3 else { return nil }
            polygon.rings.append(coordinates)
        }
        return .polygon(polygon)
    }

    /// `4326`, `{"wkid":4326}`, `EPSG:4326` is not accepted by services either.
    static func system(_ text: String) throws(RESTError) -> System {
        let reference =
            Int(text.trimmed).map { SpatialReference(wkid: $0) } ?? (try? JSON.parse(text)).flatMap { SpatialReference(json: $0) }
        if reference?.isWebMercator == true { return .mercator }
        if reference?.isWGS84 == true { return .degrees }
        throw .invalidParameters("'\(text)' is not a spatial reference that this server can project.")
    }

    static func mercator(_ shape: AreaShape, from system: System) -> AreaShape {
        guard system == .degrees else { return shape }
        let place = { (degrees: Coordinate) in
            // Web Mercator ends at 85.06 degrees; beyond, services clip as well.
            WebMercator.place(longitude: degrees.x, latitude: min(85.06, max(-85.06, degrees.y)))
        }
        switch shape {
        case .envelope(let envelope):
            let low = place(Coordinate(x: envelope.xmin, y: envelope.ymin))
            let high = place(Coordinate(x: envelope.xmax, y: envelope.ymax))
            return .envelope(Envelope(xmin: low.x, ymin: low.y, xmax: high.x, ymax: high.y))
        case .polygon(let polygon): return .polygon(Polygon(rings: polygon.rings.map { $0.map(place) }))
        }
    }

    static func filter(_ shape: AreaShape) -> AreaFilter? {
        switch shape {
        case .envelope(let envelope): AreaFilter(envelope)
        case .polygon(let polygon): AreaFilter(polygon)
        }
    }
}
