import Basics
import Foundation

/// Everything below `/portal/sharing/rest` (REST reference 1.1).
struct PortalRoutes: Sendable {
    let core: Core
    let items: [String: PortalItem]
    let editor: ContentEditor
    /// Item documents and map data, rendered once.
    private let documents: [String: FixedJSON]
    private let data: [String: FixedJSON]

    init(core: Core, items: [String: PortalItem], editor: ContentEditor) {
        self.core = core
        self.editor = editor
        self.items = items
        documents = items.mapValues { FixedJSON($0.document) }
        data = items.compactMapValues { $0.data.map { FixedJSON($0) } }
    }

    func answer(_ request: Request) throws(RESTError) -> Answer {
        // The older spelling without `rest` is still answered.
        let path =
            (request.path + "/").hasPrefix(Places.sharingPath + "/")
            ? request.path.dropFirst(Places.sharingPath.count) : request.path.dropFirst("/portal/sharing/".count)
        let parts = path.split(separator: "/")
        switch (parts.first, parts.count) {
        case ("generateToken", 1):
            let now = core.now()
            return .json(
                try core.withState { state in
                    Result { () throws(RESTError) in try tokens.generateToken(request, tokens: &state.tokens, at: now) }
                }.get())
        case ("oauth2", 2) where parts[1] == "token":
            let now = core.now()
            return .json(
                try core.withState { state in
                    Result { () throws(RESTError) in try tokens.oauthToken(request, tokens: &state.tokens, at: now) }
                }.get())
        case ("info", 1): return .json(PortalSelf.sharingInfo(core.places))
        default: break
        }
        let identity = try core.identity(of: request, on: .portal)
        switch (parts.first, parts.count) {
        case (nil, 0): return .json(["currentVersion": "2025.1"])
        case ("portals", 2) where parts[1] == "self": return .json(PortalSelf.document(core, identity: identity))
        case ("community", 2) where parts[1] == "self":
            guard let identity, identity.kind == .user else { throw .tokenRequired }
            return .json(PortalSelf.user(identity))
        case ("search", 1): return .json(search(request, identity))
        case ("content", 3...) where parts[1] == "items":
            return try item(String(parts[2]), parts.dropFirst(3).map(String.init), request, identity)
        case ("content", 6) where parts[1] == "users" && parts[3] == "items" && parts[5] == "update":
            return .json(
                try EditRoutes(editor: editor).update(request, item: String(parts[4]), owner: String(parts[2]), identity))
        default: throw .invalidURL
        }
    }

    /// The token service of a server that is not federated.
    func serverToken(_ request: Request) throws(RESTError) -> Answer {
        var service = tokens
        service.isServers = true
        let now = core.now()
        return .json(
            try core.withState { state in
                Result { () throws(RESTError) in try service.generateToken(request, tokens: &state.tokens, at: now) }
            }.get())
    }

    private var tokens: TokenService {
        TokenService(users: core.users, maximumMinutes: core.configuration.tokenMinutes, serverRoot: core.places.server)
    }

    private func item(_ id: String, _ rest: [String], _ request: Request, _ identity: Identity?) throws(RESTError) -> Answer {
        guard let item = items[id] else { throw .itemMissing }
        try requireAccess(to: item, identity)
        switch (rest.first, rest.count) {
        case (nil, _): return documents[id].map(Answer.fixed) ?? .json(item.document)
        case ("data", 1): return try data(item, request)
        case ("resources", 1): return .json(resources(item, request))
        case ("resources", _):
            let path = rest.dropFirst().joined(separator: "/")
            guard let resource = item.resources.first(where: { $0.path == path }) else {
                throw RESTError(code: 400, message: "Resource does not exist or is inaccessible.", messageCode: "CONT_0001")
            }
            return .response(.data(resource.bytes, resource.contentType))
        case ("info", _):
            guard rest.dropFirst().joined(separator: "/") == PortalItem.thumbnailPath else {
                throw RESTError(code: 400, message: "Unable to find the item info file.", messageCode: "CONT_0017", status: 404)
            }
            return .response(.data(item.thumbnail, "image/png"))
        case ("relatedItems", 1): return .json(["total": 0, "start": 1, "num": 10, "nextStart": -1, "relatedItems": []])
        case ("groups", 1): return .json(["admin": [], "member": [], "other": []])
        default: throw .invalidURL
        }
    }

    /// A private item is refused to the anonymous caller; a stranger who has signed in is told that it does not exist.
    private func requireAccess(to item: PortalItem, _ identity: Identity?) throws(RESTError) {
        if item.access == .owner || core.users.needsSignIn(item: item.id) {
            guard let identity else { throw .noPermission }
            let isOwner = identity.name == item.owner || identity.role == "org_admin"
            if item.access == .owner ? !isOwner : !core.users.isAllowed(identity) { throw .itemMissing }
        }
    }

    /// Maps give their JSON whatever `f` says; a service item has no data and answers with nothing.
    private func data(_ item: PortalItem, _ request: Request) throws(RESTError) -> Answer {
        if let file = item.file { return .response(Response(contentType: "application/octet-stream", body: .file(file))) }
        guard let data = data[item.id] else { return .response(Response(contentType: "application/json;charset=UTF-8")) }
        let isIndented = request.parameters["f"] == "pjson"
        return .response(.json(isIndented ? Array(data.tree.serialized(.indented).utf8) : data.compact))
    }

    private func resources(_ item: PortalItem, _ request: Request) -> JSON {
        let start = max(1, request.parameters.int("start") ?? 1)
        let count = min(1000, max(1, request.parameters.int("num") ?? 10))
        let page = item.resources.dropFirst(start - 1).prefix(count)
        let next = start + page.count
        return [
            "total": JSON(item.resources.count), "start": JSON(start), "num": JSON(page.count),
            "nextStart": next <= item.resources.count && !page.isEmpty ? JSON(next) : -1,
            "resources": .array(
                page.map {
                    [
                        "resource": .string($0.path), "created": .integer(PortalItem.firstModified), "size": JSON($0.bytes.count),
                        "access": "inherit",
                    ]
                }),
        ]
    }

    /// By words of the title, by type, by `id:`, with `OR` between what may be: enough to look around, and for who knows the ids.
    private func search(_ request: Request, _ identity: Identity?) -> JSON {
        let query = request.parameters["q"] ?? ""
        let choices = query.components(separatedBy: " OR ").map { choice in
            choice.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber })
        }
        let found = items.values.filter { item in
            guard (try? requireAccess(to: item, identity)) != nil else { return false }
            let text = "\(item.id) \(item.title) \(item.type)".lowercased()
            return choices.contains { words in
                words.allSatisfy { ["type", "title", "id", "and"].contains($0) || text.contains($0) }
            }
        }.sorted { $0.title < $1.title }
        let start = max(1, request.parameters.int("start") ?? 1)
        let count = min(100, max(1, request.parameters.int("num") ?? 10))
        let page = found.dropFirst(start - 1).prefix(count)
        let next = start + page.count
        return [
            "query": .string(query), "total": JSON(found.count), "start": JSON(start), "num": JSON(count),
            "nextStart": next <= found.count ? JSON(next) : -1, "results": .array(page.map(\.document)),
        ]
    }
}

extension Core {
    func identity(of request: Request, on side: AccessControl.Side) throws(RESTError) -> Identity? {
        guard AccessControl.token(of: request) != nil else { return nil }
        let time = now()
        return try withState { state in
            Result { () throws(RESTError) in
                try AccessControl.identity(of: request, on: side, tokens: state.tokens, users: users, at: time)
            }
        }.get()
    }
}
