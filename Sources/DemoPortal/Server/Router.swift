import Basics

/// From a request to its response. Nothing here waits or knows of sockets.
struct Router: Sendable {
    let core: Core
    let catalogue: Catalogue
    let portal: PortalRoutes
    let edits: EditRoutes
    private let fixed: [String: (service: String, answer: FixedJSON)]

    init(core: Core, content: Content, editor: ContentEditor) {
        self.core = core
        catalogue = content.catalogue
        edits = EditRoutes(editor: editor)
        portal = PortalRoutes(core: core, items: content.items, editor: editor)
        fixed = catalogue.fixedAnswers()
    }

    func handle(_ request: Request) -> Response {
        let now = core.now()
        let actions = core.withState { state -> [FaultRule.Action] in
            if state.faults.isEmpty { return [] }
            let actions = state.faults.actions(for: request)
            if actions.contains(.expireTokens) { state.tokens.expireAll(at: now) }
            return actions
        }
        if actions.isEmpty { return answer(request, fault: nil) }
        let response = FaultEffects.replacement(actions) ?? answer(request, fault: FaultEffects.jobFault(actions))
        return FaultEffects.apply(actions, to: response, of: request)
    }

    private func answer(_ request: Request, fault: JobTable.Fault?) -> Response {
        if request.listener == .store { return ResultRoutes(core: core).signedFile(request) }
        guard ["GET", "POST", "HEAD"].contains(request.method) else {
            return Formatting.render(RESTError(code: 405, message: "Method Not Allowed", status: 405), for: request)
        }
        do throws(RESTError) {
            return Formatting.render(try route(request, fault: fault), for: request)
        } catch {
            return Formatting.render(error, for: request)
        }
    }

    private func route(_ request: Request, fault: JobTable.Fault?) throws(RESTError) -> Answer {
        var request = request
        while request.path.count > 1, request.path.hasSuffix("/") { request.path.removeLast() }
        let path = request.path
        if path.hasPrefix("/portal/sharing") { return try portal.answer(request) }
        // A path that is not there at all is a web server's 404, without the envelope of ArcGIS.
        guard path.hasPrefix("/server/") else { throw .notFound("Not Found") }
        if path == "/server/rest/info" { return .json(PortalSelf.serverInfo(core)) }
        if core.users.standAlone != nil, path == "/server/tokens" || path == "/server/tokens/generateToken" {
            return try portal.serverToken(request)
        }
        if path == "/server/tokens/generateToken" { throw .notFound("This server is federated: ask the portal for tokens.") }
        let identity = try core.identity(of: request, on: .server)
        if path.hasPrefix(Places.adminPath) { return .json(try definition(request, path, identity)) }
        let caller = Caller(identity: identity, jobFault: fault)
        if let (service, answer) = fixed[path] {
            try AccessControl.requireAccess(toService: service, identity: identity, users: core.users)
            return .fixed(answer)
        }
        if path.hasPrefix(Places.outputPath) { return try ResultRoutes(core: core).file(request, caller) }
        guard path.hasPrefix(Places.servicesPath) else { throw .notFound() }
        let parts = path.dropFirst(Places.servicesPath.count).split(separator: "/")
        guard let index = parts.firstIndex(where: { $0.hasSuffix("Server") }) else {
            guard let listing = catalogue.listing(folder: parts.first.map(String.init)), parts.count <= 1 else {
                throw .invalidURL
            }
            return .json(listing)
        }
        let name = parts[...index].joined(separator: "/")
        let rest = Array(parts[(index + 1)...])
        if let service = catalogue.features[name] {
            try AccessControl.requireAccess(toService: name, identity: identity, users: core.users)
            return try FeatureRoutes(core: core, service: service, edits: edits).answer(rest, request, caller)
        }
        if let service = catalogue.tiles[name] {
            try AccessControl.requireAccess(toService: name, identity: identity, users: core.users)
            return try TileRoutes(core: core, service: service).answer(rest, request, caller)
        }
        switch core.flavour {
        case .agol: throw .invalidURL
        case .server: throw RESTError(code: 404, message: "Service \(name) not found")
        }
    }

    /// Below `/rest/admin/services`: `{name}/FeatureServer/{layer}/{operation}`.
    private func definition(_ request: Request, _ path: String, _ identity: Identity?) throws(RESTError) -> JSON {
        guard let identity else { throw .tokenRequired }
        guard identity.role == "org_admin" else { throw .noPermission }
        let parts = path.dropFirst(Places.adminPath.count).split(separator: "/")
        guard parts.count >= 4, let layer = Int(parts[parts.count - 2]),
            let service = catalogue.features[parts.dropLast(2).joined(separator: "/")]
        else { throw .invalidURL }
        return try edits.definition(request, service, layer: layer, operation: String(parts[parts.count - 1]))
    }
}
