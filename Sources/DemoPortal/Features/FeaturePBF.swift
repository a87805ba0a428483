import Basics
import Geography

/// Query answers as `f=pbf`, by the layout and the ten decoding rules of REST reference 5.5.
enum FeaturePBF {
    static func answer(_ query: FeatureQuery, on served: ServedTable) -> [UInt8] {
        let rows = served.rows(matching: query.filter)
        let table = served.table
        var result = ProtobufWriter()
        switch query.kind {
        case .count:
            var count = ProtobufWriter()
            count.varint(1, UInt64(rows.count))
            result.data(2, count.bytes)
        case .ids:
            var ids = ProtobufWriter()
            ids.text(1, table.fields[0].name)
            ids.packed(3, QueryAnswer.sorted(rows, query.order, table).map { UInt64(table.rows[$0].objectID) })
            result.data(3, ids.bytes)
        case .extent(let withCount): result.data(4, extent(rows, served, query, withCount: withCount))
        case .features:
            let (page, isCut) = QueryAnswer.page(rows, query, table)
            result.data(1, features(page, isCut: isCut, query, table))
        }
        var root = ProtobufWriter()
        root.data(2, result.bytes)
        return root.bytes
    }

    private static func features(_ page: [Int], isCut: Bool, _ query: FeatureQuery, _ table: FeatureTable) -> [UInt8] {
        let transform = Transform(query.system)
        var result = ProtobufWriter()
        result.text(1, table.fields[0].name)
        var unique = ProtobufWriter()
        unique.text(1, table.fields[0].name)
        unique.varint(2, 1)
        result.data(2, unique.bytes)
        result.text(3, table.fields[1].name)
        if let geometry = table.geometry {
            // Point is 0, the value that is not written.
            if geometry != .point { result.varint(7, geometry == .polyline ? 2 : 3) }
            result.data(8, reference(query.system))
        }
        if isCut { result.varint(9, 1) }
        if table.geometry != nil { result.data(12, transform.bytes) }
        for column in query.columns { result.data(13, field(table.fields[column])) }
        for index in page {
            let row = table.rows[index]
            let values = query.columns.map { (row.value(at: $0), table.fields[$0].kind) }
            result.data(15, feature(values, shape: query.returnsGeometry ? row.shape : nil, transform))
        }
        return result.bytes
    }

    static func feature(
        _ values: [(value: FeatureTable.Value, kind: FeatureTable.Field.Kind)], shape: Shape?, _ transform: Transform
    ) -> [UInt8] {
        var feature = ProtobufWriter()
        for item in values { feature.data(1, value(item.value, item.kind)) }
        if let shape { feature.data(2, geometry(shape, transform)) }
        return feature.bytes
    }

    /// NULL is an empty message.
    private static func value(_ value: FeatureTable.Value, _ kind: FeatureTable.Field.Kind) -> [UInt8] {
        var writer = ProtobufWriter()
        switch value {
        case .null: break
        case .text(let text): writer.text(1, text)
        case .double(let number): writer.double(3, number)
        case .integer(let number):
            if kind == .objectID { writer.varint(5, UInt64(number)) } else { writer.varint(4, zigzag(number)) }
        case .date(let number): writer.varint(8, zigzag(number))
        }
        return writer.bytes
    }

    private static func geometry(_ shape: Shape, _ transform: Transform) -> [UInt8] {
        switch shape {
        case .point(let place): return geometry(parts: [[transform.stored(place)]], hasLengths: false)
        case .polyline(let paths): return geometry(parts: paths.map { $0.map(transform.stored) }, hasLengths: true)
        case .polygon(let polygon): return geometry(parts: polygon.rings.map { $0.map(transform.stored) }, hasLengths: true)
        }
    }

    /// Differences from the vertex before; the sum begins again at 0 with every part.
    static func geometry(parts: [[(x: Int64, y: Int64)]], hasLengths: Bool) -> [UInt8] {
        var writer = ProtobufWriter()
        if hasLengths { writer.packed(2, parts.map { UInt64($0.count) }) }
        var coordinates: [UInt64] = []
        for part in parts {
            var before: (x: Int64, y: Int64) = (0, 0)
            for place in part {
                coordinates += [zigzag(place.x - before.x), zigzag(place.y - before.y)]
                before = place
            }
        }
        writer.packed(3, coordinates)
        return writer.bytes
    }

    private static func extent(_ rows: [Int], _ served: ServedTable, _ query: FeatureQuery, withCount: Bool) -> [UInt8] {
        var result = ProtobufWriter()
        let box = rows.compactMap { served.envelopes[$0] }.reduce(nil as Envelope?) { $0?.union($1) ?? $1 }
        if let box {
            let shown = query.system == .degrees ? WebMercator.degrees(box) : box
            var envelope = ProtobufWriter()
            for (number, value) in [shown.xmin, shown.ymin, shown.xmax, shown.ymax].enumerated() {
                envelope.double(number + 1, value)
            }
            envelope.data(5, reference(query.system))
            result.data(1, envelope.bytes)
        }
        if withCount { result.varint(2, UInt64(rows.count)) }
        return result.bytes
    }

    private static func reference(_ system: GeometryParameter.System) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.varint(1, system == .degrees ? 4326 : 102100)
        writer.varint(2, system == .degrees ? 4326 : 3857)
        return writer.bytes
    }

    private static func field(_ field: FeatureTable.Field) -> [UInt8] {
        let kinds: [FeatureTable.Field.Kind: UInt64] = [
            .smallInteger: 0, .integer: 1, .double: 3, .string: 4, .date: 5, .objectID: 6, .guid: 10, .globalID: 11,
        ]
        var writer = ProtobufWriter()
        writer.text(1, field.name)
        if let kind = kinds[field.kind], kind > 0 { writer.varint(2, kind) }
        writer.text(3, field.alias)
        // sqlTypeInteger for object ids, sqlTypeOther else.
        writer.varint(4, field.kind == .objectID ? 10 : 16)
        if let domain = LayerMetadata.field(field)["domain"], !domain.isNull { writer.text(5, domain.serialized()) }
        return writer.bytes
    }

    private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }

    /// `world = translate + stored × scale`, with y downwards: the origin is the upper left (rule 5).
    struct Transform: Sendable {
        let scale: Double
        let translateX: Double
        let translateY: Double
        private let system: GeometryParameter.System

        /// The numbers of services that are not asked for a quantization (rule 6).
        init(_ system: GeometryParameter.System) {
            self.system = system
            scale = system == .degrees ? 1e-9 : 1e-4
            translateX = system == .degrees ? -400 : -20_037_700
            translateY = system == .degrees ? -400 : -30_241_100
        }

        func stored(_ place: Coordinate) -> (x: Int64, y: Int64) {
            let place = system == .degrees ? WebMercator.degrees(place) : place
            return (Int64(((place.x - translateX) / scale).rounded()), Int64(((translateY - place.y) / scale).rounded()))
        }

        var bytes: [UInt8] {
            var scales = ProtobufWriter()
            scales.double(1, scale)
            scales.double(2, scale)
            var offsets = ProtobufWriter()
            offsets.double(1, translateX)
            offsets.double(2, translateY)
            var writer = ProtobufWriter()
            writer.data(2, scales.bytes)
            writer.data(3, offsets.bytes)
            return writer.bytes
        }
    }
}
