import Basics

/// Some out of many, spread evenly: one in each n-th part, all shifted by the same share of a part. The share is made of a text, so
/// that the same plan looks at the same things on every machine.
enum Sampling {
    static func picks(_ wanted: Int, of population: Int, seed: String) -> [Int] {
        guard wanted < population else { return Array(0..<population) }
        let digits = UInt32(SHA256.hex(of: seed).prefix(8), radix: 16) ?? 0
        let shift = Double(digits) / 0x1p32
        return (0..<wanted).map { min(population - 1, Int((Double($0) + shift) * Double(population) / Double(wanted))) }
    }

    /// How many to look at in each stratum: three of each, or all where there are fewer, and the rest by their numbers.
    static func shares(_ populations: [Int], of total: Int) -> [Int] {
        var shares = populations.map { min(3, $0) }
        let rest = total - shares.reduce(0, +)
        let open = zip(populations, shares).map { $0 - $1 }
        let all = open.reduce(0, +)
        guard rest > 0, all > 0 else { return shares }
        for index in shares.indices {
            shares[index] += min(open[index], Int((Double(rest) * Double(open[index]) / Double(all)).rounded()))
        }
        return shares
    }
}

/// A part of the things to be measured, whose sizes are alike, and the sizes of those that were looked at.
struct SampledStratum: Equatable {
    var population: Int
    /// In bytes; 0 for what is not there.
    var sizes: [Int]

    private var count: Double { Double(sizes.count) }
    private var mean: Double { sizes.isEmpty ? 0 : Double(sizes.reduce(0, +)) / count }
    private var isComplete: Bool { sizes.count >= population }

    /// Of the whole stratum's sum: N² · s²/n · (1 − n/N), for a sample without repetition. One alone tells nothing of the others:
    /// they may differ by as much as it is large.
    private var variance: Double {
        guard !isComplete, !sizes.isEmpty else { return 0 }
        let deviation =
            sizes.count == 1 ? mean * mean : sizes.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / (count - 1)
        return Double(population) * Double(population) * deviation / count * (1 - count / Double(population))
    }

    /// The sum over all strata with its band of 95 %.
    static func sum(_ strata: [SampledStratum]) -> Band {
        let likely = strata.reduce(0) { $0 + Double($1.population) * $1.mean }
        let open = strata.filter { !$0.isComplete }
        if open.isEmpty { return Band(low: likely, likely: likely, high: likely) }
        let freedom = open.reduce(0) { $0 + max(1, $1.sizes.count - 1) }
        var half = studentFactor(freedom) * strata.reduce(0) { $0 + $1.variance }.squareRoot()
        // Equal samples do not prove that all are equal: what is rare and large may be among those that were not seen.
        half = max(half, likely * smallestBand)
        let seen = Double(strata.reduce(0) { $0 + $1.sizes.reduce(0, +) })
        return Band(low: max(seen, likely - half), likely: likely, high: likely + half)
    }

    private static let smallestBand = 0.1

    /// Student's t for 95 %, both sides.
    static func studentFactor(_ freedom: Int) -> Double {
        let table = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23]
        if freedom <= table.count { return table[max(0, freedom - 1)] }
        return freedom < 20 ? 2.2 : freedom < 60 ? 2.09 : 1.96
    }
}
