import Basics

/// Runs a query and writes the answer (REST reference 5.2).
enum QueryAnswer {
    static func make(_ query: FeatureQuery, on served: ServedTable, flavour: Flavour) -> Answer {
        if query.format == .pbf {
            return .response(.data(FeaturePBF.answer(query, on: served), "application/x-protobuf"))
        }
        return .json(json(query, on: served, flavour: flavour))
    }

    /// The rows of the page that was asked for, and whether there are more.
    static func page(_ rows: [Int], _ query: FeatureQuery, _ table: FeatureTable) -> (rows: [Int], isCut: Bool) {
        let page = Array(sorted(rows, query.order, table).dropFirst(query.offset).prefix(query.limit))
        return (page, query.offset + page.count < rows.count)
    }

    private static func json(_ query: FeatureQuery, on served: ServedTable, flavour: Flavour) -> JSON {
        let rows = served.rows(matching: query.filter)
        let table = served.table
        switch query.kind {
        case .count: return ["count": JSON(rows.count)]
        case .ids:
            let ids = sorted(rows, query.order, table).map { JSON(table.rows[$0].objectID) }
            // No id at all is null, not an empty list.
            return ["objectIdFieldName": .string(table.fields[0].name), "objectIds": ids.isEmpty ? nil : .array(ids)]
        case .extent(let withCount):
            let extent = rows.compactMap { served.envelopes[$0] }.reduce(nil) { $0?.union($1) ?? $1 }
            var answer: JSON = ["extent": FeatureJSON.envelope(extent, in: query.system)]
            if withCount { answer["count"] = JSON(rows.count) }
            return answer
        case .features:
            let (page, isCut) = page(rows, query, table)
            return query.format == .geoJSON
                ? collection(page, isCut: isCut, query, table) : featureSet(page, isCut: isCut, query, table, flavour: flavour)
        }
    }

    private static func featureSet(
        _ page: [Int], isCut: Bool, _ query: FeatureQuery, _ table: FeatureTable, flavour: Flavour
    ) -> JSON {
        var answer: JSON = [
            "objectIdFieldName": .string(table.fields[0].name),
            "uniqueIdField": ["name": .string(table.fields[0].name), "isSystemMaintained": true],
            "globalIdFieldName": .string(table.fields[1].name),
        ]
        if let geometry = table.geometry {
            answer["geometryType"] = .string(geometry.rawValue)
            answer["spatialReference"] = query.system.json
            answer["hasZ"] = false
            answer["hasM"] = false
        }
        answer["fields"] = .array(query.columns.map { LayerMetadata.queryField(table.fields[$0]) })
        // Only when true on hosted services; Enterprise says false as well.
        if isCut { answer["exceededTransferLimit"] = true } else if flavour == .server { answer["exceededTransferLimit"] = false }
        answer["features"] = .array(page.map { feature(table.rows[$0], query, table) })
        return answer
    }

    static func feature(_ row: FeatureTable.Row, _ query: FeatureQuery, _ table: FeatureTable) -> JSON {
        var feature: JSON = ["attributes": FeatureJSON.attributes(row, fields: table.fields, columns: query.columns)]
        if query.returnsGeometry, let shape = row.shape { feature["geometry"] = FeatureJSON.geometry(shape, in: query.system) }
        return feature
    }

    private static func collection(_ page: [Int], isCut: Bool, _ query: FeatureQuery, _ table: FeatureTable) -> JSON {
        var answer: JSON = ["type": "FeatureCollection"]
        if isCut { answer["properties"] = ["exceededTransferLimit": true] }
        answer["features"] = .array(
            page.map { index in
                let row = table.rows[index]
                let geometry = query.returnsGeometry ? row.shape.map { FeatureJSON.geoJSON($0, in: query.system) } : nil
                return [
                    "type": "Feature", "id": JSON(row.objectID), "geometry": geometry ?? nil,
                    "properties": FeatureJSON.attributes(row, fields: table.fields, columns: query.columns),
                ]
            })
        return answer
    }

    static func sorted(_ rows: [Int], _ order: [FeatureQuery.Order], _ table: FeatureTable) -> [Int] {
        if order.isEmpty { return rows }
        return rows.sorted { a, b in
            for item in order {
                let left = table.rows[a].value(at: item.column)
                let right = table.rows[b].value(at: item.column)
                if left == right { continue }
                // NULL sorts last, as in PostgreSQL.
                let isBefore = left == .null ? false : right == .null ? true : (WhereExpression.order(left, right) ?? 0) < 0
                return item.isDescending ? !isBefore : isBefore
            }
            return a < b
        }
    }
}
