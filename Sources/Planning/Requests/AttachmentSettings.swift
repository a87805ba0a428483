import ArcGIS
import Manifest

/// `returnAttachments` and `attachmentsSyncDirection` of a replica; they must fit each other (REST reference 4.1, 10.2).
struct AttachmentSettings: Hashable {
    var returnsAttachments: Bool
    var syncDirection: String

    /// REST has one switch a replica, so a service returns attachments when any of its layers in the map should.
    static func make(_ members: [ReplicaMember], options: MapOptions) -> AttachmentSettings {
        let returns = members.contains { isWanted(by: $0, options) }
        return AttachmentSettings(returnsAttachments: returns, syncDirection: direction(returns, options.attachmentSyncDirection))
    }

    /// Layers of the map may say it themselves; of several on one layer of the service, one that says yes is enough.
    static func isWanted(by member: ReplicaMember, _ options: MapOptions) -> Bool {
        let layer = member.layer
        guard layer.hasAttachments else { return false }
        let own = member.wishes.compactMap(\.attachments)
        if own.contains(true) { return true }
        if !own.isEmpty && own.count == member.wishes.count { return false }
        return switch options.returnLayerAttachmentOption {
        case .none: false
        case .allLayers: true
        case .readOnlyLayers: !layer.isEditable
        case .editableLayers: layer.isEditable
        }
    }

    /// The pair table: with attachments `bidirectional` or `upload`, without `none` or `upload`.
    private static func direction(_ returns: Bool, _ wanted: MapOptions.AttachmentSyncDirection) -> String {
        switch wanted {
        case .upload: "upload"
        case .none, .bidirectional: returns ? "bidirectional" : "none"
        }
    }
}
