import Basics
import Geography

/// Export and estimate jobs of a tile service, with the results of both flavours (REST reference 6.3 to 6.6, 7.4).
struct ExportRoutes: Sendable {
    let core: Core
    let service: TileService

    func submit(_ request: Request, _ caller: Caller) throws(RESTError) -> Answer {
        let export = try ExportRequest(request.parameters, to: service)
        try ExportRequest.checkPackage(request.parameters, of: service)
        let tiles = service.count(export.levels, export.area)
        let overLimit = tooMany(tiles)
        // Hosted services refuse at once; ArcGIS Server takes the job and lets it fail.
        if let overLimit, core.flavour == .agol { throw overLimit }
        let id = Identifiers.job()
        let record = JobRecord(
            id: id, service: service.path, kind: .export(isVector: service.kind == .vector, tiles: tiles), submitted: core.now(),
            parameters: inputs(request), fault: caller.jobFault)
        core.submit(record, fault: caller.jobFault) {
            if let overLimit { throw overLimit }
            if tiles == 0 { throw RESTError(code: 400, message: "There are no tiles to export in the area of interest.") }
            return try product(id, export)
        }
        if service.kind == .vector, core.flavour == .agol {
            return .json([
                "id": .string(service.itemID), "name": .string(service.name), "url": nil, "status": "success",
                "itemId": .string(service.itemID), "type": "Vector Tile Service", "jobId": .string(id), "message": "success",
            ])
        }
        return .json(["jobId": .string(id), "jobStatus": "esriJobSubmitted"])
    }

    func estimate(_ request: Request, _ caller: Caller) throws(RESTError) -> Answer {
        let export = try ExportRequest(request.parameters, to: service)
        let tiles = service.count(export.levels, export.area)
        let id = Identifiers.job()
        // Services guess from an average; the demo's guess is as good as any.
        let record = JobRecord(
            id: id, service: service.path, kind: .estimate(tiles: tiles, bytes: tiles * 8_000), submitted: core.now(),
            parameters: inputs(request), fault: caller.jobFault)
        core.submit(record, fault: caller.jobFault) { JobRecord.Product() }
        return .json(["jobId": .string(id), "jobStatus": "esriJobSubmitted"])
    }

    private func tooMany(_ tiles: Int) -> RESTError? {
        guard tiles > service.maxExportTiles else { return nil }
        return RESTError(
            code: 400, message: "Unable to complete operation.",
            details: ["The number of tiles to export (\(tiles)) exceeds the maximum of \(service.maxExportTiles) tiles."])
    }

    private func inputs(_ request: Request) -> [(name: String, value: String)] {
        let names = [
            ("levels", "levels"), ("exportBy", "export_by"), ("exportExtent", "export_extent"),
            ("areaOfInterest", "area_of_interest"),
            ("tilePackage", "tile_package"),
        ]
        return names.compactMap { name, parameter in request.parameters[name].map { (parameter, $0) } }
    }

    private func product(_ id: String, _ export: ExportRequest) throws -> JobRecord.Product {
        var product = JobRecord.Product()
        switch core.flavour {
        case .server:
            let folder = "\(Places.outputPath)/\(FileNames.safe(service.name))_\(service.kind.rawValue)/\(id)"
            product.urlPath = "\(folder)/\(service.packageName)"
        case .agol:
            product.urlPath = "/signed-results/\(id)/\(service.packageName)"
            product.signature = TokenText.make()
        }
        if let sample = service.sampleFile {
            product.file = sample
            product.isOwned = false
        } else {
            product.file = try core.newFile(service.packageName)
            try service.export(product.file, export)
        }
        product.size = try Files.size(product.file)
        return product
    }

    // MARK: The job resource

    /// `rest` begins with the job's id.
    func job(_ rest: ArraySlice<Substring>, base: String, _ request: Request) throws(RESTError) -> Answer {
        let parts = Array(rest)
        let id = String(parts[0])
        if parts.count == 2, parts[1] == "cancel" {
            guard try look(id).record.service == service.path else { throw unknown(id) }
            let now = core.now()
            core.withState { $0.jobs.cancel(id, at: now) }
            return .json(["jobId": .string(id), "jobStatus": "esriJobCancelling"])
        }
        let found = try look(id)
        if parts.count == 1 { return .json(document(found, base: base)) }
        guard parts.count == 3 else { throw .invalidURL }
        if parts[1] == "inputs", let input = found.record.parameters.first(where: { $0.name == parts[2] }) {
            return .json(["paramName": .string(input.name), "dataType": "GPString", "value": .string(input.value)])
        }
        guard parts[1] == "results", parts[2] == "out_service_url", case .finished(.succeeded) = found.phase else {
            throw .invalidURL
        }
        return .json(["paramName": "out_service_url", "dataType": "GPString", "value": value(found)])
    }

    private struct Found: Sendable {
        var record: JobRecord
        var phase: JobTable.Phase
        var entry: JobTable.Entry
        var product: JobRecord.Product?
    }

    private func look(_ id: String) throws(RESTError) -> Found {
        let now = core.now()
        let found: Found? = core.withState { state in
            guard let record = state.records[id], record.service == service.path, let phase = state.jobs.phase(of: id, at: now),
                let entry = state.jobs.entry(id)
            else { return nil }
            let product = ResultRoutes.publish(id, phase: phase, entry: entry, state: &state)
            return Found(record: record, phase: phase, entry: entry, product: product)
        }
        guard let found else { throw unknown(id) }
        return found
    }

    private func unknown(_ id: String) -> RESTError {
        RESTError(code: 404, message: "Job \(id) not found.", details: [], status: core.flavour == .server ? 200 : 404)
    }

    private func value(_ found: Found) -> JSON {
        if case .estimate(let tiles, let bytes) = found.record.kind {
            return ["totalSize": JSON(bytes), "totalTilesToExport": JSON(tiles)]
        }
        return .string(core.places.origin + Paths.parent(found.product?.urlPath ?? ""))
    }

    private func document(_ found: Found, base: String) -> JSON {
        var answer: JSON = ["jobId": .string(found.record.id)]
        let isHosted = core.flavour == .agol
        if isHosted, service.kind == .vector { answer["type"] = "EXPORTTILES" }
        answer["jobStatus"] = .string(ExportStatus.word(found.phase, entry: found.entry, now: core.now()))
        if case .finished(.succeeded) = found.phase {
            if isHosted, case .export = found.record.kind, let product = found.product {
                let url =
                    "\(core.places.storeOrigin)\(product.urlPath)?X-Amz-Expires=3600&X-Amz-Signature=\(product.signature)"
                answer["output"] = ["outputUrl": [.string(url)], "itemId": nil]
            } else {
                answer["results"] = ["out_service_url": ["paramUrl": "results/out_service_url"]]
            }
        }
        if isHosted, service.kind == .vector, case .export(_, let tiles) = found.record.kind {
            answer["message"] = "Exporting tiles"
            answer["startTime"] = .integer(Int64((found.entry.started ?? found.entry.submitted) * 1000))
            answer["lastTime"] = .integer(Int64(found.entry.lastUpdate * 1000))
            answer["estimatedNumTiles"] = JSON(tiles)
        }
        answer["inputs"] = .object(
            JSONObject(
                found.record.parameters.map { .init(key: $0.name, value: ["paramUrl": .string("inputs/\($0.name)")]) }))
        answer["messages"] = .array(
            ExportStatus.messages(found.phase, found.record).map { ["type": .string($0.0), "description": .string($0.1)] })
        return answer
    }
}

/// The words of geoprocessing jobs (REST reference 4.4 and 6.5).
enum ExportStatus {
    static func word(_ phase: JobTable.Phase, entry: JobTable.Entry, now: Double) -> String {
        switch phase {
        case .waiting: now - entry.submitted < 0.05 ? "esriJobSubmitted" : "esriJobWaiting"
        case .running: "esriJobExecuting"
        case .finished(.succeeded): "esriJobSucceeded"
        case .finished(.failed): "esriJobFailed"
        case .finished(.cancelled): "esriJobCancelled"
        }
    }

    static func messages(_ phase: JobTable.Phase, _ record: JobRecord) -> [(String, String)] {
        let information = "esriJobMessageTypeInformative"
        var messages = [(information, "Submitted.")]
        switch phase {
        case .waiting: return messages
        case .running: break
        case .finished(.failed(let message)):
            messages += [
                (information, "Executing..."), ("esriJobMessageTypeError", message), ("esriJobMessageTypeError", "Failed."),
            ]
            return messages
        case .finished(.cancelled): return messages + [("esriJobMessageTypeAbort", "Cancelled.")]
        case .finished(.succeeded): break
        }
        if case .export(_, let tiles) = record.kind {
            messages.append((information, "Executing (Export Tiles): \(tiles) tiles."))
        } else {
            messages.append((information, "Executing..."))
        }
        if case .finished = phase {
            if record.fault == .completesWithErrors {
                messages.append(("esriJobMessageTypeWarning", "Some tiles could not be exported."))
            }
            messages.append((information, "Succeeded."))
        }
        return messages
    }
}
