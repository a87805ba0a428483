import Geography

extension STGeometry {
    /// The blob of a flat shape: point, multipoint, line or polygon (formats.md 3.5). Heights are left out. Coordinates are
    /// rounded to the grid; what does not fit the grid is an error. A shape without points is an error too: its row has NULL.
    public func encoded(grid: STGeometryGrid) throws(STGeometryError) -> [UInt8] {
        var gridParts: [[(x: Int, y: Int)]] = []
        for part in parts where !part.isEmpty {
            var points: [(x: Int, y: Int)] = []
            for place in part {
                points.append(
                    (try Self.cell(place.x, grid.falseX, grid.xyUnits), try Self.cell(place.y, grid.falseY, grid.xyUnits)))
            }
            gridParts.append(points)
        }
        guard !gridParts.isEmpty else { throw .wrongPointCount(0) }
        if kind == .point || kind == .multipoint { gridParts = [Array(gridParts.joined())] }
        let isMultipart = gridParts.count > 1
        let separators = gridParts.count - 1
        let count = gridParts.reduce(0) { $0 + $1.count } + separators
        if kind == .point && count != 1 { throw .wrongPointCount(count) }

        var blob: [UInt8] = [0x64]
        blob.append(contentsOf: [UInt8(srid & 0xFF), UInt8(srid >> 8 & 0xFF), UInt8(srid >> 16 & 0xFF)])
        blob.appendLittleEndian(UInt32(count))
        blob.append(kind.rawValue)
        blob.append(entity | (isMultipart || (kind == .multipoint && count > 1) ? 64 : 0))
        if kind != .point && count > 10 {
            for edge in Self.box(gridParts) { SignedVarint.append(edge, to: &blob) }
        }
        if isMultipart {
            SignedVarint.append(separators, to: &blob)
            for part in gridParts.dropLast() { SignedVarint.append(part.count + 1, to: &blob) }
        }
        let data = Self.deltas(gridParts)
        var slot: [UInt8] = []
        SignedVarint.append(data.count, to: &slot)
        guard slot.count <= 4 else { throw .wrongLength(stated: data.count, present: data.count) }
        blob += slot + [UInt8](repeating: 0, count: 4 - slot.count)
        blob += [1, 0, 0, 0]
        return blob + data
    }

    private var entity: UInt8 {
        switch kind {
        case .point, .multipoint: 1
        case .line: 4
        case .polygon: 8
        }
    }

    private static func cell(_ value: Double, _ falseOrigin: Double, _ units: Double) throws(STGeometryError) -> Int {
        let scaled = ((value - falseOrigin) * units).rounded()
        // Half of what a varint holds, so that the difference of two cells fits too.
        guard abs(scaled) < 0x1p60 else { throw .coordinateOutOfRange }
        return Int(scaled)
    }

    private static func box(_ parts: [[(x: Int, y: Int)]]) -> [Int] {
        let points = Array(parts.joined())
        return [
            points.map(\.x).min() ?? 0, points.map(\.y).min() ?? 0, points.map(\.x).max() ?? 0, points.map(\.y).max() ?? 0,
        ]
    }

    /// Pairs of differences; every part but the last ends with the separator (−1, 0).
    private static func deltas(_ parts: [[(x: Int, y: Int)]]) -> [UInt8] {
        var data: [UInt8] = []
        var previous = (x: 0, y: 0)
        for (number, part) in parts.enumerated() {
            for point in number < parts.count - 1 ? part + [(-1, 0)] : part {
                SignedVarint.append(point.x - previous.x, to: &data)
                SignedVarint.append(point.y - previous.y, to: &data)
                previous = point
            }
        }
        return data
    }
}
