import Basics

/// Where results are fetched: the output directory of the server and the signed store of the hosted flavour.
struct ResultRoutes: Sendable {
    let core: Core

    /// The result of a finished job, put among the files on the first look; nil while there is none.
    static func publish(
        _ id: String, phase: JobTable.Phase, entry: JobTable.Entry, state: inout Core.State
    ) -> JobRecord.Product? {
        guard case .finished(.succeeded) = phase, let record = state.records[id], let product = record.product else { return nil }
        if !record.isPublished {
            state.records[id]?.isPublished = true
            if record.fault != .losesResult, !product.urlPath.isEmpty {
                state.files.add(
                    product.urlPath, file: product.file, service: record.service, isOwned: product.isOwned, size: product.size,
                    at: entry.finished ?? entry.lastUpdate)
            }
        }
        return product
    }

    /// A file, or with `f=json` the listing of a folder (REST reference 6.6).
    func file(_ request: Request, _ caller: Caller) throws(RESTError) -> Answer {
        let path = request.path.hasSuffix("/") ? String(request.path.dropLast()) : request.path
        let now = core.now()
        if let entry = core.withState({ $0.files.access(path, at: now) }) {
            try AccessControl.requireAccess(toService: entry.service, identity: caller.identity, users: core.users)
            return .response(Response(contentType: "application/octet-stream", body: .file(entry.file)))
        }
        let entries = core.withState { $0.files.list(under: path, at: now) }
        guard let first = entries.first else { throw .notFound("File or folder not found.") }
        try AccessControl.requireAccess(toService: first.entry.service, identity: caller.identity, users: core.users)
        return .json([
            "folders": [],
            "files": .array(
                entries.map {
                    [
                        "name": .string($0.name),
                        "url": .string(core.places.origin + path + "/" + FormEncoding.encode($0.name)),
                    ]
                }),
        ])
    }

    /// Signed storage is another origin: it knows no tokens and answers 400 to a request that carries one.
    func signedFile(_ request: Request) -> Response {
        let refusal = { (status: Int, code: String) in
            Response(
                status: status, contentType: "application/xml",
                body: .bytes(Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>\(code)</Code></Error>".utf8)))
        }
        if AccessControl.token(of: request) != nil || request.headers["authorization"] != nil
            || request.headers["x-esri-authorization"] != nil
        {
            return refusal(400, "InvalidArgument")
        }
        let now = core.now()
        let signature = request.parameters["X-Amz-Signature"]
        let isSigned = core.withState { state in
            state.records.values.contains { $0.product?.urlPath == request.path && $0.product?.signature == signature }
        }
        guard isSigned, signature != nil else { return refusal(403, "AccessDenied") }
        guard let entry = core.withState({ $0.files.access(request.path, at: now) }) else { return refusal(404, "NoSuchKey") }
        return Response(contentType: "application/octet-stream", body: .file(entry.file))
    }
}
