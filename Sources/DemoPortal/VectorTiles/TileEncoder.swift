/// A layer of a Mapbox Vector Tile 2.1: names and values are stored once, features refer to them by number.
struct TileLayerEncoder {
    enum Value: Sendable, Hashable {
        case text(String)
        case integer(Int)
        case double(Double)
    }

    let name: String
    private var keys: [String: UInt32] = [:]
    private var keyOrder: [String] = []
    private var values: [Value: UInt32] = [:]
    private var valueOrder: [Value] = []
    private var features: [[UInt8]] = []

    init(name: String) { self.name = name }

    var isEmpty: Bool { features.isEmpty }

    mutating func add(id: Int, _ properties: [(key: String, value: Value)], _ geometry: TileGeometry) {
        var tags: [UInt32] = []
        for property in properties {
            if keys[property.key] == nil {
                keys[property.key] = UInt32(keyOrder.count)
                keyOrder.append(property.key)
            }
            if values[property.value] == nil {
                values[property.value] = UInt32(valueOrder.count)
                valueOrder.append(property.value)
            }
            tags += [keys[property.key] ?? 0, values[property.value] ?? 0]
        }
        var feature = ProtobufWriter()
        feature.varint(1, UInt64(id))
        feature.packed(2, tags)
        feature.varint(3, geometry.kind.rawValue)
        feature.packed(4, geometry.commands)
        features.append(feature.bytes)
    }

    /// The layer as field 3 of a tile.
    func write(into tile: inout ProtobufWriter) {
        var layer = ProtobufWriter()
        layer.varint(15, 2)
        layer.text(1, name)
        for feature in features { layer.data(2, feature) }
        for key in keyOrder { layer.text(3, key) }
        for value in valueOrder {
            var message = ProtobufWriter()
            switch value {
            case .text(let text): message.text(1, text)
            case .double(let number): message.double(3, number)
            case .integer(let number): message.varint(4, UInt64(bitPattern: Int64(number)))
            }
            layer.data(4, message.bytes)
        }
        layer.varint(5, UInt64(TileGeometry.extent))
        tile.data(3, layer.bytes)
    }
}
