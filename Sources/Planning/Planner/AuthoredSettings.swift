import Basics
import Manifest

/// What the map's author has set for offline use (`applicationProperties.offline`, REST reference 9.6), as defaults where the
/// manifest says nothing: so does the SDK. Which layers stay online is not among them: that is
/// `onlineOnlyServicesOption: useAuthoredSettings`.
struct AuthoredSettings {
    var options: MapOptions
    /// One sentence for each setting that holds.
    private(set) var notes: [String] = []

    init(_ manifest: Manifest, document: JSON) {
        options = manifest.options
        guard let offline = document["applicationProperties"]?["offline"], offline.object != nil else { return }
        let written = manifest.writtenOptions
        let download = offline["editableLayers"]?["download"]?.string
        let sync = offline["editableLayers"]?["sync"]?.string
        if !written.contains("returnSchemaOnlyForEditableLayers"), download == "none" || sync == "uploadFeaturesAndAttachments" {
            let path = download == "none" ? "editableLayers.download: none" : "editableLayers.sync: uploadFeaturesAndAttachments"
            set(\.returnSchemaOnlyForEditableLayers, true, "returnSchemaOnlyForEditableLayers: true", path)
        }
        if !written.contains("returnLayerAttachmentOption") { attachments(offline, download) }
        if !written.contains("attachmentSyncDirection"), let sync, let direction = Self.directions[sync] {
            set(
                \.attachmentSyncDirection, direction, "attachmentSyncDirection: \(direction.rawValue)",
                "editableLayers.sync: \(sync)")
        }
        if !written.contains("syncDataOptions"), let number = offline["syncDataOptions"]?.int, number > 0 {
            set(\.syncDataOptions, number, "syncDataOptions: \(number)", "syncDataOptions")
        }
        if !written.contains("destinationTableRowFilter"), let rows = offline["tables"]?["includeRows"]?.bool {
            let filter: MapOptions.DestinationTableRowFilter = rows ? .all : .relatedOnly
            set(
                \.destinationTableRowFilter, filter, "destinationTableRowFilter: \(filter.rawValue)",
                "tables.includeRows: \(rows)")
        }
    }

    private static let directions: [String: MapOptions.AttachmentSyncDirection] = [
        "syncFeaturesAndAttachments": .bidirectional, "syncFeaturesUploadAttachments": .upload,
        "uploadFeaturesAndAttachments": .upload,
    ]

    private mutating func attachments(_ offline: JSON, _ download: String?) {
        let ofReadOnly = offline["readonlyLayers"]?["downloadAttachments"]?.bool
        let ofEditable = ["features": false, "featuresAndAttachments": true, "none": false][download ?? ""]
        guard ofReadOnly != nil || ofEditable != nil else { return }
        let option: MapOptions.ReturnLayerAttachmentOption =
            switch (ofReadOnly ?? true, ofEditable ?? true) {
            case (true, true): .allLayers
            case (true, false): .readOnlyLayers
            case (false, true): .editableLayers
            case (false, false): .none
            }
        let paths = [
            ofEditable.map { _ in "editableLayers.download: \(download ?? "")" },
            ofReadOnly.map { "readonlyLayers.downloadAttachments: \($0)" },
        ]
        set(
            \.returnLayerAttachmentOption, option, "returnLayerAttachmentOption: \(option.rawValue)",
            paths.compactMap { $0 }.joined(separator: ", "))
    }

    /// What is the default anyway needs no words.
    private mutating func set<Value: Equatable>(
        _ path: WritableKeyPath<MapOptions, Value>, _ value: Value, _ words: String, _ source: String
    ) {
        guard options[keyPath: path] != value else { return }
        options[keyPath: path] = value
        notes.append("\(words), from the map's offline settings (\(source))")
    }
}
