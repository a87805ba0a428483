import Basics
import Testing

@testable import Geography

@Suite struct ShapeTests {
    private let square = ring([(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)])
    private let hole = ring([(2, 2), (8, 2), (8, 8), (2, 8), (2, 2)])
    private let island = ring([(4, 4), (4, 6), (6, 6), (6, 4), (4, 4)])

    @Test func orientationAndArea() {
        #expect(square.isClockwise && square.signedArea == -100)
        #expect(!hole.isClockwise && hole.signedArea == 36)
        #expect(Polygon(rings: [square, hole, island]).area == 100 - 36 + 4)
    }

    @Test func holesFindTheSmallestRingAround() {
        let polygon = Polygon(rings: [island, hole, square])
        #expect(polygon.parts == [.init(outer: square, holes: [hole]), .init(outer: island, holes: [])])
        #expect(polygon.orientedEsri().rings == [square, hole, island])
    }

    @Test func aHoleMayTouchItsRing() {
        let touching = ring([(0, 0), (5, 2), (8, 8), (2, 5), (0, 0)])
        #expect(Polygon(rings: [square, touching]).parts == [.init(outer: square, holes: [touching])])
        let beside = ring([(10, 0), (20, 0), (20, 10), (10, 10), (10, 0)])
        #expect(Polygon(rings: [square, beside]).parts.count == 2, "what lies in no ring is no hole")
    }

    @Test func withoutClockwiseRingsNestingDecides() {
        let careless = Polygon(rings: [square.reversed(), hole, island.reversed()])
        #expect(careless.orientedEsri().rings == [square, hole, island])
    }

    @Test func unclosedRingsAreClosed() {
        #expect(Polygon(rings: [Array(square.dropLast())]).orientedEsri().rings == [square])
    }

    @Test func aBowTieBecomesTwoTriangles() throws {
        // Both halves weigh the same, so its signed area is 0.
        let bowTie = Polygon(rings: [ring([(0, 0), (10, 10), (10, 0), (0, 10), (0, 0)])])
        #expect(!bowTie.isValid)
        #expect(try bowTie.makeValid().area == 50)
        #expect(Polygon(rings: [square, hole]).isValid)
        let lopsided = Polygon(rings: [ring([(0, 0), (10, 10), (10, 2), (0, 8), (0, 0)])])
        #expect(!lopsided.isValid)
        let valid = try lopsided.makeValid()
        #expect(valid.isValid && valid.rings.count == 2)
        #expect(throws: GeographyError.empty) { try Polygon(rings: [ring([(0, 0), (5, 5), (0, 0)])]).makeValid() }
    }

    @Test func overlappingPartsAreUnited() throws {
        let other = ring([(5, 5), (5, 15), (15, 15), (15, 5), (5, 5)])
        let valid = try Polygon(rings: [square, other]).makeValid()
        #expect(valid.rings.count == 1)
        #expect(valid.area == 175)
    }

    @Test func esriJSONIsShortAndStable() throws {
        let degrees = AreaShape.envelope(Envelope(xmin: -88.16, ymin: 41.765000000000001, xmax: -88.14, ymax: 0.1 + 0.2))
        #expect(degrees.esriJSON().serialized() == #"{"xmin":-88.16,"ymin":41.765,"xmax":-88.14,"ymax":0.3}"#)
        let metres = AreaShape.polygon(
            Polygon(rings: [
                ring([
                    (-9813798.312345678, 5_125_000), (-9813700.00004, 5125100.5), (-0.00001, 1), (-9813798.312345678, 5_125_000),
                ])
            ]))
        #expect(
            metres.esriJSON(spatialReference: .webMercator).serialized()
                == #"{"rings":[[[-9813798.3123,5125000],[-9813700,5125100.5],[0,1],[-9813798.3123,5125000]]],"#
                + #""spatialReference":{"wkid":102100,"latestWkid":3857}}"#)
    }

    @Test func esriJSONReadsBack() throws {
        let text = #"{"rings":[[[0,0,5],[0,"10",5],[10,1e1,5],[10,0,5],[0,0,5]]],"hasZ":true,"spatialReference":{"wkid":4326}}"#
        #expect(AreaShape(esriJSON: try JSON.parse(text)) == .polygon(Polygon(rings: [square])))
        #expect(
            AreaShape(esriJSON: ["xmin": 5, "ymin": 1, "xmax": "2", "ymax": 3])
                == .envelope(Envelope(xmin: 2, ymin: 1, xmax: 5, ymax: 3)))
        for text in [#"{"x":1,"y":2}"#, #"{"rings":[]}"#, #"{"rings":[[[0,"NaN"]]]}"#, #"{"xmin":1}"#, "null"] {
            #expect(AreaShape(esriJSON: try JSON.parse(text)) == nil)
        }
    }
}

@Suite struct PreparedAreaTests {
    private let ell = Polygon(rings: [ring([(0, 0), (0, 10), (4, 10), (4, 4), (10, 4), (10, 0), (0, 0)])])

    @Test func polygonQuestions() throws {
        let area = try PreparedArea(.polygon(ell))
        #expect(area.intersects(Coordinate(x: 2, y: 8)))
        #expect(area.intersects(Coordinate(x: 4, y: 7)), "the border belongs to the area")
        #expect(!area.intersects(Coordinate(x: 7, y: 7)), "in the box, not in the area")
        #expect(area.intersects(Envelope(xmin: 3, ymin: 3, xmax: 20, ymax: 20)))
        #expect(!area.intersects(Envelope(xmin: 5, ymin: 5, xmax: 9, ymax: 9)))
        #expect(!area.intersects(Envelope(xmin: 7, ymin: 7, xmax: 7, ymax: 7)))
        #expect(area.contains(Envelope(xmin: 0, ymin: 0, xmax: 4, ymax: 10)))
        #expect(!area.contains(Envelope(xmin: 0, ymin: 0, xmax: 5, ymax: 5)))
        #expect(area.intersects(paths: [[Coordinate(x: 5, y: 8), Coordinate(x: 8, y: 3)]]))
        #expect(!area.intersects(paths: [[Coordinate(x: 5, y: 8), Coordinate(x: 8, y: 6)]]))
        #expect(area.intersects(paths: [[Coordinate(x: 50, y: 80)], [Coordinate(x: 1, y: 1)]]))
        #expect(area.intersects(Polygon(rings: [ring([(4, 4), (4, 12), (12, 12), (12, 4), (4, 4)])])), "touching counts")
        #expect(!area.intersects(Polygon(rings: [ring([(5, 5), (5, 12), (12, 12), (12, 5), (5, 5)])])))
    }

    @Test func envelopeQuestions() throws {
        let area = try PreparedArea(.envelope(Envelope(xmin: 0, ymin: 0, xmax: 10, ymax: 10)))
        #expect(area.intersects(Coordinate(x: 10, y: 10)))
        #expect(area.contains(Envelope(xmin: 0, ymin: 0, xmax: 10, ymax: 10)))
        #expect(area.intersects(paths: [[Coordinate(x: -5, y: 5), Coordinate(x: 5, y: -4)]]))
        #expect(!area.intersects(paths: [[Coordinate(x: -5, y: 5), Coordinate(x: 5, y: -6)]]))
        #expect(!area.intersects(Polygon(rings: [ring([(-1, 11), (11, 11), (11, -1), (30, 30), (-1, 11)])])))
    }

    @Test func damagedAreasAreMendedAndEmptyOnesRefused() throws {
        let lopsided = Polygon(rings: [ring([(0, 0), (10, 10), (10, 2), (0, 8), (0, 0)])])
        let area = try PreparedArea(.polygon(lopsided))
        #expect(area.intersects(Coordinate(x: 1, y: 4)) && area.intersects(Coordinate(x: 9, y: 5)))
        #expect(!area.intersects(Coordinate(x: 5, y: 1)))
        #expect(throws: GeographyError.empty) { try PreparedArea(.polygon(Polygon(rings: []))) }
    }

    @Test func severalThreadsMayAsk() async throws {
        let area = try PreparedArea(.polygon(ell))
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<50 {
                group.addTask { area.intersects(Coordinate(x: 2, y: Double(index % 10))) }
            }
            for await inside in group { #expect(inside) }
        }
    }
}
