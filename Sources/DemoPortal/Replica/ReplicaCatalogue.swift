import Basics
import Formats
import Geography

/// `GDB_Items` and its relationships: datasets, domains, relationship classes and the replica itself (formats.md 3.3, 3.6).
struct ReplicaCatalogue {
    private let file: ReplicaDraft
    private let database: SQLiteConnection
    private let definitions: ReplicaDefinitions
    private var count = 0
    private var links = 0
    private var datasets: [String: Item] = [:]
    private var domains: [String: Item] = [:]

    private struct Item {
        var number: Int
        var uuid: String
    }

    init(file: ReplicaDraft) {
        self.file = file
        database = file.database
        definitions = ReplicaDefinitions(file: file)
    }

    mutating func write() throws(SQLiteError) {
        for (index, type) in ReplicaTypes.items.enumerated() {
            try database.run(
                "INSERT INTO GDB_ItemTypes VALUES (?,?,?,?)",
                [.integer(Int64(index + 1)), .text(type.id), .text(type.name), .text(type.parent)])
        }
        for (index, type) in ReplicaTypes.relationships.enumerated() {
            try database.run(
                "INSERT INTO GDB_ItemRelationshipTypes VALUES (?,?,?,?,?,?,?,?)",
                [
                    .integer(Int64(index + 1)), .text(type.id), .text(type.name), .text(type.forward), .text(type.backward),
                    .text(type.origin), .text(type.destination), .integer(type.isContainment ? 1 : 0),
                ])
        }
        let root = try add(ReplicaTypes.folder, "", path: "\\", definition: nil)
        _ = try add(ReplicaTypes.workspace, "Workspace", path: "", definition: definitions.workspace)
        _ = try add(ReplicaTypes.historicalMarker, "DEFAULT", path: "", definition: definitions.historicalMarker)
        try writeDomains()
        for table in file.tables { try writeDataset(table, root) }
        try writeRelationshipClasses(root)
        if file.replica.isRegistered { try writeReplica() }
    }

    private mutating func writeDomains() throws(SQLiteError) {
        for field in file.tables.filter({ !$0.isAttachments }).flatMap(\.source.fields) {
            guard let domain = field.domain, domains[domain.name] == nil else { continue }
            let type = domain.isCoded ? ReplicaTypes.codedDomain : ReplicaTypes.rangeDomain
            domains[domain.name] = try add(type, domain.name, path: "", definition: definitions.domain(domain, field.kind))
        }
    }

    private mutating func writeDataset(_ table: ReplicaTable, _ root: Item) throws(SQLiteError) {
        let name = "main." + table.name
        let box = file.extents[table.name]
        let dataset = try add(
            table.isSpatial ? ReplicaTypes.featureClass : ReplicaTypes.table, name, path: "\\" + name,
            definition: definitions.dataset(table, number: count + 1),
            extra: [
                "DatasetSubtype1": table.isSpatial ? 1 : .null,
                "DatasetSubtype2": table.isSpatial ? .integer(Int64(Self.subtype(table.source.geometry))) : .null,
                "DatasetInfo1": table.isSpatial ? .text(ReplicaTable.shapeColumn) : .null,
                "Shape": box.flatMap { Self.shape(Self.degrees($0, file.replica.system)) }.map(SQLiteValue.blob) ?? .null,
            ])
        datasets[table.name] = dataset
        if let box {
            let place = Self.degrees(box, file.replica.system)
            try database.run(
                "INSERT INTO st_spindex__GDB_Items_Shape VALUES (?,?,?,?,?)",
                [.integer(Int64(dataset.number)), .real(place.xmin), .real(place.xmax), .real(place.ymin), .real(place.ymax)])
        }
        try link(ReplicaTypes.datasetInFolder, root, dataset)
        if table.isAttachments { return }
        for name in Set(table.source.fields.compactMap { $0.domain?.name }).sorted() {
            if let domain = domains[name] { try link(ReplicaTypes.domainInDataset, dataset, domain) }
        }
    }

    private mutating func writeRelationshipClasses(_ root: Item) throws(SQLiteError) {
        for relation in definitions.relations {
            guard let origin = datasets[relation.origin], let destination = datasets[relation.destination] else { continue }
            let name = "main." + relation.name
            let item = try add(
                ReplicaTypes.relationshipClass, name, path: "\\" + name,
                definition: definitions.relationshipClass(relation, number: count + 1),
                extra: ["DatasetSubtype1": 2, "DatasetSubtype2": 0])
            try link(ReplicaTypes.datasetInFolder, root, item)
            try link(ReplicaTypes.relatedThrough, origin, item)
            try link(ReplicaTypes.relatedThrough, destination, item)
        }
    }

    private mutating func writeReplica() throws(SQLiteError) {
        let description = file.replica
        let numbers = datasets.mapValues(\.number)
        let replica = try add(
            ReplicaTypes.syncReplica, description.name, path: description.name, definition: definitions.replica(numbers),
            uuid: description.id.uppercased(),
            extra: ["DatasetInfo1": .text(description.serviceURL), "DatasetInfo2": .text(description.owner)])
        for table in file.tables {
            guard let dataset = datasets[table.name] else { continue }
            let item = try add(
                ReplicaTypes.syncDataset, table.name, path: "\(description.name)\\\(table.name)",
                definition: XMLText.document("GPSyncDataset", definitions.syncDataset(table, number: dataset.number)))
            try link(ReplicaTypes.datasetInReplica, replica, item)
            try link(ReplicaTypes.datasetOfSyncDataset, item, dataset)
        }
    }

    private mutating func add(
        _ type: String, _ name: String, path: String, definition: String?, uuid given: String? = nil,
        extra: KeyValuePairs<String, SQLiteValue> = [:]
    ) throws(SQLiteError) -> Item {
        count += 1
        let item = Item(number: count, uuid: given ?? uuid("item \(count) \(name)"))
        let columns =
            ["ObjectID", "UUID", "Type", "Name", "PhysicalName", "Path", "Url", "Properties", "Definition"] + extra.map(\.key)
        let values: [SQLiteValue] = [
            .integer(Int64(item.number)), .text(item.uuid), .text(type), .text(name), .text(name.uppercased()), .text(path),
            .text(""),
            1, SQLiteValue(definition),
        ]
        let marks = columns.map { _ in "?" }.joined(separator: ",")
        try database.run(
            "INSERT INTO GDB_Items (\(columns.joined(separator: ","))) VALUES (\(marks))", values + extra.map(\.value))
        return item
    }

    private mutating func link(_ type: String, _ origin: Item, _ destination: Item) throws(SQLiteError) {
        links += 1
        try database.run(
            "INSERT INTO GDB_ItemRelationships VALUES (?,?,?,?,?,1,NULL)",
            [
                .integer(Int64(links)), .text(uuid("link \(links)")), .text(type), .text(origin.uuid), .text(destination.uuid),
            ])
    }

    /// The same replica gives the same ids.
    private func uuid(_ what: String) -> String {
        let digits = Array(SHA256.hex(of: file.replica.id + " " + what).uppercased())
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return "{\(groups.joined(separator: "-"))}"
    }

    private static func subtype(_ geometry: FeatureTable.Geometry?) -> Int {
        switch geometry {
        case .polyline: 3
        case .polygon: 4
        default: 1
        }
    }

    static func degrees(_ box: Envelope, _ system: ReplicaSystem) -> Envelope {
        system == .degrees ? box : WebMercator.degrees(box)
    }

    private static func shape(_ box: Envelope) -> [UInt8]? {
        try? STGeometry.polygon(Polygon(box), srid: 4326).encoded(grid: .degrees)
    }
}

extension FeatureTable.Field.Domain {
    var name: String {
        switch self {
        case .coded(let name, _), .range(let name, _, _): name
        }
    }

    var isCoded: Bool { if case .coded = self { true } else { false } }
}
