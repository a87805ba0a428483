/// Which levels a range of scales means (REST reference 10.5). A scale of 0 is "no limit".
extension TilingScheme {
    /// Published scales differ in their last digits (REST reference 6.1), so scales within this fraction are equal.
    static let scaleTolerance = 1e-6

    /// From the deepest level that is still as coarse as `minScale` to the shallowest that is as fine as `maxScale`: a scale
    /// between two levels takes the coarser for `minScale` and the finer for `maxScale`. A limit outside the ladder takes its
    /// end. Empty when `minScale` is finer than `maxScale` by more than a level.
    public func levelIDs(minScale: Double, maxScale: Double) -> [Int] {
        let first = levels.lastIndex { minScale > 0 && $0.scale >= minScale * (1 - Self.scaleTolerance) } ?? 0
        let last = finestIndex(maxScale: maxScale)
        return first <= last ? levels[first...last].map(\.level) : []
    }

    /// The `maxLevel` of a vector tile export, which always starts at the coarsest level. Nil for a scheme without levels.
    public func maxLevel(maxScale: Double) -> Int? {
        levels.isEmpty ? nil : levels[finestIndex(maxScale: maxScale)].level
    }

    private func finestIndex(maxScale: Double) -> Int {
        levels.firstIndex { maxScale > 0 && $0.scale <= maxScale * (1 + Self.scaleTolerance) } ?? levels.count - 1
    }
}
