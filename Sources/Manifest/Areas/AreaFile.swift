import Basics
import Geography

/// The polygons, lines and points of a GeoJSON or Esri JSON file.
struct AreaFile {
    struct Feature {
        var properties: JSON
        var geometry: Result<AreaGeometry, AreaProblem>
    }

    var reference: SpatialReference
    var features: [Feature]

    init(_ json: JSON) throws(AreaProblem) {
        guard json.object != nil else { throw AreaProblem("this is neither GeoJSON nor Esri JSON") }
        if let type = json["type"]?.string {
            reference = try Self.reference(geoJSON: json)
            let reader = GeometryReader(frame: try Self.frame(reference))
            features =
                switch type {
                case "FeatureCollection":
                    try Self.items(json).map {
                        Feature(properties: $0["properties"] ?? .null, geometry: reader.geoJSON($0["geometry"] ?? .null))
                    }
                case "Feature":
                    [Feature(properties: json["properties"] ?? .null, geometry: reader.geoJSON(json["geometry"] ?? .null))]
                default: [Feature(properties: .null, geometry: reader.geoJSON(json))]
                }
        } else {
            let single = json["geometry"] ?? json
            let isSet = json["features"]?.array != nil
            reference = try Systems.reference(
                esri: isSet ? json["spatialReference"] : single["spatialReference"] ?? json["spatialReference"])
            let reader = GeometryReader(frame: try Self.frame(reference))
            features =
                isSet
                ? try Self.items(json).map {
                    Feature(properties: $0["attributes"] ?? .null, geometry: reader.esri($0["geometry"] ?? .null))
                } : [Feature(properties: json["attributes"] ?? .null, geometry: reader.esri(single))]
        }
    }

    /// The one geometry of a file of which one is expected.
    func single(_ kind: AreaGeometry.Kind) throws(AreaProblem) -> AreaGeometry {
        if features.count > 1 {
            throw AreaProblem(
                "the file holds \(features.count) features, and one \(kind.rawValue) is expected",
                hint: "for one area each, write `features: { file: …, id: … }` instead of `\(kind.rawValue)`")
        }
        guard let feature = features.first else { throw AreaProblem("the file holds no feature") }
        let geometry = try feature.geometry.get()
        if geometry.kind != kind { throw kind.refusal(of: geometry.kind) }
        if let problem = PlaceCheck.problem(geometry.coordinates, in: reference) { throw problem }
        return geometry
    }

    private static func items(_ json: JSON) throws(AreaProblem) -> [JSON] {
        guard let items = json["features"]?.array else { throw AreaProblem("the feature collection has no `features`") }
        return items
    }

    private static func frame(_ reference: SpatialReference) throws(AreaProblem) -> WorldFrame? {
        do throws(GeographyError) {
            return try WorldFrame.of(reference)
        } catch {
            throw AreaProblem("its spatial reference is not known")
        }
    }

    /// GeoJSON of 2008 could name a system; RFC 7946 knows WGS 84 only, in the order longitude, latitude.
    private static func reference(geoJSON json: JSON) throws(AreaProblem) -> SpatialReference {
        guard let member = json["crs"], !member.isNull else { return .wgs84 }
        guard let name = member["properties"]?["name"]?.string else {
            throw AreaProblem("its `crs` is not known: \(member.serialized())", hint: "save the file in EPSG:4326 (WGS 84)")
        }
        do throws(AreaProblem) {
            return try Systems.reference(name)
        } catch {
            throw AreaProblem("its `crs` is not known: \(name)", hint: "save the file in EPSG:4326 (WGS 84)")
        }
    }
}
