import Basics

/// Esri's JSON for areas, as request parameters and web maps have it (REST reference 3.2).
extension AreaShape {
    /// Equal shapes give equal text: members in a fixed order, numbers rounded to 9 decimals (0.1 mm) when every coordinate
    /// is within ±400, as degrees are, else to 4 (0.1 mm in metres), without needless zeros.
    public func esriJSON(spatialReference: SpatialReference? = nil) -> JSON {
        let box = envelope ?? Envelope(xmin: 0, ymin: 0, xmax: 0, ymax: 0)
        let isSmall = max(-box.xmin, box.xmax, -box.ymin, box.ymax) <= 400
        let factor = isSmall ? 1e9 : 1e4
        func number(_ value: Double) -> JSON {
            let rounded = (value * factor).rounded() / factor
            return .number(rounded == 0 ? 0 : rounded)
        }
        var json: JSON
        switch self {
        case .envelope(let box):
            json = [
                "xmin": number(box.xmin), "ymin": number(box.ymin), "xmax": number(box.xmax), "ymax": number(box.ymax),
            ]
        case .polygon(let polygon):
            json = ["rings": .array(polygon.rings.map { .array($0.map { [number($0.x), number($0.y)] }) })]
        }
        if let spatialReference { json["spatialReference"] = spatialReference.json }
        return json
    }

    /// Reads an envelope or a polygon; heights and measures are left out. Nil for other geometries, empty ones, curves, and
    /// numbers that are none. The spatial reference is beside it: `SpatialReference(json: json["spatialReference"])`.
    public init?(esriJSON json: JSON?) {
        if let envelope = Envelope(esriJSON: json) {
            self = .envelope(envelope)
        } else if let polygon = Polygon(esriJSON: json) {
            self = .polygon(polygon)
        } else {
            return nil
        }
    }
}

extension Envelope {
    /// Reads `{"xmin":…,"ymin":…,"xmax":…,"ymax":…}`; corners in the wrong order are put right.
    public init?(esriJSON json: JSON?) {
        guard let xmin = json?["xmin"]?.double, let ymin = json?["ymin"]?.double, let xmax = json?["xmax"]?.double,
            let ymax = json?["ymax"]?.double
        else { return nil }
        self.init(xmin: min(xmin, xmax), ymin: min(ymin, ymax), xmax: max(xmin, xmax), ymax: max(ymin, ymax))
    }
}

extension Polygon {
    /// Reads `{"rings":[[[x,y],…],…]}`.
    public init?(esriJSON json: JSON?) {
        guard let list = json?["rings"]?.array, !list.isEmpty else { return nil }
        var rings: [[Coordinate]] = []
        for ring in list {
            guard let vertices = ring.array, !vertices.isEmpty else { return nil }
            var coordinates: [Coordinate] = []
            for vertex in vertices {
                guard let x = vertex[0]?.double, let y = vertex[1]?.double else { return nil }
                coordinates.append(Coordinate(x: x, y: y))
            }
            rings.append(coordinates)
        }
        self.init(rings: rings)
    }
}

extension [[Coordinate]] {
    /// Reads places and lines, a place as a path of one vertex: `{"x":…,"y":…}`, `{"points":…}`, `{"paths":…}`.
    public init?(esriJSON json: JSON?) {
        func place(_ json: JSON) -> Coordinate? {
            guard let x = json[0]?.double, let y = json[1]?.double else { return nil }
            return Coordinate(x: x, y: y)
        }
        if let x = json?["x"]?.double, let y = json?["y"]?.double {
            self = [[Coordinate(x: x, y: y)]]
        } else if let points = json?["points"]?.array {
            self = points.compactMap(place).map { [$0] }
        } else if let paths = json?["paths"]?.array {
            self = paths.map { ($0.array ?? []).compactMap(place) }.filter { !$0.isEmpty }
        } else {
            return nil
        }
        if isEmpty { return nil }
    }
}
