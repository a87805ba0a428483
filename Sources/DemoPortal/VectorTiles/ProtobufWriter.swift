/// The three wire types of protocol buffers that vector tiles and glyph files need.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ field: Int, _ value: UInt64) {
        raw(UInt64(field) << 3)
        raw(value)
    }

    mutating func double(_ field: Int, _ value: Double) {
        raw(UInt64(field) << 3 | 1)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func data(_ field: Int, _ value: [UInt8]) {
        raw(UInt64(field) << 3 | 2)
        raw(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func text(_ field: Int, _ value: String) { data(field, Array(value.utf8)) }

    mutating func packed(_ field: Int, _ values: [UInt32]) {
        var inner = ProtobufWriter()
        for value in values { inner.raw(UInt64(value)) }
        data(field, inner.bytes)
    }

    mutating func packed(_ field: Int, _ values: [UInt64]) {
        var inner = ProtobufWriter()
        for value in values { inner.raw(value) }
        data(field, inner.bytes)
    }

    private mutating func raw(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
