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

    @Test func dateLineIsExplained() {
        let found = problems("envelope: { xmin: 179, ymin: -18, xmax: -179, ymax: -17 }")
        #expect(found.map(\.hint) == ["across the 180th meridian, write two areas: one up to 180, one from -180"])
    }

    // MARK: Rings

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
        (#"{"type":"Point","coordinates":[0,0]}"#, "a.json: a Point is not a polygon"),
        (#"{"type":"Polygon"}"#, "a.json: the geometry has no list of rings"),
        (#"{"type":"Polygon","coordinates":[]}"#, "a.json: the polygon is empty"),
        (#"{"type":"Polygon","coordinates":[[["0",0],[1,0],[1,1]]]}"#, #"a.json: a position must be two numbers, not ["0",0]"#),
        (#"{"type":"FeatureCollection","features":[]}"#, "a.json: the file holds no feature"),
        (#"{"type":"Feature","properties":{},"geometry":null}"#, "a.json: there is no geometry"),
        (#"{"x":1}"#, "a.json: there is no polygon: neither `rings` nor GeoJSON `coordinates`"),
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
                "5:23 d.json: feature 4: a Point is not a polygon",
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
