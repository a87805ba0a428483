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

/// The rows that one layer of the map wants of the service's layer.
struct RowWish: Hashable {
    /// Of the map; nil for a layer that shows all.
    var definitionExpression: String?
    /// Of the manifest.
    var whereClause: String?
    var useGeometry: Bool?
    var queryOption: LayerOverride.QueryOption?
    var includeRelated = false
    /// nil: as the map's options say.
    var attachments: Bool?
    /// The layer of the map; for problems.
    var label: LayerLabel?
    /// Where the manifest says `attachments` and `where`.
    var origin: String?
    var whereOrigin: String?

    func clause(_ options: MapOptions) -> String? {
        let definition = options.isDefinitionExpressionFilterEnabled ? definitionExpression : nil
        guard let definition, let whereClause else { return definition ?? whereClause }
        return "(\(definition)) AND (\(whereClause))"
    }
}

/// What decides the query of one layer: what the map's layers want of it, and its place among the others.
struct LayerQueryInput {
    var layer: LayerInfo
    /// One for each layer of the map that shows it; at least one.
    var wishes: [RowWish]
    /// A layer of the same replica is the origin of a relationship whose destination this is, and brings its rows.
    var hasOriginInMap: Bool
    /// It is itself the origin of a relationship.
    var isOrigin: Bool
}

extension LayerQuery {
    /// The SDK's rules, REST reference 10.2 to 10.4, in this order:
    ///
    /// 0. A `queryOption` of the manifest wins; of several map layers, the one that takes the most.
    /// 1. An editable layer of a schema-only map brings no rows.
    /// 2. Rows are those of the definition expression AND the manifest's `where`; of several map layers on it, the rows of each.
    /// 3. A table that is a destination of a layer in the map, is no origin, and of which nobody wants other rows brings
    ///    related rows only, unless `destinationTableRowFilter` is `all`.
    /// 4. A layer is cut to the area unless `useGeometry` is false. Tables have no geometry; without a clause they come whole.
    static func make(_ input: LayerQueryInput, options: MapOptions) -> LayerQuery {
        if input.wishes.contains(where: { $0.queryOption == .all }) { return LayerQuery(option: .all) }
        let wishes = input.wishes.filter { $0.queryOption != LayerOverride.QueryOption.none }
        if wishes.isEmpty {
            return LayerQuery(option: .none, includeRelated: input.wishes.contains(where: \.includeRelated))
        }
        let isFiltered = wishes.contains { $0.queryOption == .useFilter }
        if options.returnSchemaOnlyForEditableLayers && input.layer.isEditable && !isFiltered { return LayerQuery(option: .none) }
        let clauses = wishes.map { $0.clause(options) }
        let isUncut = wishes.contains { $0.useGeometry == false }
        if input.layer.isTable {
            // A filter without a condition is none: servers want one.
            if let clause = union(clauses) ?? (isFiltered ? "1=1" : nil) {
                return LayerQuery(option: .useFilter, useGeometry: false, whereClause: clause)
            }
            let isRelatedOnly =
                options.destinationTableRowFilter == .relatedOnly && input.hasOriginInMap && !input.isOrigin && !isUncut
                && clauses.allSatisfy { $0 == nil }
            return isRelatedOnly ? LayerQuery(option: .none, includeRelated: true) : LayerQuery(option: .all)
        }
        // Servers want at least one condition.
        let clause = union(clauses) ?? (isUncut ? "1=1" : nil)
        return LayerQuery(option: .useFilter, useGeometry: !isUncut, whereClause: clause)
    }

    /// Several map layers on one service layer share its rows: each must find all of its own.
    private static func union(_ clauses: [String?]) -> String? {
        var distinct: [String] = []
        for clause in clauses {
            guard let clause, !clause.allSatisfy(\.isWhitespace) else { return nil }
            if !distinct.contains(clause) { distinct.append(clause) }
        }
        return distinct.count > 1 ? distinct.map { "(\($0))" }.joined(separator: " OR ") : distinct.first
    }
}
