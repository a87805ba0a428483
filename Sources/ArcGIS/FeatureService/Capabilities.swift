import Basics

/// The words of a `capabilities` member: no fixed order, spaces possible, case does not count (REST reference 3.1).
public struct ServiceCapabilities: Sendable, Hashable {
    private var words: Set<String>

    public init(_ json: JSON?) {
        let texts: [String] =
            switch json {
            case .string(let text)?: [text]
            case .array(let items)?: items.compactMap(\.string)
            default: []
            }
        words = Set(texts.flatMap { $0.split(separator: ",") }.map { $0.trimmed.lowercased() }.filter { !$0.isEmpty })
    }

    public func contains(_ word: String) -> Bool { words.contains(word.lowercased()) }
    public var isEmpty: Bool { words.isEmpty }
    public var canSync: Bool { words.contains("sync") }
    public var canExtract: Bool { words.contains("extract") }
    /// Any of Create, Update and Delete (REST reference 10.2), or the older word for all of them.
    public var canEdit: Bool { !words.isDisjoint(with: ["create", "update", "delete", "editing"]) }
}

/// What a service's replicas can do (REST reference 3.1). Absent members mean no.
public struct SyncCapabilities: Sendable, Hashable {
    public var supportsAsync: Bool
    public var supportsPerLayerSync: Bool
    public var supportsPerReplicaSync: Bool
    public var supportsSyncModelNone: Bool
    public var supportsAttachmentsSyncDirection: Bool
    /// A bit for each kind of data that replicas can bring beside the rows; nil before 10.7.
    public var supportedSyncDataOptions: Int?

    init(_ json: JSON?) {
        supportsAsync = (json?["supportsAsync"] ?? json?["supportsASync"])?.bool ?? false
        supportsPerLayerSync = json?["supportsPerLayerSync"]?.bool ?? false
        supportsPerReplicaSync = json?["supportsPerReplicaSync"]?.bool ?? false
        supportsSyncModelNone = json?["supportsSyncModelNone"]?.bool ?? false
        supportsAttachmentsSyncDirection = json?["supportsAttachmentsSyncDirection"]?.bool ?? false
        supportedSyncDataOptions = json?["supportedSyncDataOptions"]?.int
    }
}
