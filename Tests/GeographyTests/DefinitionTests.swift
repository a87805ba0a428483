import Basics
import TestSupport
import Testing

@testable import Geography

@Suite("Spatial references by any name")
struct DefinitionTests {
    @Test(arguments: [
        ("EPSG:31467", 31467), ("ESRI:102100", 102100), ("urn:ogc:def:crs:EPSG::25832", 25832), ("EPSG:4326", 4326),
        ("epsg:3857", 3857),
        // Places and heights: RD New and NAP.
        ("EPSG:7415", 28992),
    ])
    func ids(_ text: String, _ id: Int) throws {
        #expect(try SpatialReference(definition: text).requestID == id)
    }

    /// `cs2cs` gives the axes in the authority's order: north before east for zone 3 of Gauss-Krüger.
    @Test(
        .enabled(if: Files.exists("/usr/bin/cs2cs"), "needs cs2cs: apt install proj-bin"),
        arguments: [
            ("EPSG:31467", true), ("EPSG:2056", false), ("EPSG:5514", false), ("ESRI:54030", false),
            ("+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m +no_defs +type=crs", false),
        ])
    func agreesWithCs2cs(_ text: String, isNorthFirst: Bool) throws {
        let place = Coordinate(x: 9.1, y: 47.3)
        let input = try TemporaryFolder()
        try Files.writeAtomically(Array("\(place.y) \(place.x)\n".utf8), to: input.file("in"))
        let verdict = try Command.run("cs2cs", ["-f", "%.6f", "EPSG:4326", "+to", text, input.file("in")])
        let numbers = verdict.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(numbers.count >= 2, "\(verdict.errors)")
        let expected = isNorthFirst ? Coordinate(x: numbers[1], y: numbers[0]) : Coordinate(x: numbers[0], y: numbers[1])
        let ours = try Projection.project(place, from: .wgs84, to: SpatialReference(definition: text))
        #expect(ours.isNear(expected, 2e-3), "\(ours) \(expected)")
    }

    @Test("well-known text with a vertical system behind it, as Esri writes it")
    func vertical() throws {
        let flat = """
            PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],\
            PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],\
            PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",9.0],\
            PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]
            """
        let both =
            flat
            + #",VERTCS["DHHN2016_height",VDATUM["Deutsches_Haupthoehennetz_2016"],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],UNIT["Meter",1.0]]"#
        let place = Coordinate(x: 9, y: 50)
        let expected = try Projection.project(place, from: .wgs84, to: SpatialReference(wkid: 25832))
        for text in [flat, both] {
            #expect(try Projection.project(place, from: .wgs84, to: SpatialReference(wkt: text)).isNear(expected, 1e-6))
            #expect(try Projection.project(place, from: .wgs84, to: SpatialReference(definition: text)).isNear(expected, 1e-6))
        }
    }

    @Test(arguments: ["EPGS:31467", "EPSG:999999", "nonsense", "", "PROJCS["])
    func unknown(_ text: String) {
        #expect(throws: GeographyError.unknownSpatialReference(SpatialReference(wkt: text))) {
            try SpatialReference(definition: text)
        }
        #expect(throws: GeographyError.self) { try SpatialReference(wkid: 999_999).requireKnown() }
    }
}
