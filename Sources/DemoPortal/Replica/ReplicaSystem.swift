import Formats
import Geography

/// The two spatial references of replica files.
enum ReplicaSystem: Sendable {
    case mercator, degrees

    var srid: Int { self == .mercator ? 3857 : 4326 }
    var grid: STGeometryGrid { self == .mercator ? .webMercator : .degrees }

    /// Data is in Web Mercator.
    func project(_ place: Coordinate) -> Coordinate { self == .mercator ? place : WebMercator.degrees(place) }

    func stored(_ shape: Shape) -> STGeometry {
        switch shape {
        case .point(let place): .point(project(place), srid: srid)
        case .polyline(let paths): .line(paths.map { $0.map(project) }, srid: srid)
        case .polygon(let polygon): .polygon(Polygon(rings: polygon.rings.map { $0.map(project) }), srid: srid)
        }
    }

    /// The `SpatialReference` element of definitions, with the grid of the shapes.
    var xml: String {
        let origin = self == .mercator ? ("-20037700", "-30241100", "10000") : ("-400", "-400", "1000000000")
        let ids = self == .mercator ? ("102100", "3857") : ("4326", "4326")
        return XMLText.element(
            "SpatialReference",
            type: self == .mercator ? "typens:ProjectedCoordinateSystem" : "typens:GeographicCoordinateSystem",
            XMLText.element("WKT", text: wellKnownText)
                + XMLText.elements([
                    ("XOrigin", origin.0), ("YOrigin", origin.1), ("XYScale", origin.2), ("ZOrigin", "-100000"),
                    ("ZScale", "10000"),
                    ("MOrigin", "-100000"), ("MScale", "10000"), ("XYTolerance", self == .mercator ? "0.001" : "8.98e-09"),
                    ("ZTolerance", "0.001"), ("MTolerance", "0.001"), ("HighPrecision", "true"), ("WKID", ids.0),
                    ("LatestWKID", ids.1),
                ]))
    }

    private var wellKnownText: String {
        let geographic =
            #"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],"#
            + #"PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]"#
        guard self == .mercator else { return geographic + #",AUTHORITY["EPSG",4326]]"# }
        return #"PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere","# + geographic
            + #"],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],"#
            + #"PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],"#
            + #"PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0],AUTHORITY["EPSG",3857]]"#
    }
}
