import Foundation

@testable import Geography

/// Repeatable numbers.
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}

func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }

func ring(_ pairs: [(Double, Double)]) -> [Coordinate] { pairs.map { Coordinate(x: $0.0, y: $0.1) } }

extension Coordinate {
    func isNear(_ other: Coordinate, _ tolerance: Double) -> Bool {
        (x - other.x).magnitude <= tolerance && (y - other.y).magnitude <= tolerance
    }
}
