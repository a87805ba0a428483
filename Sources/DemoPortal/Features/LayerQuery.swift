import Basics

/// One entry of `layerQueries` (REST reference 4.2).
struct LayerQuery: Sendable, Hashable {
    enum Option: String, Sendable { case none, useFilter, all }

    /// nil: what layers and tables do by themselves, which is not the same.
    var option: Option?
    var clause: String?
    var usesGeometry = true
    var includesRelated = true

    init(option: Option? = nil, clause: String? = nil, usesGeometry: Bool = true, includesRelated: Bool = true) {
        self.option = option
        self.clause = clause
        self.usesGeometry = usesGeometry
        self.includesRelated = includesRelated
    }

    static func read(_ text: String?) throws(RESTError) -> [Int: LayerQuery] {
        guard let text else { return [:] }
        guard let tree = try? JSON.parse(text), let object = tree.object else {
            throw .invalidParameters("'layerQueries' parameter is invalid")
        }
        var queries: [Int: LayerQuery] = [:]
        for member in object.members {
            guard let id = Int(member.key), member.value.object != nil else {
                throw .invalidParameters("'layerQueries' parameter is invalid")
            }
            var query = LayerQuery()
            if let word = member.value["queryOption"]?.string {
                guard
                    let option = [Option.none, .useFilter, .all].first(where: { $0.rawValue.lowercased() == word.lowercased() })
                else {
                    throw .invalidParameters("'queryOption' of layer \(id) is invalid: \(word)")
                }
                query.option = option
            }
            query.clause = member.value["where"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            query.usesGeometry = member.value["useGeometry"]?.bool ?? true
            query.includesRelated = member.value["includeRelated"]?.bool ?? true
            queries[id] = query
        }
        return queries
    }
}

/// Which rows a replica holds.
enum ReplicaRows {
    /// Row positions by table id. Layers without an entry are filtered by the geometry, tables without one hold what is related to
    /// replicated rows. Related rows come in through origin → destination only.
    static func select(
        _ tables: [ServedTable], queries: [Int: LayerQuery], area: AreaFilter?, now: Double
    ) throws(RESTError) -> [Int: [Int]] {
        var result: [Int: [Int]] = [:]
        var related: [Int: Bool] = [:]
        for served in tables {
            let query = queries[served.id] ?? LayerQuery()
            switch query.option ?? (served.isTable ? .none : .useFilter) {
            case .all: result[served.id] = Array(served.table.rows.indices)
            case .none:
                result[served.id] = []
                related[served.id] = query.includesRelated
            case .useFilter:
                var filter = RowFilter()
                if query.usesGeometry, !served.isTable { filter.area = area }
                if let clause = query.clause { filter.clause = try FeatureQuery.clause(clause, of: served, now: now) }
                result[served.id] = served.rows(matching: filter)
            }
        }
        // A related row may have related rows of its own: go on until nothing is added. Each pass adds rows or ends.
        var hasGrown = true
        while hasGrown {
            hasGrown = false
            for destination in tables where related[destination.id] == true {
                let rows = relatedRows(destination, tables: tables, selected: result)
                if rows.count > result[destination.id]?.count ?? 0 {
                    result[destination.id] = rows
                    hasGrown = true
                }
            }
        }
        return result
    }

    private static func relatedRows(_ destination: ServedTable, tables: [ServedTable], selected: [Int: [Int]]) -> [Int] {
        var rows: Set<Int> = []
        for relationship in destination.table.relationships where !relationship.isOrigin {
            guard let origin = tables.first(where: { $0.id == relationship.relatedTableID }),
                let originKey = origin.table.relationships.first(where: { $0.id == relationship.id && $0.isOrigin })?.keyField,
                let originColumn = origin.field(named: originKey), let column = destination.field(named: relationship.keyField)
            else { continue }
            let keys = Set((selected[origin.id] ?? []).map { origin.table.rows[$0].value(at: originColumn) })
            for (index, row) in destination.table.rows.enumerated() {
                let key = row.value(at: column)
                if key != .null, keys.contains(key) { rows.insert(index) }
            }
        }
        return rows.sorted()
    }
}
