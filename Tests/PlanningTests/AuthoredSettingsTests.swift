import Basics
import Manifest
import Testing

@testable import Planning

/// The settings of REST reference 9.6, and what they make of a manifest that says nothing.
@Suite("Offline settings of the map's author")
struct AuthoredSettingsTests {
    private static func settings(_ offline: JSON, written: Set<String> = []) -> AuthoredSettings {
        let manifest = Manifest(
            name: "n", path: "/m/n.yaml", portal: PortalSettings(), webMap: .item(""), areas: [], writtenOptions: written,
            output: OutputSettings(directory: "/m/out"))
        return AuthoredSettings(manifest, document: ["applicationProperties": ["offline": offline]])
    }

    /// The sample of the reference, but for `syncDataOptions`.
    private static let sample: JSON = [
        "editableLayers": ["download": "featuresAndAttachments", "sync": "syncFeaturesAndAttachments"],
        "readonlyLayers": ["downloadAttachments": true], "offlinebasemap": ["referenceBasemapName": "usa_base.vtpk"],
        "connectedOnlineLayers": ["18f2-layer-9"], "tables": ["includeRows": false],
    ]

    @Test("what is the default anyway changes nothing and is not said")
    func defaults() {
        let settings = Self.settings(Self.sample)
        #expect(settings.options == MapOptions() && settings.notes.isEmpty)
        #expect(Self.settings("garbage").options == MapOptions())
        #expect(Self.settings(["editableLayers": ["download": 7, "sync": nil], "tables": []]).options == MapOptions())
    }

    @Test(
        "attachments of editable and of read-only layers",
        arguments: [
            // editableLayers.download, readonlyLayers.downloadAttachments, option
            ("featuresAndAttachments", true, MapOptions.ReturnLayerAttachmentOption.allLayers),
            ("features", true, .readOnlyLayers), ("featuresAndAttachments", false, .editableLayers), ("features", false, .none),
        ])
    func attachments(_ download: String, _ ofReadOnly: Bool, _ expected: MapOptions.ReturnLayerAttachmentOption) {
        let settings = Self.settings([
            "editableLayers": ["download": .string(download)], "readonlyLayers": ["downloadAttachments": .bool(ofReadOnly)],
        ])
        #expect(settings.options.returnLayerAttachmentOption == expected)
        #expect(settings.notes.isEmpty == (expected == .allLayers))
    }

    @Test(
        "the ways to synchronise",
        arguments: [
            ("syncFeaturesAndAttachments", MapOptions.AttachmentSyncDirection.bidirectional, false),
            ("syncFeaturesUploadAttachments", .upload, false), ("uploadFeaturesAndAttachments", .upload, true),
            ("somethingNew", .bidirectional, false),
        ])
    func sync(_ word: String, _ direction: MapOptions.AttachmentSyncDirection, _ schemaOnly: Bool) {
        let options = Self.settings(["editableLayers": ["sync": .string(word)]]).options
        #expect(options.attachmentSyncDirection == direction && options.returnSchemaOnlyForEditableLayers == schemaOnly)
    }

    @Test("rows of tables, with the words that the plan says")
    func tables() {
        let settings = Self.settings(["tables": ["includeRows": true]])
        #expect(settings.options.destinationTableRowFilter == .all)
        #expect(
            settings.notes
                == ["destinationTableRowFilter: all, from the map's offline settings (tables.includeRows: true)"])
    }

    @Test("the number for more than rows")
    func dataOptions() {
        let settings = Self.settings(["syncDataOptions": 144])
        #expect(settings.options.syncDataOptions == 144)
        #expect(settings.notes == ["syncDataOptions: 144, from the map's offline settings (syncDataOptions)"])
        #expect(Self.settings(["syncDataOptions": 144], written: ["syncDataOptions"]).options.syncDataOptions == nil)
        #expect(Self.settings(["syncDataOptions": "x"]).options.syncDataOptions == nil)
    }

    @Test("what the manifest says wins, key by key")
    func written() {
        let offline: JSON = [
            "editableLayers": ["download": "none", "sync": "uploadFeaturesAndAttachments"], "tables": ["includeRows": true],
        ]
        let settings = Self.settings(
            offline,
            written: ["returnSchemaOnlyForEditableLayers", "returnLayerAttachmentOption", "attachmentSyncDirection"])
        var expected = MapOptions()
        expected.destinationTableRowFilter = .all
        #expect(settings.options == expected)
    }

    @Test("they reach the request, and the plan says so")
    func request() async throws {
        var stage = try PlanStage()
        stage.map["applicationProperties"] = ["offline": ["editableLayers": ["download": "none"]]]
        let plan = try await stage.plan()
        let form = try #require(plan.form("water/replica"))
        // Of the stage only hydrants can be edited, and only they have attachments.
        #expect(try JSON.parse(form["layerQueries"] ?? "")["0"]?["queryOption"] == "none")
        #expect(form["returnAttachments"] == "false")
        #expect(
            plan.notes == [
                "returnSchemaOnlyForEditableLayers: true, from the map's offline settings (editableLayers.download: none)",
                "returnLayerAttachmentOption: readOnlyLayers, from the map's offline settings (editableLayers.download: none)",
            ])
        let overruled = try await stage.plan {
            $0.writtenOptions = ["returnSchemaOnlyForEditableLayers", "returnLayerAttachmentOption"]
        }
        #expect(overruled.notes.isEmpty && overruled.form("water/replica")?["returnAttachments"] == "true")
    }
}
