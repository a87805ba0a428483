/// How PROJ is asked for a spatial reference.
enum CoordinateSystem: Hashable {
    case reference(SpatialReference)
    /// Azimuthal equidistant on the WGS 84 ellipsoid: distances from the centre are true.
    case local(center: Coordinate)

    /// Names to try in turn. Esri's ids beyond EPSG's usual range are asked of Esri's list first, others of EPSG's first.
    var definitions: [String] {
        switch self {
        case .local(let center):
            return ["+proj=aeqd +lat_0=\(center.y) +lon_0=\(center.x) +datum=WGS84 +units=m +no_defs +type=crs"]
        case .reference(let reference):
            if reference.isWebMercator { return ["EPSG:3857"] }
            let ids = [reference.wkid, reference.latestWkid].compactMap { $0 }
            let named = ids.flatMap { id in
                let authorities = id > 32767 ? ["ESRI", "EPSG"] : ["EPSG", "ESRI"]
                return authorities.map { "\($0):\(id)" }
            }
            return named + [reference.wkt].compactMap { $0 }
        }
    }

    var spatialReference: SpatialReference {
        switch self {
        case .reference(let reference): reference
        case .local: .wgs84
        }
    }
}
