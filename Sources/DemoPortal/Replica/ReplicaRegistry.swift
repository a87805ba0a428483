import Basics
import Geography

/// The book-keeping tables: versions, registered tables and columns, layers with their extents (formats.md 3.3).
struct ReplicaRegistry {
    let file: ReplicaDraft
    private var database: SQLiteConnection { file.database }

    init(file: ReplicaDraft) { self.file = file }

    func write() throws(SQLiteError) {
        try database.run("INSERT INTO GDB_Version VALUES (10,4,1,'10.4.1 Geodatabase',104002,93001)")
        // Extra spatial references start at 300000; 3857 and 4326 are Esri's own.
        try database.run(
            """
            INSERT INTO st_aux_spatial_reference_systems VALUES (300000,'ESRI',300000,'UNKNOWN',-450359962737.05,-450359962737.05,
            10000.0,0.0,1.0,0.0,1.0,NULL,NULL,NULL,1)
            """)
        try writeTables()
        try writeColumns()
        try writeLayers()
        for name in ["GDB_ITEMS", "GDB_ITEMRELATIONSHIPS", "GDB_ITEMTYPES", "GDB_ITEMRELATIONSHIPTYPES", "GDB_REPLICALOG"] {
            try database.run("INSERT INTO GDB_Tables_Last_Modified VALUES (?,0)", [.text(name)])
        }
        for name in ["GDB_Layers", "GDB_TableRegistry"] {
            try database.run("INSERT INTO GDB_TablesModified VALUES (?,?)", [.text(name), seconds])
        }
    }

    private var seconds: SQLiteValue { .integer(file.replica.created / 1000) }

    private func writeTables() throws(SQLiteError) {
        let insertion =
            "INSERT INTO GDB_TableRegistry (table_name, rowid_column, object_flags, registration_date, minimum_id) VALUES (?,?,?,?,1)"
        for table in ReplicaSchema.catalogue {
            let key = table.columns.first { $0.kind == .key }?.name
            let flags =
                switch table.name {
                case "GDB_Items": 4_210_695
                case "GDB_ItemRelationships": 4_194_307
                default: key == nil ? 0 : 3
                }
            try database.run(insertion, [.text(table.name), SQLiteValue(key), .integer(Int64(flags)), seconds])
        }
        for (index, table) in file.tables.enumerated() {
            // 0x4004: has shapes. 0x40000: has archive columns.
            let flags = 3 + (table.isSpatial ? 0x4004 : 0) + (table.isRegistered ? 0x40000 : 0)
            try database.run(insertion, [.text(table.name), .text(table.rowIDColumn), .integer(Int64(flags)), seconds])
            let next = (file.lastRowIDs[table.name] ?? 0) + 1
            try database.run(
                "INSERT INTO GDB_RowidGenerators VALUES (?,?,-1,?)",
                [.integer(Int64(ReplicaDraft.firstUserNumber + index)), .integer(Int64(next)), .integer(Int64(next))])
        }
    }

    private func writeColumns() throws(SQLiteError) {
        func register(_ table: String, _ column: ReplicaColumn, flags: Int? = nil, _ description: String? = nil)
            throws(SQLiteError)
        {
            let entry = column.registration
            try database.run(
                "INSERT INTO GDB_ColumnRegistry VALUES (?,?,?,?,NULL,?,?,NULL)",
                [
                    .text(table), .text(column.name), .integer(Int64(entry.type)), SQLiteValue(entry.size),
                    SQLiteValue(description),
                    .integer(Int64(flags ?? entry.flags)),
                ])
        }
        for table in ReplicaSchema.catalogue { for column in table.columns { try register(table.name, column) } }
        for table in file.tables {
            for (index, column) in table.columns.enumerated() {
                // The object id and the global id have flags of their own.
                try register(table.name, column, flags: index == 0 ? 3 : index == 1 ? 256 : nil)
            }
            guard table.isRegistered else { continue }
            let words = ["Archiving record unique id.", "Archiving from date.", "Archiving to date."]
            for (column, description) in zip(ReplicaColumn.archive, words) {
                try register(table.name, column, flags: 0x2000_0000, description)
            }
        }
    }

    private func writeLayers() throws(SQLiteError) {
        let insertion =
            """
            INSERT INTO GDB_Layers (table_name, spatial_column, eflags, layer_mask, minx, miny, maxx, maxy, cdate, minimum_id, srid,
            base_layer_id) VALUES (?,?,?,0,?,?,?,?,?,1,?,0)
            """
        let columns =
            """
            INSERT INTO st_geometry_columns (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_type)
            VALUES (?,?,?,2,?,'RTREEXY')
            """
        func write(_ name: String, flags: Int, type: Int, srid: Int, _ box: Envelope) throws(SQLiteError) {
            try database.run(
                insertion,
                [
                    .text(name), .text(ReplicaTable.shapeColumn), .integer(Int64(flags)), .real(box.xmin), .real(box.ymin),
                    .real(box.xmax), .real(box.ymax), seconds, .integer(Int64(srid)),
                ])
            try database.run(
                columns,
                [.text(name), .text(ReplicaTable.shapeColumn), .integer(Int64(type)), .integer(Int64(srid))])
        }
        let nothing = Envelope(xmin: 0, ymin: 0, xmax: 0, ymax: 0)
        let boxes = file.extents.values.map { ReplicaCatalogue.degrees($0, file.replica.system) }
        try write(
            "GDB_Items", flags: 71_565_457, type: 6, srid: 4326,
            boxes.reduce(nil as Envelope?) { $0?.union($1) ?? $1 } ?? nothing)
        for table in file.tables where table.isSpatial {
            // The kind of shape is in the low bits: 2 point, 12 lines, 16 areas with parts.
            let (flags, type) =
                switch table.source.geometry {
                case .polyline: (71_565_325, 5)
                case .polygon: (71_565_329, 6)
                default: (71_303_299, 1)
                }
            try write(table.name, flags: flags, type: type, srid: file.replica.system.srid, file.extents[table.name] ?? nothing)
        }
    }
}
