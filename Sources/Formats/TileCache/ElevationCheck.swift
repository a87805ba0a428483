/// Looks into the elevation tiles of a package as they pass: the start of each, and the whole of a sample.
struct ElevationCheck {
    /// Sides of a tile in pixels.
    let width: Int
    let height: Int
    private var seen: [Int: Int] = [:]

    /// Decoding takes about a millisecond, and a package may have 100,000 tiles: the first ones of a level, then one in so many.
    private static let first = 16
    private static let oneIn = 16

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// nil for a good tile.
    mutating func problem(_ tile: StoredTile) -> DamagedTile.Reason? {
        let number = seen[tile.address.level, default: 0]
        seen[tile.address.level] = number + 1
        do throws(LercError) {
            let header = try LercHeader(tile.data)
            // Heights of the corners or of the cells: caches of both kinds exist.
            guard (width...width + 1).contains(header.width), (height...height + 1).contains(header.height) else {
                return .wrongSize(width: header.width, height: header.height)
            }
            if number < Self.first || number.isMultiple(of: Self.oneIn) { _ = try ElevationTile(lerc: tile.data) }
            return nil
        } catch {
            return .brokenElevation(code: Int(error.code.rawValue))
        }
    }
}
