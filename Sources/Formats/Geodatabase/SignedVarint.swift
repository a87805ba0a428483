/// The numbers of a geometry blob (formats.md 3.5): the first byte is `c s vvvvvv`, each further byte `c vvvvvvv`, lowest bits
/// first. The sign belongs to the magnitude: neither two's complement nor zig-zag.
enum SignedVarint {
    static func append(_ value: Int, to bytes: inout [UInt8]) {
        var magnitude = value.magnitude
        let sign: UInt8 = value < 0 ? 0x40 : 0
        var byte = UInt8(magnitude & 0x3F) | sign
        magnitude >>= 6
        while magnitude > 0 {
            bytes.append(byte | 0x80)
            byte = UInt8(magnitude & 0x7F)
            magnitude >>= 7
        }
        bytes.append(byte)
    }

    /// The value at `position`, which moves behind it; nil when the bytes end first or the number has over 62 bits.
    static func read(_ bytes: [UInt8], at position: inout Int, before end: Int) -> Int? {
        guard position < end else { return nil }
        let first = bytes[position]
        position += 1
        var magnitude = Int(first & 0x3F)
        var shift = 6
        var more = first & 0x80 != 0
        while more {
            guard position < end, shift <= 55 else { return nil }
            let byte = bytes[position]
            position += 1
            magnitude |= Int(byte & 0x7F) << shift
            shift += 7
            more = byte & 0x80 != 0
        }
        return first & 0x40 != 0 ? -magnitude : magnitude
    }
}
