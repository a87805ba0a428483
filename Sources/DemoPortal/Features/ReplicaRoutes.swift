import Basics

/// `createReplica`, its jobs and the list of replicas (REST reference 4).
struct ReplicaRoutes: Sendable {
    let core: Core
    let service: FeatureService

    func create(_ request: Request, _ caller: Caller) throws(RESTError) -> Answer {
        let wanted = try ReplicaRequest(request.parameters, to: service)
        // Wrong clauses are refused at once, before a job is made of them.
        let now = core.now()
        let tables = wanted.layerIDs.compactMap(service.table)
        let area = wanted.area.flatMap(GeometryParameter.filter)
        var rows = try ReplicaRows.select(tables, queries: wanted.queries, area: area, now: now)
        if caller.jobFault == .dropsRows { rows = rows.mapValues { $0.dropLast() } }
        let replica = register(wanted, caller, now: now)
        if wanted.isAsync { return .json(submit(replica, tables, rows, caller, now: now)) }
        if wanted.isEmbedded { return .json(embedded(replica, tables, rows)) }
        return .json(try synchronous(replica, tables, rows, now: now))
    }

    private func register(_ wanted: ReplicaRequest, _ caller: Caller, now: Double) -> ReplicaRecord {
        let milliseconds = Int64(now * 1000)
        return core.withState { state in
            let taken = Set(state.replicas.values.filter { $0.service == service.path }.map(\.name))
            let base = wanted.name ?? "Ags_Fs_\(milliseconds)"
            var name = base
            var number = 0
            while taken.contains(name) {
                name = "\(base)_\(number)"
                number += 1
            }
            let record = ReplicaRecord(
                id: Identifiers.guid(), name: name, owner: caller.identity?.name ?? "", service: service.path, request: wanted,
                serverGeneration: milliseconds, created: milliseconds)
            // With the model `none` nothing is kept on file.
            if wanted.syncModel != .none { state.replicas[record.id] = record }
            return record
        }
    }

    private func embedded(_ replica: ReplicaRecord, _ tables: [ServedTable], _ rows: [Int: [Int]]) -> JSON {
        EmbeddedReplica.document(replica, tables: tables, rows: rows, serviceURL: core.places.service(service.path))
    }

    /// Both spellings of the result's key are in use, one a flavour (REST reference 4.3).
    private func synchronous(_ replica: ReplicaRecord, _ tables: [ServedTable], _ rows: [Int: [Int]], now: Double)
        throws(RESTError)
        -> JSON
    {
        let product: JobRecord.Product
        do { product = try write(replica, tables, rows) } catch {
            throw RESTError(code: 500, message: "Unable to process request.", details: ["\(error)"])
        }
        core.withState { state in
            state.files.add(
                product.urlPath, file: product.file, service: service.path, isOwned: product.isOwned, size: product.size, at: now)
        }
        let url = core.places.origin + product.urlPath
        switch core.flavour {
        case .agol: return ["transportType": "esriTransportTypeUrl", "responseUrl": .string(url)]
        case .server:
            return [
                "transportType": "esriTransportTypeURL", "responseType": "esriReplicaResponseTypeData", "URL": .string(url),
            ]
        }
    }

    private func submit(
        _ replica: ReplicaRecord, _ tables: [ServedTable], _ rows: [Int: [Int]], _ caller: Caller, now: Double
    ) -> JSON {
        let job = JobRecord(
            id: Identifiers.guid(), service: service.path, kind: .replica(replica), submitted: now, fault: caller.jobFault)
        core.submit(job, fault: caller.jobFault) { try write(replica, tables, rows) }
        return ["statusUrl": .string("\(core.places.service(service.path))/jobs/\(job.id)")]
    }

    private func write(_ replica: ReplicaRecord, _ tables: [ServedTable], _ rows: [Int: [Int]]) throws -> JobRecord.Product {
        var product = JobRecord.Product()
        let suffix = replica.request.format == .json ? "json" : "geodatabase"
        let name = "\(FileNames.safe(replica.name))_\(replica.created).\(suffix)"
        product.urlPath =
            switch core.flavour {
            case .agol: "\(Places.servicesPath)/\(service.path)/replicafilescache/\(name)"
            case .server: "\(Places.outputPath)/\(FileNames.safe(service.name))_FeatureServer/\(name)"
            }
        if let sample = service.sample, replica.request.format == .sqlite {
            product.file = sample.file
            product.isOwned = false
        } else {
            product.file = try core.newFile(name)
            switch replica.request.format {
            case .json: try Files.writeAtomically(Array(embedded(replica, tables, rows).serialized().utf8), to: product.file)
            case .sqlite:
                try ReplicaArtefact.write(
                    to: product.file, replica: replica, service: service, tables: tables, rows: rows, places: core.places)
            }
        }
        product.size = try Files.size(product.file)
        return product
    }

    // MARK: The job

    func status(_ id: String) throws(RESTError) -> Answer {
        let now = core.now()
        let found: (JobRecord, JobTable.Phase, JobTable.Entry, JobRecord.Product?)? = core.withState { state in
            guard let record = state.records[id], record.service == service.path, let phase = state.jobs.phase(of: id, at: now),
                let entry = state.jobs.entry(id)
            else { return nil }
            let product = ResultRoutes.publish(id, phase: phase, entry: entry, state: &state)
            return (record, phase, entry, product)
        }
        guard let (record, phase, entry, product) = found, case .replica(let replica) = record.kind else {
            throw RESTError(code: 400, message: "Invalid or missing input parameters.", details: ["Job \(id) was not found."])
        }
        var answer = replica.header(transport: "esriTransportTypeUrl")
        answer["resultUrl"] = .string(product.map { core.places.origin + $0.urlPath } ?? "")
        answer["submissionTime"] = .integer(Int64(record.submitted * 1000))
        answer["lastUpdatedTime"] = .integer(Int64(max(entry.lastUpdate, isOver(phase) ? entry.lastUpdate : now) * 1000))
        answer["status"] = .string(ReplicaStatus.word(phase, replica: replica, fault: record.fault))
        if case .finished(.failed(let message)) = phase {
            answer["error"] = ["code": 500, "description": .string(message), "message": "Unable to complete operation."]
        } else if isOver(phase), record.fault == .completesWithErrors {
            answer["error"] = ["code": 500, "description": "Some attachments could not be exported.", "message": ""]
        }
        return .json(answer)
    }

    private func isOver(_ phase: JobTable.Phase) -> Bool { if case .finished = phase { true } else { false } }

    func cancel(_ id: String) throws(RESTError) -> Answer {
        let now = core.now()
        core.withState { state in
            if state.records[id]?.service == service.path { state.jobs.cancel(id, at: now) }
        }
        return try status(id)
    }

    // MARK: Replicas on file

    /// A bare array; what others made is hidden from a signed-in user who is no administrator.
    func list(_ caller: Caller) -> JSON {
        let all = core.withState { state in state.replicas.values.filter { $0.service == service.path } }
        let visible = all.filter { record in
            caller.identity.map { $0.role == "org_admin" || $0.name == record.owner || record.owner.isEmpty } ?? true
        }
        return .array(
            visible.sorted { ($0.created, $0.name) < ($1.created, $1.name) }.map {
                ["replicaName": .string($0.name), "replicaID": .string($0.id)]
            })
    }

    func info(_ id: String) throws(RESTError) -> JSON { try find(id).document }

    func unregister(_ request: Request, _ caller: Caller) throws(RESTError) -> JSON {
        guard let id = request.parameters["replicaID"] else { throw .invalidParameters("'replicaID' must be specified.") }
        let record = try find(id)
        core.withState { $0.replicas[record.id] = nil }
        return ["success": true]
    }

    private func find(_ id: String) throws(RESTError) -> ReplicaRecord {
        let bare = id.lowercased().filter { $0 != "{" && $0 != "}" }
        let record = core.withState { $0.replicas[bare] }
        guard let record, record.service == service.path else {
            throw RESTError(code: 400, message: "Invalid or missing input parameters.", details: ["Invalid replicaID."])
        }
        return record
    }
}

/// The words of feature service jobs, in the mix of cases that real lists have (REST reference 4.4).
enum ReplicaStatus {
    static func word(_ phase: JobTable.Phase, replica: ReplicaRecord, fault: JobTable.Fault?) -> String {
        switch phase {
        case .waiting: "Pending"
        case .running(let progress):
            progress < 0.15
                ? "Pending"
                : progress < 0.4
                    ? "InProgress" : progress < 0.7 || !replica.request.returnsAttachments ? "ExportingData" : "ExportAttachments"
        case .finished(.succeeded): fault == .completesWithErrors ? "CompletedWithErrors" : "Completed"
        case .finished(.failed), .finished(.cancelled): "Failed"
        }
    }
}

enum FileNames {
    /// Letters, digits, `-`, `_` and `.`; anything else becomes `_`.
    static func safe(_ name: String) -> String {
        let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" }.prefix(100))
        return safe.hasPrefix(".") ? "_" + safe : safe
    }
}
