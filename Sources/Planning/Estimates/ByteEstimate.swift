/// How large something will be, as far as that can be known beforehand.
public struct ByteEstimate: Codable, Sendable, Equatable {
    /// What was looked at; `service` is the service's own word, without a band.
    public enum Sample: String, Codable, Sendable { case tiles, resources, rows, service }

    public var likely: Int
    /// The real size is between these two in about nineteen of twenty cases.
    public var low: Int
    public var high: Int
    public var sampled: Int
    public var sample: Sample

    public init(likely: Int, low: Int, high: Int, sampled: Int, sample: Sample) {
        self.likely = likely
        self.low = low
        self.high = high
        self.sampled = sampled
        self.sample = sample
    }

    init(_ band: Band, sampled: Int, _ sample: Sample) {
        func bytes(_ value: Double) -> Int { Int(min(max(0, value.rounded()), 1e18)) }
        self.init(
            likely: bytes(band.likely), low: bytes(band.low), high: bytes(band.high), sampled: sampled, sample: sample)
    }
}

/// A number that lies between two others.
struct Band: Equatable {
    var low: Double
    var likely: Double
    var high: Double

    static let zero = Band(low: 0, likely: 0, high: 0)

    static func + (a: Band, b: Band) -> Band {
        Band(low: a.low + b.low, likely: a.likely + b.likely, high: a.high + b.high)
    }

    static func * (band: Band, factor: Double) -> Band {
        Band(low: band.low * factor, likely: band.likely * factor, high: band.high * factor)
    }
}
