import Basics
import Geography

/// Geometries of GeoJSON (RFC 7946) and Esri JSON (REST reference 3.1); heights and measures are left out.
struct GeometryReader {
    /// Of the file's spatial reference.
    var frame: WorldFrame?

    func geoJSON(_ json: JSON) -> Result<AreaGeometry, AreaProblem> {
        Result { () throws(AreaProblem) in
            let member = json["coordinates"]
            switch json["type"]?.string {
            case "Polygon":
                return .polygon(try Rings.polygon(parts: [try paths(member, "rings")], frame: frame))
            case "MultiPolygon":
                guard let parts = member?.array else { throw AreaProblem("the geometry has no `coordinates`") }
                let rings = try parts.map { (part) throws(AreaProblem) in try paths(part, "rings") }
                return .polygon(try Rings.polygon(parts: rings, frame: frame))
            case "Point":
                guard let member else { throw AreaProblem("the geometry has no `coordinates`") }
                return .places([[try position(member)]])
            case "MultiPoint": return .places(try positions(member).map { [$0] })
            case "LineString": return .lines(try Rings.lines([try positions(member)], frame: frame))
            case "MultiLineString": return .lines(try Rings.lines(try paths(member, "lines"), frame: frame))
            case "GeometryCollection":
                throw AreaProblem("a GeometryCollection is not read", hint: "save each geometry as a feature of its own")
            case "Feature", "FeatureCollection": throw AreaProblem("a feature within a feature")
            case let type?: throw AreaProblem("a \(type) is no polygon, line or point")
            case nil: throw AreaProblem("there is no geometry")
            }
        }
    }

    func esri(_ json: JSON) -> Result<AreaGeometry, AreaProblem> {
        Result { () throws(AreaProblem) in
            if json["curveRings"] != nil || json["curvePaths"] != nil {
                throw AreaProblem("curves are not read", hint: "densify the geometry first")
            }
            if let member = json["rings"] {
                return .polygon(try Rings.polygon(anyOrder: try paths(member, "rings"), frame: frame))
            }
            if let member = json["paths"] { return .lines(try Rings.lines(try paths(member, "paths"), frame: frame)) }
            if let member = json["points"] { return .places(try positions(member).map { [$0] }) }
            if let x = number(json["x"]), let y = number(json["y"]) { return .places([[Coordinate(x: x, y: y)]]) }
            guard let xmin = number(json["xmin"]), let ymin = number(json["ymin"]), let xmax = number(json["xmax"]),
                let ymax = number(json["ymax"]), xmin < xmax, ymin < ymax
            else { throw AreaProblem("there is no geometry: neither `rings`, `paths`, `x` and `y`, nor GeoJSON `coordinates`") }
            return .polygon(Polygon(Envelope(xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax)))
        }
    }

    private func paths(_ json: JSON?, _ words: String) throws(AreaProblem) -> [[Coordinate]] {
        guard let paths = json?.array else { throw AreaProblem("the geometry has no list of \(words)") }
        return try paths.map { (path) throws(AreaProblem) in try positions(path) }
    }

    private func positions(_ json: JSON?) throws(AreaProblem) -> [Coordinate] {
        guard let positions = json?.array, !positions.isEmpty else {
            throw AreaProblem("the geometry must be made of lists of positions [x, y]")
        }
        return try positions.map { (position) throws(AreaProblem) in try self.position(position) }
    }

    private func position(_ json: JSON) throws(AreaProblem) -> Coordinate {
        guard let x = number(json[0]), let y = number(json[1]) else {
            throw AreaProblem("a position must be two numbers, not \(String(json.serialized().prefix(60)))")
        }
        return Coordinate(x: x, y: y)
    }

    /// Numbers only: text in the place of one is a mistake in a file made for us.
    private func number(_ json: JSON?) -> Double? {
        json?.string == nil ? json?.double.flatMap { $0.isFinite ? $0 : nil } : nil
    }
}
