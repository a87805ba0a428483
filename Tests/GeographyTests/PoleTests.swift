import Testing

@testable import Geography

@Suite("Areas at the poles")
struct PoleTests {
    private let north = SpatialReference(wkid: 3413)
    private let south = SpatialReference(wkid: 3031)

    private func square(_ half: Double) -> Polygon { Polygon(Envelope(xmin: -half, ymin: -half, xmax: half, ymax: half)) }

    @Test("an envelope over a pole ends at it")
    func clamped() throws {
        let fit = try AreaShape.envelope(Envelope(xmin: 0, ymin: 80, xmax: 10, ymax: 95)).fitted(in: .wgs84)
        #expect(fit.isClamped && fit.shape == .envelope(Envelope(xmin: 0, ymin: 80, xmax: 10, ymax: 90)))
        let world = 20037508.342789244
        let metres = try AreaShape.envelope(Envelope(xmin: 0, ymin: 1.9e7, xmax: 10, ymax: 2.1e7)).fitted(in: .webMercator)
        #expect(metres.isClamped && metres.shape.envelope?.ymax == world)
    }

    @Test("a shape around a pole is all longitudes, up to the pole")
    func around() throws {
        let degrees = try Projection.project(square(1_000_000), from: north, to: .wgs84)
        let area = try PreparedArea(.polygon(degrees))
        // Half a side is 1,000 km, about 9°; the corners are 1,414 km away.
        #expect(area.contains(Envelope(xmin: -180, ymin: 82, xmax: 180, ymax: 90)))
        #expect(!area.intersects(Coordinate(x: 0, y: 76)))
        #expect(!degrees.isSplit(in: .degrees))
        let antarctic = try PreparedArea(.polygon(try Projection.project(square(1_000_000), from: south, to: .wgs84)))
        #expect(antarctic.contains(Envelope(xmin: -180, ymin: -90, xmax: 180, ymax: -82)))
        #expect(!antarctic.intersects(Coordinate(x: 0, y: 85)))
    }

    @Test("a hole around the pole stays a hole")
    func hole() throws {
        let ring = Polygon(rings: [square(2_000_000).rings[0], square(500_000).rings[0].reversed()])
        let area = try PreparedArea(.polygon(try Projection.project(ring, from: north, to: .wgs84)))
        for longitude in [-179.0, -60, 0, 60, 179] {
            #expect(!area.intersects(Coordinate(x: longitude, y: 89)))
            #expect(area.intersects(Coordinate(x: longitude, y: 80)))
        }
    }

    @Test("in Web Mercator it is cut at 85.0511°")
    func webMercator() throws {
        let metres = try Projection.project(square(1_500_000), from: north, to: .webMercator)
        let box = try #require(metres.envelope)
        let world = Envelope.webMercatorWorld
        #expect(abs(box.xmin - world.xmin) < 0.001 && abs(box.xmax - world.xmax) < 0.001 && abs(box.ymax - world.ymax) < 0.001)
        #expect(metres.isValid)
        #expect(throws: GeographyError.beyondWebMercator) {
            try Projection.project(square(100_000), from: north, to: .webMercator)
        }
        let arctic = AreaShape.polygon(Polygon(Envelope(xmin: 0, ymin: 80, xmax: 10, ymax: 89)))
        #expect(abs((try Projection.project(arctic, from: .wgs84, to: .webMercator).envelope?.ymax ?? 0) - world.ymax) < 0.001)
    }

    @Test("a ring in degrees that goes around a pole is closed over it")
    func ringAround() throws {
        // Turns from 170° E to 170° W, as a coast of Antarctica may be written.
        let coast = ring([(-170, -70), (-90, -70), (0, -70), (90, -70), (170, -70)])
        let fit = try AreaShape.polygon(Polygon(rings: [coast])).fitted(in: .wgs84)
        #expect(abs(fit.shape.polygon.area - 360 * 20) < 1e-6)
        #expect(try PreparedArea(fit.shape).intersects(Coordinate(x: 180, y: -89)))
        #expect(!fit.isSplit)
    }

    /// 0.001° are 111.7 m: a circle of 1,000 m around reaches 888.3 m, so 0.00795°, beyond the pole.
    @Test("a buffer over a pole")
    func buffer() throws {
        let shape = try AreaShape(around: [[Coordinate(x: 0, y: 89.999)]], metres: 1000, in: .wgs84)
        let area = try PreparedArea(shape)
        #expect(area.intersects(Coordinate(x: 0, y: 90)))
        #expect(area.intersects(Coordinate(x: 179.9, y: 89.9921)) && !area.intersects(Coordinate(x: 179.9, y: 89.9919)))
        #expect(area.intersects(Coordinate(x: 0, y: 89.9902)) && !area.intersects(Coordinate(x: 0, y: 89.9899)))
        #expect(area.intersects(Coordinate(x: -90, y: 89.9915)))
        // An envelope near a pole is no envelope any more.
        let box = AreaShape.envelope(Envelope(xmin: 0, ymin: 89.5, xmax: 10, ymax: 89.999))
        guard case .polygon(let grown) = try box.buffered(metres: 1000, in: .wgs84) else {
            Issue.record("the buffer of a box near a pole follows the box")
            return
        }
        let around = try PreparedArea(.polygon(grown))
        #expect(around.intersects(Coordinate(x: 180, y: 89.995)) && !around.intersects(Coordinate(x: 180, y: 89.9)))
    }
}
