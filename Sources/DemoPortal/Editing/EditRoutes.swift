import Basics

/// What changes content: rows by `applyEdits`, schemas by the administrators' `addToDefinition` and `deleteFromDefinition`, items by
/// `update`.
struct EditRoutes: Sendable {
    let editor: ContentEditor

    // MARK: - Rows

    /// `{FeatureServer}/{layer}/applyEdits`.
    func applyEdits(_ request: Request, _ service: FeatureService, layer: Int) throws(RESTError) -> JSON {
        try requireEditing(request, service)
        let edits = try ApplyEdits(request.parameters)
        return try editor.edit { (content, time) throws(RESTError) in
            try content.change(service.path, layer) { (table) throws(RESTError) in edits.apply(to: &table, at: time) }
        }
    }

    /// `{FeatureServer}/applyEdits` with `edits=[{id, adds, updates, deletes}]`.
    func applyEdits(_ request: Request, _ service: FeatureService) throws(RESTError) -> JSON {
        try requireEditing(request, service)
        guard let list = request.parameters["edits"].flatMap({ try? JSON.parse($0) })?.array else {
            throw .invalidParameters("'edits' parameter is invalid")
        }
        var all: [(id: Int, edits: ApplyEdits)] = []
        for entry in list {
            guard let id = entry["id"]?.int else { throw .invalidParameters("'edits' parameter is invalid") }
            let edits = try ApplyEdits(
                adds: entry["adds"], updates: entry["updates"], deletes: entry["deletes"],
                rollsBack: request.parameters.bool("rollbackOnFailure", default: true))
            all.append((id, edits))
        }
        let wanted = all
        return try editor.edit { (content, time) throws(RESTError) in
            var answers: [JSON] = []
            for (id, edits) in wanted {
                var answer = try content.change(service.path, id) { (table) throws(RESTError) in
                    edits.apply(to: &table, at: time)
                }
                answer["id"] = JSON(id)
                answers.append(answer)
            }
            return .array(answers)
        }
    }

    private func requireEditing(_ request: Request, _ service: FeatureService) throws(RESTError) {
        guard request.isPost else { throw RESTError(code: 405, message: "Method Not Allowed", status: 405) }
        guard service.capabilities.contains("Editing"), service.sample == nil else {
            throw RESTError(code: 400, message: "Operation is not supported.", details: ["The service does not allow editing."])
        }
    }

    // MARK: - Schema

    /// `/rest/admin/services/{name}/FeatureServer/{layer}/{operation}`, for administrators.
    func definition(_ request: Request, _ service: FeatureService, layer: Int, operation: String) throws(RESTError) -> JSON {
        guard request.isPost else { throw RESTError(code: 405, message: "Method Not Allowed", status: 405) }
        guard service.sample == nil else { throw .invalidURL }
        guard let definition = request.parameters[operation].flatMap({ try? JSON.parse($0) }) else {
            throw .invalidParameters("'\(operation)' parameter is invalid")
        }
        return try editor.edit { (content, time) throws(RESTError) in
            try content.change(service.path, layer) { (table) throws(RESTError) in
                let fields = definition["fields"]?.array ?? []
                switch operation {
                case "addToDefinition": for field in fields { try Self.add(field, to: &table) }
                case "deleteFromDefinition": for field in fields { try Self.delete(field, from: &table) }
                case "updateDefinition":
                    if let name = definition["name"]?.string { table.name = name }
                    if let scale = definition["minScale"]?.double { table.minScale = scale }
                default: throw .invalidURL
                }
                table.schemaWasEdited(at: time)
            }
            return ["success": true]
        }
    }

    private static func add(_ field: JSON, to table: inout FeatureTable) throws(RESTError) {
        guard let name = field["name"]?.string, let kind = field["type"]?.string.flatMap(FeatureTable.Field.Kind.init(rawValue:)),
            kind != .objectID, kind != .globalID
        else { throw .invalidParameters("'fields' holds a field without a name or with an unknown type") }
        if table.fields.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            throw .invalidParameters("The field \(name) exists.")
        }
        table.fields.append(
            FeatureTable.Field(
                name: name, kind: kind, alias: field["alias"]?.string ?? name,
                length: field["length"]?.int ?? (kind == .string ? 256 : nil)))
        for index in table.rows.indices { table.rows[index].values.append(.null) }
    }

    private static func delete(_ field: JSON, from table: inout FeatureTable) throws(RESTError) {
        let name = field["name"]?.string ?? ""
        guard let column = table.fields.firstIndex(where: { $0.name.lowercased() == name.lowercased() }), column > 1 else {
            throw .invalidParameters("The field \(name) does not exist or cannot be deleted.")
        }
        if table.relationships.contains(where: { $0.keyField == table.fields[column].name }) {
            throw .invalidParameters("The field \(name) is the key of a relationship.")
        }
        table.fields.remove(at: column)
        for index in table.rows.indices { table.rows[index].values.remove(at: column - 2) }
    }

    // MARK: - Items

    /// `content/users/{owner}/items/{id}/update`, for the owner and for administrators: title, texts, tags, and `text`, the data.
    func update(_ request: Request, item id: String, owner: String, _ identity: Identity?) throws(RESTError) -> JSON {
        guard request.isPost else { throw RESTError(code: 405, message: "Method Not Allowed", status: 405) }
        guard let identity else { throw .tokenRequired }
        let parameters = request.parameters
        return try editor.edit { (content, time) throws(RESTError) in
            guard var item = content.items[id], item.owner == owner else { throw .itemMissing }
            guard identity.name == item.owner || identity.role == "org_admin" else { throw .noPermission }
            if let text = parameters["text"] {
                guard let data = try? JSON.parse(text) else { throw .invalidParameters("'text' is not JSON") }
                item.data = data
            }
            if let title = parameters["title"] { item.title = title }
            if let snippet = parameters["snippet"] { item.snippet = snippet }
            if let description = parameters["description"] { item.description = description }
            if let tags = parameters["tags"] { item.tags = tags.split(separator: ",").map(\.trimmed) }
            item.modified = max(time, item.modified + 1)
            content.items[id] = item
            return ["success": true, "id": .string(id)]
        }
    }
}
