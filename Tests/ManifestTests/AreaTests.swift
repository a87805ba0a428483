import Basics
import Geography
import Manifest
import Testing

@Suite struct AreaTests {
    private func area(_ yaml: String, files: [String: String] = [:]) throws -> (AreaShape, SpatialReference) {
        let result = decode(manifest(area: yaml), files: files)
        let manifest = try #require(result.manifest, Comment(rawValue: result.allText))
        guard case .shape(let shape, let reference) = manifest.areas[0].place else { throw NotAPolygon() }
        return (shape, reference)
    }

    private func rings(_ yaml: String, files: [String: String] = [:]) throws -> [[[Double]]] {
        try area(yaml, files: files).0.polygon.rings.map { $0.map { [$0.x, $0.y] } }
    }

    private func problems(_ yaml: String, files: [String: String] = [:]) -> [Diagnostic] {
        decode(manifest(area: yaml), files: files).diagnostics
    }

    @Test func envelopeStaysAnEnvelope() throws {
        let (shape, reference) = try area("envelope: { xmin: 1, ymin: 2, xmax: 3, ymax: 4, wkid: 26916 }")
        #expect(shape == .envelope(Envelope(xmin: 1, ymin: 2, xmax: 3, ymax: 4)))
        #expect(reference == SpatialReference(wkid: 26916))
    }

    @Test func metresWithoutWkidAreExplained() {
        let found = problems("envelope: { xmin: -9813000, ymin: 5123000, xmax: -9812000, ymax: 5124000 }")
        #expect(found.map(\.message) == ["latitude 5123000.0 is not between -90 and 90"])
        #expect(found[0].hint == "these look like metres: say which, for example with `wkid: 3857`")
        #expect(found[0].line == 6 && found[0].column == 39)
    }

    @Test func swappedAxesAreExplained() {
        let found = problems("envelope: { xmin: 41, ymin: -120, xmax: 42, ymax: -119 }")
        #expect(found.map(\.hint) == ["x is the longitude, y the latitude: are they swapped?"])
    }

    @Test func emptyEnvelope() {
        #expect(
            problems("envelope: { xmin: 1, ymin: 3, xmax: 1, ymax: 2 }").map(\.message) == [
                "`xmin` must be smaller than `xmax`; it is 1, and `xmax` is 1",
                "`ymin` must be smaller than `ymax`; it is 3, and `ymax` is 2",
            ])
    }

    @Test func envelopeAcrossTheAntimeridianRunsOn() throws {
        #expect(
            try area("envelope: { xmin: 177, ymin: -18, xmax: -178, ymax: -17 }").0
                == .envelope(Envelope(xmin: 177, ymin: -18, xmax: 182, ymax: -17)))
        // The world of Web Mercator is 40,075,016.685578 m wide.
        let metres = try area("envelope: { xmin: 20000000, ymin: 0, xmax: -20000000, ymax: 1, wkid: 3857 }").0
        #expect(abs((metres.envelope?.xmax ?? 0) - 20_075_016.685578) < 1e-5)
    }

    /// 350° wide the other way round: these are swapped numbers.
    @Test(arguments: ["xmin: 5, ymin: 0, xmax: -5, ymax: 1", "xmin: -88.14, ymin: 0, xmax: -88.16, ymax: 1"])
    func swappedEdgesAreExplained(_ numbers: String) {
        let found = problems("envelope: { \(numbers) }")
        #expect(found.map(\.hint) == ["swap the two numbers"])
    }

    // MARK: Spatial references

    @Test(arguments: [
        ("wkid: 31467", SpatialReference(wkid: 31467)), ("spatialReference: EPSG:31467", SpatialReference(wkid: 31467)),
        ("spatialReference: ESRI:102100", SpatialReference(wkid: 102100)),
        ("spatialReference: \"urn:ogc:def:crs:EPSG::25832\"", SpatialReference(wkid: 25832)),
        ("spatialReference: http://www.opengis.net/def/crs/EPSG/0/25832", SpatialReference(wkid: 25832)),
        ("spatialReference: \"OGC:CRS84\"", .wgs84), ("wkid: 102671", SpatialReference(wkid: 102671)),
    ])
    func systems(_ yaml: String, _ reference: SpatialReference) throws {
        #expect(try area("envelope: { xmin: 1, ymin: 2, xmax: 3, ymax: 4, \(yaml) }").1 == reference)
    }

    @Test(arguments: [
        ("wkid: 25382", "no spatial reference has the wkid 25382", "did you mean 25832, UTM zone 32N?"),
        ("wkid: 999999", "no spatial reference has the wkid 999999", "write the id that EPSG or Esri gives it"),
        ("spatialReference: EPGS:31467", "the spatial reference `EPGS:31467` is not known", "did you mean `EPSG:31467`?"),
        ("spatialReference: Gauss", "the spatial reference `Gauss` is not known", "write the id that EPSG or Esri gives it"),
    ])
    func unknownSystems(_ yaml: String, _ message: String, _ hint: String) {
        let found = problems("envelope: { xmin: 1, ymin: 2, xmax: 3, ymax: 4, \(yaml) }")
        #expect(found.map(\.message) == [message])
        #expect(found.first?.hint?.hasPrefix(hint) == true, "\(found)")
    }

    @Test func systemsOfEsriFiles() throws {
        let ring = "[[[0,0],[1,0],[1,1],[0,0]]]"
        func system(_ member: String) throws -> SpatialReference {
            try area("polygon: a.json", files: ["/m/a.json": #"{"rings":\#(ring),"spatialReference":\#(member)}"#]).1
        }
        // Heights are left out.
        #expect(try system(#"{"wkid":25832,"vcsWkid":5783}"#) == SpatialReference(wkid: 25832))
        #expect(try system(#"{"wkid":102671,"latestWkid":3435}"#) == SpatialReference(wkid: 102671, latestWkid: 3435))
        let wkt = SpatialReference(
            wkt:
                #"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]"#
        )
        #expect(try system(wkt.json.serialized()) == wkt)
        for (member, message) in [
            (#"{"wkid":25382}"#, "a.json: no spatial reference has the wkid 25382"),
            (#"{"wkt":"nonsense"}"#, "a.json: the well-known text of its spatial reference is not understood"),
            (#"{"name":"x"}"#, "a.json: its `spatialReference` has neither `wkid` nor `wkt`"),
        ] {
            let found = problems(
                "polygon: a.json", files: ["/m/a.json": #"{"rings":\#(ring),"spatialReference":\#(member)}"#])
            #expect(found.map(\.message) == [message])
        }
    }

    // MARK: Points and lines

    private func paths(_ yaml: String, files: [String: String] = [:]) throws -> [[[Double]]] {
        let result = decode(manifest(area: yaml + "\n    buffer: 100 m"), files: files)
        let manifest = try #require(result.manifest, Comment(rawValue: result.allText))
        guard case .paths(let paths, _) = manifest.areas[0].place else { throw NotAPolygon() }
        #expect(manifest.areas[0].buffer == 100)
        return paths.map { $0.map { [$0.x, $0.y] } }
    }

    @Test func pointsOfEveryKind() throws {
        #expect(try paths("point: { x: -88.15, y: 41.77 }") == [[[-88.15, 41.77]]])
        #expect(try paths("point: { x: 3500000, y: 5500000, wkid: 31467 }") == [[[3_500_000, 5_500_000]]])
        for text in [
            #"{"type":"Point","coordinates":[1,2,300]}"#, #"{"x":1,"y":2,"z":300,"spatialReference":{"wkid":4326}}"#,
            #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
        ] {
            #expect(try paths("point: a.json", files: ["/m/a.json": text]) == [[[1, 2]]], "\(text)")
        }
        for text in [#"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, #"{"points":[[1,2],[3,4]]}"#] {
            #expect(try paths("point: a.json", files: ["/m/a.json": text]) == [[[1, 2]], [[3, 4]]], "\(text)")
        }
    }

    @Test func linesOfEveryKind() throws {
        let one = [[[1.0, 2.0], [3, 4], [5, 4]]]
        let two = [[[1.0, 2.0], [3, 4]], [[5, 6], [7, 8]]]
        #expect(try paths("line: { coordinates: [[1, 2], [3, 4], [5, 4]] }") == one)
        #expect(try paths("line: { paths: [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }") == two)
        for (text, expected) in [
            (#"{"type":"LineString","coordinates":[[1,2],[3,4],[5,4]]}"#, one),
            (#"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#, two),
            (#"{"paths":[[[1,2],[3,4]],[[5,6],[7,8]]],"spatialReference":{"wkid":4326}}"#, two),
        ] {
            #expect(try paths("line: a.json", files: ["/m/a.json": text]) == expected, "\(text)")
        }
        // Across the antimeridian by the short way.
        #expect(try paths("line: { coordinates: [[178, -18], [-172, -14]] }") == [[[178, -18], [188, -14]]])
    }

    @Test(arguments: [
        ("point: { x: 1, y: 2 }", "`point` needs `buffer` beside it"),
        ("line: { coordinates: [[1, 2], [3, 4]] }", "`line` needs `buffer` beside it"),
        ("point: { x: 1, y: 2 }\n    buffer: 0 m", "`buffer` must be more than 0: the area is what lies within it"),
        ("point: { x: 1, y: 95 }\n    buffer: 5 m", "latitude 95.0 is not between -90 and 90"),
        ("point: { x: 1 }\n    buffer: 5 m", "`y` is missing"),
        ("line: { coordinates: [[1, 2], [1, 2]] }\n    buffer: 5 m", "path 1 of the line has fewer than two different positions"),
        ("point: p.json", "`point` needs `buffer` beside it"),
        ("polygon: p.json", "p.json: a point is not a polygon"),
        ("line: p.json\n    buffer: 5 m", "p.json: a point is not a line"),
        (
            "point: { x: 1, y: 2, wkid: 4326, spatialReference: EPSG:4326 }\n    buffer: 5 m",
            "`spatialReference` cannot stand beside `wkid`"
        ),
    ])
    func badPointsAndLines(_ yaml: String, _ message: String) {
        let found = problems(yaml, files: ["/m/p.json": #"{"type":"Point","coordinates":[1,2]}"#])
        #expect(found.map(\.message) == [message])
    }

    @Test func simplify() throws {
        func simplify(_ yaml: String) throws -> Double? {
            try #require(
                decode(manifest(area: "envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 }\n    simplify: \(yaml)")).manifest
            )
            .areas[0].simplify
        }
        #expect(
            problems("envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 }\n    simplify: 5 m").map(\.message)
                == ["`simplify` has no effect: an envelope has four corners"])
        #expect(try simplify("5 m") == 5 && simplify("0.5 km") == 500 && simplify("0") == nil)
    }

    // MARK: Rings

    @Test func ringsAcrossTheAntimeridianAreInOnePiece() throws {
        // Jumps from 179 to -179; counter-clockwise as written, so turned.
        #expect(
            try rings("polygon: { rings: [[[179, 0], [-179, 0], [-179, 1], [179, 1]]] }")
                == [[[179, 0], [179, 1], [181, 1], [181, 0], [179, 0]]])
        let hole = #"[[179.5,0.2],[179.5,0.8],[-179.5,0.8],[-179.5,0.2],[179.5,0.2]]"#
        let file = #"{"type":"Polygon","coordinates":[[[179,0],[-179,0],[-179,1],[179,1],[179,0]],\#(hole)]}"#
        let found = try rings("polygon: a.json", files: ["/m/a.json": file])
        #expect(found[0] == [[179, 0], [179, 1], [181, 1], [181, 0], [179, 0]])
        #expect(found[1].map { $0[0] }.sorted() == [179.5, 179.5, 179.5, 180.5, 180.5])
        // As RFC 7946 wants it: two parts stay two parts.
        let split =
            #"{"type":"MultiPolygon","coordinates":[[[[179,0],[180,0],[180,1],[179,1],[179,0]]],[[[-180,0],[-179,0],[-179,1],[-180,1],[-180,0]]]]}"#
        #expect(try rings("polygon: a.json", files: ["/m/a.json": split]).map { $0[0][0] } == [179, -180])
    }

    @Test func ringIsClosedAndTurnedClockwise() throws {
        // Counter-clockwise and open: east, then north.
        #expect(try rings("polygon: { rings: [[[0, 0], [1, 0], [1, 1]]] }") == [[[0, 0], [1, 1], [1, 0], [0, 0]]])
        // Clockwise: north, then east; stays.
        #expect(try rings("polygon: { rings: [[[0, 0], [0, 1], [1, 1], [0, 0]]] }") == [[[0, 0], [0, 1], [1, 1], [0, 0]]])
    }

    @Test func holesAreFoundInAnyOrder() throws {
        let hole = "[[1, 1], [2, 1], [2, 2], [1, 2]]"
        let outer = "[[0, 0], [4, 0], [4, 4], [0, 4]]"
        let island = "[[6, 0], [7, 0], [7, 1]]"
        let found = try rings("polygon: { rings: [\(hole), \(outer), \(island)] }")
        // Each outer ring is followed by its holes.
        #expect(found[0] == [[0, 0], [0, 4], [4, 4], [4, 0], [0, 0]])
        #expect(found[1] == [[1, 1], [2, 1], [2, 2], [1, 2], [1, 1]])
        #expect(found[2] == [[6, 0], [7, 1], [7, 0], [6, 0]])
    }

    @Test func geoJSONOrderIsTurned() throws {
        let file = #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[1,2],[2,2],[2,1],[1,1]]]}"#
        let found = try rings("polygon: a.json", files: ["/m/a.json": file])
        #expect(found[0] == [[0, 0], [0, 4], [4, 4], [4, 0], [0, 0]])
        #expect(found[1] == [[1, 1], [2, 1], [2, 2], [1, 2], [1, 1]])
    }

    @Test(arguments: [
        ("[[[0, 0], [1, 1], [0, 0]]]", "ring 1 of the polygon has fewer than three different positions"),
        ("[[[0, 0], [1, 1], [2, 2]]]", "ring 1 of the polygon has no area"),
        ("[[[0, 0], [2, 3], [2, 0], [0, 1]]]", "ring 1 of the polygon crosses itself near 0.0, 0.0"),
        ("[[[0, 0], [0, 95], [1, 0]]]", "latitude 95.0 is not between -90 and 90"),
    ])
    func badRings(_ rings: String, _ message: String) {
        let found = problems("polygon: { rings: \(rings) }")
        #expect(found.map(\.message) == [message])
        #expect(found.map(\.line) == [6] && found.map(\.column) == [23])
    }

    // MARK: Files

    private static let triangle = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#

    private func collection(_ features: [String], _ more: String = "") -> String {
        #"{"type":"FeatureCollection"\#(more),"features":[\#(features.joined(separator: ","))]}"#
    }

    private func feature(_ properties: String, _ geometry: String = triangle) -> String {
        #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#
    }

    @Test func everyKindOfFile() throws {
        let expected = [[[0.0, 0.0], [1, 1], [1, 0], [0, 0]]]
        let esri = #"{"rings":[[[0,0],[1,0],[1,1],[0,0]]],"spatialReference":{"wkid":102100,"latestWkid":3857}}"#
        let multi = #"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}"#
        for text in [
            Self.triangle, multi, feature("null"), collection([feature("{}")]), esri,
            #"{"geometry":\#(esri),"attributes":{}}"#,
            #"{"features":[{"geometry":\#(esri)}],"geometryType":"esriGeometryPolygon"}"#,
            "\u{FEFF}" + Self.triangle,
        ] {
            #expect(try rings("polygon: a.json", files: ["/m/a.json": text]) == expected, "\(text)")
        }
        #expect(try area("polygon: a.json", files: ["/m/a.json": esri]).1 == .webMercator)
    }

    @Test(arguments: [
        ("urn:ogc:def:crs:OGC:1.3:CRS84", 4326), ("urn:ogc:def:crs:EPSG::3857", 3857), ("EPSG:26916", 26916),
        ("urn:ogc:def:crs:EPSG::4326", 4326),
    ])
    func crsOfOldGeoJSON(_ name: String, _ wkid: Int) throws {
        let file = collection([feature("{}")], #","crs":{"type":"name","properties":{"name":"\#(name)"}}"#)
        #expect(try area("polygon: a.json", files: ["/m/a.json": file]).1 == SpatialReference(wkid: wkid))
    }

    @Test(arguments: [
        (#"{"type":"Point","coordinates":[0,0]}"#, "a.json: a point is not a polygon"),
        (#"{"type":"Polygon"}"#, "a.json: the geometry has no list of rings"),
        (#"{"type":"Polygon","coordinates":[]}"#, "a.json: the polygon is empty"),
        (#"{"type":"Polygon","coordinates":[[["0",0],[1,0],[1,1]]]}"#, #"a.json: a position must be two numbers, not ["0",0]"#),
        (#"{"type":"FeatureCollection","features":[]}"#, "a.json: the file holds no feature"),
        (#"{"type":"Feature","properties":{},"geometry":null}"#, "a.json: there is no geometry"),
        (#"{"x":1}"#, "a.json: there is no geometry: neither `rings`, `paths`, `x` and `y`, nor GeoJSON `coordinates`"),
        (#"{"type":"GeometryCollection","geometries":[]}"#, "a.json: a GeometryCollection is not read"),
        (#"{"curvePaths":[]}"#, "a.json: curves are not read"),
        (#"[]"#, "a.json: this is neither GeoJSON nor Esri JSON"),
        (#"{"type":"Polygon","crs":{"type":"link"},"coordinates":[]}"#, #"a.json: its `crs` is not known: {"type":"link"}"#),
    ])
    func badFile(_ text: String, _ message: String) {
        let found = problems("polygon: a.json", files: ["/m/a.json": text])
        #expect(found.map(\.message) == [message])
        #expect(found.map(\.line) == [6] && found.map(\.column) == [14])
    }

    @Test func missingFileSaysWhereItWasLookedFor() {
        let found = problems("polygon: sub/a.json")
        #expect(found.map(\.message) == ["`sub/a.json` cannot be read: there is no such file"])
        #expect(found[0].hint == "it was looked for at /m/sub/a.json")
    }

    @Test func severalPolygonsPointToFeatures() {
        let found = problems("polygon: a.json", files: ["/m/a.json": collection([feature("{}"), feature("{}")])])
        #expect(found.map(\.message) == ["a.json: the file holds 2 features, and one polygon is expected"])
        #expect(found[0].hint?.contains("features: { file:") == true)
    }

    // MARK: Features

    private func features(_ yaml: String, _ file: String) -> ManifestResult {
        decode(
            "version: 1\nname: n\nwebMap: acc027394bc84c2fb04d1ed317aac674\nareas:\n" + yaml, files: ["/m/d.json": file])
    }

    @Test func oneAreaForEachFeature() throws {
        let file = collection([feature(#"{"N":"Nord/Süd"}"#), feature(#"{"N":7}"#), feature(#"{"N":"nord süd"}"#)])
        let result = features("  - { features: { file: d.json, id: N }, buffer: 5 m }\n", file)
        let areas = try #require(result.manifest).areas
        #expect(areas.map(\.id) == ["nord-sud", "7", "nord-sud-2"])
        #expect(areas.map(\.buffer) == [5, 5, 5])
        #expect(areas.map(\.origin) == ["/m/x.yaml:5:5", "/m/x.yaml:5:5", "/m/x.yaml:5:5"])
    }

    @Test func pointsAndLinesAreAreasWithABuffer() throws {
        let file = collection([
            feature(#"{"N":"well"}"#, #"{"type":"Point","coordinates":[0,0]}"#),
            feature(#"{"N":"pipe"}"#, #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#), feature(#"{"N":"field"}"#),
        ])
        let areas = try #require(
            features("  - { features: { file: d.json, id: N }, buffer: 5 m, simplify: 1 m }\n", file).manifest
        )
        .areas
        #expect(areas.map(\.id) == ["well", "pipe", "field"] && areas.allSatisfy { $0.buffer == 5 && $0.simplify == 1 })
        #expect(areas[0].place == .paths([[Coordinate(x: 0, y: 0)]], .wgs84))
        #expect(areas[1].place == .paths([[Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]], .wgs84))
    }

    @Test func writtenIdsComeFirstAndPrefixIsPutBefore() throws {
        let result = features(
            "  - { features: { file: d.json, id: N } }\n  - { id: p, features: { file: d.json, id: N } }\n  - { id: A, polygon: d.json }\n"
                + "  - { id: P, features: { file: d.json, id: N } }\n",
            collection([feature(#"{"N":"a"}"#)]))
        #expect(try #require(result.manifest).areas.map(\.id) == ["a-2", "p-a", "A", "P-a-2"])
    }

    @Test func everyFeatureWithAProblemIsNamed() {
        let file = collection([
            feature(#"{"DISTRICT":"x"}"#), feature(#"{"DISTRCT":"y"}"#), feature(#"{"DISTRICT":null}"#),
            feature(#"{"DISTRICT":"z"}"#, #"{"type":"Point","coordinates":[0,0]}"#),
        ])
        let result = features("  - features: { file: d.json, id: DISTRICT }\n", file)
        #expect(
            result.summary == [
                "5:23 d.json: feature 4: a point has no area: it needs a `buffer`",
                "5:35 d.json: feature 2 has no property `DISTRICT`",
                "5:35 d.json: feature 3 has no usable value of `DISTRICT`",
            ])
        #expect(result.diagnostics[1].hint == "did you mean `DISTRCT`?")
    }

    @Test func sameIdTwiceIsAWarning() throws {
        let result = features(
            "  - features: { file: d.json, id: N }\n", collection([feature(#"{"N":"a"}"#), feature(#"{"N":"a"}"#)]))
        #expect(try #require(result.manifest).areas.map(\.id) == ["a", "a-2"])
        #expect(result.summary == ["5:23 d.json: features 1 and 2 have the same N, `a`"])
    }

    @Test func featuresOfALayer() throws {
        let result = features("  - { features: { url: \"https://h/s/FeatureServer/0\", id: N, where: A = 1 } }\n", "")
        #expect(
            try #require(result.manifest).areas
                == [
                    AreaSource(
                        id: "", place: .layer(url: "https://h/s/FeatureServer/0", whereClause: "A = 1", idField: "N"),
                        origin: "/m/x.yaml:5:5")
                ])
    }

    @Test func areaIdsAreUniqueAlsoInOtherCase() {
        let result = decode(
            manifest(
                "  - { id: A, envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 } }\n  - { id: a, envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 } }\n"
            ))
        #expect(result.summary == ["7:11 the area ids `a` and `A` differ only in case", "8:11 the area id `a` is given twice"])
        #expect(result.diagnostics[0].hint?.contains("line 5") == true)
    }
}
