import Basics

/// The quadtree of present tiles (REST reference 7.3): 0 none, 1 a tile without children, else the four children NW, NE, SW, SE.
indirect enum TileMap: Sendable, Hashable {
    case absent
    case leaf
    case node([TileMap])

    /// Walks down from the one tile of level 0. Below an absent tile nothing is asked.
    static func build(
        maxLevel: Int, level: Int = 0, row: Int = 0, column: Int = 0, exists: (_ level: Int, _ row: Int, _ column: Int) -> Bool
    ) -> TileMap {
        guard exists(level, row, column) else { return .absent }
        guard level < maxLevel else { return .leaf }
        let children = (0..<4).map { child in
            build(maxLevel: maxLevel, level: level + 1, row: row * 2 + child / 2, column: column * 2 + child % 2, exists: exists)
        }
        return children.allSatisfy { $0 == .absent } ? .leaf : .node(children)
    }

    func contains(level: Int, row: Int, column: Int) -> Bool {
        guard level >= 0, row >= 0, column >= 0, row < 1 << level, column < 1 << level else { return false }
        var current = self
        for depth in (0..<level).reversed() {
            guard case .node(let children) = current else { return false }
            current = children[(column >> depth & 1) + 2 * (row >> depth & 1)]
        }
        return current != .absent
    }

    /// The tree that ends at `maxLevel`, without what `keeps` refuses.
    func pruned(
        maxLevel: Int, level: Int = 0, row: Int = 0, column: Int = 0, keeps: (_ level: Int, _ row: Int, _ column: Int) -> Bool
    ) -> TileMap {
        guard self != .absent, keeps(level, row, column) else { return .absent }
        guard level < maxLevel, case .node(let children) = self else { return .leaf }
        let kept = children.enumerated().map { index, child in
            child.pruned(
                maxLevel: maxLevel, level: level + 1, row: row * 2 + index / 2, column: column * 2 + index % 2, keeps: keeps)
        }
        return kept.allSatisfy { $0 == .absent } ? .leaf : .node(kept)
    }

    var json: JSON {
        switch self {
        case .absent: 0
        case .leaf: 1
        case .node(let children): .array(children.map(\.json))
        }
    }
}
