import ArcGIS
import Basics
import Geography
import Manifest

/// One createReplica a feature service and area, for all its layers and tables in the map (REST reference 10.1).
enum ReplicaJobs {
    static func job(
        _ source: MapSource, _ service: FeatureServiceInfo, _ members: [ReplicaMember], area: PlannedArea, context: PlanContext
    ) throws(GeographyError) -> Job {
        let reference = service.spatialReference ?? context.mapReference
        let outReference = context.outReference(of: source)
        let queries = queries(members, options: context.options)
        // A system that is not known, or not here, would fail at the server only.
        if outReference != context.mapReference {
            _ = try Projection.project(area.shape, from: area.spatialReference, to: outReference)
        }
        let request = ReplicaRequest(
            service: service, queries: queries, area: try context.shape(of: area, for: source, in: reference),
            spatialReference: reference,
            outSpatialReference: outReference,
            attachments: AttachmentSettings.make(members, options: context.options),
            updateMode: context.options.updateMode, wantedSyncModel: source.override.syncModel ?? context.options.syncModel,
            syncDataOptions: context.options.syncDataOptions,
            name: ReplicaNames.name(context.name, area.id, source.slug))
        let parameters = request.parameters
        let work = ReplicaWork(
            serviceURL: service.url, request: ServiceRequest(url: service.url + "/createReplica", parameters: parameters),
            layers: queries.map { layer, query in
                ReplicaLayer(
                    layerID: layer.id, name: layer.name, isTable: layer.isTable, countQuery: request.countQuery(of: layer, query),
                    lastEditDate: layer.lastEditDate)
            },
            registration: request.registration)
        // The name says whose replica it is, and decides no byte of the rows.
        var deciding = parameters
        deciding["replicaName"] = nil
        let stamp = SourceStamp(layers: members.map(\.stamp).sorted { $0.id < $1.id })
        return Job(
            id: "\(area.id)/\(source.slug)/replica", area: area.id, layers: source.layers, reason: context.reason,
            key: JobKey.make(.replica, service.url, deciding, stamp.json), work: .replica(work), stamp: stamp,
            refresh: source.override.refresh ?? .byStamp)
    }

    private static func queries(_ members: [ReplicaMember], options: MapOptions) -> [(layer: LayerInfo, query: LayerQuery)] {
        let origins = Set(
            members.flatMap { member in member.layer.relationships.filter { $0.isOrigin == true }.map(\.relatedTableID) })
        return members.sorted { $0.layer.id < $1.layer.id }.map { member in
            let input = LayerQueryInput(
                layer: member.layer, wishes: member.wishes,
                hasOriginInMap: origins.contains(member.layer.id) && !isSchemaOnlyOrigin(of: member.layer, members, options),
                isOrigin: member.layer.relationships.contains { $0.isOrigin == true })
            return (member.layer, LayerQuery.make(input, options: options))
        }
    }

    /// An origin that brings no rows would leave its tables empty (REST reference 10.4).
    private static func isSchemaOnlyOrigin(of table: LayerInfo, _ members: [ReplicaMember], _ options: MapOptions) -> Bool {
        let origins = members.filter { member in
            member.layer.relationships.contains { $0.isOrigin == true && $0.relatedTableID == table.id }
        }
        return origins.allSatisfy { origin in
            let own = Set(origin.wishes.map(\.queryOption))
            if own == [LayerOverride.QueryOption.none] { return !origin.wishes.contains(where: \.includeRelated) }
            return options.returnSchemaOnlyForEditableLayers && origin.layer.isEditable && own == [nil]
        }
    }
}
