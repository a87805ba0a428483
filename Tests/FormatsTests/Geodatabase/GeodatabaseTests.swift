import Basics
import Geography
import TestSupport
import Testing

@testable import Formats

/// The numbers of formats.md 11.4 and of chapter 3.
@Suite(.enabled(if: SharedFiles.isAvailable, "needs the recorded files: set OFFLINE_BATCH_SHARED"))
struct GeodatabaseTests {
    private static let canyonlands = "mmpk/canyonlands-exploded/p13/3b1fef0d-2cb0-4b6f-b526-9fe0a1ca3f69.geodatabase"

    private func inspect(_ sample: String) throws -> GeodatabaseFacts {
        try Geodatabase.inspect(SharedFiles.path("samples/" + sample))
    }

    @Test func theEditedReplica() throws {
        let facts = try inspect("geodatabase/replica-agol-edited-redacted.geodatabase")
        #expect(facts.hasEsriApplicationID)
        #expect(facts.version == "10.4.1 Geodatabase")
        #expect(facts.totalBytes == 282_624)
        #expect(facts.tables.map(\.name) == ["Homesites", "Homesites_inspections"])
        let homesites = try #require(facts.layer(0))
        #expect(homesites.rows == 69 && homesites.title == "Homesites" && homesites.filter == .view)
        #expect(homesites.shapes?.decoded == 69 && homesites.shapes?.undecodable == 0)
        // 4 archive rows, 3 of them current.
        let inspections = try #require(facts.layer(1))
        #expect(inspections.rows == 3 && inspections.title == "Homesites inspections" && inspections.shapes == nil)
        #expect(inspections.attachments == AttachmentFacts(count: 2, bytes: 9046 + 32921, wrongSizes: 0))
        let replica = try #require(facts.replica)
        #expect(replica.id == "54D53A29-4C85-41F1-95E0-1C6E03089C99" && replica.name == "MyReplica_3")
        #expect(replica.syncModel == "perLayer" && replica.direction == "esriSyncDirectionBidirectional")
        #expect(replica.layerServerGens == [0: 92043, 1: 92043])
        #expect(replica.datasets.map(\.isAttachment) == [false, false, true])
        #expect(replica.datasets.map(\.layerID) == [0, 1, 1])
    }

    @Test func theCleanReplica() throws {
        let facts = try inspect("geodatabase/replica-agol-clean-redacted.geodatabase")
        #expect(facts.layer(0)?.rows == 69 && facts.layer(1)?.rows == 0)
        #expect(facts.layer(1)?.attachments == AttachmentFacts(count: 0, bytes: 0, wrongSizes: 0))
        #expect(facts.replica?.id == "1A4DF0C8-B105-48EA-86F6-00C435F5530B")
        #expect(facts.replica?.layerServerGens == [0: 39138, 1: 39138])
    }

    @Test func canyonlandsReadsThroughThePreplannedArea() throws {
        let facts = try inspect(Self.canyonlands)
        #expect(facts.tables.map(\.rows) == [89, 55])
        #expect(facts.tables.map { $0.shapes?.multipart } == [1, 6])
        // The XML says all zeros; the item keeps the id.
        #expect(facts.replica?.id == "29737DCE-3016-4FBF-A388-0BC510A9686F")
        #expect(facts.replica?.layerServerGens == [0: 443_368, 1: 443_368])
    }

    @Test func shapesWithHeights() throws {
        let facts = try inspect("geodatabase/militaryoverlay.geodatabase")
        #expect((0...4).map { facts.layer($0)?.rows } == [5, 4, 2, 9, 10])
        #expect(facts.replica == nil)
        #expect(facts.layer(0)?.shapes?.multipart == 1)
        #expect(facts.tables.allSatisfy { $0.shapes?.undecodable == 0 && $0.filter == .all })
    }

    @Test func filesWithoutServiceItems() throws {
        let nests = try inspect("geodatabase/birdnests.geodatabase")
        #expect(nests.table("birdnests")?.rows == 10 && nests.table("BirdNests")?.layerID == nil)
        let delta = try inspect("geodatabase/delta-collector-upload-redacted.geodatabase")
        #expect((1...5).map { delta.table("T_\($0)_inserts")?.rows } == [69, 60, 38, 36, 1])
    }

    @Test func statesFromAMapPackage() throws {
        let folder = try TemporaryFolder()
        let zip = ZipReader(path: SharedFiles.path("samples/mmpk/USA.mmpk"))
        let bytes = try #require(try zip.read("p12/feature_service_data.geodatabase"))
        try Files.writeAtomically(bytes, to: folder.file("usa.geodatabase"))
        let states = try #require(try Geodatabase.inspect(folder.file("usa.geodatabase")).layer(0))
        #expect(states.name == "a1" && states.rows == 51 && states.shapes?.multipart == 19)

        var rings = 0
        var counterClockwise = 0
        let database = try SQLiteConnection(path: folder.file("usa.geodatabase"), access: .readOnlyImmutable)
        try database.forEachRow("SELECT Shape FROM a1") { (row) throws(SQLiteError) in
            guard let shape = try? STGeometry.decode(row[0].blob ?? [], grid: .webMercator) else { return }
            let found = shape.parts.flatMap(STGeometry.rings)
            rings += found.count
            counterClockwise += found.count { STGeometry.area($0) > 0 && $0.first == $0.last }
            // Our own bytes say the same: written again, a decoded shape reads back equal.
            if let again = try? shape.encoded(grid: .webMercator),
                (try? STGeometry.decode(again, grid: .webMercator).parts) != shape.parts
            {
                Issue.record("a shape changed on its way")
            }
        }
        #expect(rings == 134 && counterClockwise == 134)
    }

    /// Every blob of every sample, the catalogue's extents included: 1026 decode, their boxes are those of their points, and
    /// 853 of them lie where the R-tree says (formats.md 3.5).
    @Test func all1026Blobs() throws {
        let folder = try TemporaryFolder()
        let bytes = try #require(
            try ZipReader(path: SharedFiles.path("samples/mmpk/USA.mmpk")).read("p12/feature_service_data.geodatabase"))
        try Files.writeAtomically(bytes, to: folder.file("usa.geodatabase"))
        let files =
            [
                "replica-agol-clean-redacted", "replica-agol-edited-redacted", "delta-collector-upload-redacted", "LA_Trails",
                "militaryoverlay", "birdnests",
            ].map { SharedFiles.path("samples/geodatabase/\($0).geodatabase") }
            + [SharedFiles.path("samples/" + Self.canyonlands), folder.file("usa.geodatabase")]
        var blobs = 0
        var compared = 0
        for file in files {
            let facts = try Geodatabase.inspect(file)
            for table in facts.tables {
                guard let shapes = table.shapes else { continue }
                #expect(shapes.undecodable == 0 && shapes.boxDisagreements == 0 && shapes.problems.isEmpty)
                #expect(shapes.index?.disagreements ?? 0 == 0, "\(file) \(table.name)")
                blobs += shapes.decoded
                compared += shapes.index?.compared ?? 0
            }
            let database = try SQLiteConnection(path: file, access: .readOnlyImmutable)
            database.addCaseFoldingCollation("ICUFOLDCASE")
            let items = try ShapeReading(
                database: database, rows: "GDB_Items NOT INDEXED", table: "GDB_Items", column: "Shape", objectIDColumn: nil,
                grid: .degrees
            ).facts(comparingIndex: true)
            #expect(items.undecodable == 0 && items.boxDisagreements == 0 && items.index?.disagreements == 0)
            blobs += items.decoded
            compared += items.index?.compared ?? 0
        }
        #expect(blobs == 1026)
        #expect(compared == 853)
    }

    @Test func readingLeavesNoFileBehind() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.geodatabase")
        try Files.copy(SharedFiles.path("samples/geodatabase/replica-agol-clean-redacted.geodatabase"), to: path)
        _ = try Geodatabase.inspect(path)
        #expect(try Files.list(folder.path) == ["replica.geodatabase"])
    }

    @Test func brokenFilesSayWhatTheyAre() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.geodatabase")
        let whole = try Files.read(SharedFiles.path("samples/geodatabase/replica-agol-clean-redacted.geodatabase"))
        func error(_ bytes: some Collection<UInt8>) throws -> FormatError? {
            try Files.writeAtomically(bytes, to: path)
            do throws(FormatError) { _ = try Geodatabase.inspect(path) } catch { return error }
            return nil
        }
        let cut = try error(whole.dropLast(1000))
        #expect(cut?.code == .truncated && cut?.expected == "243712 bytes" && cut?.found == "242712 bytes")
        let page = try error(Array("<html>busy</html>".utf8))
        #expect(page?.code == .wrongKind && page?.found == "html")
        #expect(try error([])?.found == "empty")
        var torn = whole
        torn.replaceSubrange(1024 * 20..<1024 * 26, with: repeatElement(0xFF, count: 1024 * 6))
        #expect(try error(torn)?.code == .damaged)

        let plain = try SQLiteConnection(path: folder.file("plain.db"))
        try plain.execute("CREATE TABLE a(b)")
        #expect(throws: FormatError(.missing, file: folder.file("plain.db"), expected: "GDB_Items")) {
            try Geodatabase.inspect(folder.file("plain.db"))
        }
    }
}

/// Files made here, for what no sample shows.
struct GeodatabaseFilterTests {
    private func make(_ folder: TemporaryFolder, _ script: String) throws -> String {
        let path = folder.file("made.geodatabase")
        let database = try SQLiteConnection(path: path)
        try database.execute("CREATE TABLE GDB_Items(UUID, Type, Name, DatasetInfo1, Definition);" + script)
        return path
    }

    @Test func withoutAUsableViewTheArchiveColumnsDecide() throws {
        let folder = try TemporaryFolder()
        let path = try make(
            folder,
            """
            CREATE TABLE Main(OBJECTID, gdb_archive_oid INTEGER PRIMARY KEY, gdb_to_date REAL);
            INSERT INTO Main VALUES (1, 1, 2457000.5), (1, 2, julianday('9999-12-31 23:59:59'));
            CREATE VIEW Main_evw AS SELECT no_such_function() FROM Main;
            CREATE TABLE Plain(a); INSERT INTO Plain VALUES (1), (2), (3);
            """)
        let facts = try Geodatabase.inspect(path)
        #expect(facts.table("Main")?.filter == .archiveColumns && facts.table("Main")?.rows == 1)
        #expect(facts.table("Plain")?.filter == .all && facts.table("Plain")?.rows == 3)
        #expect(!facts.hasEsriApplicationID)
    }

    @Test func badShapesAreCountedAndNamed() throws {
        let folder = try TemporaryFolder()
        let path = try make(
            folder,
            """
            CREATE TABLE Roads(OBJECTID INTEGER PRIMARY KEY, Shape);
            INSERT INTO Roads VALUES (7, x'64'), (8, NULL), (9, x'64E6100001000000040102000000010000000102');
            CREATE TABLE st_geometry_columns(f_table_name, f_geometry_column, srid);
            INSERT INTO st_geometry_columns VALUES ('Roads', 'Shape', 300001);
            CREATE TABLE st_aux_spatial_reference_systems(srid, falsex, falsey, xyunits, falsez, zunits);
            INSERT INTO st_aux_spatial_reference_systems VALUES (300001, 10, 20, 2, 0, 1);
            CREATE TABLE GDB_TableRegistry(table_name, rowid_column);
            INSERT INTO GDB_TableRegistry VALUES ('Roads', 'OBJECTID');
            """)
        let shapes = try #require(try Geodatabase.inspect(path).table("Roads")?.shapes)
        #expect(shapes.null == 1 && shapes.decoded == 1 && shapes.undecodable == 1)
        #expect(shapes.problems == [.init(objectID: 7, reason: .truncated(offset: 1))])
        // Cell (1, 2) of a grid with two cells a unit.
        #expect(shapes.extent == Envelope(xmin: 10.5, ymin: 21, xmax: 10.5, ymax: 21))
    }

    @Test func theSpatialIndexIsAWitness() throws {
        let folder = try TemporaryFolder()
        // The point of both rows is (10.5, 21); the second row's entry in the R-tree lies elsewhere.
        let path = try make(
            folder,
            """
            CREATE TABLE Trees(OBJECTID INTEGER PRIMARY KEY, Shape);
            INSERT INTO Trees VALUES (1, x'64E1930401000000040102000000010000000102'), (2, x'64E1930401000000040102000000010000000102');
            CREATE TABLE st_geometry_columns(f_table_name, f_geometry_column, srid);
            INSERT INTO st_geometry_columns VALUES ('Trees', 'Shape', 300001);
            CREATE TABLE st_aux_spatial_reference_systems(srid, falsex, falsey, xyunits, falsez, zunits);
            INSERT INTO st_aux_spatial_reference_systems VALUES (300001, 10, 20, 2, 0, 1);
            CREATE VIRTUAL TABLE st_spindex__Trees_Shape USING rtree(pkid, minx, maxx, miny, maxy);
            INSERT INTO st_spindex__Trees_Shape VALUES (1, 10.5, 10.5, 21, 21), (2, 10.5, 10.5, 21.001, 21.001);
            """)
        let index = try #require(try Geodatabase.inspect(path).table("Trees")?.shapes?.index)
        #expect(index == .init(compared: 2, disagreements: 1))
    }

    @Test func twoLayersMayDrawOneTable() throws {
        let folder = try TemporaryFolder()
        let path = try make(
            folder,
            """
            CREATE TABLE Roads(a); INSERT INTO Roads VALUES (1);
            CREATE TABLE GDB_ServiceItems(ItemType, ItemId, DatasetName, ItemInfo);
            INSERT INTO GDB_ServiceItems VALUES
                (0, -1, 'service', '{}'), (1, 4, 'main.Roads', '{"name":"Big roads"}'), (1, 2, 'roads', 'not JSON');
            """)
        let facts = try Geodatabase.inspect(path)
        #expect(facts.tables.map(\.layerID) == [2, 4] && facts.tables.map(\.rows) == [1, 1])
        #expect(facts.tables.map(\.title) == [nil, "Big roads"])
    }

    @Test func aServiceLayerWithoutItsTableIsAHole() throws {
        let folder = try TemporaryFolder()
        let path = try make(
            folder,
            """
            CREATE TABLE GDB_ServiceItems(ItemType, ItemId, DatasetName, ItemInfo);
            INSERT INTO GDB_ServiceItems VALUES (1, 4, 'main.Lost', '{"name":"Lost"}');
            """)
        #expect(
            throws: FormatError(.missing, file: path, entry: "GDB_ServiceItems", expected: "Lost", found: "layer 4")
        ) { try Geodatabase.inspect(path) }
    }
}
