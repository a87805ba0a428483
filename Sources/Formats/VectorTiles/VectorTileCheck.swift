/// A cheap look at a Mapbox Vector Tile: the protobuf must walk to its end, hold only what a tile may hold, and every layer
/// must have a name. Features and geometry are not decoded.
enum VectorTileCheck {
    /// The layers' names, in order.
    static func layers(_ tile: [UInt8]) throws(VectorTileProblem) -> [String] {
        var names: [String] = []
        var reader = ProtobufReader(bytes: tile, position: 0, end: tile.count)
        while let field = try reader.next() {
            // Tile.layers; other numbers are extensions, which a reader skips.
            guard field.number == 3 else { continue }
            guard let content = field.content else {
                throw VectorTileProblem(offset: field.offset, what: "a layer that is no message")
            }
            names.append(try layerName(tile, content))
        }
        return names
    }

    private static func layerName(_ tile: [UInt8], _ content: Range<Int>) throws(VectorTileProblem) -> String {
        var name: String?
        var reader = ProtobufReader(bytes: tile, position: content.lowerBound, end: content.upperBound)
        while let field = try reader.next() {
            if field.number == 1, let text = field.content { name = String(decoding: tile[text], as: UTF8.self) }
        }
        guard let name, !name.isEmpty else { throw VectorTileProblem(offset: content.lowerBound, what: "a layer without a name") }
        return name
    }
}

struct VectorTileProblem: Error {
    var offset: Int
    var what: String
}

/// Walks the fields of one protobuf message.
private struct ProtobufReader {
    struct Field {
        var number: Int
        var offset: Int
        /// Of a length-delimited field.
        var content: Range<Int>?
    }

    let bytes: [UInt8]
    var position: Int
    let end: Int

    mutating func next() throws(VectorTileProblem) -> Field? {
        if position == end { return nil }
        let start = position
        let key = try varint()
        var field = Field(number: Int(truncatingIfNeeded: key >> 3), offset: start, content: nil)
        switch key & 7 {
        case 0: _ = try varint()
        case 1: try advance(8)
        case 2:
            let length = try varint()
            guard length <= UInt64(end - position) else { throw VectorTileProblem(offset: start, what: "a field beyond the end") }
            field.content = position..<position + Int(length)
            position += Int(length)
        case 5: try advance(4)
        default: throw VectorTileProblem(offset: start, what: "a wire type \(key & 7)")
        }
        guard field.number > 0 else { throw VectorTileProblem(offset: start, what: "a field 0") }
        return field
    }

    private mutating func advance(_ count: Int) throws(VectorTileProblem) {
        guard end - position >= count else { throw VectorTileProblem(offset: position, what: "a field beyond the end") }
        position += count
    }

    private mutating func varint() throws(VectorTileProblem) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < end else { throw VectorTileProblem(offset: position, what: "a number beyond the end") }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw VectorTileProblem(offset: position, what: "a number over 64 bits")
    }
}
