import Basics
import Geography

/// The polygons of a GeoJSON or Esri JSON file.
struct AreaFile {
    struct Feature {
        var properties: JSON
        var polygon: Result<Polygon, AreaProblem>
    }

    var reference: SpatialReference
    var features: [Feature]
    /// Whether the file is a collection, so that its features have numbers.
    var isCollection: Bool

    init(_ json: JSON) throws(AreaProblem) {
        guard json.object != nil else { throw AreaProblem("this is neither GeoJSON nor Esri JSON") }
        if let type = json["type"]?.string {
            reference = try Self.reference(geoJSON: json)
            switch type {
            case "FeatureCollection":
                guard let items = json["features"]?.array else { throw AreaProblem("the feature collection has no `features`") }
                features = items.map { Self.feature(geoJSON: $0) }
                isCollection = true
            case "Feature":
                features = [Self.feature(geoJSON: json)]
                isCollection = false
            default:
                features = [Feature(properties: .null, polygon: Self.polygon(geoJSON: json))]
                isCollection = false
            }
        } else if let items = json["features"]?.array {
            reference = SpatialReference(json: json["spatialReference"]) ?? .wgs84
            features = items.map {
                Feature(properties: $0["attributes"] ?? .null, polygon: Self.polygon(esri: $0["geometry"] ?? .null))
            }
            isCollection = true
        } else {
            let geometry = json["geometry"] ?? json
            reference = SpatialReference(json: geometry["spatialReference"] ?? json["spatialReference"]) ?? .wgs84
            features = [Feature(properties: json["attributes"] ?? .null, polygon: Self.polygon(esri: geometry))]
            isCollection = false
        }
    }

    /// The one polygon of a file of which one is expected.
    func single() throws(AreaProblem) -> Polygon {
        if features.count > 1 {
            throw AreaProblem(
                "the file holds \(features.count) features, and one polygon is expected",
                hint: "for one area each, write `features: { file: …, id: … }` instead of `polygon`")
        }
        guard let feature = features.first else { throw AreaProblem("the file holds no feature") }
        let polygon = try feature.polygon.get()
        if let problem = PlaceCheck.problem(polygon.rings.joined(), in: reference) { throw problem }
        return polygon
    }

    // MARK: GeoJSON (RFC 7946)

    /// GeoJSON of 2008 could name a system; RFC 7946 knows WGS 84 only, in the order longitude, latitude.
    private static func reference(geoJSON json: JSON) throws(AreaProblem) -> SpatialReference {
        guard let member = json["crs"], !member.isNull else { return .wgs84 }
        let name = member["properties"]?["name"]?.string ?? ""
        if name.hasSuffix("CRS84") { return .wgs84 }
        let parts = name.split(separator: ":")
        if name.uppercased().contains("EPSG"), let last = parts.last, let code = Int(last), code > 0 {
            return SpatialReference(wkid: code)
        }
        throw AreaProblem(
            "its `crs` is not known: \(name.isEmpty ? member.serialized() : name)", hint: "save the file in EPSG:4326 (WGS 84)")
    }

    private static func feature(geoJSON json: JSON) -> Feature {
        Feature(properties: json["properties"] ?? .null, polygon: polygon(geoJSON: json["geometry"] ?? .null))
    }

    private static func polygon(geoJSON json: JSON) -> Result<Polygon, AreaProblem> {
        do throws(AreaProblem) {
            switch json["type"]?.string {
            case "Polygon": return .success(try Rings.polygon(parts: [try rings(json["coordinates"])]))
            case "MultiPolygon":
                guard let parts = json["coordinates"]?.array else { throw AreaProblem("the geometry has no `coordinates`") }
                return .success(try Rings.polygon(parts: try parts.map { (part) throws(AreaProblem) in try rings(part) }))
            case "Feature", "FeatureCollection": throw AreaProblem("a feature within a feature")
            case let type?: throw AreaProblem("a \(type) is not a polygon")
            case nil: throw AreaProblem("there is no geometry")
            }
        } catch {
            return .failure(error)
        }
    }

    // MARK: Esri JSON (REST reference 3.1)

    private static func polygon(esri json: JSON) -> Result<Polygon, AreaProblem> {
        do throws(AreaProblem) {
            if json["curveRings"] != nil { throw AreaProblem("curves are not read", hint: "densify the polygon first") }
            if let member = json["rings"] { return .success(try Rings.polygon(anyOrder: try rings(member))) }
            guard let xmin = json["xmin"]?.double, let ymin = json["ymin"]?.double, let xmax = json["xmax"]?.double,
                let ymax = json["ymax"]?.double, xmin < xmax, ymin < ymax
            else { throw AreaProblem("there is no polygon: neither `rings` nor GeoJSON `coordinates`") }
            return .success(Polygon(Envelope(xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax)))
        } catch {
            return .failure(error)
        }
    }

    private static func rings(_ json: JSON?) throws(AreaProblem) -> [[Coordinate]] {
        guard let rings = json?.array else { throw AreaProblem("the geometry has no list of rings") }
        return try rings.map { (ring) throws(AreaProblem) in
            guard let positions = ring.array else { throw AreaProblem("a ring must be a list of positions [x, y]") }
            return try positions.map { (position) throws(AreaProblem) in
                guard let x = number(position[0]), let y = number(position[1]) else {
                    throw AreaProblem("a position must be two numbers, not \(String(position.serialized().prefix(60)))")
                }
                return Coordinate(x: x, y: y)
            }
        }
    }

    /// Numbers only: text in the place of one is a mistake in a file made for us.
    private static func number(_ json: JSON?) -> Double? {
        json?.string == nil ? json?.double.flatMap { $0.isFinite ? $0 : nil } : nil
    }
}
