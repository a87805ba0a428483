import Geography

/// Levels that follow one another and have the same number of tiles: "0-9: 1 each".
struct LevelRun: Equatable {
    var levels: ClosedRange<Int>
    /// Of each level.
    var count: Int

    /// In the order of the levels.
    static func runs(of counts: [TileCount]) -> [LevelRun] {
        var runs: [LevelRun] = []
        for next in counts.sorted(by: { $0.level < $1.level }) {
            if let last = runs.last, last.count == next.count, last.levels.upperBound + 1 == next.level {
                runs[runs.count - 1].levels = last.levels.lowerBound...next.level
            } else {
                runs.append(LevelRun(levels: next.level...next.level, count: next.count))
            }
        }
        return runs
    }

    /// With spaces that do not break.
    var text: String {
        levels.count == 1
            ? "\(levels.lowerBound):\u{A0}\(Quantity.count(count))"
            : "\(levels.lowerBound)-\(levels.upperBound):\u{A0}\(Quantity.count(count))\u{A0}each"
    }
}
