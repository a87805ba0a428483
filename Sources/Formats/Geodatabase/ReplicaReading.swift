import Basics

/// Reads the Sync Replica item of `GDB_Items`. Documents differ in quotes and prefixes, so an XML parser and local names
/// it is (formats.md 3.6).
enum ReplicaReading {
    private static let syncReplica = "{5B966567-FB87-4DDE-938B-B4B37423539D}"

    static func replica(_ database: SQLiteConnection) throws(SQLiteError) -> GeodatabaseReplica? {
        // NOT INDEXED: an index of newer files needs a collation of Esri's.
        let row = try database.rows(
            "SELECT UUID, Name, DatasetInfo1, Definition FROM GDB_Items NOT INDEXED WHERE upper(Type) = ?", [.text(syncReplica)]
        ).first
        guard let row else { return nil }
        let definition = row[3].text.flatMap { try? XMLElement.parse(Array($0.utf8)) }
        return GeodatabaseReplica(
            // Before the XML's ReplicaID, which is all zeros in preplanned areas.
            id: identifier(row[0].text) ?? identifier(definition?.string("ReplicaID")) ?? "",
            name: row[1].text ?? definition?.string("ReplicaName") ?? "",
            serviceURL: row[2].text ?? definition?.string("ServiceName"),
            syncModel: definition?.string("SyncModel").map(model), direction: definition?.string("Direction"),
            serverGen: definition?.string("ReplicaServerGen").flatMap { Int64($0) },
            datasets: definition?["GPSyncDatasets"]?.all("GPSyncDataset").map(dataset) ?? [])
    }

    private static func dataset(_ element: XMLElement) -> GeodatabaseReplica.Dataset {
        GeodatabaseReplica.Dataset(
            name: tableName(element.string("DatasetName") ?? ""), layerID: element.int("LayerID"),
            serverGen: element.string("ReplicaServerGen").flatMap { Int64($0) },
            isAttachment: element.string("IsAttachment")?.lowercased() == "true")
    }

    /// `main.Roads` is `Roads`.
    static func tableName(_ dataset: String) -> String { dataset.hasPrefix("main.") ? String(dataset.dropFirst(5)) : dataset }

    private static func model(_ text: String) -> String {
        let prefix = "esriSyncModel"
        guard text.hasPrefix(prefix) else { return text }
        let rest = text.dropFirst(prefix.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    private static func identifier(_ text: String?) -> String? {
        let id = text?.filter { $0 != "{" && $0 != "}" }.uppercased()
        return id.flatMap { $0.isEmpty ? nil : $0 }
    }
}
