import ArcGIS
import Manifest

/// What a service must be able to do for the replica that the manifest asks of it, whatever the area.
extension SourceBuilder {
    func replicaProblems(_ options: MapOptions) -> [PlanProblem] {
        sources.flatMap { source -> [PlanProblem] in
            guard case .replica(let service, let members) = source.content else { return [] }
            let model = source.override.syncModel ?? options.syncModel
            return Self.syncModel(service, model, source) + Self.attachments(members, options)
        }
    }

    private static func syncModel(
        _ service: FeatureServiceInfo, _ model: MapOptions.SyncModel?, _ source: MapSource
    ) -> [PlanProblem] {
        let can = service.syncCapabilities
        let missing: String? =
            switch model {
            case .layer: can.supportsPerLayerSync ? nil : "supportsPerLayerSync"
            case .geodatabase: can.supportsPerReplicaSync ? nil : "supportsPerReplicaSync"
            case MapOptions.SyncModel.none?: service.canCopyWithoutRegistering ? nil : "supportsSyncModelNone"
            case nil: nil
            }
        guard let missing, let model else { return [] }
        return [
            PlanProblem(
                layer: source.layers.first, origin: source.override.origins[.syncModel],
                failure: .refusal("syncModel: \(model.rawValue), and the service does not say \(missing)", [service.url]))
        ]
    }

    /// One replica has one switch for attachments: a layer that wants none would get them with another's.
    private static func attachments(_ members: [ReplicaMember], _ options: MapOptions) -> [PlanProblem] {
        guard let bringing = members.first(where: { AttachmentSettings.isWanted(by: $0, options) }) else { return [] }
        return members.filter(\.layer.hasAttachments).flatMap(\.wishes).filter { $0.attachments == false }.map { wish in
            PlanProblem(
                layer: wish.label, origin: wish.origin,
                failure: .refusal(
                    "attachments: false, but \(bringing.layer.name) of the same service brings them, and a replica has one switch",
                    ["say attachments: false for \(bringing.layer.name), too, or leave it out here"]))
        }
    }
}
