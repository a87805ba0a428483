/// One tile as a bundle holds it.
struct StoredTile {
    var address: TileAddress
    var data: [UInt8]
    /// The size in front of the data, where it differs from the index (V2).
    var strayPrefix: Int?
}

/// Reads the tiles of one bundle in the order in which they lie, so that a bundle of any size passes through a small memory.
enum BundleReading {
    /// Where tiles lie: from the index, sorted by offset.
    struct Record: Sendable, Hashable {
        var row: Int
        var column: Int
        var offset: Int
        /// Only in V2.
        var size: Int
    }

    // MARK: V2 (formats.md 1.2)

    static func readV2(
        _ stream: EntryStream, _ bundle: BundleAddress, _ body: (StoredTile) throws(FormatError) -> Void
    ) throws(FormatError) {
        let records = try indexV2(stream, bundle)
        var last: (record: Record, tile: StoredTile)?
        for record in records {
            let address = TileAddress(level: bundle.level, row: record.row, column: record.column)
            // Equal tiles may share their bytes.
            if let (previous, tile) = last, previous.offset == record.offset, previous.size == record.size {
                try body(StoredTile(address: address, data: tile.data, strayPrefix: tile.strayPrefix))
                continue
            }
            guard record.offset >= stream.position else {
                throw stream.failure(
                    .unexpected, offset: record.offset, expected: "tiles that do not overlap", found: "offset \(record.offset)")
            }
            var stray: Int?
            if record.offset - 4 >= stream.position {
                try stream.skip(to: record.offset - 4)
                let prefix = try stream.read(4).littleEndian(at: 0, count: 4)
                if prefix != record.size { stray = prefix }
            }
            let tile = StoredTile(address: address, data: try stream.read(record.size), strayPrefix: stray)
            last = (record, tile)
            try body(tile)
        }
    }

    /// Reads header and index. Record count, largest size, slack and the legacy words are not looked at.
    static func indexV2(_ stream: EntryStream, _ bundle: BundleAddress) throws(FormatError) -> [Record] {
        try expectAligned(stream, bundle)
        let header = try stream.read(CompactBundle.headerSize)
        try expect(stream, header, at: 0, 3)
        try expect(stream, header, at: 12, 5)
        try expect(stream, header, at: 60, CompactBundle.indexSize)
        let index = try stream.read(CompactBundle.indexSize)
        var records: [Record] = []
        for slot in 0..<CompactBundle.tileCount {
            let offset = index.littleEndian(at: slot * 8, count: 5)
            let size = index.littleEndian(at: slot * 8 + 5, count: 3)
            if size == 0 { continue }
            let end = stream.entry.size ?? Int.max
            guard offset >= CompactBundle.dataStart, offset + size <= end else {
                throw stream.failure(
                    .outOfBounds, offset: CompactBundle.headerSize + slot * 8, expected: "\(CompactBundle.dataStart)…\(end)",
                    found: "\(offset)…\(offset + size)")
            }
            records.append(
                Record(
                    row: bundle.firstRow + slot / CompactBundle.side, column: bundle.firstColumn + slot % CompactBundle.side,
                    offset: offset, size: size))
        }
        return records.sorted { ($0.offset, $0.size) < ($1.offset, $1.size) }
    }

    // MARK: V1 (formats.md 1.3)

    private static let largestV1Tile = 1 << 28

    /// Offsets of a .bundlx. Places that point to their own empty record hold no tile and are left out.
    static func indexV1(_ stream: EntryStream, _ bundle: BundleAddress) throws(FormatError) -> [Record] {
        try expectAligned(stream, bundle)
        let header = try stream.read(16)
        try expect(stream, header, at: 0, 3)
        try expect(stream, header, at: 12, 5)
        let index = try stream.read(CompactBundle.tileCount * 5)
        var records: [Record] = []
        for slot in 0..<CompactBundle.tileCount {
            let offset = index.littleEndian(at: slot * 5, count: 5)
            if offset == 0 || offset == 60 + 4 * slot { continue }
            guard offset >= 60 else {
                throw stream.failure(.outOfBounds, offset: 16 + slot * 5, expected: "at least 60", found: "\(offset)")
            }
            records.append(
                Record(
                    row: bundle.firstRow + slot % CompactBundle.side, column: bundle.firstColumn + slot / CompactBundle.side,
                    offset: offset, size: 0))
        }
        return records.sorted { $0.offset < $1.offset }
    }

    static func readV1(
        _ stream: EntryStream, _ bundle: BundleAddress, records: [Record], _ body: (StoredTile) throws(FormatError) -> Void
    ) throws(FormatError) {
        let header = try stream.read(60)
        try expect(stream, header, at: 0, 3)
        try expect(stream, header, at: 12, 5)
        let end = stream.entry.size ?? Int.max
        var last: (offset: Int, data: [UInt8])?
        for record in records {
            let address = TileAddress(level: bundle.level, row: record.row, column: record.column)
            if let (offset, data) = last, offset == record.offset {
                if !data.isEmpty { try body(StoredTile(address: address, data: data)) }
                continue
            }
            guard record.offset >= stream.position, record.offset + 4 <= end else {
                throw stream.failure(
                    .outOfBounds, offset: record.offset, expected: "\(stream.position)…\(end)", found: "\(record.offset)")
            }
            try stream.skip(to: record.offset)
            let size = try stream.read(4).littleEndian(at: 0, count: 4)
            guard record.offset + 4 + size <= end else {
                throw stream.failure(
                    .outOfBounds, offset: record.offset, expected: "at most \(end - record.offset - 4) bytes",
                    found: "\(size) bytes")
            }
            // The format would allow 4 GiB; no picture is that big, but a deflated one may claim to be.
            guard size <= Self.largestV1Tile else {
                throw stream.failure(
                    .tooLarge, offset: record.offset, expected: "at most \(Self.largestV1Tile) bytes", found: "\(size) bytes")
            }
            let data = try stream.read(size)
            last = (record.offset, data)
            if size > 0 { try body(StoredTile(address: address, data: data)) }
        }
    }

    /// A name whose numbers are no multiples of 128 would put every tile beside its place.
    private static func expectAligned(_ stream: EntryStream, _ bundle: BundleAddress) throws(FormatError) {
        guard bundle.firstRow % CompactBundle.side == 0, bundle.firstColumn % CompactBundle.side == 0 else {
            throw stream.failure(.unexpected, expected: "multiples of \(CompactBundle.side)", found: bundle.stem)
        }
    }

    private static func expect(_ stream: EntryStream, _ header: [UInt8], at offset: Int, _ value: Int) throws(FormatError) {
        let found = header.littleEndian(at: offset, count: 4)
        if found != value { throw stream.failure(.unexpected, offset: offset, expected: "\(value)", found: "\(found)") }
    }
}
