import Basics

/// A replica that the service has on file.
struct ReplicaRecord: Sendable {
    var id: String
    var name: String
    var owner: String
    var service: String
    var request: ReplicaRequest
    var serverGeneration: Int64
    var created: Int64

    var generations: [(String, JSON)] {
        switch request.syncModel {
        case .perLayer:
            [
                (
                    "layerServerGens",
                    .array(request.layerIDs.map { ["id": JSON($0), "serverGen": .integer(serverGeneration)] })
                )
            ]
        case .perReplica: [("replicaServerGen", .integer(serverGeneration))]
        case .none: []
        }
    }

    /// `replicas/{id}` (REST reference 4.7).
    var document: JSON {
        var tree: JSON = [
            "replicaName": .string(name), "replicaID": .string(id), "replicaOwner": .string(owner),
            "syncModel": .string(request.syncModel.rawValue), "targetType": .string(request.targetType),
            "syncDirection": .string(request.syncDirection),
        ]
        for (key, value) in generations { tree[key] = value }
        tree["creationDate"] = .integer(created)
        tree["lastSyncDate"] = .integer(created)
        tree["returnAttachments"] = .bool(request.returnsAttachments)
        tree["attachmentsSyncDirection"] = .string(request.attachmentsSyncDirection)
        tree["geometry"] = request.geometryText.flatMap { try? JSON.parse($0) } ?? .null
        tree["geometryType"] = .string(request.geometryType)
        tree["spatialRel"] = "esriSpatialRelIntersects"
        tree["layers"] = .array(request.layerIDs.map { ["id": JSON($0)] })
        return tree
    }

    /// The first lines of every answer about the replica.
    func header(transport: String) -> JSON {
        [
            "replicaName": .string(name), "replicaID": .string(id), "transportType": .string(transport),
            "responseType": "esriReplicaResponseTypeData",
        ]
    }
}

/// The JSON form of a replica's content (REST reference 4.3).
enum EmbeddedReplica {
    static func document(
        _ replica: ReplicaRecord, tables: [ServedTable], rows: [Int: [Int]], serviceURL: String
    ) -> JSON {
        var tree = replica.header(transport: "esriTransportTypeEmbedded")
        tree["syncModel"] = .string(replica.request.syncModel.rawValue)
        tree["targetType"] = .string(replica.request.targetType)
        tree["replicaOwner"] = .string(replica.owner)
        for (key, value) in replica.generations { tree[key] = value }
        tree["layers"] = .array(
            tables.map { served in
                let table = served.table
                let selected = rows[served.id] ?? []
                var layer: JSON = ["id": JSON(served.id)]
                layer["features"] = .array(
                    selected.map { index in
                        let row = table.rows[index]
                        var feature: JSON = [:]
                        if let shape = row.shape { feature["geometry"] = FeatureJSON.geometry(shape, in: replica.request.system) }
                        feature["attributes"] = FeatureJSON.attributes(
                            row, fields: table.fields, columns: Array(table.fields.indices))
                        return feature
                    })
                if replica.request.returnsAttachments, table.hasAttachments {
                    layer["attachments"] = .array(
                        attachments(
                            of: served, rows: selected, url: "\(serviceURL)/\(served.id)", replica.request.attachmentsAsURL))
                }
                return layer
            })
        return tree
    }

    private static func attachments(of served: ServedTable, rows: [Int], url: String, _ asURL: Bool) -> [JSON] {
        rows.flatMap { index -> [JSON] in
            let row = served.table.rows[index]
            return (served.attachmentsOfParent[row.globalID] ?? []).map { number in
                let attachment = served.table.attachments[number]
                var entry: JSON = [
                    "attachmentId": JSON(attachment.id), "globalId": .string(attachment.globalID),
                    "parentGlobalId": .string(attachment.parentGlobalID), "contentType": .string(attachment.contentType),
                    "name": .string(attachment.name), "size": JSON(attachment.data.count),
                ]
                if asURL {
                    entry["url"] = .string("\(url)/\(row.objectID)/attachments/\(attachment.id)")
                } else {
                    entry["data"] = .string(Base64.encode(attachment.data))
                }
                return entry
            }
        }
    }
}

enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for position in 0..<4 {
                text.append(position <= group.count ? alphabet[Int(value >> UInt32(18 - 6 * position)) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
