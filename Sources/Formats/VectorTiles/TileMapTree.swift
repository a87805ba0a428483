import Basics

/// The quadtree of an indexed package: 0 stops, 1 is a present leaf, four children are upper left, upper right, lower left,
/// lower right (formats.md 2). Descendants of a leaf are drawn from it.
public struct TileMapTree: Sendable, Hashable, Codable {
    /// Nodes marked present, by depth; the root has depth 0.
    public var presentByDepth: [Int]

    /// nil when the document is no such tree.
    init?(json: JSON) {
        guard let root = json["index"] else { return nil }
        presentByDepth = []
        guard Self.count(root, depth: 0, into: &presentByDepth) else { return nil }
    }

    private static func count(_ node: JSON, depth: Int, into counts: inout [Int]) -> Bool {
        // Deeper than any tiling scheme.
        guard depth < 32 else { return false }
        if counts.count <= depth { counts.append(0) }
        if let value = node.int {
            if value == 1 { counts[depth] += 1 }
            return value == 0 || value == 1
        }
        guard let children = node.array, children.count == 4 else { return false }
        counts[depth] += 1
        return children.allSatisfy { count($0, depth: depth + 1, into: &counts) }
    }
}
