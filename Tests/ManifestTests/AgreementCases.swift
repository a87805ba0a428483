import Manifest
import Testing

/// A document that the decoder and the JSON Schema must judge alike, unless `exception` says why they cannot.
struct AgreementCase: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var isGood: Bool
    /// Why the schema says the opposite.
    var exception: String?

    var testDescription: String { name }
    var decoded: ManifestResult { decode(text, files: Self.files) }

    static let all = whole + areas + layers + services + settings + secrets + beyondSchema + judgesYAML

    private static let files = [
        "/m/map.json": #"{"operationalLayers": []}"#,
        "/m/one.geojson": square("Polygon", "[[[0,0],[1,0],[1,1],[0,0]]]"),
        "/m/two.geojson": """
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "properties": {"N": 1}, "geometry": \(square("Polygon", "[[[0,0],[1,0],[1,1],[0,0]]]"))},
          {"type": "Feature", "properties": {"N": 2}, "geometry": \(square("Polygon", "[[[2,0],[3,0],[3,1],[2,0]]]"))}]}
        """,
    ]

    private static func square(_ type: String, _ coordinates: String) -> String {
        #"{"type": "\#(type)", "coordinates": \#(coordinates)}"#
    }

    private static func good(_ name: String, _ text: String) -> AgreementCase {
        AgreementCase(name: name, text: text, isGood: true)
    }
    private static func bad(_ name: String, _ text: String, but exception: String? = nil) -> AgreementCase {
        AgreementCase(name: name, text: text, isGood: false, exception: exception)
    }

    private static let minimal = "version: 1\nname: n\nwebMap: acc027394bc84c2fb04d1ed317aac674\n"
    private static let area = "areas: [{ id: a, envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 } }]\n"

    private static let whole = [
        good("minimal", minimal + area),
        good("name in quotes that looks like a number", minimal.replacing("name: n", with: "name: \"2024\"") + area),
        good("name `no` is text", minimal.replacing("name: n", with: "name: no") + area),
        good("name 12:30 is text", minimal.replacing("name: n", with: "name: 12:30") + area),
        good("web map file", minimal.replacing("acc027394bc84c2fb04d1ed317aac674", with: "map.json") + area),
        good("JSON is YAML", #"{"version":1,"name":"n","webMap":"map.json","areas":[{"id":"a","polygon":"one.geojson"}]}"#),
        good(
            "anchor and alias",
            minimal + "areas:\n  - { id: a, envelope: &e { xmin: 0, ymin: 0, xmax: 1, ymax: 1 } }\n  - { id: b, envelope: *e }\n"),
        good("document marks", "---\n" + minimal + area + "...\n"),
        bad("empty file", ""),
        bad("only a comment", "# nothing\n"),
        bad("a list", "- version: 1\n"),
        bad("a text", "hello\n"),
        bad("no version", minimal.replacing("version: 1\n", with: "") + area),
        bad("version 2", minimal.replacing("version: 1", with: "version: 2") + area),
        bad("version as text", minimal.replacing("version: 1", with: "version: \"1\"") + area),
        bad("no name", minimal.replacing("name: n\n", with: "") + area),
        bad("name as number", minimal.replacing("name: n", with: "name: 2024") + area),
        bad("name empty", minimal.replacing("name: n", with: "name: \"\"") + area),
        bad("name of spaces that are not ASCII", minimal.replacing("name: n", with: "name: \"\\u00a0\\u0085\"") + area),
        good("name of a wide space", minimal.replacing("name: n", with: "name: \"\\u3000\"") + area),
        bad("name without value", minimal.replacing("name: n", with: "name:") + area),
        bad("no web map", minimal.replacing("webMap: acc027394bc84c2fb04d1ed317aac674\n", with: "") + area),
        bad("web map as list", minimal.replacing("acc027394bc84c2fb04d1ed317aac674", with: "[map.json]") + area),
        bad(
            "web map id of digits without quotes",
            minimal.replacing("acc027394bc84c2fb04d1ed317aac674", with: "12345678901234567890123456789012") + area),
        bad("no areas", minimal),
        bad("areas empty", minimal + "areas: []\n"),
        bad("areas as mapping", minimal + "areas: { id: a }\n"),
        bad("unknown key", minimal + area + "sclae: { min: 1, max: 0 }\n"),
        bad("syntax error", minimal + area + "output: { directory: x\n"),
        bad("tab indentation", minimal + area + "output:\n\tdirectory: x\n"),
        bad("duplicate key", minimal + area + "name: m\n"),
        bad("two documents", minimal + area + "---\n" + minimal + area),
        bad("unknown alias", minimal + area + "scale: *nothing\n"),
    ]

    private static let areas = [
        good("envelope with wkid", manifest(area: "envelope: { xmin: 0, ymin: 0, xmax: 1000, ymax: 1e3, wkid: 3857 }")),
        good("envelope of decimals", manifest(area: "envelope: { xmin: -.5, ymin: 0., xmax: +1.5, ymax: 1e0 }")),
        good("polygon file", manifest(area: "polygon: one.geojson")),
        good("polygon of rings", manifest(area: "polygon: { rings: [[[0, 0], [1, 0], [1, 1]]] }")),
        good(
            "polygon of coordinates", manifest(area: "polygon: { coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]], wkid: 4326 }")),
        good("features of a file", minimal + "areas: [{ features: { file: two.geojson, id: N } }]\n"),
        good("features with a prefix", minimal + "areas: [{ id: p, features: { file: two.geojson, id: N }, buffer: 10 }]\n"),
        good(
            "features of a layer",
            minimal + "areas: [{ features: { url: \"https://h/s/FeatureServer/0\", where: A = 1, id: N } }]\n"),
        good("buffer in feet", manifest(area: "buffer: 200 ft\n    polygon: one.geojson")),
        good("buffer of half a kilometre", manifest(area: "buffer: 0.5 km\n    polygon: one.geojson")),
        good("buffer without space", manifest(area: "buffer: 1mi\n    polygon: one.geojson")),
        good("buffer as number", manifest(area: "buffer: 12.5\n    polygon: one.geojson")),
        bad("buffer negative", manifest(area: "buffer: -5\n    polygon: one.geojson")),
        bad("buffer negative with unit", manifest(area: "buffer: -5 m\n    polygon: one.geojson")),
        bad("buffer with unknown unit", manifest(area: "buffer: 5 yards\n    polygon: one.geojson")),
        bad("buffer 12:30", manifest(area: "buffer: 12:30\n    polygon: one.geojson")),
        bad("buffer in quotes without unit", manifest(area: "buffer: \"250\"\n    polygon: one.geojson")),
        bad("area without id", minimal + "areas: [{ polygon: one.geojson }]\n"),
        bad("area id with slash", minimal + "areas: [{ id: a/b, polygon: one.geojson }]\n"),
        bad("area id with dots", minimal + "areas: [{ id: .., polygon: one.geojson }]\n"),
        bad("area id hidden", minimal + "areas: [{ id: .a, polygon: one.geojson }]\n"),
        bad("area id as number", minimal + "areas: [{ id: 7, polygon: one.geojson }]\n"),
        bad("area id with a line break", minimal + "areas: [{ id: \"a\\nb\", polygon: one.geojson }]\n"),
        bad("area id with a line break at its end", minimal + "areas: [{ id: \"a\\n\", polygon: one.geojson }]\n"),
        bad("buffer with a line break at its end", manifest(area: "buffer: \"5 m\\n\"\n    polygon: one.geojson")),
        bad("area without place", minimal + "areas: [{ id: a }]\n"),
        bad("area with two places", manifest(area: "polygon: one.geojson\n    envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1 }")),
        bad("envelope without ymax", manifest(area: "envelope: { xmin: 0, ymin: 0, xmax: 1 }")),
        bad("envelope of text", manifest(area: "envelope: { xmin: west, ymin: 0, xmax: 1, ymax: 1 }")),
        bad("envelope as list", manifest(area: "envelope: [0, 0, 1, 1]")),
        bad("wkid 0", manifest(area: "envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1, wkid: 0 }")),
        bad("polygon of nothing", manifest(area: "polygon: {}")),
        bad("polygon with an empty ring", manifest(area: "polygon: { rings: [[]] }")),
        bad("polygon of two positions", manifest(area: "polygon: { rings: [[[0, 0], [1, 1]]] }")),
        bad("polygon of single numbers", manifest(area: "polygon: { rings: [[[0], [1], [2]]] }")),
        bad(
            "polygon with rings and coordinates",
            manifest(area: "polygon: { rings: [[[0, 0], [1, 0], [1, 1]]], coordinates: [[[0, 0], [1, 0], [1, 1]]] }")),
        good("envelope across the antimeridian", manifest(area: "envelope: { xmin: 177, ymin: -18, xmax: -178, ymax: -17 }")),
        good(
            "system by name", manifest(area: "envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1, spatialReference: EPSG:31467 }")),
        bad(
            "system by name and id",
            manifest(area: "envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 1, wkid: 4326, spatialReference: EPSG:4326 }")),
        good("point", manifest(area: "point: { x: 1, y: 2 }\n    buffer: 250 m")),
        good("line of coordinates", manifest(area: "line: { coordinates: [[0, 0], [1, 1]] }\n    buffer: 250")),
        good("line of paths", manifest(area: "line: { paths: [[[0, 0], [1, 1]]], wkid: 4326 }\n    buffer: 1 mi")),
        good("simplify", manifest(area: "polygon: one.geojson\n    simplify: 5 m")),
        bad("simplify negative", manifest(area: "polygon: one.geojson\n    simplify: -5 m")),
        bad("point without buffer", manifest(area: "point: { x: 1, y: 2 }")),
        bad("line without buffer", manifest(area: "line: { coordinates: [[0, 0], [1, 1]] }")),
        bad("point without y", manifest(area: "point: { x: 1 }\n    buffer: 250 m")),
        bad("line of one position", manifest(area: "line: { coordinates: [[0, 0]] }\n    buffer: 250 m")),
        bad(
            "line of paths and coordinates",
            manifest(area: "line: { coordinates: [[0, 0], [1, 1]], paths: [[[0, 0], [1, 1]]] }\n    buffer: 250 m")),
        bad("features without id", minimal + "areas: [{ features: { file: two.geojson } }]\n"),
        bad("features of file and url", minimal + "areas: [{ features: { file: two.geojson, url: \"https://h/0\", id: N } }]\n"),
        bad("features of neither", minimal + "areas: [{ features: { id: N } }]\n"),
        bad("where of a file", minimal + "areas: [{ features: { file: two.geojson, id: N, where: N = 1 } }]\n"),
        bad("features of a strange url", minimal + "areas: [{ features: { url: \"ftp://h/0\", id: N } }]\n"),
    ]

    private static let layers = [
        good("levels as range", manifest("layers: [{ match: { title: T }, levelIDs: 12-17 }]\n")),
        good("levels as number", manifest("layers: [{ match: { title: T }, levelIDs: 12 }]\n")),
        good("levels as list", manifest("layers: [{ match: { title: T }, levelIDs: [12, 13] }]\n")),
        good("levels of several ranges", manifest("layers: [{ match: { title: T }, levelIDs: \"0-5,7, 9-11\" }]\n")),
        good(
            "every match",
            manifest(
                "layers: [{ match: { title: T, id: i, url: \"https://h/0\", itemId: acc027394bc84c2fb04d1ed317aac674 }, exclude: true }]\n"
            )),
        good(
            "where and geometry",
            manifest("layers: [{ match: { id: i }, where: \"A = 'x'\", useGeometry: false, buffer: 1 km }]\n")),
        good("budget of tiles", manifest("budget: { tiles: 1 }\n")),
        good("budget of bytes", manifest("budget: { bytes: 2 GB }\n")),
        good("budget of bytes, close together", manifest("budget: { bytes: 0.5TiB }\n")),
        good("budget of bytes as a number", manifest("budget: { bytes: 1048576 }\n")),
        bad("budget of no bytes", manifest("budget: { bytes: 0 MB }\n")),
        bad("budget of bytes in a wrong unit", manifest("budget: { bytes: 2 gb }\n")),
        bad("budget of bytes without a number", manifest("budget: { bytes: much }\n")),
        bad("budget of a part of a byte", manifest("budget: { bytes: 0.5 }\n")),
        bad("budget of nothing", manifest("budget: {}\n")),
        bad("budget of no rows", manifest("budget: { rows: 0 }\n")),
        good("item info", manifest("options: { itemInfo: { title: T, tags: [a] } }\n")),
        bad("item info of nothing", manifest("options: { itemInfo: {} }\n")),
        bad("tags as text", manifest("options: { itemInfo: { tags: a b } }\n")),
        good("layer kept online", manifest("layers: [{ match: { title: T }, online: true }]\n")),
        good("rows by option", manifest("layers: [{ match: { title: T }, queryOption: none, includeRelated: true }]\n")),
        good(
            "quality and attachments", manifest("layers: [{ match: { title: T }, compressionQuality: 0, attachments: true }]\n")),
        bad("quality of 101", manifest("layers: [{ match: { title: T }, compressionQuality: 101 }]\n")),
        bad("query option of REST's past", manifest("layers: [{ match: { title: T }, queryOption: filter }]\n")),
        bad("excluded and online", manifest("layers: [{ match: { title: T }, exclude: true, online: true }]\n")),
        bad("levels and last level", manifest("layers: [{ match: { title: T }, levelIDs: 1-2, maxLevel: 2 }]\n")),
        bad("last level as range", manifest("layers: [{ match: { title: T }, maxLevel: 1-2 }]\n")),
        bad("levels negative", manifest("layers: [{ match: { title: T }, levelIDs: [-1] }]\n")),
        bad("levels empty", manifest("layers: [{ match: { title: T }, levelIDs: [] }]\n")),
        bad("levels as words", manifest("layers: [{ match: { title: T }, levelIDs: all }]\n")),
        bad("levels with leading zero in a text", manifest("layers: [{ match: { title: T }, levelIDs: 08-12 }]\n")),
        bad("levels of decimals", manifest("layers: [{ match: { title: T }, levelIDs: [1.5] }]\n")),
        bad("level beyond 99", manifest("layers: [{ match: { title: T }, levelIDs: 100 }]\n")),
        bad("no match", manifest("layers: [{ exclude: true }]\n")),
        bad("match empty", manifest("layers: [{ match: {}, exclude: true }]\n")),
        bad("override that changes nothing", manifest("layers: [{ match: { title: T } }]\n")),
        bad("misspelt useGeometry", manifest("layers: [{ match: { title: T }, useGeomtry: false }]\n")),
        bad("exclude: yes", manifest("layers: [{ match: { title: T }, exclude: yes }]\n")),
        bad("item id too short", manifest("layers: [{ match: { itemId: abc }, exclude: true }]\n")),
        bad("layers as mapping", manifest("layers: { title: T }\n")),
    ]

    private static let features = "https://h/s/rest/services/Water/FeatureServer"
    private static let vectors = "https://h/s/rest/services/Base/VectorTileServer"

    /// A manifest without a web map; `entry` is the only service.
    private static func service(_ entry: String) -> String {
        "version: 1\nname: n\n" + area + "services:\n  - { \(entry) }\n"
    }

    private static let services = [
        good("a feature service alone", service("url: \(features)")),
        good("one layer of it", service("url: \(features)/0/, where: A = 1, attachments: false, buffer: 100 m")),
        good("a map service", service("url: https://h/MapServer, levelIDs: 1-2, compressionQuality: 60")),
        good("an image service", service("url: https://h/a/ImageServer, title: Heights")),
        good("a vector tile service", service("url: \(vectors), maxLevel: 14, vectorTiles: tiles")),
        good("a service by item", service("itemId: acc027394bc84c2fb04d1ed317aac674, vectorTiles: tilesAndStyle")),
        good(
            "layers of a service",
            service(
                "url: \(features), syncModel: layer, outSpatialReference: 4326, layers: [{ id: 0, title: T, where: A = 1 }, { id: 5 }]"
            )),
        good("all layers but one", service("url: \(features), layers: [{ id: 5, exclude: true }]")),
        good("services beside a web map", manifest("services: [{ url: \"\(features)\" }]\n")),
        good("override of a style alone", manifest("layers: [{ match: { title: T }, vectorTiles: style }]\n")),
        bad("neither web map nor services", "version: 1\nname: n\n" + area),
        bad("services empty", manifest("services: []\n")),
        bad("services as mapping", manifest("services: { url: \"\(features)\" }\n")),
        bad("a service of nowhere", service("title: T")),
        bad("a service of two places", service("url: \(features), itemId: acc027394bc84c2fb04d1ed317aac674")),
        bad("a service's item id too short", service("itemId: abc")),
        bad("one layer of a map service", service("url: https://h/MapServer/3")),
        bad("a scene service", service("url: https://h/SceneServer")),
        bad("a folder of services", service("url: https://h/rest/services")),
        bad("a service with a token", service("url: \"\(features)?token=x\"")),
        bad("layers empty", service("url: \(features), layers: []")),
        bad("a layer without number", service("url: \(features), layers: [{ where: A = 1 }]")),
        bad("a layer with a negative number", service("url: \(features), layers: [{ id: -1 }]")),
        bad("a buffer for one layer", service("url: \(features), layers: [{ id: 0, buffer: 5 }]")),
        bad("a layer excluded and online", service("url: \(features), layers: [{ id: 0, exclude: true, online: true }]")),
        bad("vector tiles as flag", service("url: \(vectors), vectorTiles: true")),
        bad("match in a service", service("url: \(features), match: { title: T }")),
        bad("levels and last level of a service", service("url: \(vectors), levelIDs: 1, maxLevel: 2")),
    ]

    private static let settings = [
        good("an accepted finding", manifest("lint: { ignore: [{ rule: OB012, layer: Hydrant, reason: read only }] }\n")),
        bad("an accepted finding without a reason", manifest("lint: { ignore: [{ rule: OB012 }] }\n")),
        good(
            "everybody is told",
            manifest(
                "notify: { timeout: 5 s, metrics: { textfile: x.prom }, ping: { url: https://h/p }, "
                    + "webhook: { url: { env: HOOK }, secret: { file: key }, when: problems }, "
                    + "mail: { to: [a@example.org, b@example.org], from: c@example.org, when: always, sendmail: msmtp }, "
                    + "ci: { summary: s.md, codeQuality: q.json, github: false } }\n")),
        good("a ping at a secret address", manifest("notify: { ping: { url: { credential: ping } } }\n")),
        bad("a ping address with a query", manifest("notify: { ping: { url: \"https://h/p?token=x\" } }\n")),
        bad("a webhook without a key", manifest("notify: { webhook: { url: https://h/p } }\n")),
        bad("a webhook with its key written out", manifest("notify: { webhook: { url: https://h/p, secret: hunter2 } }\n")),
        bad("a mail to nobody", manifest("notify: { mail: { to: [], from: c@example.org } }\n")),
        bad("a mail with a second header", manifest("notify: { mail: { to: [\"a@b.c\\nBcc: d@e.f\"], from: c@d.e } }\n")),
        bad("an unknown occasion", manifest("notify: { mail: { to: [a@b.c], from: c@d.e, when: never } }\n")),
        bad("no number of a rule", manifest("lint: { ignore: [{ rule: no-sync, reason: r }] }\n")),
        good("policies for what fails", manifest("onError: keepLastGood\npublish: partial\n")),
        good("a layer that may be missing", manifest("layers: [{ match: { title: T }, onError: skip }]\n")),
        good("a service that may be missing", service("url: https://h/FeatureServer, layers: [{ id: 0, onError: fail }]")),
        bad("an unknown policy", manifest("onError: ignore\n")),
        bad("a policy for layers only in its own words", manifest("layers: [{ match: { title: T }, onError: stop }]\n")),
        bad("publish as flag", manifest("publish: true\n")),
        bad("an unknown way to publish", manifest("publish: always\n")),
        bad("policies as a mapping", manifest("onError: { tiles: skip }\n")),
        bad("a service with an unknown policy", service("url: https://h/FeatureServer, onError: accept")),
        good("drift that stops", manifest("onDrift: stop\n")),
        good("drift that is accepted", manifest("onDrift: accept\n")),
        bad("drift as failures are treated", manifest("onDrift: keepLastGood\n")),
        bad("drift of one layer", manifest("layers: [{ match: { title: T }, onDrift: skip }]\n")),
        good("tiles of a month", manifest("refresh: { tiles: 30 d }\n")),
        good("tiles of 90 seconds", manifest("refresh: { tiles: 90 }\n")),
        good("tiles that never change", manifest("refresh: { tiles: never }\n")),
        good("a layer every night", manifest("layers: [{ match: { title: T }, refresh: always }]\n")),
        good("a service once a week", service("url: https://h/a/MapServer, refresh: 7d")),
        bad("refresh of nothing", manifest("refresh: {}\n")),
        bad("refresh as a duration", manifest("refresh: 30 d\n")),
        bad("refresh of replicas", manifest("refresh: { replicas: 7 d }\n")),
        bad("tiles sometimes", manifest("refresh: { tiles: sometimes }\n")),
        bad("tiles of no age", manifest("refresh: { tiles: 0 d }\n")),
        bad("a layer of no age", manifest("layers: [{ match: { title: T }, refresh: 0 }]\n")),
        bad("a layer in weeks", manifest("layers: [{ match: { title: T }, refresh: 2 weeks }]\n")),
        bad(
            "one layer of a service has no refresh of its own",
            service("url: https://h/FeatureServer, layers: [{ id: 0, refresh: 7 d }]")),
        good("scale with no limit", manifest("scale: { min: 0, max: 0 }\n")),
        good("scale with one end", manifest("scale: { max: 500 }\n")),
        good(
            "every option",
            manifest(
                """
                options:
                  includeBasemap: false
                  returnLayerAttachmentOption: readOnlyLayers
                  attachmentSyncDirection: upload
                  returnSchemaOnlyForEditableLayers: true
                  isDefinitionExpressionFilterEnabled: false
                  continueOnErrors: false
                  destinationTableRowFilter: all
                  onlineOnlyServicesOption: useAuthoredSettings
                  updateMode: syncWithFeatureServices
                  syncModel: layer
                  outSpatialReference: 25832
                  syncDataOptions: 144
                  ignoreOfflineDisabled: true

                """)),
        good(
            "every limit",
            manifest(
                "limits: { jobsPerHost: 1, jobsPerService: 1, connectionsPerHost: 1, jobDeadline: 90 min, connectTimeout: 500 ms, "
                    + "inactivityTimeout: 1.5, attempts: 1 }\n")),
        good("output", manifest("output: { directory: /srv/maps, keep: 1 }\n")),
        good("portal", manifest("portal: { url: \"https://h/portal/\", auth: none }\n")),
        bad("scale negative", manifest("scale: { min: -1 }\n")),
        bad("scale as text", manifest("scale: { min: 1:10000 }\n")),
        bad("option misspelt", manifest("options: { updateMode: noUpdate }\n")),
        bad("option as number", manifest("options: { includeBasemap: 1 }\n")),
        bad("option unknown", manifest("options: { minScale: 1 }\n")),
        good("keep by count and age", manifest("output: { keep: { count: 7, age: 30 d } }\n")),
        good("keep by age", manifest("output: { keep: { age: 30 d } }\n")),
        bad("keep nothing", manifest("output: { keep: {} }\n")),
        bad("keep no age", manifest("output: { keep: { age: 0 } }\n")),
        bad("keep as text", manifest("output: { keep: 30 d }\n")),
        bad("keep 0", manifest("output: { keep: 0 }\n")),
        bad("keep half", manifest("output: { keep: 1.5 }\n")),
        bad("output as text", manifest("output: out\n")),
        bad("jobs 0", manifest("limits: { jobsPerHost: 0 }\n")),
        bad("deadline of nothing", manifest("limits: { jobDeadline: 0 s }\n")),
        bad("deadline 0", manifest("limits: { jobDeadline: 0 }\n")),
        bad("deadline in weeks", manifest("limits: { jobDeadline: 2 weeks }\n")),
        bad("portal url without scheme", manifest("portal: { url: www.arcgis.com }\n")),
        bad("portal url with user", manifest("portal: { url: \"https://me:pw@h\" }\n")),
        bad("portal url with token", manifest("portal: { url: \"https://h?token=x\" }\n")),
    ]

    private static let secrets = [
        good("api key in the environment", manifest("portal: { auth: { apiKey: { env: KEY } } }\n")),
        good("token in a file", manifest("portal: { auth: { token: { file: /run/token } } }\n")),
        good("token with referer", manifest("portal: { auth: { token: { env: T }, referer: \"https://h\" } }\n")),
        bad("API key with referer", manifest("portal: { auth: { apiKey: { env: K }, referer: \"https://h\" } }\n")),
        good("oauth", manifest("portal: { auth: { oauth: { clientID: c, clientSecret: { credential: s } } } }\n")),
        good("user with command", manifest("portal: { auth: { user: { name: u, password: { command: [pass, show, x] } } } }\n")),
        good("command as program", manifest("portal: { auth: { token: { command: /usr/bin/token } } }\n")),
        bad("literal secret", manifest("portal: { auth: { apiKey: AAPKabcdef } }\n")),
        bad("literal password", manifest("portal: { auth: { user: { name: u, password: hunter22 } } }\n")),
        bad("auth as text", manifest("portal: { auth: AAPKabcdef }\n")),
        bad("auth empty", manifest("portal: { auth: {} }\n")),
        bad("auth twice", manifest("portal: { auth: { apiKey: { env: A }, token: { env: B } } }\n")),
        bad("secret of two places", manifest("portal: { auth: { apiKey: { env: A, file: B } } }\n")),
        bad("secret of nowhere", manifest("portal: { auth: { apiKey: {} } }\n")),
        bad("command with arguments in a text", manifest("portal: { auth: { apiKey: { command: pass show x } } }\n")),
        bad("command empty", manifest("portal: { auth: { apiKey: { command: [] } } }\n")),
        bad("env with a strange name", manifest("portal: { auth: { apiKey: { env: \"A-B\" } } }\n")),
        bad("credential with a slash", manifest("portal: { auth: { apiKey: { credential: ../x } } }\n")),
        bad("user without password", manifest("portal: { auth: { user: { name: u } } }\n")),
        good(
            "servers",
            manifest(
                "portal: { servers: [{ url: \"https://h/server\", auth: { user: { name: u, password: { env: P } } } }, "
                    + "{ url: \"https://i/arcgis/rest/services\", auth: { token: { file: t } } }] }\n")),
        good("certificates", manifest("portal: { tls: { caFile: ca.pem, clientCertificate: me.pem, clientKey: me.key } }\n")),
        good("proxy", manifest("portal: { proxy: { url: \"http://p:3128\", noProxy: [localhost] } }\n")),
        good(
            "proxy with an account",
            manifest("portal: { proxy: { url: \"http://p:3128\", user: { name: u, password: { env: P } } } }\n")),
        good(
            "encrypted key",
            manifest("portal: { tls: { clientCertificate: me.pem, clientKey: me.key, clientKeyPassword: { env: P } } }\n")),
        bad("password without certificate", manifest("portal: { tls: { caFile: c, clientKeyPassword: { env: P } } }\n")),
        bad("proxy account without password", manifest("portal: { proxy: { url: \"http://p\", user: { name: u } } }\n")),
        good("Kerberos", manifest("portal: { webAuth: negotiate }\n")),
        good("NTLM", manifest("portal: { webAuth: { ntlm: { name: 'D\\u', password: { env: P } } } }\n")),
        bad("server without auth", manifest("portal: { servers: [{ url: \"https://h/server\" }] }\n")),
        bad(
            "server with an API key", manifest("portal: { servers: [{ url: \"https://h/s\", auth: { apiKey: { env: K } } }] }\n")),
        bad("servers empty", manifest("portal: { servers: [] }\n")),
        bad("verification off", manifest("portal: { tls: { verify: false } }\n")),
        bad("tls empty", manifest("portal: { tls: {} }\n")),
        bad("key without certificate", manifest("portal: { tls: { clientKey: me.key } }\n")),
        bad("proxy with a password", manifest("portal: { proxy: { url: \"http://me:pw@p:3128\" } }\n")),
        bad("proxy without address", manifest("portal: { proxy: { noProxy: [localhost] } }\n")),
        bad("basic", manifest("portal: { webAuth: basic }\n")),
        bad("literal NTLM password", manifest("portal: { webAuth: { ntlm: { name: u, password: hunter22 } } }\n")),
    ]

    /// Rules that a JSON Schema cannot express.
    private static let beyondSchema = [
        bad("xmin beyond xmax", manifest(area: "envelope: { xmin: 2, ymin: 0, xmax: 1, ymax: 1 }"), but: "compares two values"),
        bad(
            "latitude 95", manifest(area: "envelope: { xmin: 0, ymin: 0, xmax: 1, ymax: 95 }"),
            but: "depends on the wkid beside it"),
        bad("scale the wrong way round", manifest("scale: { min: 500, max: 10000 }\n"), but: "compares two values"),
        bad(
            "levels backwards", manifest("layers: [{ match: { title: T }, levelIDs: 17-12 }]\n"),
            but: "compares numbers in a text"),
        bad(
            "area id twice", minimal + "areas: [{ id: a, polygon: one.geojson }, { id: A, polygon: one.geojson }]\n",
            but: "compares members of a list"),
        bad(
            "two overrides for one layer",
            manifest("layers: [{ match: { title: T }, exclude: true }, { match: { title: T }, where: a }]\n"),
            but: "compares members of a list"),
        bad(
            "two sign-ins for one server",
            manifest(
                "portal: { servers: [{ url: \"https://h/s\", auth: { token: { env: A } } }, "
                    + "{ url: \"https://h/s/rest/\", auth: { token: { env: B } } }] }\n"),
            but: "compares members of a list"),
        bad("where of tiles", service("url: \(vectors), where: A = 1"), but: "depends on the text of the address"),
        bad("levels of features", service("url: \(features), levelIDs: 1"), but: "depends on the text of the address"),
        bad("layers of one layer", service("url: \(features)/0, layers: [{ id: 0 }]"), but: "depends on the text of the address"),
        bad(
            "a layer named twice", service("url: \(features), layers: [{ id: 0 }, { id: 0 }]"), but: "compares members of a list"),
        bad(
            "no account of a replica that is to be synchronised",
            service("url: \(features), syncModel: none") + "options: { updateMode: syncWithFeatureServices }\n",
            but: "compares two values"),
        bad("missing file", manifest(area: "polygon: nowhere.geojson"), but: "looks at files"),
        bad("two polygons where one is expected", manifest(area: "polygon: two.geojson"), but: "looks at files"),
        bad(
            "missing web map", minimal.replacing("acc027394bc84c2fb04d1ed317aac674", with: "nowhere.json") + area,
            but: "looks at files"),
        bad("point with a buffer of 0", manifest(area: "point: { x: 1, y: 2 }\n    buffer: 0"), but: "needs both keys"),
        bad("system that nobody knows", manifest(area: "point: { x: 1, y: 2, wkid: 999999 }\n    buffer: 5"), but: "PROJ's list"),
        bad(
            "ring that crosses itself", manifest(area: "polygon: { rings: [[[0, 0], [1, 1], [1, 0], [0, 1]]] }"), but: "geometry"),
        bad("ring without area", manifest(area: "polygon: { rings: [[[0, 0], [1, 1], [2, 2]]] }"), but: "geometry"),
    ]

    /// Differences in how the judge's YAML reader and JSON Schema see a number.
    private static let judgesYAML = [
        bad("buffer .inf", manifest(area: "buffer: .inf\n    polygon: one.geojson"), but: "infinity is a number of Python"),
        bad(
            "number with leading zero", manifest(area: "buffer: 010\n    polygon: one.geojson"),
            but: "the schema sees the value, not its spelling"),
        bad(
            "hexadecimal number", manifest(area: "buffer: 0x10\n    polygon: one.geojson"),
            but: "the schema sees the value, not its spelling"),
        bad(
            "number with underscore", manifest(area: "buffer: 1_000\n    polygon: one.geojson"),
            but: "ruamel.yaml takes underscores in numbers; YAML 1.2 does not"),
        bad(
            "level 1.0", manifest("layers: [{ match: { title: T }, levelIDs: [1.0] }]\n"), but: "1.0 is an integer of JSON Schema"
        ),
    ]
}
