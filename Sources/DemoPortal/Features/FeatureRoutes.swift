import Basics

/// Everything below `{FeatureServer}` that is not fixed metadata.
struct FeatureRoutes: Sendable {
    let core: Core
    let service: FeatureService
    let edits: EditRoutes

    /// `rest`: the path below `FeatureServer`, split.
    func answer(_ rest: [Substring], _ request: Request, _ caller: Caller) throws(RESTError) -> Answer {
        switch rest.count {
        case 1:
            switch rest[0] {
            case "createReplica": return try replicas.create(request, caller)
            case "replicas": return .json(replicas.list(caller))
            case "unRegisterReplica": return .json(try replicas.unregister(request, caller))
            case "synchronizeReplica", "extractChanges":
                throw RESTError(
                    code: 400, message: "Unable to complete operation.", details: ["\(rest[0]) is not supported by this server."])
            case "applyEdits": return .json(try edits.applyEdits(request, service))
            case "queryDomains": return .json(["domains": []])
            default: break
            }
        case 2:
            if rest[0] == "jobs" { return try replicas.status(String(rest[1])) }
            if rest[0] == "replicas" { return .json(try replicas.info(String(rest[1]))) }
            if rest[0] == "replicafilescache" { return try ResultRoutes(core: core).file(request, caller) }
            if let served = Int(rest[0]).flatMap(service.table) {
                if rest[1] == "query" { return try query(served, request) }
                if rest[1] == "applyEdits" { return .json(try edits.applyEdits(request, service, layer: served.id)) }
                if rest[1] == "queryRelatedRecords" {
                    return .json(try RelatedRecords.answer(served, of: service, request, now: core.now()))
                }
                if rest[1] == "queryAttachments" { return .json(try attachments.query(served, request)) }
            }
        case 3:
            if rest[0] == "jobs", rest[2] == "cancel" { return try replicas.cancel(String(rest[1])) }
            if rest[2] == "attachments", let served = Int(rest[0]).flatMap(service.table), let row = Int(rest[1]) {
                return .json(try attachments.list(served, objectID: row))
            }
        case 4:
            if rest[2] == "attachments", let served = Int(rest[0]).flatMap(service.table), let row = Int(rest[1]),
                let id = Int(rest[3])
            {
                return .response(try attachments.data(served, objectID: row, id: id))
            }
        default: break
        }
        throw .invalidURL
    }

    private var replicas: ReplicaRoutes { ReplicaRoutes(core: core, service: service) }
    private var attachments: AttachmentRoutes { AttachmentRoutes(serviceURL: core.places.service(service.path)) }

    private func query(_ served: ServedTable, _ request: Request) throws(RESTError) -> Answer {
        let query = try FeatureQuery(request.parameters, on: served, flavour: core.flavour, now: core.now())
        return QueryAnswer.make(query, on: served, flavour: core.flavour)
    }
}

/// Who asks, and what fault rules want of the job that the request starts.
struct Caller: Sendable {
    var identity: Identity?
    var jobFault: JobTable.Fault?
}
