import Basics
import Geography

/// `applyEdits` of a layer: adds, updates and deletes of rows.
struct ApplyEdits: Sendable {
    private struct Refusal: Error {
        var code: Int
        var description: String
    }

    let adds: [JSON]
    let updates: [JSON]
    /// Object ids.
    let deletes: [Int]
    let rollsBack: Bool

    init(adds: JSON?, updates: JSON?, deletes: JSON?, rollsBack: Bool) throws(RESTError) {
        func features(_ name: String, _ tree: JSON?) throws(RESTError) -> [JSON] {
            guard let tree, !tree.isNull else { return [] }
            guard let list = tree.array, list.allSatisfy({ $0["attributes"]?.object != nil || $0["geometry"] != nil }) else {
                throw .invalidParameters("'\(name)' parameter is invalid")
            }
            return list
        }
        self.adds = try features("adds", adds)
        self.updates = try features("updates", updates)
        let ids = (deletes?.array ?? []).map(\.int)
        if ids.contains(nil) { throw .invalidParameters("'deletes' parameter is invalid") }
        self.deletes = ids.compactMap { $0 }
        self.rollsBack = rollsBack
    }

    /// Of a layer's form: `adds=[…]&updates=[…]&deletes=1,2&rollbackOnFailure=true`.
    init(_ parameters: Parameters) throws(RESTError) {
        func tree(_ name: String) throws(RESTError) -> JSON? {
            guard let text = parameters[name] else { return nil }
            if name == "deletes", !text.trimmed.hasPrefix("[") { return try? JSON.parse("[\(text)]") }
            guard let tree = try? JSON.parse(text) else { throw .invalidParameters("'\(name)' parameter is invalid") }
            return tree
        }
        try self.init(
            adds: try tree("adds"), updates: try tree("updates"), deletes: try tree("deletes"),
            rollsBack: parameters.bool("rollbackOnFailure", default: true))
    }

    /// One result a row. With `rollbackOnFailure` one bad row leaves all as they were.
    func apply(to table: inout FeatureTable, at time: Int64) -> JSON {
        var changed = table
        let added = adds.map { feature in result { () throws(Refusal) in try Self.add(feature, to: &changed) } }
        let updated = updates.map { feature in result { () throws(Refusal) in try Self.update(feature, in: &changed) } }
        let deleted = deletes.map { id in result { () throws(Refusal) in try Self.delete(id, from: &changed) } }
        let all = added + updated + deleted
        let hasFailed = all.contains { $0["success"] == false }
        let isDone = !(hasFailed && rollsBack)
        if isDone, all.contains(where: { $0["success"] == true }) {
            table = changed
            table.rowsWereEdited(at: time)
        }
        func shown(_ results: [JSON]) -> JSON { .array(isDone ? results : results.map(Self.rolledBack)) }
        return ["addResults": shown(added), "updateResults": shown(updated), "deleteResults": shown(deleted)]
    }

    private static func rolledBack(_ result: JSON) -> JSON {
        guard result["success"] == true else { return result }
        var result = result
        result["success"] = false
        result["error"] = ["code": 1003, "description": "Operation rolled back."]
        return result
    }

    private func result(_ body: () throws(Refusal) -> FeatureTable.Row) -> JSON {
        do throws(Refusal) {
            let row = try body()
            return ["objectId": JSON(row.objectID), "globalId": .string(row.globalID), "success": true]
        } catch {
            return [
                "objectId": -1, "globalId": nil, "success": false,
                "error": ["code": JSON(error.code), "description": .string(error.description)],
            ]
        }
    }

    // MARK: - Rows

    private static func add(_ feature: JSON, to table: inout FeatureTable) throws(Refusal) -> FeatureTable.Row {
        var row = FeatureTable.Row(
            objectID: (table.rows.map(\.objectID).max() ?? 0) + 1, globalID: "{\(Identifiers.guid().uppercased())}",
            values: Array(repeating: .null, count: table.fields.count - 2), shape: nil)
        try set(feature, in: &row, of: table)
        table.rows.append(row)
        return row
    }

    private static func update(_ feature: JSON, in table: inout FeatureTable) throws(Refusal) -> FeatureTable.Row {
        let name = table.fields[0].name
        guard let id = feature["attributes"]?[name]?.int, let index = table.rows.firstIndex(where: { $0.objectID == id }) else {
            throw Refusal(code: 1019, description: "The feature to be updated was not found: \(name) is missing or unknown.")
        }
        try set(feature, in: &table.rows[index], of: table)
        return table.rows[index]
    }

    private static func delete(_ id: Int, from table: inout FeatureTable) throws(Refusal) -> FeatureTable.Row {
        guard let index = table.rows.firstIndex(where: { $0.objectID == id }) else {
            throw Refusal(code: 1019, description: "The feature to be deleted was not found: \(id).")
        }
        let row = table.rows.remove(at: index)
        table.attachments.removeAll { $0.parentGlobalID == row.globalID }
        return row
    }

    private static func set(_ feature: JSON, in row: inout FeatureTable.Row, of table: FeatureTable) throws(Refusal) {
        for member in feature["attributes"]?.object?.members ?? [] {
            guard let column = table.fields.firstIndex(where: { $0.name.lowercased() == member.key.lowercased() }) else {
                throw Refusal(code: -2_147_217_395, description: "Field \(member.key) does not exist.")
            }
            // Object id and global id are the server's.
            guard column > 1 else { continue }
            guard let value = value(member.value, for: table.fields[column]) else {
                throw Refusal(code: -2_147_217_395, description: "Setting of Value for \(member.key) failed.")
            }
            row.values[column - 2] = value
        }
        guard let geometry = feature["geometry"], !geometry.isNull else { return }
        guard let shape = shape(geometry, of: table.geometry) else {
            throw Refusal(code: 1000, description: "Geometry is not valid for this layer.")
        }
        row.shape = shape
    }

    private static func value(_ json: JSON, for field: FeatureTable.Field) -> FeatureTable.Value? {
        if json.isNull { return .null }
        switch field.kind {
        case .objectID, .integer, .smallInteger: return json.int.map { .integer(Int64($0)) }
        case .double: return json.double.map { .double($0) }
        case .date: return json.int.map { .date(Int64($0)) }
        case .string:
            guard let text = json.string, text.count <= field.length ?? .max else { return nil }
            return .text(text)
        case .globalID, .guid: return json.string.map { .text($0) }
        }
    }

    /// In Web Mercator unless it says degrees.
    private static func shape(_ json: JSON, of kind: FeatureTable.Geometry?) -> Shape? {
        let reference = json["spatialReference"].map { $0.serialized() } ?? "102100"
        guard let kind, let system = try? GeometryParameter.system(reference) else { return nil }
        func place(_ x: JSON?, _ y: JSON?) -> Coordinate? {
            guard let x = x?.double, let y = y?.double else { return nil }
            return system == .degrees ? WebMercator.place(longitude: x, latitude: y) : Coordinate(x: x, y: y)
        }
        func parts(_ json: JSON?, atLeast count: Int) -> [[Coordinate]]? {
            guard let parts = json?.array, !parts.isEmpty else { return nil }
            let read = parts.map { part in (part.array ?? []).map { place($0[0], $0[1]) } }
            guard read.allSatisfy({ $0.count >= count && !$0.contains(nil) }) else { return nil }
            return read.map { $0.compactMap { $0 } }
        }
        switch kind {
        case .point: return place(json["x"], json["y"]).map(Shape.point)
        case .polyline: return parts(json["paths"], atLeast: 2).map(Shape.polyline)
        case .polygon: return parts(json["rings"], atLeast: 4).map { .polygon(Polygon(rings: $0)) }
        }
    }
}
