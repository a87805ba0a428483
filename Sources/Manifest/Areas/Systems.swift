import Basics
import Geography

/// Spatial references as people write them, known to PROJ or refused with advice.
enum Systems {
    /// `EPSG:31467`, `ESRI:102100`, `urn:ogc:def:crs:EPSG::31467`, well-known text, or PROJ's own form.
    static func reference(_ text: String) throws(AreaProblem) -> SpatialReference {
        let parts = text.split { ":/".contains($0) }.map(String.init)
        if parts.last?.uppercased() == "CRS84" { return .wgs84 }
        let definition = parts.count > 2 && text.contains("crs") ? authorityCode(parts) ?? text : text
        do throws(GeographyError) {
            return try SpatialReference(definition: definition)
        } catch {
            throw AreaProblem("the spatial reference `\(text.prefix(80))` is not known", hint: hint(for: parts))
        }
    }

    static func reference(wkid: Int) throws(AreaProblem) -> SpatialReference {
        try known(wkid == 102100 ? .webMercator : SpatialReference(wkid: wkid))
    }

    /// The member of an Esri geometry; heights (`vcsWkid`) are left out.
    static func reference(esri json: JSON?) throws(AreaProblem) -> SpatialReference {
        guard let json, !json.isNull else { return .wgs84 }
        guard let reference = SpatialReference(json: json) else {
            throw AreaProblem("its `spatialReference` has neither `wkid` nor `wkt`")
        }
        return try known(reference)
    }

    private static func known(_ reference: SpatialReference) throws(AreaProblem) -> SpatialReference {
        do throws(GeographyError) {
            try reference.requireKnown()
            return reference
        } catch {
            guard let id = reference.requestID else {
                throw AreaProblem("the well-known text of its spatial reference is not understood", hint: lookup)
            }
            let near = common.filter { nearestName(to: String(id), among: [String($0.key)]) != nil }.min { $0.key < $1.key }
            throw AreaProblem(
                "no spatial reference has the wkid \(id)", hint: near.map { "did you mean \($0.key), \($0.value)?" } ?? lookup)
        }
    }

    /// `http://www.opengis.net/def/crs/EPSG/0/31467` → `EPSG:31467`
    private static func authorityCode(_ parts: [String]) -> String? {
        guard let code = parts.last, let place = parts.firstIndex(where: { ["EPSG", "ESRI"].contains($0.uppercased()) }) else {
            return nil
        }
        return "\(parts[place].uppercased()):\(code)"
    }

    private static func hint(for parts: [String]) -> String {
        if parts.count == 2, Int(parts[1]) != nil, !["EPSG", "ESRI"].contains(parts[0]),
            let near = nearestName(to: parts[0], among: ["EPSG", "ESRI"])
        {
            return "did you mean `\(near):\(parts[1])`?"
        }
        return lookup
    }

    private static let lookup =
        "write the id that EPSG or Esri gives it, such as `EPSG:25832` or `ESRI:102100`, its well-known text, or what PROJ calls it"

    /// What people mean when they are one digit off.
    private static let common = [
        4326: "WGS 84", 3857: "Web Mercator", 102100: "Web Mercator", 4258: "ETRS89", 4269: "NAD83", 25832: "UTM zone 32N",
        25833: "UTM zone 33N", 31467: "Gauss-Krüger zone 3", 27700: "British National Grid", 2154: "Lambert 93",
        28992: "RD New", 2056: "LV95", 5514: "S-JTSK", 2193: "NZTM 2000", 3005: "BC Albers",
    ]
}
