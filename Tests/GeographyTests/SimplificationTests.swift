import Basics
import TestSupport
import Testing

@testable import Geography

@Suite("Simplifying outward")
struct SimplificationTests {
    /// A star of many corners in degrees, with a hole, around a place.
    private func star(_ seed: UInt64, corners: Int, around center: Coordinate) -> Polygon {
        var random = SplitMix(seed: seed)
        func ring(_ radius: Double) -> [Coordinate] {
            let places = (0..<corners).map { index in
                let angle = -2 * Double.pi * Double(index) / Double(corners)
                let reach = radius * (0.9 + 0.1 * random.unit())
                return Coordinate(x: center.x + reach * cosine(angle), y: center.y + reach * sine(angle))
            }
            return places + places.prefix(1)
        }
        return Polygon(rings: [ring(0.1), ring(0.02).reversed()])
    }

    private func covers(_ outer: Polygon, _ inner: Polygon) throws -> Bool {
        let session = GEOSSession()
        let valid = inner.isValid ? inner : try inner.makeValid()
        return try session.covers(try session.polygon(outer), try session.polygon(valid))
    }

    @Test("covers the original, has fewer vertices, and grows by no more than the strip around it", arguments: 1...20)
    func properties(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed &* 77)
        let center = Coordinate(x: 340 * random.unit() - 170, y: 140 * random.unit() - 70)
        let reference = [SpatialReference.wgs84, .webMercator, SpatialReference(wkid: 4258)][Int(seed % 3)]
        let metres = 20 + 200 * random.unit()
        let original = try Projection.project(star(seed, corners: 400, around: center), from: .wgs84, to: reference)
        let simple = try original.simplifiedOutward(metres: metres, in: reference)
        #expect(try covers(simple, original))
        #expect(simple.vertexCount < original.vertexCount)
        #expect(simple.isValid && simple.area > original.area)
        #expect(simple.parts.allSatisfy { $0.outer.isClockwise && $0.holes.allSatisfy { !$0.isClockwise } })
        let strip = try AreaShape.polygon(original).buffered(metres: metres * 1.01, in: reference).polygon
        #expect(try covers(strip, simple))
    }

    /// 20,000 vertices around a circle of 10 km. By hand: a chord that bulges by 2.25 m of a radius of 10,002 m is 424 m long, so about
    /// 150 remain; the area grows by a strip of at most 5 m: 0.1 %.
    @Test("twenty thousand vertices")
    func many() throws {
        let corners = (0..<20_000).map { index in
            let angle = -2 * Double.pi * Double(index) / 20_000
            return Coordinate(x: 500_000 + 10_000 * cosine(angle), y: 5_500_000 + 10_000 * sine(angle))
        }
        let polygon = Polygon(rings: [corners + corners.prefix(1)])
        let zone = SpatialReference(wkid: 25832)
        let simple = try polygon.simplifiedOutward(metres: 5, in: zone)
        #expect((100...300).contains(simple.vertexCount))
        #expect(try covers(simple, polygon))
        #expect((0...0.00101).contains(simple.area / polygon.area - 1))
    }

    @Test("another library agrees that it covers", .enabled(if: PythonJudge.isAvailable))
    func shapely() throws {
        let original = star(5, corners: 3000, around: Coordinate(x: 10, y: 60))
        let simple = try original.simplifiedOutward(metres: 50, in: .wgs84)
        let folder = try TemporaryFolder()
        for (name, polygon) in [("a", original), ("b", simple)] {
            let rings: JSON = .array(polygon.rings.map { .array($0.map { [.number($0.x), .number($0.y)] }) })
            try Files.writeAtomically(Array(rings.serialized().utf8), to: folder.file(name))
        }
        let verdict = try PythonJudge.run(
            """
            import json, sys
            from shapely.geometry import Polygon
            a, b = (Polygon(r[0], r[1:]) for r in (json.load(open(sys.argv[1] + "/" + n)) for n in "ab"))
            print(b.covers(a), b.is_valid)
            """, [folder.path])
        #expect(verdict.output.split(whereSeparator: \.isWhitespace) == ["True", "True"], "\(verdict.errors)")
    }

    @Test("nothing to gain leaves it as it is, and the edge of the world holds")
    func bounds() throws {
        let box = Polygon(Envelope(xmin: 0, ymin: 0, xmax: 1, ymax: 1))
        #expect(try box.simplifiedOutward(metres: 5, in: .wgs84) == box)
        #expect(try box.simplifiedOutward(metres: 0, in: .wgs84) == box)
        var random = SplitMix(seed: 9)
        let coast = (0...300).map { Coordinate(x: 179 - 0.01 * random.unit(), y: -17 + Double($0) / 300) }
        let strip = Polygon(rings: [coast + [Coordinate(x: 180, y: -16), Coordinate(x: 180, y: -17)] + coast.prefix(1)])
        let simple = try strip.simplifiedOutward(metres: 500, in: .wgs84)
        #expect(simple.vertexCount < strip.vertexCount && simple.envelope?.xmax == 180)
        #expect(try covers(simple, strip))
    }
}
