import Basics
import Testing

@testable import Geography

@Suite struct TileCountTests {
    private let scheme = TilingScheme.webMercator()

    /// One map unit a pixel, one tile a hundred units, so that tiles are easy to see. The origin is the top left corner (0, 0).
    private let hundreds = TilingScheme(
        origin: Coordinate(x: 0, y: 0), tileWidth: 100, tileHeight: 100, spatialReference: SpatialReference(wkid: 26971),
        levels: [LevelOfDetail(level: 3, resolution: 1, scale: 4000), LevelOfDetail(level: 8, resolution: 0.1, scale: 400)])

    private func count(_ polygon: Polygon, _ level: Int = 3) -> Int {
        hundreds.tileCount(covering: .polygon(polygon), levels: [level])[0].count
    }

    @Test func theWorldIs85TilesInLevels0To3() {
        for shape in [AreaShape.envelope(.webMercatorWorld), .polygon(Polygon(.webMercatorWorld))] {
            let counts = scheme.tileCount(covering: shape, levels: [0, 1, 2, 3])
            #expect(counts.map(\.count) == [1, 4, 16, 64])
            #expect(counts.map(\.level) == [0, 1, 2, 3])
        }
    }

    @Test func theWorldIsFullAtTheDeepestLevel() {
        let counts = scheme.tileCount(covering: .envelope(.webMercatorWorld), levels: [23])
        #expect(counts[0].count == 1 << 46)
        let wide = Envelope(xmin: -4e7, ymin: -4e7, xmax: 4e7, ymax: 4e7)
        #expect(scheme.tiles(covering: wide, level: 5) == TileRange(level: 5, rows: 0..<32, columns: 0..<32))
    }

    /// Halving goes on for ever on paper: at level 59 the world has 2^118 tiles, and a city more rows than can be walked.
    @Test func levelsThatNoCacheHasAreCountedAllTheSame() throws {
        let deep = TilingScheme.webMercator(maxLevel: 59)
        let city = Envelope(xmin: -9_814_000, ymin: 5_125_000, xmax: -9_811_000, ymax: 5_128_000)
        for shape in [AreaShape.envelope(.webMercatorWorld), .envelope(city), .polygon(Polygon(city))] {
            let counts = deep.tileCount(covering: shape, levels: [10, 20, 40, 45]).map(\.count)
            #expect(counts == counts.sorted() && counts.last == TileCount.most)
            #expect(
                deep.tileCount(covering: shape, levels: Array(46...59)).allSatisfy { (0...TileCount.most).contains($0.count) })
        }
    }

    /// XYZ arithmetic for Naperville (-88.15, 41.77) at zoom 14: x = floor((−88.15+180)/360·2^14) = 4180,
    /// y = floor((1 − asinh(tan 41.77°)/π)/2·2^14) = 6096 (computed with Python).
    @Test func oneTileInNaperville() throws {
        let place = try Projection.project(Coordinate(x: -88.15, y: 41.77), from: .wgs84, to: .webMercator)
        let range = try #require(
            scheme.tiles(covering: Envelope(xmin: place.x, ymin: place.y, xmax: place.x, ymax: place.y), level: 14))
        #expect(range.columns == 4180..<4181)
        #expect(range.rows == 6096..<6097)
    }

    @Test func bordersBelongToTheTileInside() throws {
        let exact = Envelope(xmin: 100, ymin: -300, xmax: 300, ymax: -100)
        #expect(hundreds.tiles(covering: exact, level: 3) == TileRange(level: 3, rows: 1..<3, columns: 1..<3))
        let little = Envelope(xmin: 100, ymin: -300.01, xmax: 300.01, ymax: -100)
        #expect(hundreds.tiles(covering: little, level: 3) == TileRange(level: 3, rows: 1..<4, columns: 1..<4))
        let tile = try #require(hundreds.envelope(level: 3, row: 1, column: 2))
        #expect(tile == Envelope(xmin: 200, ymin: -200, xmax: 300, ymax: -100))
        #expect(hundreds.tiles(covering: tile, level: 3)?.count == 1)
    }

    @Test func everyTileOfADeepLevelCoversItself() throws {
        // Published decimals: the resolution of level 19 as services print it.
        let printed = TilingScheme(
            origin: Coordinate(x: -20037508.342787, y: 20037508.342787), tileWidth: 256, tileHeight: 256,
            spatialReference: .webMercator,
            levels: [LevelOfDetail(level: 19, resolution: 0.29858214164761665, scale: 1128.497176)])
        for index in stride(from: 0, to: 524_288, by: 9973) {
            let tile = try #require(scheme.envelope(level: 19, row: index, column: 524_287 - index))
            #expect(
                printed.tiles(covering: tile, level: 19)
                    == TileRange(level: 19, rows: index..<index + 1, columns: 524_287 - index..<524_288 - index))
        }
    }

    @Test func fullExtentCutsAndBesidesItThereIsNothing() {
        let extent = Envelope(xmin: 150, ymin: -200, xmax: 400, ymax: 0)
        let box = Envelope(xmin: 0, ymin: -500, xmax: 1000, ymax: 0)
        #expect(hundreds.tiles(covering: box, level: 3, within: extent) == TileRange(level: 3, rows: 0..<2, columns: 1..<4))
        #expect(hundreds.tiles(covering: Envelope(xmin: 400, ymin: -200, xmax: 500, ymax: -100), level: 3, within: extent) == nil)
        #expect(hundreds.tiles(covering: Envelope(xmin: -90, ymin: -200, xmax: -10, ymax: -100), level: 3) == nil)
        #expect(hundreds.tiles(covering: box, level: 4) == nil)
        #expect(hundreds.tileCount(covering: .envelope(box), levels: [4]) == [TileCount(level: 4, count: 0)])
    }

    /// The triangle below the diagonal of a 10 × 10 block: 10 + 9 + … + 1 tiles share area with it. The diagonal only
    /// touches the corners of the tiles above.
    @Test func triangleAlongTheDiagonal() {
        let triangle = Polygon(rings: [ring([(0, 0), (1000, -1000), (0, -1000), (0, 0)])])
        #expect(count(triangle) == 55)
        // At a tenth of the size: 100 × 101 / 2.
        #expect(count(triangle, 8) == 5050)
    }

    @Test func holesTakeOnlyWholeTilesAway() {
        let outer = ring([(0, 0), (500, 0), (500, -500), (0, -500), (0, 0)])
        #expect(count(Polygon(rings: [outer, ring([(100, -100), (100, -400), (400, -400), (400, -100), (100, -100)])])) == 16)
        #expect(count(Polygon(rings: [outer, ring([(101, -100), (101, -400), (400, -400), (400, -100), (101, -100)])])) == 19)
    }

    @Test func partsMayShareTiles() {
        let left = ring([(10, -10), (40, -10), (40, -40), (10, -40), (10, -10)])
        let right = ring([(60, -60), (140, -60), (140, -90), (60, -90), (60, -60)])
        #expect(count(Polygon(rings: [left, right])) == 2)
    }

    @Test func spansAreTheTilesOfTheCount() {
        let diamond = Polygon(rings: [ring([(150, 0), (300, -150), (150, -300), (0, -150), (150, 0)])])
        let spans = hundreds.tileSpans(covering: .polygon(diamond), level: 3)
        #expect(spans == [TileSpan(row: 0, columns: 0..<3), TileSpan(row: 1, columns: 0..<3), TileSpan(row: 2, columns: 0..<3)])
        let box = AreaShape.envelope(Envelope(xmin: 0, ymin: -200, xmax: 100, ymax: 0))
        #expect(
            hundreds.tileSpans(covering: box, level: 3) == [TileSpan(row: 0, columns: 0..<1), TileSpan(row: 1, columns: 0..<1)])
    }

    /// Every tile of the block asked one by one, with GEOS' own "interiors intersect", against the scan.
    @Test func agreesWithGEOSTileByTile() throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<20 {
            let middle = Coordinate(x: 1000 + 200 * random.unit(), y: -1000 - 200 * random.unit())
            // A star: never crosses itself.
            let corners = (0..<9).map { index -> Coordinate in
                let angle = Double(index) * 40 * .pi / 180
                let radius = 150 + 600 * random.unit()
                return Coordinate(x: middle.x + radius * cosine(angle), y: middle.y + radius * sine(angle))
            }
            let star = Polygon(rings: [corners + corners.prefix(1)])
            let area = try PreparedArea(.polygon(star))
            let box = try #require(star.envelope)
            let range = try #require(hundreds.tiles(covering: box, level: 3))
            var expected = 0
            for row in range.rows {
                for column in range.columns {
                    // Random corners never lie on a border, so touching from outside does not happen.
                    let tile = try #require(hundreds.envelope(level: 3, row: row, column: column))
                    if area.intersects(tile) { expected += 1 }
                }
            }
            #expect(count(star) == expected)
        }
    }

    /// 100,000 rows: n(n + 1)/2 tiles. Only edges cost time, so this ends at once.
    @Test func hugePolygonsAreCountedExactly() {
        let triangle = Polygon(rings: [ring([(0, 0), (1_000_000, -1_000_000), (0, -1_000_000), (0, 0)])])
        #expect(count(triangle, 8) == 5_000_050_000)
    }

    /// A circle of 20,000 vertices (cases E13) holds as many tiles as its area says, give or take its border.
    @Test func detailedPolygonsAreCounted() throws {
        let circle = (0...20_000).map { index -> Coordinate in
            let angle = -Double(index % 20_000) * .pi / 10_000
            return Coordinate(x: 5000 + 4000 * cosine(angle), y: -5000 + 4000 * sine(angle))
        }
        let tiles = Double(count(Polygon(rings: [circle]), 8))
        // π · 400² tiles inside, and on the border at most as many as it passes: 8 · 400, half of each outside.
        #expect(tiles > .pi * 160_000 && tiles < .pi * 160_000 + 3200)
    }
}
