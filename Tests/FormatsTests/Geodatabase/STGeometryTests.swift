import Formats
import Geography
import Testing

/// Blobs worked out by hand from formats.md 3.5.
struct STGeometryTests {
    private let unit = STGeometryGrid(falseX: 0, falseY: 0, xyUnits: 1)

    /// 65 cells east (0x41: six bits 000001, then 1) and 3 south (sign bit 0x40 and 3) of the false origin.
    private let point: [UInt8] = [
        0x64, 0x11, 0x0F, 0x00, 1, 0, 0, 0, 0x04, 0x01, 3, 0, 0, 0, 1, 0, 0, 0, 0x81, 0x01, 0x43,
    ]

    @Test func aPointByHand() throws {
        let place = Coordinate(x: -20_037_700 + 0.0065, y: -30_241_100 - 0.0003)
        let shape = STGeometry.point(place, srid: 3857)
        #expect(try shape.encoded(grid: .webMercator) == point)
        let read = try STGeometry.decode(point, grid: .webMercator)
        #expect(read.srid == 3857)
        #expect(read.kind == .point)
        #expect(abs(read.parts[0][0].x - place.x) < 1e-7 && abs(read.parts[0][0].y - place.y) < 1e-7)
        #expect(STGeometry.srid(of: point) == 3857)
    }

    /// Two parts: the first has two points and the separator (−1, 0), so its count is 3 and the step to it is −2.
    private let twoPaths: [UInt8] = [
        0x64, 0xE6, 0x10, 0x00, 5, 0, 0, 0, 0x14, 0x44, 0x01, 0x03, 10, 0, 0, 0, 1, 0, 0, 0,
        0, 0, 1, 0, 0x42, 0, 6, 5, 1, 0,
    ]

    @Test func aLineOfTwoPartsByHand() throws {
        let paths = [[Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0)], [Coordinate(x: 5, y: 5), Coordinate(x: 6, y: 5)]]
        #expect(try STGeometry.line(paths, srid: 4326).encoded(grid: unit) == twoPaths)
        #expect(try STGeometry.decode(twoPaths, grid: unit).parts == paths)
    }

    @Test func garbageInTheLengthSlotIsSkipped() throws {
        var blob = twoPaths
        blob.replaceSubrange(13..<20, with: [0xAB, 0xCD, 0xEF, 1, 0x10, 0, 4])
        #expect(try STGeometry.decode(blob, grid: unit) == STGeometry.decode(twoPaths, grid: unit))
    }

    @Test(arguments: [(10, false), (11, true)])
    func theBoxComesWithTheEleventhPoint(count: Int, hasBox: Bool) throws {
        let path = (0..<count).map { Coordinate(x: Double($0), y: Double(-$0)) }
        let blob = try STGeometry.line([path], srid: 4326).encoded(grid: unit)
        // xmin 0, ymin −10 (0x4A), xmax 10, ymax 0.
        if hasBox { #expect(Array(blob[10..<14]) == [0, 0x4A, 10, 0]) }
        // Slot, flag word and two bytes a point remain.
        #expect(blob.count == 10 + (hasBox ? 4 : 0) + 8 + 2 * count)
        #expect(try STGeometry.decode(blob, grid: unit).parts == [path])
    }

    @Test func polygonsTurnAndKeepTheirHoles() throws {
        // Esri order: outer ring clockwise, hole counter-clockwise, then a second outer ring.
        let outer = [(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) }
        let hole = [(1, 1), (2, 1), (2, 2), (1, 2), (1, 1)].map { Coordinate(x: $0.0, y: $0.1) }
        let island = [(20, 0), (20, 5), (25, 5), (20, 0)].map { Coordinate(x: $0.0, y: $0.1) }
        let shape = STGeometry.polygon(Polygon(rings: [outer, hole, island]), srid: 4326)
        #expect(shape.parts == [Array(outer.reversed()) + hole.reversed(), Array(island.reversed())])
        let blob = try shape.encoded(grid: unit)
        #expect(blob[8] == 0x18 && blob[9] == 8 + 64)
        #expect(blob.littleEndianWord(at: 4) == 10 + 1 + 4)
        #expect(try STGeometry.decode(blob, grid: unit).polygon.rings == [outer, hole, island])
    }

    @Test func heightsFollowThePoints() throws {
        // Two points with Z: kind 0x14 + 2; heights 7 and 7 − 2.
        let blob: [UInt8] = [
            0x64, 0xE6, 0x10, 0, 2, 0, 0, 0, 0x16, 4, 6, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 7, 0x42,
        ]
        let shape = try STGeometry.decode(blob, grid: STGeometryGrid(falseX: 0, falseY: 0, xyUnits: 1, falseZ: 0, zUnits: 1))
        #expect(shape.kind == .line)
        #expect(shape.parts == [[Coordinate(x: 1, y: 1), Coordinate(x: 2, y: 2)]])
        #expect(shape.heights == [[7, 5]])
    }

    @Test func anEmptyShapeHasNoParts() throws {
        let blob: [UInt8] = [0x64, 0xE6, 0x10, 0, 0, 0, 0, 0, 0x18, 0, 0, 0, 0, 0, 1, 0, 0, 0]
        #expect(try STGeometry.decode(blob, grid: .degrees).parts.isEmpty)
    }

    @Test func brokenBlobsSayWhatIsWrong() {
        func error(_ change: (inout [UInt8]) -> Void) -> STGeometryError? {
            var blob = twoPaths
            change(&blob)
            do throws(STGeometryError) { _ = try STGeometry.decode(blob, grid: unit) } catch { return error }
            return nil
        }
        #expect(error { $0 = [] } == .truncated(offset: 0))
        #expect(error { $0[0] = 0x65 } == .notAGeometry(firstByte: 0x65))
        #expect(error { $0[8] = 0x15 } == .unknownKind(0x15))
        #expect(error { $0.removeLast() } == .wrongLength(stated: 10, present: 9))
        #expect(error { $0.append(0) } == .wrongLength(stated: 10, present: 11))
        #expect(error { $0[4] = 4 } == .wrongPointCount(4))
        #expect(error { $0[4] = 9 } == .wrongPointCount(9))
        #expect(error { $0[11] = 5 } == .wrongPartCounts)
        #expect(error { $0[11] = 2 } == .missingSeparator(part: 0))
        #expect(error { $0.replaceSubrange(20..., with: Array($0[20...].dropLast()) + [0x80]) } == .truncated(offset: 30))
    }

    @Test func whatDoesNotFitTheGridIsRefused() {
        #expect(throws: STGeometryError.coordinateOutOfRange) {
            try STGeometry.point(Coordinate(x: .nan, y: 0), srid: 1).encoded(grid: unit)
        }
        #expect(throws: STGeometryError.coordinateOutOfRange) {
            try STGeometry.point(Coordinate(x: 1e300, y: 0), srid: 1).encoded(grid: unit)
        }
        #expect(throws: STGeometryError.wrongPointCount(0)) { try STGeometry.line([], srid: 1).encoded(grid: unit) }
    }
}

extension [UInt8] {
    func littleEndianWord(at offset: Int) -> Int {
        Int(self[offset]) | Int(self[offset + 1]) << 8 | Int(self[offset + 2]) << 16 | Int(self[offset + 3]) << 24
    }
}
