import Geography

extension STGeometry {
    /// Reads a blob of a shape column (formats.md 3.5). The length rule is checked: a wrong byte does not become a shape.
    public static func decode(_ blob: [UInt8], grid: STGeometryGrid) throws(STGeometryError) -> STGeometry {
        try STBlob(blob).geometry(grid)
    }

    /// The grid's number in a blob, without reading the rest.
    public static func srid(of blob: [UInt8]) -> Int? {
        blob.count >= 4 && blob[0] == 0x64 ? blob.littleEndian(at: 1, count: 3) : nil
    }
}

/// The content of a blob in grid units.
struct STBlob {
    let srid: Int
    let kind: STGeometry.Kind
    /// xmin, ymin, xmax, ymax as the blob states them; absent up to ten points.
    let storedBox: [Int]?
    /// Without separators.
    private(set) var parts: [[(x: Int, y: Int)]] = []
    private(set) var heights: [[Int]]?

    init(_ blob: [UInt8]) throws(STGeometryError) {
        guard let magic = blob.first else { throw .truncated(offset: 0) }
        guard magic == 0x64 else { throw .notAGeometry(firstByte: magic) }
        guard blob.count >= 10 else { throw .truncated(offset: blob.count) }
        srid = blob.littleEndian(at: 1, count: 3)
        let count = blob.littleEndian(at: 4, count: 4)
        let hasZ = blob[8] & 2 != 0
        guard let kind = STGeometry.Kind(rawValue: blob[8] & ~2) else { throw .unknownKind(blob[8]) }
        self.kind = kind
        var reader = VarintReader(bytes: blob, position: 10, end: blob.count)
        storedBox = kind != .point && count > 10 ? try reader.values(4) : nil
        let isMultipart = blob[9] & 64 != 0 && kind != .multipoint
        let listed = isMultipart ? try reader.values(try reader.next()) : []

        let slot = reader.position
        guard slot + 8 <= blob.count else { throw .truncated(offset: blob.count) }
        var length = VarintReader(bytes: blob, position: slot, end: slot + 4)
        let stated = try length.next()
        // Unused bytes of the slot and the word behind it hold garbage in real files.
        reader.position = slot + 8
        let present = blob.count - reader.position
        guard stated == present else { throw .wrongLength(stated: stated, present: present) }
        // Two bytes a point at least: a wild count must not reserve memory.
        guard count <= present / 2 else { throw .wrongPointCount(count) }
        try readParts(&reader, counts: try Self.counts(listed, total: count), hasZ: hasZ)
        guard reader.position == blob.count else { throw .wrongPointCount(count) }
    }

    private static func counts(_ listed: [Int], total: Int) throws(STGeometryError) -> [Int] {
        if total == 0 { return [] }
        var rest = total
        for count in listed {
            // One point and the separator at least.
            guard count >= 2, count < rest else { throw .wrongPartCounts }
            rest -= count
        }
        return listed + [rest]
    }

    private mutating func readParts(_ reader: inout VarintReader, counts: [Int], hasZ: Bool) throws(STGeometryError) {
        var x = 0
        var y = 0
        for (number, count) in counts.enumerated() {
            var part: [(x: Int, y: Int)] = []
            part.reserveCapacity(count)
            for _ in 0..<count {
                x = try Self.sum(x, try reader.next())
                y = try Self.sum(y, try reader.next())
                part.append((x, y))
            }
            if number < counts.count - 1 {
                guard let last = part.popLast(), last == (-1, 0) else { throw .missingSeparator(part: number) }
            }
            parts.append(part)
        }
        guard hasZ else { return }
        var z = 0
        var read: [[Int]] = []
        for (number, count) in counts.enumerated() {
            var part: [Int] = []
            for _ in 0..<count {
                z = try Self.sum(z, try reader.next())
                part.append(z)
            }
            if number < counts.count - 1 { part.removeLast() }
            read.append(part)
        }
        heights = read
    }

    private static func sum(_ a: Int, _ b: Int) throws(STGeometryError) -> Int {
        let (value, overflow) = a.addingReportingOverflow(b)
        if overflow { throw .coordinateOutOfRange }
        return value
    }

    /// The box of the points in grid units: equal to the stored one in every file seen.
    var computedBox: [Int]? {
        let points = parts.joined()
        guard let first = points.first else { return nil }
        return points.reduce([first.x, first.y, first.x, first.y]) {
            [min($0[0], $1.x), min($0[1], $1.y), max($0[2], $1.x), max($0[3], $1.y)]
        }
    }

    func geometry(_ grid: STGeometryGrid) -> STGeometry {
        STGeometry(
            srid: srid, kind: kind,
            parts: parts.map { part in
                part.map {
                    Coordinate(x: Double($0.x) / grid.xyUnits + grid.falseX, y: Double($0.y) / grid.xyUnits + grid.falseY)
                }
            },
            heights: heights?.map { part in part.map { Double($0) / grid.zUnits + grid.falseZ } })
    }
}

private struct VarintReader {
    let bytes: [UInt8]
    var position: Int
    let end: Int

    mutating func next() throws(STGeometryError) -> Int {
        guard let value = SignedVarint.read(bytes, at: &position, before: end) else { throw .truncated(offset: position) }
        return value
    }

    mutating func values(_ count: Int) throws(STGeometryError) -> [Int] {
        guard count >= 0, count <= end - position else { throw .wrongPartCounts }
        var result: [Int] = []
        for _ in 0..<count { result.append(try next()) }
        return result
    }
}
