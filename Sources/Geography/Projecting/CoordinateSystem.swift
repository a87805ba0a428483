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
            return named + [reference.wkt.map(Self.firstElement)].compactMap { $0 }
        }
    }

    /// Esri writes a vertical system behind the horizontal one, with a comma between: `PROJCS[…],VERTCS[…]`.
    private static func firstElement(of text: String) -> String {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "[", "(": depth += 1
            case "]", ")":
                depth -= 1
                if depth == 0, text[text.index(after: index)...].contains(where: { $0 == "[" }) { return String(text[...index]) }
            default: break
            }
        }
        return text
    }

    var spatialReference: SpatialReference {
        switch self {
        case .reference(let reference): reference
        case .local: .wgs84
        }
    }
}
