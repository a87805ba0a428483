/// Areas of interest.
enum AreaKeys {
    private static let wkid = Key(
        name: "wkid", shape: .integer(minimum: 1), meaning: "The coordinate system of the numbers, by its id at EPSG or Esri.",
        standard: 4326, example: "3857")
    private static let spatialReference = Key(
        name: "spatialReference", shape: .text(.any),
        meaning: "In place of `wkid`: the code of an authority, well-known text, or what PROJ calls the coordinate system.",
        example: "EPSG:31467")
    private static let oneSystem = ObjectShape.Rule.notTogether(
        "wkid", "spatialReference", why: "both name the coordinate system: keep one")

    static let area = ObjectShape(
        keys: [
            Key(
                name: "id", shape: .text(.areaID),
                meaning:
                    "Names the area in reports and is its folder's name: unique, letters, digits, `-`, `_` and `.`. Required, except "
                    + "with `features`, where it is put before the id of each feature.",
                example: "downtown"),
            Key(
                name: "envelope", shape: .object(envelope), meaning: "A box.",
                example: "{ xmin: -88.16, ymin: 41.765, xmax: -88.14, ymax: 41.78 }"),
            Key(
                name: "polygon", shape: .either(scalar: .text(.any), collection: .object(polygon)),
                meaning: "A polygon: the path of a GeoJSON or Esri JSON file with one polygon, or its coordinates written here.",
                example: "areas/riverwalk.geojson"),
            Key(
                name: "point", shape: .either(scalar: .text(.any), collection: .object(point)),
                meaning:
                    "What is within `buffer` of a place: its coordinates, or the path of a GeoJSON or Esri JSON file with one point or "
                    + "multipoint.",
                example: "{ x: -88.15, y: 41.77 }"),
            Key(
                name: "line", shape: .either(scalar: .text(.any), collection: .object(line)),
                meaning:
                    "What is within `buffer` of a line: the path of a GeoJSON or Esri JSON file with one line, or its coordinates.",
                example: "areas/pipeline.geojson"),
            Key(
                name: "features", shape: .object(features),
                meaning: "One area for each polygon, line or point of a file or of a layer; lines and points need a `buffer`.",
                example: "{ file: areas/districts.geojson, id: DISTRICT }"),
            Key(
                name: "buffer", shape: .length,
                meaning: "Widens the area by this length on the ground. A `point` or a `line` must have one of more than 0.",
                standard: 0, example: "250 m"),
            Key(
                name: "simplify", shape: .length,
                meaning:
                    "Allows a border of fewer vertices, for servers that take no large requests: it moves outward by at most this length on "
                    + "the ground, never inward.",
                standardInWords: "every vertex is sent", example: "5 m"),
        ],
        rules: [
            .exactlyOne(["envelope", "polygon", "point", "line", "features"]), .required("id", unless: "features"),
            .needs("point", "buffer"), .needs("line", "buffer"),
        ])

    static let envelope = ObjectShape(
        keys: [
            Key(
                name: "xmin", shape: .number(), isRequired: true, meaning: "West: longitude, or x in the units of `wkid`.",
                example: "-88.16"),
            Key(name: "ymin", shape: .number(), isRequired: true, meaning: "South: latitude, or y.", example: "41.765"),
            Key(
                name: "xmax", shape: .number(), isRequired: true,
                meaning: "East; larger than `xmin`, unless the box crosses the antimeridian (`xmin: 177, xmax: -178`).",
                example: "-88.14"),
            Key(name: "ymax", shape: .number(), isRequired: true, meaning: "North; larger than `ymin`.", example: "41.78"),
            wkid, spatialReference,
        ], rules: [oneSystem])

    static let point = ObjectShape(
        keys: [
            Key(
                name: "x", shape: .number(), isRequired: true, meaning: "Longitude, or x in the units of `wkid`.",
                example: "-88.15"
            ),
            Key(name: "y", shape: .number(), isRequired: true, meaning: "Latitude, or y.", example: "41.77"),
            wkid, spatialReference,
        ], rules: [oneSystem])

    private static let position = Shape.list(.number(), minimum: 2, itemWords: "two numbers, x and y")
    private static let rings = Shape.list(.list(position, minimum: 3, itemWords: "positions [x, y]"), itemWords: "rings")

    static let polygon = ObjectShape(
        keys: [
            Key(
                name: "rings", shape: rings,
                meaning:
                    "Rings as in Esri JSON: outer rings and holes. They may be open and turn either way; both are put in order.",
                example: "[[[-88.16, 41.77], [-88.15, 41.78], [-88.14, 41.77]]]"),
            Key(
                name: "coordinates", shape: rings,
                meaning: "Coordinates as in a GeoJSON Polygon: the outer ring, then the holes.",
                example: "[[[-88.16, 41.77], [-88.14, 41.77], [-88.15, 41.78], [-88.16, 41.77]]]"),
            wkid, spatialReference,
        ], rules: [.exactlyOne(["rings", "coordinates"]), oneSystem])

    private static let path = Shape.list(position, minimum: 2, itemWords: "positions [x, y]")

    static let line = ObjectShape(
        keys: [
            Key(
                name: "paths", shape: .list(path, itemWords: "paths"), meaning: "One or more paths as in Esri JSON.",
                example: "[[[-88.16, 41.77], [-88.15, 41.78]], [[-88.15, 41.77], [-88.14, 41.77]]]"),
            Key(
                name: "coordinates", shape: path, meaning: "Coordinates as in a GeoJSON LineString.",
                example: "[[-88.16, 41.77], [-88.15, 41.78], [-88.14, 41.77]]"),
            wkid, spatialReference,
        ], rules: [.exactlyOne(["paths", "coordinates"]), oneSystem])

    static let features = ObjectShape(
        keys: [
            Key(
                name: "file", shape: .text(.any),
                meaning: "The path of a GeoJSON feature collection or an Esri JSON feature set.",
                example: "areas/districts.geojson"),
            Key(
                name: "url", shape: .text(.url), meaning: "The address of a layer of a feature or map service.",
                example: "https://maps.example.com/server/rest/services/Districts/FeatureServer/0"),
            Key(
                name: "id", shape: .text(.any), isRequired: true,
                meaning: "The property or field that names each area; made safe for a folder, and unique.", example: "DISTRICT"),
            Key(
                name: "where", shape: .text(.any), meaning: "Which features of the layer (SQL, sent as it is). Only with `url`.",
                standard: "1=1", example: "ACTIVE = 1"),
        ],
        rules: [
            .exactlyOne(["file", "url"]),
            .notTogether(
                "file", "where", why: "`where` is answered by a server: take the features you want into a file of their own"),
        ])
}
