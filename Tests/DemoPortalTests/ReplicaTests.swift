import Basics
import Formats
import Geography
import TestSupport
import Testing

@testable import DemoPortal

@Suite struct ReplicaTests {
    static let hamlet = TownDataset.make(.hamlet)
    static let id = "{0A1B2C3D-0000-4000-8000-00000000ABCD}"

    /// The first two thirds of each layer, and all inspections.
    static var selection: ReplicaSelection {
        var rows: [Int: [Int]] = [:]
        for table in hamlet.water {
            rows[table.id] = table.rows.indices.filter { table.id == 5 || $0 < table.rows.count * 2 / 3 }
        }
        return ReplicaSelection(rows: rows, includesAttachments: true)
    }

    private static func write(
        _ path: String, _ selection: ReplicaSelection = selection, model: ReplicaDescription.SyncModel = .perLayer,
        reference: SpatialReference = .webMercator
    ) throws {
        let replica = ReplicaDescription(
            name: "Test & \"Replica\"", id: id, serviceURL: "http://h/rest/services/Water/FeatureServer", serviceName: "Water",
            owner: "zoë", serverGens: [0: 1000, 1: 1001, 2: 1002, 3: 1003, 4: 1004, 5: 1005], syncModel: model,
            queryGeometry: Polygon(hamlet.extent), spatialReference: reference)
        try ReplicaWriter.write(
            path: path, tables: hamlet.water, selection: selection, replica: replica, serviceJSON: #"{"currentVersion":11.5}"#
        ) { #"{"id":\#($0.id),"name":"\#($0.name)"}"# }
    }

    private static func values(_ database: SQLiteConnection, _ query: String) throws -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        try database.forEachRow(query, []) { rows.append($0) }
        return rows
    }

    @Test func theFileHoldsExactlyTheSelectedRows() throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.file("a.geodatabase"))
        let database = try SQLiteConnection(path: folder.file("a.geodatabase"), access: .readOnlyImmutable)
        #expect(try Self.values(database, "PRAGMA application_id") == [[.integer(0x4573_7269)]])
        #expect(try Self.values(database, "PRAGMA page_size") == [[1024]])
        for (table, name) in zip(
            Self.hamlet.water, ["Hydrant", "System_Valve", "Service_Connection", "Main", "Districts", "Inspections"])
        {
            let selected = (Self.selection.rows[table.id] ?? []).map { table.rows[$0] }
            let found = try Self.values(database, "SELECT OBJECTID, GlobalID FROM \(name)_evw ORDER BY OBJECTID")
            #expect(found == selected.map { [.integer(Int64($0.objectID)), .text($0.globalID)] }, "\(name)")
        }
        // Attachments of the selected hydrants only.
        let parents = Set((Self.selection.rows[0] ?? []).map { Self.hamlet.water[0].rows[$0].globalID })
        let expected = Self.hamlet.water[0].attachments.filter { parents.contains($0.parentGlobalID) }
        #expect(!expected.isEmpty && expected.count < Self.hamlet.water[0].attachments.count)
        let stored = try Self.values(
            database, "SELECT REL_GLOBALID, DATA, DATA_SIZE FROM Hydrant__ATTACH_evw ORDER BY ATTACHMENTID")
        #expect(stored == expected.map { [.text($0.parentGlobalID), .blob($0.data), .integer(Int64($0.data.count))] })
        // As downloaded: 1970-01-01T00:00:01Z to the end of time (formats.md 3.4).
        let dates = try Self.values(database, "SELECT DISTINCT gdb_from_date, gdb_to_date FROM Main")
        #expect(dates.count == 1)
        #expect(
            abs((dates[0][0].double ?? 0) - 2440587.50001157) < 1e-7 && abs((dates[0][1].double ?? 0) - 5373484.49998843) < 1e-7)
    }

    @Test func valuesKeepTheirKindsAndMoments() throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.file("a.geodatabase"))
        let database = try SQLiteConnection(path: folder.file("a.geodatabase"), access: .readOnlyImmutable)
        let table = Self.hamlet.water[3]
        let index = try #require(
            table.rows.indices.first { index in
                index % 2 == 0
                    && table.rows[index].values.contains { if case .date(let moment) = $0 { moment < 0 } else { false } }
            })
        let row = table.rows[index]
        guard case .date(let moment) = row.values[4] else { return #expect(Bool(false)) }
        let stored = try Self.values(
            database, "SELECT INSTALLED, DIAMETER, LENGTH, STREET, LINED FROM Main_evw WHERE OBJECTID = \(row.objectID)")[0]
        // Unix seconds = (julian day − 2440587.5) · 86400.
        #expect((((stored[0].double ?? 0) - 2_440_587.5) * 86_400_000).rounded() == Double(moment))
        #expect(row.values[1] == .integer(Int64(stored[1].int ?? -1)) && row.values[3] == .double(stored[2].double ?? -1))
        #expect(row.values[5] == .text(stored[3].text ?? ""))
        #expect((stored[4] == .null) == (row.values[6] == .null))
        let nulls = try Self.values(database, "SELECT count(*) FROM Hydrant_evw WHERE Shape IS NULL")
        #expect(nulls[0][0].int == (Self.selection.rows[0] ?? []).count { Self.hamlet.water[0].rows[$0].shape == nil })
    }

    @Test(arguments: [SpatialReference.webMercator, .wgs84])
    func shapesComeBack(reference: SpatialReference) throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.file("a.geodatabase"), reference: reference)
        let database = try SQLiteConnection(path: folder.file("a.geodatabase"), access: .readOnlyImmutable)
        // The grid's step is 0.1 mm, or 1e-9 degrees.
        let (grid, tolerance) = reference.isWGS84 ? (STGeometryGrid.degrees, 1e-9) : (.webMercator, 1e-4)
        func place(_ at: Coordinate) -> Coordinate { reference.isWGS84 ? WebMercator.degrees(at) : at }
        for (table, name) in zip(Self.hamlet.water, ["Hydrant", "System_Valve", "Service_Connection", "Main", "Districts"]) {
            for stored in try Self.values(database, "SELECT OBJECTID, Shape, gdb_archive_oid FROM \(name)") {
                let row = table.rows[(stored[0].int ?? 0) - 1]
                guard let blob = stored[1].blob else {
                    #expect(row.shape == nil)
                    continue
                }
                #expect(STGeometry.srid(of: blob) == (reference.isWGS84 ? 4326 : 3857))
                let shape = try STGeometry.decode(blob, grid: grid)
                let expected: [[Coordinate]] =
                    switch row.shape {
                    case .point(let at): [[at]]
                    case .polyline(let paths): paths
                    case .polygon(let polygon): polygon.rings
                    case nil: []
                    }
                let found = shape.kind == .polygon ? shape.polygon.rings : shape.parts
                #expect(found.map(\.count) == expected.map(\.count), "\(name) \(row.objectID)")
                for (a, b) in zip(found.joined(), expected.joined()) {
                    #expect(abs(a.x - place(b).x) <= tolerance && abs(a.y - place(b).y) <= tolerance)
                }
                let box = try #require(shape.envelope)
                let indexed = try Self.values(
                    database, "SELECT minx, maxx, miny, maxy FROM st_spindex__\(name)_Shape WHERE pkid = \(stored[2].int ?? 0)")
                // The R-tree rounds to float32, outwards.
                let edges = try #require(indexed.first).compactMap(\.double)
                #expect(edges[0] <= box.xmin + 1e-3 && edges[1] >= box.xmax - 1e-3 && abs(edges[0] - box.xmin) < 2)
                #expect(edges[2] <= box.ymin + 1e-3 && edges[3] >= box.ymax - 1e-3 && abs(edges[3] - box.ymax) < 2)
            }
        }
    }

    /// The client's own reader proves downloads by these facts.
    @Test(arguments: [SpatialReference.webMercator, .wgs84])
    func theClientsReaderAgrees(reference: SpatialReference) throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.file("a.geodatabase"), reference: reference)
        let facts = try Geodatabase.inspect(folder.file("a.geodatabase"))
        #expect(facts.hasEsriApplicationID)
        for table in Self.hamlet.water {
            let found = try #require(facts.layer(table.id), "\(table.name)")
            let rows = (Self.selection.rows[table.id] ?? []).map { table.rows[$0] }
            #expect(found.rows == rows.count && found.title == table.name)
            guard table.geometry != nil else {
                #expect(found.shapes == nil)
                continue
            }
            let shapes = try #require(found.shapes)
            #expect(shapes.decoded == rows.count { $0.shape != nil } && shapes.null == rows.count { $0.shape == nil })
            #expect(shapes.undecodable == 0 && shapes.boxDisagreements == 0 && shapes.index?.disagreements == 0)
            #expect(shapes.index?.compared == shapes.decoded)
        }
        #expect(facts.layer(0)?.attachments?.wrongSizes == 0)
        #expect(facts.replica?.layerServerGens == [0: 1000, 1: 1001, 2: 1002, 3: 1003, 4: 1004, 5: 1005])
        // The reader gives the id as the REST API writes it, without braces.
        #expect(facts.replica?.id == String(Self.id.dropFirst().dropLast()))
    }

    @Test func anExtractHasNoArchiveAndNoReplica() throws {
        let folder = try TemporaryFolder()
        try Self.write(
            folder.file("a.geodatabase"), ReplicaSelection(rows: [0: [0, 1]], includesAttachments: false), model: .none)
        let database = try SQLiteConnection(path: folder.file("a.geodatabase"), access: .readOnlyImmutable)
        #expect(try Self.values(database, "SELECT count(*) FROM Hydrant") == [[2]])
        #expect(try Self.values(database, "SELECT count(*) FROM Main") == [[0]])
        #expect(try Self.values(database, "SELECT count(*) FROM Hydrant__ATTACH") == [[0]])
        #expect(try Self.values(database, "SELECT name FROM pragma_table_info('Hydrant') WHERE name LIKE 'gdb%'").isEmpty)
        #expect(try Self.values(database, "SELECT name FROM pragma_table_info('Hydrant') WHERE pk = 1") == [["OBJECTID"]])
        #expect(try Self.values(database, "SELECT 1 FROM GDB_Items WHERE Type = '\(ReplicaTypes.syncReplica)'").isEmpty)
    }

    @Test(.enabled(if: PythonJudge.isAvailable, "\(PythonJudge.skipReason)"))
    func pythonOpensItAndReadsTheReplicaFromItsXML() throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.file("a.geodatabase"))
        let verdict = try PythonJudge.run(
            """
            import sqlite3, sys, xml.etree.ElementTree as tree
            base = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro&immutable=1", uri=True)
            print(base.execute("pragma integrity_check").fetchone()[0])
            kind = "{5B966567-FB87-4DDE-938B-B4B37423539D}"
            uuid, name, url, owner, text = base.execute(
                "select UUID, Name, DatasetInfo1, DatasetInfo2, Definition from GDB_Items where Type = ?", (kind,)).fetchone()
            root = tree.fromstring(text)
            print(uuid, name, url, owner, root.findtext("ReplicaID"), root.findtext("SyncModel"),
                  root.findtext("ReturnsAttachments"))
            for dataset in root.find("GPSyncDatasets"):
                print(dataset.findtext("DatasetName"), dataset.findtext("LayerID"), dataset.findtext("ReplicaServerGen"))
            for (text,) in base.execute("select Definition from GDB_Items where Definition is not null"): tree.fromstring(text)
            for row in base.execute("select ItemType, ItemId, DatasetName, ItemInfo from GDB_ServiceItems"): print(*row)
            for origin, kind, target in base.execute('''select o.Name, t.Name, d.Name from GDB_ItemRelationships r
                join GDB_Items o on o.UUID = r.OriginID join GDB_Items d on d.UUID = r.DestID
                join GDB_ItemRelationshipTypes t on t.UUID = r.Type where t.Name = 'DatasetsRelatedThrough' '''):
                print(origin, target)
            """, [folder.file("a.geodatabase")])
        #expect(verdict.status == 0, "\(verdict.errors)")
        #expect(
            verdict.output.split(separator: "\n").map(String.init) == [
                "ok",
                Self.id + " Test & \"Replica\" http://h/rest/services/Water/FeatureServer zoë "
                    + Self.id.lowercased() + " esriSyncModelPerLayer true",
                "Hydrant 0 1000", "Hydrant__ATTACH 0 1000", "System_Valve 1 1001", "Service_Connection 2 1002", "Main 3 1003",
                "Districts 4 1004", "Inspections 5 1005",
                #"0 -1 Water {"currentVersion":11.5}"#, #"1 0 Hydrant {"id":0,"name":"Hydrant"}"#,
                #"1 1 System_Valve {"id":1,"name":"System Valve"}"#,
                #"1 2 Service_Connection {"id":2,"name":"Service Connection"}"#,
                #"1 3 Main {"id":3,"name":"Main"}"#, #"1 4 Districts {"id":4,"name":"Districts"}"#,
                #"1 5 Inspections {"id":5,"name":"Inspections"}"#, "main.Hydrant main.Hydrant__ATTACHREL",
                "main.Hydrant__ATTACH main.Hydrant__ATTACHREL", "main.Hydrant main.Hydrant_Inspections",
                "main.Inspections main.Hydrant_Inspections",
            ])
    }

    /// Against a file that ArcGIS Online made: the same system tables with the same columns, and the same texts for the
    /// attachments' table and view.
    @Test(.enabled(if: SharedFiles.isAvailable, "\(SharedFiles.skipReason)"))
    func theSchemaIsThatOfARealReplica() throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.file("a.geodatabase"))
        let ours = try SQLiteConnection(path: folder.file("a.geodatabase"), access: .readOnlyImmutable)
        let real = try SQLiteConnection(
            path: SharedFiles.path("samples/geodatabase/replica-agol-clean-redacted.geodatabase"), access: .readOnlyImmutable)
        let tables = try Self.values(
            real,
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VSRS%' AND sql NOT LIKE '%VTSpindex%' "
                + "AND (name LIKE 'GDB%' OR name LIKE 'st!_%' ESCAPE '!') AND name NOT LIKE '%Homesites%' "
                + "AND name NOT LIKE '%Shape!_%' ESCAPE '!'")
        // The R-tree's own tables are SQLite's business, and change with its version.
        #expect(tables.count > 15)
        for table in tables.compactMap({ $0[0].text }) {
            let columns = "SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(table)')"
            #expect(try Self.values(ours, columns) == Self.values(real, columns), "\(table)")
        }
        for query in ["SELECT * FROM GDB_ItemTypes", "SELECT * FROM GDB_ItemRelationshipTypes", "SELECT * FROM GDB_Version"] {
            #expect(try Self.values(ours, query) == Self.values(real, query))
        }
        for (mine, theirs) in [
            ("Hydrant__ATTACH", "Homesites_inspections__ATTACH"), ("Hydrant__ATTACH_evw", "Homesites_inspections__ATTACH_evw"),
        ] {
            let text = try Self.values(ours, "SELECT sql FROM sqlite_master WHERE name = '\(mine)'")[0][0].text
            let model = try Self.values(
                real, "SELECT replace(sql, 'Homesites_inspections', 'Hydrant') FROM sqlite_master WHERE name = '\(theirs)'")[0][0]
                .text
            #expect(text == model)
        }
        let columns =
            "SELECT column_name, sde_type, column_size, description, object_flags FROM GDB_ColumnRegistry WHERE table_name = "
        #expect(
            try Self.values(ours, columns + "'Hydrant__ATTACH'") == Self.values(real, columns + "'Homesites_inspections__ATTACH'")
        )
        #expect(try Self.values(ours, columns + "'GDB_Items'") == Self.values(real, columns + "'GDB_Items'"))
    }
}
