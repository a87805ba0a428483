import Basics

/// `queryRelatedRecords`: from origin to destination and back (REST reference 5.6).
enum RelatedRecords {
    static func answer(_ served: ServedTable, of service: FeatureService, _ request: Request, now: Double) throws(RESTError)
        -> JSON
    {
        let parameters = request.parameters
        guard let text = parameters["objectIds"] else { throw .invalidQuery("'objectIds' must be specified") }
        guard let relationship = served.table.relationships.first(where: { $0.id == parameters.int("relationshipId") }),
            let related = service.table(relationship.relatedTableID),
            let other = related.table.relationships.first(where: {
                $0.id == relationship.id && $0.isOrigin != relationship.isOrigin
            }),
            let key = served.field(named: relationship.keyField), let otherKey = related.field(named: other.keyField)
        else { throw .invalidQuery("'relationshipId' parameter is invalid") }
        // The query's own reading of fields, references and paging, on the related table.
        var own = parameters
        own.set("objectIds", "")
        own.set("where", parameters["definitionExpression"] ?? "1=1")
        let query = try FeatureQuery(own, on: related, flavour: .server, now: now)
        let rows = Dictionary(grouping: related.rows(matching: query.filter)) { related.table.rows[$0].value(at: otherKey) }
        var groups: [JSON] = []
        for id in text.split(separator: ",").compactMap({ Int($0.trimmed) }) {
            guard let row = served.rowOfObjectID[id], let found = rows[served.table.rows[row].value(at: key)] else { continue }
            var group: JSON = ["objectId": JSON(id)]
            if parameters.bool("returnCountOnly") {
                group["count"] = JSON(found.count)
            } else {
                group["relatedRecords"] = .array(found.map { QueryAnswer.feature(related.table.rows[$0], query, related.table) })
            }
            groups.append(group)
        }
        var answer: JSON = [:]
        if let geometry = related.table.geometry {
            answer["geometryType"] = .string(geometry.rawValue)
            answer["spatialReference"] = query.system.json
        }
        answer["fields"] = .array(query.columns.map { LayerMetadata.queryField(related.table.fields[$0]) })
        answer["relatedRecordGroups"] = .array(groups)
        return answer
    }
}
