import Basics
import Glibc
import Manifest
import Testing

@Suite struct DecodingTests {
    private func decoded(_ more: String) throws -> Manifest {
        let result = decode(manifest(more))
        return try #require(result.manifest, Comment(rawValue: result.allText))
    }

    @Test func defaultsAreThoseOfTheModel() throws {
        let manifest = try decoded("")
        #expect(manifest.version == 1 && manifest.name == "n" && manifest.path == "/m/x.yaml")
        #expect(manifest.portal == PortalSettings(url: "https://www.arcgis.com", auth: .none))
        #expect(manifest.scale == ScaleRange(min: 0, max: 0))
        #expect(manifest.options == MapOptions())
        #expect(manifest.limits == LimitSettings())
        #expect(manifest.output == OutputSettings(directory: "/m/out/n", keep: 7))
        #expect(manifest.areas.map(\.origin) == ["/m/x.yaml:5:5"])
    }

    @Test func everyOption() throws {
        let options = try decoded(
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
              syncModel: geodatabase
              outSpatialReference: 4326
            """
        ).options
        var expected = MapOptions()
        expected.includeBasemap = false
        expected.returnLayerAttachmentOption = .readOnlyLayers
        expected.attachmentSyncDirection = .upload
        expected.returnSchemaOnlyForEditableLayers = true
        expected.isDefinitionExpressionFilterEnabled = false
        expected.continueOnErrors = false
        expected.destinationTableRowFilter = .all
        expected.onlineOnlyServicesOption = .useAuthoredSettings
        expected.updateMode = .syncWithFeatureServices
        expected.syncModel = .geodatabase
        expected.outSpatialReference = 4326
        #expect(options == expected)
    }

    @Test func policiesForWhatFails() throws {
        let standard = try decoded("")
        #expect(standard.onError == .fail && standard.publish == .complete)
        let manifest = try decoded(
            """
            onError: skip
            publish: partial
            layers:
              - { match: { title: A }, onError: keepLastGood }
              - { match: { title: B }, buffer: 5 m }
            """)
        #expect(manifest.onError == .skip && manifest.publish == .partial)
        #expect(manifest.layers.map(\.onError) == [.keepLastGood, nil])
        #expect(FailurePolicy.skip < .keepLastGood && FailurePolicy.keepLastGood < .fail)
    }

    @Test func budget() throws {
        #expect(try decoded("budget: { tiles: 5, rows: 7 }\n").budget == Budget(tiles: 5, rows: 7))
        for (text, bytes) in [
            ("2 GB", 2_000_000_000), ("500 MiB", 524_288_000), ("1.5 kB", 1_500), ("1TiB", 1_099_511_627_776), ("7", 7),
            ("0.1 B", 1),
        ] {
            #expect(try decoded("budget: { bytes: \(text) }\n").budget == Budget(bytes: bytes), "\(text)")
        }
        #expect(try decoded("").budget == Budget())
    }

    @Test func itemInfo() throws {
        let text = "options: { itemInfo: { title: T, snippet: S, tags: [a, b], description: D, thumbnail: p/x.gif } }\n"
        let manifest = try #require(decode(manifest(text), files: ["/m/p/x.gif": "GIF89a"]).manifest)
        #expect(
            manifest.options.itemInfo
                == ItemInfo(title: "T", snippet: "S", tags: ["a", "b"], description: "D", thumbnail: "/m/p/x.gif"))
        #expect(manifest.writtenOptions == ["itemInfo"])
        let page = decode(Self.withPicture, files: ["/m/x.gif": "<html>"])
        #expect(page.errors.map(\.message) == ["`x.gif` is neither PNG, JPEG nor GIF"])
        #expect(
            decode(Self.withPicture).errors.map(\.message) == ["the picture `x.gif` cannot be read: there is no such file"])
    }

    private static let withPicture = manifest("options: { itemInfo: { thumbnail: x.gif } }\n")

    @Test func everyOverrideOfLayers() throws {
        let layers = try decoded(
            """
            layers:
              - { match: { title: A }, online: true }
              - { match: { title: B }, queryOption: none, includeRelated: true, attachments: false }
              - { match: { title: C }, queryOption: all }
              - { match: { title: D }, compressionQuality: 60, buffer: 5 }
              - { match: { title: E }, maxLevel: 14 }
            """
        ).layers
        func origin(_ line: Int) -> String { "/m/x.yaml:\(line):5" }
        #expect(
            layers == [
                LayerOverride(match: .init(title: "A"), online: true, origin: origin(8)),
                LayerOverride(
                    match: .init(title: "B"), queryOption: LayerOverride.QueryOption.none, includeRelated: true,
                    attachments: false,
                    origin: origin(9)),
                LayerOverride(match: .init(title: "C"), queryOption: .all, origin: origin(10)),
                LayerOverride(match: .init(title: "D"), buffer: 5, compressionQuality: 60, origin: origin(11)),
                LayerOverride(match: .init(title: "E"), maxLevel: 14, origin: origin(12)),
            ])
    }

    @Test(arguments: [
        ("queryOption: all, where: A = 1", "`where` has no effect: `queryOption: all` filters nothing"),
        ("queryOption: none, useGeometry: false", "`useGeometry` has no effect: `queryOption: none` filters nothing"),
        ("queryOption: useFilter, includeRelated: true", "`includeRelated` has no effect: it is for `queryOption: none`"),
        ("online: true, maxLevel: 4", "`maxLevel` has no effect: the layer stays online"),
    ])
    func keysWithoutEffect(_ keys: String, _ warning: String) {
        let result = decode(manifest("layers: [{ match: { title: T }, \(keys) }]\n"))
        #expect(result.manifest != nil && result.diagnostics.map(\.message) == [warning])
    }

    @Test func copyWithoutAccountCannotBeSynchronised() {
        let result = decode(manifest("options: { updateMode: syncWithFeatureServices, syncModel: none }\n"))
        #expect(result.manifest == nil)
        #expect(
            result.errors.map(\.message) == ["`syncModel: none` cannot stand beside `updateMode: syncWithFeatureServices`"])
    }

    @Test func everyLimit() throws {
        let limits = try decoded(
            """
            limits:
              jobsPerHost: 1
              jobsPerService: 2
              connectionsPerHost: 3
              jobDeadline: 90 min
              connectTimeout: 500 ms
              inactivityTimeout: 12.5
              attempts: 4
            """
        ).limits
        var expected = LimitSettings()
        expected.jobsPerHost = 1
        expected.jobsPerService = 2
        expected.connectionsPerHost = 3
        expected.jobDeadline = .seconds(5400)
        expected.connectTimeout = .milliseconds(500)
        expected.inactivityTimeout = .milliseconds(12500)
        expected.attempts = 4
        #expect(limits == expected)
    }

    @Test(arguments: [
        ("12-17", [12, 13, 14, 15, 16, 17]), ("12", [12]), ("[13, 12, 13]", [12, 13]),
        ("\"0-2,7, 9 - 10\"", [0, 1, 2, 7, 9, 10]),
        ("3,1", [1, 3]), ("5-5", [5]),
    ])
    func levels(_ text: String, _ expected: [Int]) throws {
        #expect(
            try decoded(
                "layers: [{ match: { title: T }, levelIDs: \"X\" }]\n".replacing(
                    "\"X\"", with: text.contains(",") && !text.hasPrefix("[") && !text.hasPrefix("\"") ? "\"\(text)\"" : text)
            ).layers.map(\.levelIDs) == [expected])
    }

    @Test(arguments: [
        ("250 m", 250), ("0.5 km", 500), ("200 ft", 60.96), ("1 mi", 1609.344), ("250", 250), ("12.5", 12.5), ("1e2", 100),
        ("100m", 100),
    ])
    func lengths(_ text: String, _ metres: Double) throws {
        let buffer = try #require(try decoded("layers: [{ match: { title: T }, buffer: \(text) }]\n").layers[0].buffer)
        #expect(abs(buffer - metres) < 1e-9)
    }

    @Test(arguments: ["12:30", ".inf", ".nan", "-5", "1e400", "0x10", "010", "[1]", "5 yd", "m", "1 m m", "true"])
    func lengthsRefused(_ text: String) {
        let result = decode(manifest("layers: [{ match: { title: T }, buffer: \(text) }]\n"))
        #expect(result.errors.map(\.line) == [7] && result.errors.map(\.column) == [41])
    }

    @Test(arguments: ["\"3-1\"", "[08]", "[1.0]", "-1", "\"1--2\"", "\"1-2-3\"", "\",\"", "100", "\"0-100\"", "{ a: 1 }"])
    func levelsRefused(_ text: String) {
        let result = decode(manifest("layers: [{ match: { title: T }, levelIDs: \(text) }]\n"))
        #expect(result.errors.map(\.line) == [7] && result.errors.map(\.column) == [text.hasPrefix("[") ? 44 : 43])
        #expect(result.errors[0].message.contains("levelIDs"))
    }

    @Test func wrongLevelsAreNamed() {
        let result = decode(manifest("layers: [{ match: { title: T }, levelIDs: [7, 08, x, [1]] }]\n"))
        #expect(
            result.summary == [
                "7:47 the level `08` of `levelIDs` is not a plain whole number from 0 to 99",
                "7:51 the level `x` of `levelIDs` is not a plain whole number from 0 to 99",
                "7:54 the level a list of `levelIDs` is not a plain whole number from 0 to 99",
            ])
        let backwards = decode(manifest("layers: [{ match: { title: T }, levelIDs: 17-12 }]\n"))
        #expect(backwards.summary == ["7:43 `levelIDs` holds a range that runs backwards"])
    }

    @Test func durationBeyondReasonDoesNotTrap() throws {
        #expect(try decoded("limits: { jobDeadline: 1e300 }\n").limits.jobDeadline == .seconds(1_000_000_000))
    }

    @Test func layerOverride() throws {
        let layers = try decoded(
            """
            layers:
              - match: { title: T, id: i, url: "https://h/0", itemId: ACC027394BC84C2FB04D1ED317AAC674 }
                where: "FLOW >= 500 AND A = 'ä'"
                useGeometry: true
                exclude: false
            """
        ).layers
        #expect(
            layers == [
                LayerOverride(
                    match: .init(title: "T", id: "i", url: "https://h/0", itemID: "acc027394bc84c2fb04d1ed317aac674"),
                    whereClause: "FLOW >= 500 AND A = 'ä'", useGeometry: true, origin: "/m/x.yaml:8:5")
            ])
    }

    @Test func excludedLayerWithMoreKeysIsAWarning() {
        let result = decode(manifest("layers: [{ match: { title: T }, exclude: true, buffer: 5 }]\n"))
        #expect(result.manifest != nil)
        #expect(result.diagnostics.map(\.severity) == [.warning])
        #expect(result.summary == ["7:48 `buffer` has no effect: the layer is excluded"])
    }

    // MARK: Portal

    @Test func portalIsOverriddenByEnvironmentAndThenByFlag() {
        let text = manifest("portal: { url: \"https://a/portal/\" }\n")
        let environment = ["OFFLINE_BATCH_PORTAL": "http://127.0.0.1:8080/portal/sharing/rest"]
        #expect(decode(text).manifest?.portal.url == "https://a/portal")
        #expect(decode(text, environment: environment).manifest?.portal.url == "http://127.0.0.1:8080/portal")
        #expect(decode(text, environment: environment, portal: "https://flag").manifest?.portal.url == "https://flag")
        #expect(decode(text, environment: ["OFFLINE_BATCH_PORTAL": ""]).manifest?.portal.url == "https://a/portal")
    }

    @Test func wrongOverrideIsNotRepeated() {
        let result = decode(manifest(), environment: ["OFFLINE_BATCH_PORTAL": "https://me:hunter22@h"])
        #expect(result.manifest == nil && result.diagnostics.map(\.place) == ["OFFLINE_BATCH_PORTAL"])
        #expect(!result.allText.contains("hunter22"))
    }

    // MARK: Web map

    private func webMap(_ value: String, files: [String: String] = [:]) -> ManifestResult {
        decode(manifest().replacing("acc027394bc84c2fb04d1ed317aac674", with: value), files: files)
    }

    @Test func webMapFile() {
        #expect(webMap("maps/a.json", files: ["/m/maps/a.json": "{\"baseMap\": {}}"]).manifest?.webMap == .file("/m/maps/a.json"))
        #expect(webMap("no.json").summary == ["3:9 the web map `no.json` cannot be read: there is no such file"])
        #expect(
            webMap("a.json", files: ["/m/a.json": "[]"]).onlyMessage == "`a.json` holds no web map: a web map is a JSON object")
        #expect(webMap("a.json", files: ["/m/a.json": "{\"baseMap\": "]).onlyMessage?.hasPrefix("`a.json` is not JSON: ") == true)
        let item = webMap("a.json", files: ["/m/a.json": "{\"id\": \"x\"}"])
        #expect(item.diagnostics.first?.hint?.contains("/data") == true)
    }

    @Test func itemIDWithAMissingDigit() {
        let result = webMap("acc027394bc84c2fb04d1ed317aac67")
        #expect(result.diagnostics.map(\.hint) == ["an item id has 32 hexadecimal digits; this has 31 characters"])
    }

    @Test func pathsBeginAtTheManifest() throws {
        let manifest = try decoded("output: { directory: ./deep//out }\nportal: { auth: { token: { file: secrets/t } } }\n")
        #expect(manifest.output.directory == "/m/deep/out")
        #expect(manifest.portal.auth == .token(.file("/m/secrets/t")))
        let relative = Manifest.decode(text: DecodingTests.text, path: "sub/x.yaml").manifest
        #expect(relative?.output.directory.hasSuffix("/sub/out/n") == true && relative?.output.directory.hasPrefix("/") == true)
    }

    private static let text = manifest()

    @Test func acceptedFindingsKeepTheirPlace() throws {
        let text = manifest("lint:\n  ignore:\n    - { rule: OB012, layer: Hydrant, reason: read only }\n")
        let decoded = try #require(decode(text).manifest)
        #expect(
            decoded.lintIgnores == [
                LintIgnore(rule: "OB012", layer: "Hydrant", reason: "read only", origin: "/m/x.yaml:9:7")
            ])
        #expect(decoded.webMapOrigin == "/m/x.yaml:3:9")
    }
}
