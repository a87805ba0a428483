import ArcGIS
import Manifest

/// `returnAttachments` and `attachmentsSyncDirection` of a replica; they must fit each other (REST reference 4.1, 10.2).
struct AttachmentSettings: Hashable {
    var returnsAttachments: Bool
    var syncDirection: String

    /// REST has one switch a replica, so a service returns attachments when any of its layers in the map should.
    static func make(layers: [LayerInfo], options: MapOptions) -> AttachmentSettings {
        let returns = layers.contains { layer in
            guard layer.hasAttachments else { return false }
            return switch options.returnLayerAttachmentOption {
            case .none: false
            case .allLayers: true
            case .readOnlyLayers: !layer.isEditable
            case .editableLayers: layer.isEditable
            }
        }
        return AttachmentSettings(returnsAttachments: returns, syncDirection: direction(returns, options.attachmentSyncDirection))
    }

    /// The pair table: with attachments `bidirectional` or `upload`, without `none` or `upload`.
    private static func direction(_ returns: Bool, _ wanted: MapOptions.AttachmentSyncDirection) -> String {
        switch wanted {
        case .upload: "upload"
        case .none, .bidirectional: returns ? "bidirectional" : "none"
        }
    }
}
