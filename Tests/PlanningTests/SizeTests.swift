import ArcGIS
import Basics
import Geography
import Manifest
import Testing
import Transport

@testable import Planning

@Suite("Sizes")
struct SizeTests {
    private static let features = ["Main", "System Valve", "Hydrant", "Inspections", "Notes"]

    /// Raster tiles of 100 bytes: 98 letters and their quotes.
    private static func stage() throws -> PlanStage {
        var stage = try PlanStage()
        stage.otherwise = { path in
            path.contains("/tile/") || path.contains("/fonts/") ? .string(String(repeating: "x", count: 98)) : nil
        }
        return stage
    }

    private static func only(_ title: String, levels: [Int]) -> (inout Manifest) -> Void {
        { manifest in
            manifest.layers =
                (features + ["World Street Map", "Street Map (Vector)"]).filter { $0 != title }.map {
                    LayerOverride(match: .init(title: $0), exclude: true)
                } + [LayerOverride(match: .init(title: title), levelIDs: levels)]
        }
    }

    @Test("few tiles are all looked at: their bytes, the indexes of their bundles, the descriptions")
    func fewTiles() async throws {
        let stage = try Self.stage()
        let plan = try await stage.plan(asking: .bytes, Self.only("World Street Map", levels: [0, 15]))
        let bytes = try #require(plan.jobs.first { $0.kind == .tiles }?.estimate.bytes)
        // 1 and 4 tiles (EstimateTests) of 100 bytes and a size field of 4: 520. One bundle a level, 8,360 / 128 and 12,194 / 128
        // and their neighbours being the same: 2 · (64 + 131,072 + 200) = 262,672. Descriptions: 3,000, 25,000 or 120,000.
        #expect(bytes == ByteEstimate(likely: 288_192, low: 266_192, high: 383_192, sampled: 5, sample: .tiles))
        let asked = stage.asked.all.filter { $0.contains("/tile/") }
        #expect(
            Set(asked)
                == Set(
                    ["0/0/0", "15/12194/8360", "15/12194/8361", "15/12195/8360", "15/12195/8361"].map {
                        PlanStage.streets + "/tile/" + $0
                    }))
        #expect(asked.count == 5)
        // Only looked at: nothing that makes a job.
        #expect(!stage.asked.all.contains { $0.contains("xportTiles") || $0.contains("createReplica") })
    }

    @Test("many tiles are sampled, the same ones each time")
    func manyTiles() async throws {
        let change = Self.only("World Street Map", levels: Array(0...19))
        let (first, second) = (try Self.stage(), try Self.stage())
        let plan = try await first.plan(asking: .bytes, change)
        _ = try await second.plan(asking: .bytes, change)
        let asked = Set(first.asked.all.filter { $0.contains("/tile/") })
        #expect(asked == Set(second.asked.all.filter { $0.contains("/tile/") }))
        let estimate = try #require(plan.jobs.first { $0.kind == .tiles }?.estimate)
        #expect(estimate.bytes?.sampled == asked.count && (20...26).contains(asked.count))
        // All are alike, so the tiles make 104 bytes each; a tenth of doubt is left.
        let tiles = Double(104 * (estimate.tiles ?? 0))
        let (low, likely) = (Double(estimate.bytes?.low ?? 0), Double(estimate.bytes?.likely ?? 0))
        #expect(abs((likely - 25_000) - (low - 3_000) - tiles / 10) < 2)
        // The estimate is no part of what is done.
        let silent = try await Self.stage().plan(change)
        #expect(silent.hash == plan.hash && silent != plan)
    }

    @Test("tiles that are not there count nothing")
    func holes() async throws {
        var stage = try Self.stage()
        stage.refusals[PlanStage.streets + "/tile/15/12194/8360"] = HTTPResponse(status: 404, url: "")
        let plan = try await stage.plan(asking: .bytes, Self.only("World Street Map", levels: [0, 15]))
        #expect(plan.jobs.first { $0.kind == .tiles }?.estimate.bytes?.likely == 288_192 - 104)
    }

    @Test("a service that shows no tiles leaves the size unknown, with its words; a budget of bytes is refused then")
    func unknown() async throws {
        var stage = try Self.stage()
        stage.otherwise = { _ in nil }
        let plan = try await stage.plan(asking: .bytes, Self.only("World Street Map", levels: [0, 15]))
        let estimate = try #require(plan.jobs.first { $0.kind == .tiles }?.estimate)
        #expect(estimate.bytes == nil && estimate.sizeProblem?.message == "Invalid URL")
        let refusal = try #require(
            await stage.refusal {
                Self.only("World Street Map", levels: [0, 15])(&$0)
                $0.budget.bytes = 1_000_000_000
            })
        #expect(
            refusal.problems.map(\.failure.message) == [
                "the budget allows 1.0 GB, and the size of 1 of the plan's jobs is not known"
            ])
        #expect(refusal.problems[0].failure.details == ["downtown/world-street-map/tiles: Invalid URL"])
    }

    /// Levels down to the sixtieth, of a service without a limit: a million million tiles are counted, and none is looked at.
    @Test("levels that no cache has leave the size unknown", .timeLimit(.minutes(1)))
    func absurdLevels() async throws {
        for area in [AreaShape.envelope(PlanStage.box), .polygon(Polygon(PlanStage.box))] {
            var stage = try Self.stage()
            let deep = Documents.tiles(tileSize: 256, levels: 0...59, firstScale: 591657527.591555)
            stage.documents[PlanStage.streets] = deep.with(["maxExportTilesCount": 0])
            let plan = try await stage.plan(asking: .bytes) {
                Self.only("World Street Map", levels: [0, 10, 45, 59])(&$0)
                $0.areas = [PlanStage.area("downtown", area)]
            }
            let estimate = try #require(plan.jobs.first { $0.kind == .tiles }?.estimate)
            #expect(estimate.tiles ?? 0 >= TileCount.most && estimate.bytes == nil)
            #expect(estimate.sizeProblem?.message == "there are so many tiles that none was looked at")
        }
    }

    /// A block of 128 by 128 tiles has an index, however many of its rows are there: the world's level 8 is 2 by 2 of them.
    @Test("bundles are counted by their blocks")
    func bundles() async throws {
        let plan = try await Self.stage().plan(asking: .bytes) {
            Self.only("World Street Map", levels: [8])(&$0)
            $0.areas = [PlanStage.area("world", .envelope(.webMercatorWorld))]
        }
        let bytes = try #require(plan.jobs.first { $0.kind == .tiles }?.estimate.bytes)
        // 100 bytes and 4 for each tile; 131,336 for each index; 25,000 for what describes them.
        #expect(bytes.likely == 65_536 * 104 + 4 * 131_336 + 25_000)
    }

    @Test("a budget of bytes: the likely size is allowed, a byte less is refused with both numbers")
    func budget() async throws {
        func refusal(_ limit: Int) async throws -> PlanRefusal? {
            await (try Self.stage()).refusal {
                Self.only("World Street Map", levels: [0, 15])(&$0)
                $0.budget.bytes = limit
            }
        }
        #expect(try await refusal(288_192) == nil)
        let problem = try #require(try await refusal(250_000)?.problems.first)
        #expect(problem.failure.message == "the plan needs 288.2 kB, the budget allows 250.0 kB")
        #expect(problem.failure.details == ["downtown/world-street-map/tiles: 288.2 kB"])
        #expect(try await refusal(288_191) != nil)
    }

    @Test("vector tiles count as they are stored, with the fonts of their service")
    func vectorTiles() async throws {
        var stage = try Self.stage()
        stage.documents[PlanStage.vector + "/resources/info"] = [
            "resourceInfo": ["../fonts/Arial/0-255.pbf", "../fonts/Arial/256-511.pbf"]
        ]
        // 300 bytes came, 1,000 after unpacking.
        stage.refusals[PlanStage.vector + "/tile/0/0/0.pbf"] = HTTPResponse(
            status: 200, headers: [HTTPHeader("Content-Encoding", "gzip"), HTTPHeader("Content-Length", "300")],
            body: Array(repeating: 120, count: 1000), url: "")
        let plan = try await stage.plan(asking: .bytes, Self.only("Street Map (Vector)", levels: [0]))
        let bytes = try #require(plan.jobs.first { $0.kind == .vectorTiles }?.estimate.bytes)
        // 304, two fonts of 100 with an entry of 200 each, one bundle of 131,336, and 25,000.
        #expect(bytes.likely == 304 + 600 + 131_336 + 25_000 && bytes.sampled == 1)
        #expect(stage.asked.all.contains(PlanStage.vector + "/resources/fonts/Arial/256-511.pbf"))
    }

    @Test("replicas are guessed from rows, and only where rows are counted")
    func replicas() async throws {
        func stage() throws -> PlanStage {
            var stage = try PlanStage()
            for (layer, count) in [0: 0, 1: 200, 3: 0, 5: 0, 6: 0] {
                stage.dynamic[PlanStage.water + "/\(layer)/query"] = { parameters in
                    if parameters["returnCountOnly"] == "true" { return ["count": JSON(count)] }
                    #expect(parameters["outFields"] == "*" && parameters["resultRecordCount"] == "40")
                    // {"attributes":{"A":"…"}} of 100 bytes.
                    let row: JSON = ["attributes": ["A": .string(String(repeating: "x", count: 77))]]
                    return ["features": .array(Array(repeating: row, count: 40))]
                }
            }
            return stage
        }
        func change(_ manifest: inout Manifest) {
            manifest.layers = ["World Street Map", "Street Map (Vector)"].map {
                LayerOverride(match: .init(title: $0), exclude: true)
            }
        }
        let plan = try await stage().plan(asking: [.rows, .bytes], change)
        let bytes = try #require(plan.jobs.first { $0.kind == .replica }?.estimate.bytes)
        // The database 250,000, five tables of 30,000, and 200 rows of 0.45 · 100 + 90 bytes.
        #expect(bytes.likely == 250_000 + 150_000 + 27_000 && bytes.sampled == 40 && bytes.sample == .rows)
        #expect(bytes.low == 120_000 + 40_000 + 7_000 && bytes.high == 800_000 + 400_000 + 68_000)
        let uncounted = try await stage().plan(asking: .bytes, change)
        #expect(uncounted.jobs.first { $0.kind == .replica }?.estimate == Estimate())
    }
}
