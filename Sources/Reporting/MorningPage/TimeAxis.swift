import Foundation

/// From seconds since the run's start to a place between 0 and 100 percent, with round clock times to read it by.
struct TimeAxis {
    let start: Double
    let end: Double

    private static let steps: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 3 * 3600, 6 * 3600, 12 * 3600, 86400,
    ]

    init(start: Double, end: Double) {
        self.start = start
        // A run of no length would have no scale.
        self.end = max(end, start + 0.001)
    }

    func percent(_ seconds: Double) -> Double { min(100, max(0, (seconds - start) / (end - start) * 100)) }

    /// At most five of them, at round times of the clock.
    /// - Parameter zero: the run's start in seconds of local time since 1970.
    func ticks(zero: Double) -> [Double] {
        let step = Self.steps.first { (end - start) / $0 <= 5 } ?? 86400
        let first = ceil((zero + start) / step) * step - zero
        return first > end ? [] : Array(stride(from: first, through: end, by: step))
    }
}
