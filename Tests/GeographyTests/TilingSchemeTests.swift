import Basics
import Testing

@testable import Geography

@Suite struct TilingSchemeTests {
    /// A service that lists its levels twice has each of them once: requests and counts would have them twice.
    @Test func everyLevelIsThereOnce() throws {
        func level(_ id: Int, _ resolution: Double) -> LevelOfDetail {
            LevelOfDetail(level: id, resolution: resolution, scale: resolution * 4000)
        }
        let scheme = TilingScheme(
            origin: Coordinate(x: 0, y: 0), tileWidth: 256, tileHeight: 256, spatialReference: .webMercator,
            levels: [level(0, 4), level(1, 2), level(0, 4), level(1, 2)])
        #expect(scheme.levels == [level(0, 4), level(1, 2)])
    }

    @Test func webMercatorLadderIsTheReferences() throws {
        let scheme = TilingScheme.webMercator()
        #expect(scheme.levels.count == 24)
        let first = try #require(scheme[level: 0])
        #expect(abs(first.resolution - 156543.033928) < 1e-6)
        #expect(first.scale == 591657527.591555)
        let last = try #require(scheme[level: 23])
        #expect(abs(last.scale - 70.5310735) < 1e-6)
        #expect(scheme.origin == Coordinate(x: -20037508.342787, y: 20037508.342787))
    }

    @Test func ladderOf512PixelsIsShiftedByOne() throws {
        let vector = try #require(TilingScheme.webMercator(tileSize: 512, maxLevel: 16)[level: 0])
        #expect(abs(vector.resolution - 78271.516964) < 1e-6)
        #expect(abs(vector.scale - 295828763.795777) < 1e-6)
    }

    @Test func readsTileInfoWithQuotedAndExponentNumbers() throws {
        let json = try JSON.parse(
            """
            {"rows":512,"cols":"256","dpi":96.0,"origin":{"x":"-2.0037508342787E7","y":2.0037508342787E7},
             "spatialReference":{"wkid":102100,"latestWkid":3857},
             "lods":[{"level":9,"resolution":305.748113140705,"scale":1155581.108577},
                     {"level":4,"resolution":"9783.93962050256","scale":3.6978595474472E7},
                     {"level":5,"scale":18489297.737236}]}
            """)
        let scheme = try #require(TilingScheme(json: json))
        #expect(scheme.tileWidth == 256 && scheme.tileHeight == 512)
        #expect(scheme.origin.x == -20037508.342787)
        #expect(scheme.levels.map(\.level) == [4, 9])
        #expect(scheme.levels[0].scale == 36978595.474472)
        #expect(TilingScheme(json: scheme.json) == scheme)
    }

    @Test func incompleteTileInfoIsNone() throws {
        #expect(TilingScheme(json: nil) == nil)
        #expect(TilingScheme(json: ["rows": 256, "cols": 256, "lods": []]) == nil)
        let bare: JSON = [
            "rows": 256, "cols": 256, "origin": ["x": 0, "y": 0], "lods": [["level": 0, "resolution": 1, "scale": 3780]],
        ]
        #expect(TilingScheme(json: bare) == nil)
        #expect(TilingScheme(json: bare, spatialReference: .webMercator)?.levels.count == 1)
    }

    private static let example = TilingScheme(
        origin: Coordinate(x: 0, y: 0), tileWidth: 256, tileHeight: 256, spatialReference: .webMercator,
        levels: [(0, 2_000_000.0), (1, 1_000_000), (2, 500_000), (3, 250_000)].map {
            LevelOfDetail(level: $0.0, resolution: $0.1 / 3779.5, scale: $0.1)
        })

    /// REST reference 10.5; the first row is its example.
    @Test(arguments: [
        (750_000.0, 250_000.0, [1, 2, 3]), (0, 0, [0, 1, 2, 3]), (500_000, 500_000, [2]), (500_000.2, 499_999.8, [2]),
        (499_000, 0, [2, 3]), (9e9, 1e9, [0]), (0, 1, [0, 1, 2, 3]), (100_000, 90_000, [3]), (750_000, 700_000, [1, 2]),
        (0, 600_000, [0, 1, 2]), (250_000, 1_000_000, []),
    ])
    func levelIDsFollowScales(minScale: Double, maxScale: Double, expected: [Int]) {
        #expect(Self.example.levelIDs(minScale: minScale, maxScale: maxScale) == expected)
    }

    @Test func levelIDsAreIdsNotPositions() {
        let scheme = TilingScheme(
            origin: Coordinate(x: 0, y: 0), tileWidth: 256, tileHeight: 256, spatialReference: .webMercator,
            levels: [
                LevelOfDetail(level: 7, resolution: 10, scale: 40000), LevelOfDetail(level: 12, resolution: 1, scale: 4000),
                LevelOfDetail(level: 10, resolution: 3, scale: 12000),
            ])
        #expect(scheme.levelIDs(minScale: 12000, maxScale: 0) == [10, 12])
        #expect(scheme.maxLevel(maxScale: 12000.001) == 10)
        #expect(scheme.maxLevel(maxScale: 11000) == 12)
        #expect(scheme.maxLevel(maxScale: 0) == 12)
    }

    @Test func publishedDecimalsSelectTheSameLevel() {
        // 1128.497176 is how services print level 19's 1128.4971755…
        #expect(TilingScheme.webMercator().maxLevel(maxScale: 1128.497176) == 19)
        #expect(TilingScheme.webMercator().levelIDs(minScale: 1128.497175, maxScale: 1128.497176) == [19])
    }
}
