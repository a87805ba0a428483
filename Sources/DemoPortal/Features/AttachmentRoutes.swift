import Basics

/// Attachments of features (REST reference 5.6).
struct AttachmentRoutes: Sendable {
    let serviceURL: String

    func list(_ served: ServedTable, objectID: Int) throws(RESTError) -> JSON {
        ["attachmentInfos": .array(try attachments(served, objectID).map(info))]
    }

    func data(_ served: ServedTable, objectID: Int, id: Int) throws(RESTError) -> Response {
        guard let attachment = try attachments(served, objectID).first(where: { $0.id == id }) else {
            throw RESTError(code: 404, message: "Attachment not found.")
        }
        return .data(attachment.data, attachment.contentType)
    }

    /// One of `objectIds`, `globalIds` and `definitionExpression` chooses the features; those without attachments are left out.
    func query(_ served: ServedTable, _ request: Request) throws(RESTError) -> JSON {
        guard served.table.hasAttachments else { throw .invalidQuery("The layer has no attachments.") }
        var rows = Array(served.table.rows.indices)
        if let text = request.parameters["objectIds"] {
            rows = text.split(separator: ",").compactMap { Int($0.trimmed) }.compactMap { served.rowOfObjectID[$0] }
        } else if let text = request.parameters["globalIds"] {
            rows = text.split(separator: ",").compactMap { served.rowOfGlobalID[$0.trimmed.uppercased()] }
        } else if let text = request.parameters["definitionExpression"] {
            rows = served.rows(matching: RowFilter(clause: try FeatureQuery.clause(text, of: served, now: 0)))
        } else {
            throw .invalidQuery("'objectIds', 'globalIds' or 'definitionExpression' must be specified")
        }
        let withURL = request.parameters.bool("returnUrl")
        let countOnly = request.parameters.bool("returnCountOnly")
        var groups: [JSON] = []
        for index in rows {
            let row = served.table.rows[index]
            guard let numbers = served.attachmentsOfParent[row.globalID] else { continue }
            var group: JSON = ["parentObjectId": JSON(row.objectID), "parentGlobalId": .string(row.globalID)]
            if countOnly {
                group["count"] = JSON(numbers.count)
            } else {
                group["attachmentInfos"] = .array(
                    numbers.map { number in
                        var entry = info(served.table.attachments[number])
                        if withURL {
                            entry["url"] = .string(
                                "\(serviceURL)/\(served.id)/\(row.objectID)/attachments/\(served.table.attachments[number].id)")
                        }
                        return entry
                    })
            }
            groups.append(group)
        }
        return ["fields": [], "attachmentGroups": .array(groups)]
    }

    private func attachments(_ served: ServedTable, _ objectID: Int) throws(RESTError) -> [FeatureTable.Attachment] {
        guard served.table.hasAttachments else { throw .invalidQuery("The layer has no attachments.") }
        guard let row = served.rowOfObjectID[objectID] else { throw RESTError(code: 404, message: "Feature not found.") }
        return (served.attachmentsOfParent[served.table.rows[row].globalID] ?? []).map { served.table.attachments[$0] }
    }

    private func info(_ attachment: FeatureTable.Attachment) -> JSON {
        [
            "id": JSON(attachment.id), "globalId": .string(attachment.globalID),
            "parentGlobalId": .string(attachment.parentGlobalID), "name": .string(attachment.name),
            "contentType": .string(attachment.contentType), "size": JSON(attachment.data.count), "keywords": "", "exifInfo": nil,
        ]
    }
}
