import Basics
import Formats
import Geography

/// Writes a replica as Esri's servers deliver it: a SQLite file with the tables, views, catalogue and shapes of formats.md
/// chapter 3. What only Esri's own library can make is missing: its two virtual tables and the views' edit triggers.
enum ReplicaWriter {
    /// Replaces the file at `path`. `tables` are the layers and tables of the replica; `layerJSON` gives a layer's full
    /// description, `serviceJSON` the service's. Blocks. Throws `ReplicaError` or, for the old file, `SystemError`.
    static func write(
        path: String, tables: [FeatureTable], selection: ReplicaSelection, replica: ReplicaDescription, serviceJSON: String,
        layerJSON: (FeatureTable) -> String
    ) throws {
        try Files.remove(path)
        do throws(ReplicaError) {
            var file = try ReplicaDraft(path: path, tables: tables, replica: replica)
            try file.writeRows(selection)
            try file.writeCatalogue(serviceJSON: serviceJSON, layerJSON: layerJSON)
        } catch {
            try? Files.remove(path)
            throw error
        }
    }
}

/// The file in the making.
struct ReplicaDraft {
    let database: SQLiteConnection
    let replica: ReplicaDescription
    let tables: [ReplicaTable]
    /// In the file's reference, by table name; absent for a layer without shapes.
    var extents: [String: Envelope] = [:]
    var lastRowIDs: [String: Int] = [:]
    var returnsAttachments = false
    /// The registry numbers the system tables first.
    static let firstUserNumber = ReplicaSchema.catalogue.count + 1

    init(path: String, tables: [FeatureTable], replica: ReplicaDescription) throws(ReplicaError) {
        self.replica = replica
        self.tables = tables.flatMap { table in
            [ReplicaTable.layer(table, isRegistered: replica.isRegistered)]
                + (table.hasAttachments ? [.attachments(of: table, isRegistered: replica.isRegistered)] : [])
        }
        do throws(SQLiteError) {
            database = try SQLiteConnection(path: path)
            // 0x45737269, "Esri". A file whose writing fails is thrown away, so nothing needs to be durable on the way.
            try database.execute(
                "PRAGMA page_size=1024; PRAGMA application_id=1165193833; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN")
            for statement in ReplicaSchema.statements { try database.execute(statement) }
            for (index, table) in self.tables.enumerated() {
                for statement in table.creation(number: Self.firstUserNumber + index) { try database.execute(statement) }
            }
        } catch {
            throw .sqlite(error)
        }
    }

    mutating func writeRows(_ selection: ReplicaSelection) throws(ReplicaError) {
        returnsAttachments = selection.includesAttachments
        for table in tables {
            let rows = (selection.rows[table.source.id] ?? []).map { table.source.rows[$0] }
            if !table.isAttachments {
                try writeFeatures(table, rows)
            } else if selection.includesAttachments {
                try writeAttachments(table, parents: Set(rows.map(\.globalID)))
            }
        }
    }

    private mutating func writeFeatures(_ table: ReplicaTable, _ rows: [FeatureTable.Row]) throws(ReplicaError) {
        let insertion = table.insertion
        let indexing = "INSERT INTO \"\(table.spatialIndex)\" VALUES (?,?,?,?,?)"
        for (position, row) in rows.enumerated() {
            let stored = row.shape.map { replica.system.stored($0) }
            var blob: [UInt8]?
            if let stored {
                do throws(STGeometryError) { blob = try stored.encoded(grid: replica.system.grid) } catch {
                    throw .geometry(table: table.name, objectID: row.objectID, error)
                }
            }
            do throws(SQLiteError) {
                try database.run(insertion, table.values(of: row, shape: blob))
                if let box = stored?.envelope {
                    // The row's SQLite number: its place in the file when archived, else its object id.
                    let number = table.isRegistered ? position + 1 : row.objectID
                    try database.run(
                        indexing, [.integer(Int64(number)), .real(box.xmin), .real(box.xmax), .real(box.ymin), .real(box.ymax)])
                    extents[table.name] = extents[table.name]?.union(box) ?? box
                }
            } catch {
                throw .sqlite(error)
            }
            lastRowIDs[table.name] = max(lastRowIDs[table.name] ?? 0, row.objectID)
        }
    }

    private mutating func writeAttachments(_ table: ReplicaTable, parents: Set<String>) throws(ReplicaError) {
        for attachment in table.source.attachments where parents.contains(attachment.parentGlobalID) {
            do throws(SQLiteError) { try database.run(table.insertion, ReplicaTable.values(of: attachment)) } catch {
                throw .sqlite(error)
            }
            lastRowIDs[table.name] = max(lastRowIDs[table.name] ?? 0, attachment.id)
        }
    }

    func writeCatalogue(serviceJSON: String, layerJSON: (FeatureTable) -> String) throws(ReplicaError) {
        do throws(SQLiteError) {
            let registry = ReplicaRegistry(file: self)
            try registry.write()
            var catalogue = ReplicaCatalogue(file: self)
            try catalogue.write()
            try writeServiceItems(serviceJSON, layerJSON)
            for table in tables { for trigger in table.triggers { try database.execute(trigger) } }
            try database.execute("COMMIT")
        } catch {
            throw .sqlite(error)
        }
    }

    /// ItemType 0 is the service, 1 a layer or table by its id (formats.md 3.3).
    private func writeServiceItems(_ serviceJSON: String, _ layerJSON: (FeatureTable) -> String) throws(SQLiteError) {
        let insertion =
            "INSERT INTO GDB_ServiceItems (ItemType, ItemInfo, ItemId, DatasetName, AdvancedDrawingInfo) VALUES (?,?,?,?,?)"
        try database.run(insertion, [0, .text(serviceJSON), -1, .text(replica.serviceName), .null])
        for table in tables where !table.isAttachments {
            let drawing = table.source.drawingInfo
            try database.run(
                insertion,
                [
                    1, .text(layerJSON(table.source)), .integer(Int64(table.source.id)), .text(table.name),
                    drawing.isEmpty ? .null : .text("{\"drawingInfo\":\(drawing)}"),
                ])
        }
    }
}
