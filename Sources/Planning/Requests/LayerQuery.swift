import ArcGIS
import Basics
import Manifest

/// One entry of `layerQueries`: which rows of a layer or table go into the replica (REST reference 4.2).
struct LayerQuery: Hashable {
    enum Option: String {
        /// The rows that pass `where` and, with `useGeometry`, touch the area.
        case useFilter
        /// No own rows; with `includeRelated` those that relate to rows of an origin.
        case none
        case all
    }

    var option: Option
    var useGeometry = false
    var whereClause: String?
    var includeRelated = false

    /// Members in the order of the reference, so that equal queries are equal text.
    var json: JSON {
        switch option {
        case .all: return ["queryOption": "all"]
        case .none: return ["queryOption": "none", "useGeometry": false, "includeRelated": .bool(includeRelated)]
        case .useFilter:
            var json: JSON = ["queryOption": "useFilter", "useGeometry": .bool(useGeometry)]
            if let whereClause { json["where"] = .string(whereClause) }
            return json
        }
    }
}

/// What decides the query of one layer: the map's layers on it, the manifest's overrides of them, and its place among the others.
struct LayerQueryInput {
    var layer: LayerInfo
    /// Definition expressions of the map's layers that show it; nil for one that shows all.
    var definitionExpressions: [String?]
    /// The manifest's `where` for it.
    var whereClause: String?
    var useGeometry: Bool?
    /// A layer of the same replica is the origin of a relationship whose destination this is, and brings its rows.
    var hasOriginInMap: Bool
    /// It is itself the origin of a relationship.
    var isOrigin: Bool
}

extension LayerQuery {
    /// The SDK's rules, REST reference 10.2 to 10.4, in this order:
    ///
    /// 1. An editable layer of a schema-only map brings no rows.
    /// 2. Rows are those of the definition expression AND the manifest's `where`.
    /// 3. A table that is a destination of a layer in the map, has no clause and is no origin brings related rows only, unless
    ///    `destinationTableRowFilter` is `all`.
    /// 4. A layer is cut to the area unless `useGeometry` is false. Tables have no geometry; without a clause they come whole.
    static func make(_ input: LayerQueryInput, options: MapOptions) -> LayerQuery {
        if options.returnSchemaOnlyForEditableLayers && input.layer.isEditable { return LayerQuery(option: .none) }
        let clause = combined(input, options)
        if input.layer.isTable {
            if let clause { return LayerQuery(option: .useFilter, useGeometry: false, whereClause: clause) }
            let isRelatedOnly = options.destinationTableRowFilter == .relatedOnly && input.hasOriginInMap && !input.isOrigin
            return isRelatedOnly ? LayerQuery(option: .none, includeRelated: true) : LayerQuery(option: .all)
        }
        if input.useGeometry == false {
            // Servers want at least one condition.
            return LayerQuery(option: .useFilter, useGeometry: false, whereClause: clause ?? "1=1")
        }
        return LayerQuery(option: .useFilter, useGeometry: true, whereClause: clause)
    }

    private static func combined(_ input: LayerQueryInput, _ options: MapOptions) -> String? {
        let definition = options.isDefinitionExpressionFilterEnabled ? union(input.definitionExpressions) : nil
        switch (definition, input.whereClause) {
        case (let definition?, let clause?): return "(\(definition)) AND (\(clause))"
        case (let definition?, nil): return definition
        case (nil, let clause): return clause
        }
    }

    /// Several map layers on one service layer share its rows: each must find all of its own.
    private static func union(_ expressions: [String?]) -> String? {
        var distinct: [String] = []
        for expression in expressions {
            guard let expression, !expression.allSatisfy(\.isWhitespace) else { return nil }
            if !distinct.contains(expression) { distinct.append(expression) }
        }
        return distinct.count > 1 ? distinct.map { "(\($0))" }.joined(separator: " OR ") : distinct.first
    }
}
