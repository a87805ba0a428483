import Basics
import TestSupport
import Testing

@testable import Geography

/// Places and lines with a buffer; the judge measures every distance on the WGS 84 ellipsoid with pyproj.
@Suite("Places and lines")
struct GroundBufferTests {
    /// Distances from every vertex of `shape`'s border to the nearest of densely sampled places: the least and the most, and the
    /// geodesic area in square metres.
    private func measured(_ shape: AreaShape, from paths: [[Coordinate]]) throws -> (least: Double, most: Double, area: Double) {
        let folder = try TemporaryFolder()
        let polygon = shape.polygon
        let document: JSON = [
            "rings": .array(polygon.rings.map { .array($0.map { [.number($0.x), .number($0.y)] }) }),
            "paths": .array(paths.map { .array($0.map { [.number($0.x), .number($0.y)] }) }),
        ]
        try Files.writeAtomically(Array(document.serialized().utf8), to: folder.file("in"))
        let verdict = try PythonJudge.run(
            """
            import json, sys
            import numpy as np
            from pyproj import Geod
            g = Geod(ellps="WGS84")
            d = json.load(open(sys.argv[1]))
            samples = []
            for path in d["paths"]:
                samples.append(path[0])
                for (a, b), (c, e) in zip(path, path[1:]):
                    samples += [[a + (c - a) * i / 4000, b + (e - b) * i / 4000] for i in range(1, 4001)]
            s = np.array(samples)
            # The cut along the antimeridian is no border.
            v = [p for ring in d["rings"] for p in ring[:-1] if abs(abs(p[0]) - 180) > 1e-9 and abs(p[1]) < 90]
            v = v[::max(1, len(v) // 300)]
            far = [g.inv(np.full(len(s), x), np.full(len(s), y), s[:, 0], s[:, 1])[2].min() for x, y in v]
            area = -sum(g.polygon_area_perimeter([p[0] for p in r], [p[1] for p in r])[0] for r in d["rings"])
            print(min(far), max(far), area)
            """, [folder.file("in")])
        let numbers = verdict.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(numbers.count == 3, "\(verdict.errors)")
        return (numbers[0], numbers[1], numbers[2])
    }

    /// Case D20: 1,000 m at 60° N are 0.00898° of latitude and 0.0179° of longitude.
    @Test(arguments: [SpatialReference.wgs84, .webMercator, SpatialReference(wkid: 25832)])
    func thousandMetresAroundAPlaceAtSixtyNorth(reference: SpatialReference) throws {
        let place = try Projection.project(Coordinate(x: 10, y: 60), from: .wgs84, to: reference)
        let shape = try AreaShape(around: [[place]], metres: 1000, in: reference)
        let box = try #require(try shape.extent(from: reference, to: .wgs84))
        #expect(abs(60 - box.ymin - 0.00898) < 0.00898 * 0.01)
        #expect((0.0178...0.0182).contains(10 - box.xmin) && (0.0178...0.0182).contains(box.xmax - 10))
        #expect(shape.polygon.rings.count == 1 && shape.polygon.rings[0].isClockwise)
    }

    @Test(
        "a circle has its area and radius everywhere", .enabled(if: PythonJudge.isAvailable),
        arguments: [(10.0, 60.0), (179.999, -17), (-180, 0), (0, 89.999), (25, -89), (-88.15, 41.77)])
    func circles(_ longitude: Double, _ latitude: Double) throws {
        let place = Coordinate(x: longitude, y: latitude)
        let shape = try AreaShape(around: [[place]], metres: 1000, in: .wgs84)
        let found = try measured(shape, from: [[place]])
        #expect((999.0...1001).contains(found.least) && (999.0...1001).contains(found.most))
        // A polygon of 64 corners has 0.9984 of its circle.
        #expect(abs(found.area / (Double.pi * 1e6) - 0.9984) < 0.001)
        #expect(try shape.isSplit(in: .wgs84) == (longitude.magnitude > 179))
    }

    @Test(
        "a line keeps its distance over its whole length", .enabled(if: PythonJudge.isAvailable),
        arguments: [
            // Along the parallel of 60° N, 2,230 km; from Suva to Apia, 1,150 km across the antimeridian; down a meridian, 4,400 km.
            [(0.0, 60.0), (40, 60)], [(178.4, -18.1), (188.2, -13.8)], [(20.0, 35.0), (20, 75)],
        ])
    func longLines(_ corners: [(Double, Double)]) throws {
        let path = ring(corners)
        let shape = try AreaShape(around: [path], metres: 5000, in: .wgs84)
        #expect(shape.polygon.isValid)
        let found = try measured(shape, from: [path])
        #expect((4950.0...5050).contains(found.least) && (4950.0...5050).contains(found.most), "\(found)")
    }

    @Test("many places: near ones in one part, far ones in their own")
    func places() throws {
        let places = [(0.0, 0.0), (0.01, 0), (100, 0), (-100, 0)].map { [Coordinate(x: $0.0, y: $0.1)] }
        let polygon = try AreaShape(around: places, metres: 1000, in: .wgs84).polygon
        #expect(polygon.parts.count == 3 && polygon.rings.allSatisfy(\.isClockwise))
    }

    /// The judge's buffer of each border point is at most 0.4 % off at the edge of a local projection.
    @Test("a polygon too wide for one local projection", .enabled(if: PythonJudge.isAvailable))
    func widePolygon() throws {
        let country = Envelope(xmin: -120, ymin: 30, xmax: -70, ymax: 50)
        let grown = try AreaShape.polygon(Polygon(country)).buffered(metres: 10_000, in: .wgs84)
        let found = try measured(grown, from: [country.ring])
        #expect((9900.0...10_100).contains(found.least) && (9900.0...10_100).contains(found.most), "\(found)")
        #expect(grown.polygon.rings.count == 1)
        #expect(throws: GeographyError.self) { try AreaShape.polygon(Polygon(country)).buffered(metres: -1, in: .wgs84) }
    }

    @Test("holes vanish, islands in lakes stay")
    func holes() throws {
        // 20 km around a lake of 4 km around an island of 1 km, at the equator.
        func square(_ half: Double) -> [Coordinate] { Envelope(xmin: -half, ymin: -half, xmax: half, ymax: half).ring }
        let nested = Polygon(rings: [square(0.1), square(0.02).reversed(), square(0.005)])
        let narrowed = try AreaShape.polygon(nested).buffered(metres: 500, in: .wgs84).polygon
        #expect(narrowed.parts.map(\.holes.count).sorted() == [0, 1] && narrowed.isValid)
        let filled = try AreaShape.polygon(nested).buffered(metres: 1500, in: .wgs84).polygon
        #expect(filled.parts.map(\.holes.count) == [0])
        #expect((narrowed.rings + filled.rings).filter { !$0.isClockwise }.count == 1)
    }

    @Test func typedRefusals() {
        #expect(throws: GeographyError.needsBuffer) {
            try AreaShape(around: [[Coordinate(x: 0, y: 0)]], metres: 0, in: .wgs84)
        }
        #expect(throws: GeographyError.tooLarge(radius: 2_000_000)) {
            try AreaShape(around: [[Coordinate(x: 0, y: 0)]], metres: 2_000_000, in: .wgs84)
        }
    }
}
