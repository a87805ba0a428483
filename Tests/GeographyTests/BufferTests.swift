import Basics
import TestSupport
import Testing

@testable import Geography

@Suite struct BufferTests {
    private let box = Envelope(xmin: 10, ymin: 60, xmax: 10.1, ymax: 60.1)

    /// Cases C12 and D20, for the box as such and by its polygon, in degrees and in Web Mercator.
    @Test(arguments: [true, false], [SpatialReference.wgs84, .webMercator])
    func thousandMetresAtSixtyDegreesNorth(asEnvelope: Bool, reference: SpatialReference) throws {
        let shape = try Projection.project(
            asEnvelope ? .envelope(box) : .polygon(Polygon(box)), from: .wgs84, to: reference)
        let grown = try shape.buffered(metres: 1000, in: reference)
        let grownBox = try #require(grown.envelope)
        let degrees = try Projection.project(grownBox, from: reference, to: .wgs84)
        #expect(abs(60 - degrees.ymin - 0.00898) < 0.00898 * 0.01)
        #expect((0.0178...0.0184).contains(10 - degrees.xmin))
        #expect((0.0178...0.0184).contains(degrees.xmax - 10.1))
        if asEnvelope { #expect(grown == .envelope(grownBox)) }
    }

    @Test(.enabled(if: PythonJudge.isAvailable, .init(rawValue: PythonJudge.skipReason)))
    func edgesOfABoxMoveByAtLeastTheDistance() throws {
        guard case .envelope(let grown) = try AreaShape.envelope(box).buffered(metres: 1000, in: .wgs84) else {
            Issue.record("an envelope stays an envelope")
            return
        }
        let script = """
            import sys
            from pyproj import Geod
            g = Geod(ellps="WGS84")
            a = [float(v) for v in sys.argv[1:5]]; b = [float(v) for v in sys.argv[5:9]]
            for lat in (a[1], (a[1]+a[3])/2, a[3]):
                print(g.inv(a[0], lat, b[0], lat)[2], g.inv(a[2], lat, b[2], lat)[2])
            print(g.inv(a[0], a[1], a[0], b[1])[2], g.inv(a[0], a[3], a[0], b[3])[2])
            """
        let verdict = try PythonJudge.run(
            script, [box.xmin, box.ymin, box.xmax, box.ymax, grown.xmin, grown.ymin, grown.xmax, grown.ymax].map { "\($0)" })
        let distances = verdict.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        #expect(distances.count == 8, "\(verdict.errors)")
        for distance in distances { #expect((999.9...1010).contains(distance)) }
    }

    /// The judge buffers the same polygon with shapely in its own azimuthal equidistant projection, and measures every vertex
    /// of ours on the ellipsoid.
    @Test(
        .enabled(if: PythonJudge.isAvailable, .init(rawValue: PythonJudge.skipReason)),
        arguments: [SpatialReference.wgs84, .webMercator, SpatialReference(wkid: 102671, latestWkid: 3435)], [1500.0, -300])
    func polygonAgreesWithShapely(reference: SpatialReference, metres: Double) throws {
        let degrees = Polygon(rings: [
            ring([(-88.2, 41.7), (-88.2, 41.8), (-88.1, 41.85), (-88.05, 41.75), (-88.2, 41.7)]),
            ring([(-88.15, 41.75), (-88.12, 41.75), (-88.12, 41.78), (-88.15, 41.78), (-88.15, 41.75)]),
        ])
        let shape = AreaShape.polygon(try Projection.project(degrees, from: .wgs84, to: reference))
        let grown = try shape.buffered(metres: metres, in: reference)
        let back = try Projection.project(grown.polygon, from: reference, to: .wgs84)
        #expect(back.rings[0].isClockwise)
        // 1,500 m from all sides close most of the hole (2.5 by 3.3 km), 300 m of shrinking widen it.
        #expect(back.rings.dropFirst().allSatisfy { !$0.isClockwise })
        #expect(back.rings.count == (metres > 0 ? 1 : 2))
        let folder = try TemporaryFolder()
        for (name, polygon) in [("input", degrees), ("ours", back)] {
            let json = AreaShape.polygon(polygon).esriJSON().serialized()
            try Files.writeAtomically(Array(json.utf8), to: folder.file(name))
        }
        let script = """
            import json, sys
            import pyproj
            from shapely.geometry import Polygon
            from shapely.ops import transform
            def read(name):
                rings = json.load(open(sys.argv[1] + "/" + name))["rings"]
                return Polygon(rings[0], rings[1:])
            local = pyproj.CRS.from_proj4("+proj=aeqd +lat_0=41.77 +lon_0=-88.13 +datum=WGS84 +units=m")
            to = pyproj.Transformer.from_crs("EPSG:4326", local, always_xy=True).transform
            truth = transform(to, read("input")).buffer(float(sys.argv[2]), quad_segs=64)
            ours = transform(to, read("ours"))
            print(truth.symmetric_difference(ours).area / truth.area, ours.is_valid)
            """
        let verdict = try PythonJudge.run(script, [folder.path, "\(metres)"])
        let words = verdict.output.split(whereSeparator: \.isWhitespace)
        try #require(words.count == 2, "\(verdict.errors)")
        #expect(try #require(Double(words[0])) < 0.001)
        #expect(words[1] == "True")
    }

    /// A box that reaches over the antimeridian by its buffer: 1,000 m are 0.0094° of longitude at 17° S.
    @Test(arguments: [true, false])
    func acrossTheAntimeridian(asEnvelope: Bool) throws {
        let fiji = Envelope(xmin: 179.5, ymin: -17, xmax: 179.999, ymax: -16)
        let shape = asEnvelope ? AreaShape.envelope(fiji) : .polygon(Polygon(fiji))
        let grown = try shape.buffered(metres: 1000, in: .wgs84)
        #expect(try grown.isSplit(in: .wgs84) && grown.polygon.parts.count == 2)
        let box = try #require(try grown.extent(from: .wgs84, to: .wgs84))
        #expect(abs(box.xmin - (179.5 - 0.0094)) < 0.0001 && abs(box.xmax - (179.999 + 0.0094)) < 0.0001)
        let metres = try Projection.project(shape, from: .wgs84, to: .webMercator).buffered(metres: 1000, in: .webMercator)
        #expect(try metres.isSplit(in: .webMercator))
    }

    @Test func refusalsAreTyped() {
        for shape in [AreaShape.envelope(box), .polygon(Polygon(box))] {
            #expect(throws: GeographyError.empty) { try shape.buffered(metres: -6000, in: .wgs84) }
        }
    }

    @Test func noMetresChangeNothing() throws {
        #expect(try AreaShape.envelope(box).buffered(metres: 0, in: .wgs84) == .envelope(box))
    }
}
