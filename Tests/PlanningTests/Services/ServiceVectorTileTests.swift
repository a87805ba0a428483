import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// Tiles, style, or both (REST reference 7.5).
@Suite("Services of the manifest: vector tiles")
struct ServiceVectorTileTests: ServicesSuite {
    @Test(
        "the three ways to take vector tiles",
        arguments: [
            // item, vectorTiles, kinds of jobs, verdict
            ("light", nil, ["vectorTiles"], "vectorTiles"), ("dark", nil, ["vectorTiles", "style"], "vectorTiles"),
            ("dark", LayerOverride.VectorTileParts.tiles, ["vectorTiles"], "vectorTiles"),
            ("dark", .tilesAndStyle, ["vectorTiles", "style"], "vectorTiles"), ("dark", .style, ["style"], "style"),
            ("light", .tiles, ["vectorTiles"], "vectorTiles"),
        ])
    func vectorTiles(
        _ item: String, _ parts: LayerOverride.VectorTileParts?, _ kinds: [String], _ verdict: String
    ) async throws {
        let plan = try await plan([Self.entry(item, Self.set { $0.vectorTiles = parts })])
        #expect(plan.jobs.map(\.kind.rawValue) == kinds + ["package", "publish"])
        #expect(plan.layers.map(\.verdict.rawValue) == [verdict])
        if kinds.contains("style") {
            let job = try #require(plan.jobs.first { $0.kind == .style })
            #expect(job.work == .style(StyleWork(styleURL: Self.style, serviceURL: PlanStage.vector)))
        }
        if kinds.contains("vectorTiles") {
            let tiles = try #require(plan.jobs.first { $0.kind == .vectorTiles })
            #expect(tiles.request?.url == PlanStage.vector + "/exportTiles" && tiles.request?.parameters["levels"] == "0-16")
        }
        #expect(plan.map.document["operationalLayers"]?[0]?["styleUrl"] == (item == "dark" ? .string(Self.style) : nil))
    }

    @Test("a style alone needs no export of tiles, and no tiles in the area")
    func styleOfClosedService() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.vector, ["exportTilesAllowed": false])
        let plan = try await plan([Self.entry("dark", Self.set { $0.vectorTiles = .style })], stage: stage)
        #expect(plan.layers[0].rule == "OB009 style-only")
        #expect(plan.jobs.map(\.kind) == [.style, .package, .publish])
    }

    @Test("a style that is not there is refused", arguments: ["light", PlanStage.vector])
    func noStyle(_ source: String) async throws {
        for parts in [LayerOverride.VectorTileParts.style, .tilesAndStyle] {
            let refusal = try await refusal([Self.entry(source, Self.set { $0.vectorTiles = parts })])
            #expect(refusal.outcome == .refused && refusal.problems.count == 1)
            #expect(refusal.problems[0].origin == "night.yaml:5:5")
            #expect(
                refusal.problems[0].failure.message.hasPrefix(
                    "vectorTiles: \(parts.rawValue), and the layer has no style of its own"))
        }
    }

    @Test("the layers of a web map can be taken in the same three ways")
    func vectorTilesOfTheMap() async throws {
        var stage = try Self.stage()
        try stage.changeMapLayer("base-vector", ["url": nil, "itemId": "dark", "styleUrl": .string(Self.style)])
        for (parts, kinds) in [
            (LayerOverride.VectorTileParts.tiles, [Job.Kind.vectorTiles]), (.tilesAndStyle, [.vectorTiles, .style]),
            (.style, [.style]),
        ] {
            let plan = try await stage.plan { $0.layers = [LayerOverride(match: .init(id: "base-vector"), vectorTiles: parts)] }
            #expect(plan.jobs.filter { $0.id.contains("/street-map-vector/") }.map(\.kind) == kinds)
        }
    }
}
