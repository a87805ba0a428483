import Basics
import Manifest
import Testing
import Transport

@testable import Planning

@Suite("Estimates and budgets")
struct EstimateTests {
    /// Hydrants 100, valves 20, mains 3, notes 7; inspections come through hydrants and are in no count: 130.
    private static func counted(without: Int? = nil) throws -> PlanStage {
        var stage = try PlanStage()
        for (layer, count) in [0: 100, 1: 20, 3: 3, 6: 7] where layer != without {
            stage.dynamic[PlanStage.water + "/\(layer)/query"] = { parameters in
                parameters["returnCountOnly"] == "true" ? ["count": JSON(count)] : ["error": ["code": 400, "message": "no"]]
            }
        }
        return stage
    }

    @Test("rows are those that the services count; a plan that does not ask has none and asks nothing")
    func rows() async throws {
        let stage = try Self.counted()
        let plan = try await stage.plan(asking: .rows)
        let estimate = try #require(plan.jobs.first { $0.kind == .replica }?.estimate)
        #expect(estimate.rows == 130)
        #expect(
            estimate.layerRows == [
                LayerRows(layerID: 0, name: "Hydrant", rows: 100), LayerRows(layerID: 1, name: "System Valve", rows: 20),
                LayerRows(layerID: 3, name: "Main", rows: 3), LayerRows(layerID: 6, name: "Notes", rows: 7),
            ])
        #expect(stage.asked.all.filter { $0.hasSuffix("/query") }.count == 4)
        #expect(!stage.asked.all.contains { $0.hasSuffix("/5/query") })

        let silent = try Self.counted()
        let other = try await silent.plan()
        #expect(other.jobs.allSatisfy { $0.estimate.rows == nil })
        #expect(!silent.asked.all.contains { $0.hasSuffix("/query") })
        // Estimates are no part of what is done.
        #expect(plan != other && plan.hash == other.hash && PlanChange.problem(saved: plan, now: other) == nil)
    }

    /// It may count another time, in the run for instance.
    @Test(
        "a service that cannot count now leaves its job unknown; it refuses only where a budget needs the number",
        arguments: [
            HTTPResponse.json([:], "", status: 503), .json([:], "", status: 504),
            .json(["error": ["code": 500, "message": "Error performing query operation", "details": []]], ""),
            .json(["error": ["code": 429, "message": "Too many requests", "details": []]], ""), .json(["objectIds": []], ""),
            HTTPResponse(status: 200, body: Array("<html><title>Gateway</title></html>".utf8), url: ""),
        ])
    func unknown(_ answer: HTTPResponse) async throws {
        var stage = try Self.counted(without: 3)
        stage.refusals[PlanStage.water + "/3/query"] = answer
        let plan = try await stage.plan(asking: [.rows, .bytes])
        #expect(plan.jobs.first { $0.kind == .replica }?.estimate.rows == nil)
        let refusal = await stage.refusal { $0.budget.rows = 1_000_000 }
        #expect(refusal?.problems.map(\.layer?.title) == ["Main"] && refusal?.problems.map(\.failure.phase) == [.metadata])
    }

    @Test("a budget of rows: the very number is allowed, one less is refused with both numbers")
    func budgetOfRows() async throws {
        #expect(await (try Self.counted()).refusal { $0.budget.rows = 130 } == nil)
        let refusal = try #require(await (try Self.counted()).refusal { $0.budget.rows = 129 })
        #expect(refusal.outcome == .refused)
        #expect(refusal.problems.map(\.failure.message) == ["the plan needs 130 rows, the budget allows 129"])
        #expect(refusal.problems.map(\.failure.details) == [["downtown/water/replica: 130 rows"]])
    }

    @Test("a budget of tiles counts all areas together, and names the largest jobs first")
    func budgetOfTiles() async throws {
        // The box of the stage is 1000 m wide. A tile of level 0 of the image service spans 40,075,017 m, one of level 15
        // 1,222.99 m: x from 8,360.6 to 8,361.5 and y from 12,193.6 to 12,194.4 tiles from the origin at level 15, so 2 by 2.
        // Level 0 is one tile. Vector tiles are switched off.
        func change(_ limit: Int) -> (inout Manifest) -> Void {
            { manifest in
                manifest.areas = [PlanStage.area("a"), PlanStage.area("b")]
                manifest.layers = [
                    LayerOverride(match: .init(title: "World Street Map"), levelIDs: [0, 15]),
                    LayerOverride(match: .init(title: "Street Map (Vector)"), exclude: true),
                ]
                manifest.budget.tiles = limit
            }
        }
        #expect(await (try PlanStage()).refusal(change(10)) == nil)
        let stage = try PlanStage()
        let refusal = try #require(await stage.refusal(change(9)))
        #expect(refusal.problems.map(\.failure.message) == ["the plan needs 10 tiles, the budget allows 9"])
        #expect(
            refusal.problems.map(\.failure.details)
                == [["a/world-street-map/tiles: 5 tiles", "b/world-street-map/tiles: 5 tiles"]])
        #expect(!stage.asked.all.contains { $0.hasSuffix("/query") })
    }
}
