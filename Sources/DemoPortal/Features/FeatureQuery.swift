import Basics
import Geography

/// `query` of a layer, read from the parameters (REST reference 5.1).
struct FeatureQuery: Sendable {
    enum Kind: Sendable {
        case features, count, ids
        case extent(withCount: Bool)
    }
    enum Format: Sendable { case json, geoJSON, pbf }
    struct Order: Sendable {
        var column: Int
        var isDescending: Bool
    }

    var filter: RowFilter
    var kind: Kind
    var columns: [Int]
    var order: [Order]
    var system: GeometryParameter.System
    var returnsGeometry: Bool
    var offset: Int
    var limit: Int
    var format: Format

    init(_ parameters: Parameters, on served: ServedTable, flavour: Flavour, now: Double) throws(RESTError) {
        let format: Format =
            switch parameters["f"] {
            case "geojson": .geoJSON
            case "pbf": .pbf
            default: .json
            }
        self.format = format
        guard ["where", "objectIds", "geometry", "time"].contains(where: { parameters[$0] != nil }) else {
            throw .invalidQuery("'where' clause or other filter must be specified")
        }
        filter = try Self.filter(parameters, on: served, now: now)
        kind = Self.kind(parameters, flavour: flavour)
        columns = try Self.columns(parameters["outFields"], of: served)
        order = try Self.order(parameters["orderByFields"], of: served)
        if let text = parameters["outSR"] ?? parameters["defaultSR"] {
            do throws(RESTError) { system = try GeometryParameter.system(text) } catch {
                throw .invalidQuery("'outSR' parameter is invalid")
            }
        } else {
            system = format == .geoJSON ? .degrees : .mercator
        }
        returnsGeometry = parameters.bool("returnGeometry", default: true) && !served.isTable
        offset = max(0, parameters.int("resultOffset") ?? 0)
        let most = Self.maximum(parameters["resultType"], served, returnsGeometry: returnsGeometry)
        limit = min(most, parameters.int("resultRecordCount") ?? most)
        if limit < 0 { throw .invalidQuery("'resultRecordCount' parameter is invalid") }
    }

    private static func maximum(_ resultType: String?, _ served: ServedTable, returnsGeometry: Bool) -> Int {
        switch resultType {
        case "standard": 32000
        case "tile": 8000
        default: served.table.maxRecordCount
        }
    }

    private static func kind(_ parameters: Parameters, flavour: Flavour) -> Kind {
        let wantsCount = parameters.bool("returnCountOnly")
        if parameters.bool("returnExtentOnly") { return .extent(withCount: wantsCount || flavour == .agol) }
        if wantsCount { return .count }
        return parameters.bool("returnIdsOnly") ? .ids : .features
    }

    static func filter(_ parameters: Parameters, on served: ServedTable, now: Double) throws(RESTError) -> RowFilter {
        var filter = RowFilter()
        if let clause = parameters["where"] { filter.clause = try self.clause(clause, of: served, now: now) }
        if let text = parameters["objectIds"] {
            let ids = text.split(separator: ",").map { Int($0.trimmed) }
            if ids.contains(nil) { throw .invalidQuery("'objectIds' parameter is invalid") }
            filter.objectIDs = Set(ids.compactMap { $0 })
        }
        if !served.isTable, let shape = try GeometryParameter.read(parameters) {
            switch parameters["spatialRel"] {
            case nil, "esriSpatialRelIntersects": filter.area = GeometryParameter.filter(shape)
            case "esriSpatialRelEnvelopeIntersects", "esriSpatialRelIndexIntersects":
                filter.area = shape.envelope.map { AreaFilter($0) }
            case let other?: throw .invalidQuery("'spatialRel' parameter is invalid: \(other) is not supported")
            }
        }
        return filter
    }

    static func clause(_ text: String, of served: ServedTable, now: Double) throws(RESTError) -> WhereExpression {
        do throws(WhereParser.Problem) {
            return try WhereParser.parse(text, fields: served.table.fields, now: Int64(now * 1000))
        } catch {
            switch error {
            case .unknownField(let name): throw .invalidQuery("'Invalid field: \(name)' parameter is invalid")
            case .syntax: throw .invalidQuery("'where' parameter is invalid")
            }
        }
    }

    /// Without `outFields` there are no attributes.
    private static func columns(_ text: String?, of served: ServedTable) throws(RESTError) -> [Int] {
        guard let text else { return [] }
        var columns: [Int] = []
        for name in text.split(separator: ",").map(\.trimmed) {
            if name == "*" { return Array(served.table.fields.indices) }
            guard let column = served.field(named: name) else {
                throw .invalidQuery("'Invalid field: \(name)' parameter is invalid")
            }
            if !columns.contains(column) { columns.append(column) }
        }
        return columns
    }

    private static func order(_ text: String?, of served: ServedTable) throws(RESTError) -> [Order] {
        var order: [Order] = []
        for item in (text ?? "").split(separator: ",") {
            let words = item.split(separator: " ")
            guard let name = words.first, words.count <= 2, let column = served.field(named: String(name)) else {
                throw .invalidQuery("'Invalid field: \(item.trimmed)' parameter is invalid")
            }
            let direction = words.count == 2 ? words[1].uppercased() : "ASC"
            guard direction == "ASC" || direction == "DESC" else { throw .invalidQuery("'orderByFields' parameter is invalid") }
            order.append(Order(column: column, isDescending: direction == "DESC"))
        }
        return order
    }
}
