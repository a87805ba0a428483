import Basics
import TestSupport
import Testing

@testable import Geography

@Suite struct ProjectionTests {
    private let naperville = Coordinate(x: -88.15, y: 41.77)

    /// `cs2cs` of proj-bin; it takes latitude first, as EPSG:4326 has it.
    private func cs2cs(_ place: Coordinate, to target: String) throws -> Coordinate {
        let input = try TemporaryFolder()
        try Files.writeAtomically(Array("\(place.y) \(place.x)\n".utf8), to: input.file("in"))
        let verdict = try Command.run("cs2cs", ["-f", "%.6f", "EPSG:4326", "+to", target, input.file("in")])
        let numbers = verdict.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(numbers.count >= 2, "\(verdict.errors)")
        return Coordinate(x: numbers[0], y: numbers[1])
    }

    @Test(
        .enabled(if: Files.exists("/usr/bin/cs2cs"), "needs cs2cs: apt install proj-bin"),
        arguments: [
            (SpatialReference(wkid: 102671), "ESRI:102671"), (SpatialReference(wkid: 102671, latestWkid: 3435), "ESRI:102671"),
            (SpatialReference(wkid: 26971), "EPSG:26971"), (.webMercator, "EPSG:3857"),
            (SpatialReference(wkid: 25832), "EPSG:25832"),
            (SpatialReference(wkid: 54030), "ESRI:54030"),
        ])
    func agreesWithCs2cs(reference: SpatialReference, name: String) throws {
        for place in [naperville, Coordinate(x: -87.5, y: 39.1)] {
            let ours = try Projection.project(place, from: .wgs84, to: reference)
            #expect(ours.isNear(try cs2cs(place, to: name), 2e-3))
            #expect(try Projection.project(ours, from: reference, to: .wgs84).isNear(place, 1e-9))
        }
    }

    /// By hand: x = 6378137 · λ, y = 6378137 · asinh(tan φ).
    @Test func webMercatorByHand() throws {
        let place = try Projection.project(Coordinate(x: 180, y: 85.0511287798066), from: .wgs84, to: .webMercator)
        #expect(place.isNear(Coordinate(x: 20037508.342789, y: 20037508.342789), 1e-5))
        #expect(
            try Projection.project(place, from: .webMercator, to: .wgs84).isNear(Coordinate(x: 180, y: 85.0511287798066), 1e-11))
        #expect(
            try Projection.project(Coordinate(x: 0, y: 0), from: .wgs84, to: SpatialReference(wkid: 900913)).isNear(
                .init(x: 0, y: 0), 1e-9))
    }

    @Test func axesAreEastThenNorthAlsoForTextDefinitions() throws {
        let wkt = SpatialReference(
            wkt: """
                GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],\
                UNIT["Degree",0.0174532925199433]]
                """)
        #expect(try Projection.project(naperville, from: wkt, to: SpatialReference(wkid: 4258)).isNear(naperville, 1e-4))
        #expect(try Projection.isGeographic(wkt))
        #expect(try !Projection.isGeographic(SpatialReference(wkid: 102671)))
    }

    @Test func unknownSystemsAndPlacesWithoutImageAreTyped() {
        let unknown = SpatialReference(wkid: 999_999)
        #expect(throws: GeographyError.unknownSpatialReference(unknown)) {
            try Projection.project(naperville, from: .wgs84, to: unknown)
        }
        #expect(throws: GeographyError.unknownSpatialReference(SpatialReference(wkt: "nonsense"))) {
            try Projection.project(naperville, from: SpatialReference(wkt: "nonsense"), to: .wgs84)
        }
        // PROJ tells this to its log only.
        let mars = GeographyError.transformFailed("Source and target ellipsoid do not belong to the same celestial body")
        #expect(throws: mars) { try Projection.project(naperville, from: .wgs84, to: SpatialReference(wkid: 104971)) }
        let pole = Coordinate(x: 0, y: 90)
        #expect(throws: GeographyError.outsideDomain(pole)) { try Projection.project(pole, from: .wgs84, to: .webMercator) }
        let beyond = Coordinate(x: 10, y: 95)
        #expect(throws: GeographyError.outsideDomain(beyond)) {
            try Projection.project(beyond, from: .wgs84, to: SpatialReference(wkid: 25832))
        }
        #expect(throws: GeographyError.notFinite) {
            try Projection.project(Coordinate(x: .nan, y: 0), from: .wgs84, to: .webMercator)
        }
    }

    @Test func boxesStayExactBetweenDegreesAndWebMercator() throws {
        let box = Envelope(xmin: -88.16, ymin: 41.765, xmax: -88.14, ymax: 41.78)
        guard case .envelope(let metres) = try Projection.project(.envelope(box), from: .wgs84, to: .webMercator) else {
            Issue.record("an envelope stays an envelope")
            return
        }
        let corner = try Projection.project(Coordinate(x: box.xmin, y: box.ymin), from: .wgs84, to: .webMercator)
        #expect(Coordinate(x: metres.xmin, y: metres.ymin) == corner)
        let polygon = try Projection.project(Polygon(box), from: .wgs84, to: .webMercator)
        #expect(polygon == Polygon(metres))
    }

    @Test func theWholeEarthIsCutAtTheSquareWorld() throws {
        let world = try Projection.project(Envelope.wgs84World, from: .wgs84, to: .webMercator)
        #expect(abs(world.ymax - 20037508.342787) < 0.01 && abs(world.ymin + 20037508.342787) < 0.01)
    }

    @Test func aBoxBesideTheSquareWorldHasNoImage() {
        let arctic = Envelope(xmin: 0, ymin: 86, xmax: 10, ymax: 89)
        #expect(throws: GeographyError.beyondWebMercator) {
            try Projection.project(arctic, from: .wgs84, to: .webMercator)
        }
    }

    /// In a conic projection the north edge of a box bows: the middle is higher or lower than both corners.
    @Test func projectedBoxCoversItsBentEdges() throws {
        let conus = SpatialReference(wkid: 5070)
        let box = Envelope(xmin: -105, ymin: 35, xmax: -87, ymax: 45)
        let image = try Projection.project(box, from: .wgs84, to: conus)
        var corners: [Coordinate] = []
        for step in 0...1000 {
            let part = Double(step) / 1000
            let x = box.xmin + part * box.width
            let y = box.ymin + part * box.height
            corners += [(x, box.ymin), (x, box.ymax), (box.xmin, y), (box.xmax, y)].map { Coordinate(x: $0.0, y: $0.1) }
        }
        let border = try Projection.project(corners, from: .wgs84, to: conus)
        let exact = try #require(Envelope(around: border))
        // Covers within a millimetre, and is not much larger: the corners alone would be kilometres off.
        for (ours, true_) in [
            (image.xmin, exact.xmin), (-image.xmax, -exact.xmax), (image.ymin, exact.ymin), (-image.ymax, -exact.ymax),
        ] {
            #expect(ours <= true_ + 1e-3 && ours >= true_ - 1)
        }
        let fromCorners = try #require(
            Envelope(
                around: try Projection.project(box.ring, from: .wgs84, to: conus)))
        #expect(fromCorners.ymin - image.ymin > 1000)
    }

    @Test func bentEdgesGetVerticesAndStayWhereTheyWere() throws {
        let conus = SpatialReference(wkid: 5070)
        let box = Polygon(Envelope(xmin: -105, ymin: 35, xmax: -87, ymax: 45))
        let image = try Projection.project(box, from: .wgs84, to: conus)
        #expect(image.rings[0].count > 40)
        let back = try Projection.project(image.rings[0], from: conus, to: .wgs84)
        // The vertices lie on the straight edges in degrees.
        for place in back {
            #expect(min(abs(place.x + 105), abs(place.x + 87), abs(place.y - 35), abs(place.y - 45)) < 1e-7)
        }
        let small = Polygon(Envelope(xmin: -88.16, ymin: 41.765, xmax: -88.14, ymax: 41.78))
        #expect(try Projection.project(small, from: .wgs84, to: SpatialReference(wkid: 26971)).rings[0].count == 5)
    }

    @Test func manyThreadsEachBorrowAContext() async throws {
        let expected = try Projection.project(naperville, from: .wgs84, to: SpatialReference(wkid: 26971))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    await offPool {
                        (try? Projection.project(self.naperville, from: .wgs84, to: SpatialReference(wkid: 26971))) == expected
                    }
                }
            }
            for await same in group { #expect(same) }
        }
    }
}
