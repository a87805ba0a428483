import Geography

/// A shape in the grid of one Mapbox Vector Tile: 4096 units a side, y down, commands and zig-zag deltas.
struct TileGeometry {
    static let extent = 4096.0
    /// Units drawn beyond the edge, so that thick lines meet at seams.
    static let buffer = 64.0

    enum Kind: UInt64 {
        case point = 1
        case line = 2
        case polygon = 3
    }

    var kind: Kind
    var commands: [UInt32] = []
    private var cursor = Cell(x: 0, y: 0)

    private struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    /// nil when nothing of the shape is left in the tile.
    init?(_ shape: Shape, in box: Envelope) {
        let rim = box.width * Self.buffer / Self.extent
        let wide = Envelope(xmin: box.xmin - rim, ymin: box.ymin - rim, xmax: box.xmax + rim, ymax: box.ymax + rim)
        func cell(_ place: Coordinate) -> Cell {
            Cell(
                x: Int(((place.x - box.xmin) / box.width * Self.extent).rounded()),
                y: Int(((box.ymax - place.y) / box.height * Self.extent).rounded()))
        }
        switch shape {
        case .point(let place):
            kind = .point
            guard wide.contains(place) else { return nil }
            move(to: cell(place))
        case .polyline(let paths):
            kind = .line
            for path in paths.flatMap({ TileClip.path($0, to: wide) }) {
                let cells = Self.withoutRepeats(path.map(cell))
                if cells.count > 1 { draw(cells) }
            }
        case .polygon(let polygon):
            kind = .polygon
            var outerIsThere = false
            for ring in polygon.rings {
                var cells = Self.withoutRepeats(TileClip.ring(ring, to: wide).map(cell))
                if cells.count > 1, cells.first == cells.last { cells.removeLast() }
                // Esri's outer rings run clockwise with y up; with y down that is a positive area, as the format asks.
                let isOuter = Self.area(ring.map(cell)) >= 0
                if isOuter { outerIsThere = false }
                guard cells.count > 2, Self.area(cells) != 0, isOuter || outerIsThere else { continue }
                if isOuter { outerIsThere = true }
                draw(cells)
                commands.append(7 | 1 << 3)
            }
        }
        if commands.isEmpty { return nil }
    }

    private mutating func move(to cell: Cell) {
        commands.append(1 | 1 << 3)
        step(to: cell)
    }

    private mutating func draw(_ cells: [Cell]) {
        move(to: cells[0])
        commands.append(2 | UInt32(cells.count - 1) << 3)
        for cell in cells.dropFirst() { step(to: cell) }
    }

    private mutating func step(to cell: Cell) {
        for delta in [cell.x - cursor.x, cell.y - cursor.y] {
            commands.append(UInt32(bitPattern: Int32(truncatingIfNeeded: delta << 1 ^ delta >> 63)))
        }
        cursor = cell
    }

    private static func withoutRepeats(_ cells: [Cell]) -> [Cell] {
        cells.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// Twice the signed area; a last point equal to the first changes nothing.
    private static func area(_ cells: [Cell]) -> Int {
        guard var previous = cells.last else { return 0 }
        var sum = 0
        for cell in cells {
            sum += previous.x * cell.y - cell.x * previous.y
            previous = cell
        }
        return sum
    }
}
