import Basics
import Geography

/// A feature service as the portal serves it.
struct FeatureService: Sendable {
    /// Folder and name: `Utilities/Storm_Water`.
    var name: String
    var itemID: String
    var description: String
    var tables: [ServedTable]
    var canSync: Bool
    /// `syncModel=none`; without it the server keeps account of every replica.
    var supportsSyncModelNone = true
    /// Its layers have `editingInfo`; those of many servers have none.
    var saysEdits = true
    /// A ready file that is the result of every replica, instead of one that is written (`--samples`).
    var sample: Sample?

    struct Sample: Sendable {
        var file: String
        var root: JSON
        var layers: [Int: JSON]
    }

    var path: String { name + "/FeatureServer" }
    var capabilities: String { canSync ? "Create,Delete,Query,Update,Editing,Extract,Sync" : "Query" }
    var maxRecordCount: Int { tables.map(\.table.maxRecordCount).max() ?? 2000 }

    func table(_ id: Int) -> ServedTable? { tables.first { $0.id == id } }

    var extent: Envelope? {
        tables.compactMap(\.extent).reduce(nil as Envelope?) { sum, next in sum?.union(next) ?? next }
    }
}
