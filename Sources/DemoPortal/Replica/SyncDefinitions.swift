import Geography

import func Glibc.gmtime_r
import struct Glibc.tm

extension ReplicaDefinitions {
    /// `GPSyncReplica`; `numbers` are the items' ids by table name (formats.md 3.6).
    func replica(_ numbers: [String: Int]) -> String {
        let replica = file.replica
        let datasets = file.tables.compactMap { table in
            numbers[table.name].map {
                XMLText.element("GPSyncDataset", type: "typens:GPSyncDataset", syncDataset(table, number: $0))
            }
        }
        return XMLText.document(
            "GPSyncReplica",
            XMLText.elements([
                ("ReplicaName", replica.name), ("ID", "1"), ("ReplicaID", replica.id.lowercased()),
                ("ServiceName", replica.serviceURL),
                ("Owner", replica.owner), ("Role", "esriReplicaRoleChild"),
                ("SyncModel", replica.syncModel == .perReplica ? "esriSyncModelPerReplica" : "esriSyncModelPerLayer"),
                ("Direction", replica.direction), ("CreationDate", Self.moment(replica.created)),
                ("LastSyncDate", "1970-01-01T00:00:01"), ("ReturnsAttachments", "\(file.returnsAttachments)"),
                ("SpatialRelation", "esriSpatialRelIntersects"),
            ]) + (replica.queryGeometry.map(queryGeometry) ?? "")
                + XMLText.element("GPSyncDatasets", type: "typens:ArrayOfGPSyncDataset", datasets.joined())
                + XMLText.element("AttachmentsSyncDirection", "esriAttachmentsSyncDirectionBidirectional"))
    }

    /// The content of a `GPSyncDataset`; a layer and its attachments have the same generation.
    func syncDataset(_ table: ReplicaTable, number: Int) -> String {
        func generation(_ name: String, _ value: Int64) -> String {
            XMLText.element(name, type: "xs:long", String(value))
        }
        let source = table.source
        var flags = ""
        if table.isAttachments {
            flags = XMLText.element("IsAttachment", "true")
        } else if source.hasAttachments {
            flags = XMLText.element("HasAttachments", "true")
        }
        return XMLText.elements([
            ("DatasetID", "\(number)"), ("DatasetName", table.name),
            ("DatasetType", table.isSpatial ? "esriDTFeatureClass" : "esriDTTable"), ("LayerID", "\(source.id)"),
            ("LayerName", source.name), ("Direction", file.replica.direction),
        ]) + generation("ReplicaServerGen", file.replica.serverGens[source.id] ?? 0)
            + generation("ReplicaClientDownloadGen", 1000) + generation("ReplicaClientUploadGen", 1000)
            + generation("ReplicaClientAcknowledgeUploadGen", 1000)
            + XMLText.elements([
                ("UseGeometry", "\(table.isSpatial || table.isAttachments)"), ("IncludeRelated", "\(!table.isAttachments)"),
                ("QueryOption", table.isSpatial || table.isAttachments ? "esriRowsTypeFilter" : "esriRowsTypeNone"),
            ]) + flags
    }

    /// In Web Mercator, whatever the shapes are in.
    private func queryGeometry(_ polygon: Polygon) -> String {
        let rings = polygon.rings.map { ring in
            let points = ring.map {
                XMLText.element("Point", type: "typens:PointN", XMLText.elements([("X", "\($0.x)"), ("Y", "\($0.y)")]))
            }
            return XMLText.element(
                "Ring", type: "typens:Ring", XMLText.element("PointArray", type: "typens:ArrayOfPoint", points.joined()))
        }
        let extent = polygon.envelope.map { XMLText.element("Extent", type: "typens:EnvelopeN", Self.envelope($0)) } ?? ""
        return XMLText.element(
            "QueryGeometry", type: "typens:PolygonN",
            XMLText.elements([("HasID", "false"), ("HasZ", "false"), ("HasM", "false")]) + extent
                + XMLText.element("RingArray", type: "typens:ArrayOfRing", rings.joined()) + ReplicaSystem.mercator.xml)
    }

    /// `2017-02-11T20:57:47`, UTC.
    static func moment(_ milliseconds: Int64) -> String {
        var seconds = Int(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }
}
