/// SplitMix64: small, fast, and the same on every machine. One generator a feature, seeded by layer and number, so that a
/// change in one layer does not move the others.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ layer: Int, _ number: Int) {
        state =
            UInt64(truncatingIfNeeded: layer) &* 0xD1B5_4A32_D192_ED03 ^ UInt64(truncatingIfNeeded: number)
            &* 0x8CB9_2BA7_2F3D_8DD7
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// `0..<limit`; the tiny bias of the remainder does not matter here.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// A random UUID in Esri's spelling: braces, upper case.
    mutating func globalID() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return String(unsafeUninitializedCapacity: 38) { buffer in
            var position = 0
            func put(_ byte: UInt8) {
                buffer[position] = byte
                position += 1
            }
            put(UInt8(ascii: "{"))
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 { put(UInt8(ascii: "-")) }
                let word = digit < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit % 16))) & 15
                put(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
            }
            put(UInt8(ascii: "}"))
            return 38
        }
    }
}
