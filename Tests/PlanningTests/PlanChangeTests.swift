import Basics
import Manifest
import Testing

@testable import Planning

@Suite("A saved plan against the services of today")
struct PlanChangeTests {
    @Test("the same manifest and services give the same plan, also after a trip through a file")
    func same() async throws {
        let saved = try await PlanStage().plan()
        let back = try JSON.parse(JSON.encoding(saved).serialized(.indented)).decoded(as: Plan.self)
        #expect(PlanChange.problem(saved: back, now: try await PlanStage().plan()) == nil)
    }

    @Test("a changed manifest and edited rows are told apart")
    func changes() async throws {
        let made = try await PlanStage().plan()
        let saved = try JSON.parse(JSON.encoding(made).serialized(.indented)).decoded(as: Plan.self)
        let narrowed = try await PlanStage().plan {
            $0.layers = [LayerOverride(match: .init(title: "Main"), whereClause: "A = 1")]
        }
        let problem = try #require(PlanChange.problem(saved: saved, now: narrowed))
        #expect(PlanRefusal(problems: [problem]).outcome == .refused)
        #expect(problem.failure.details == ["downtown/water/replica: layerQueries changed"])

        var edited = try PlanStage()
        edited.changeLayer(0, ["editingInfo": ["lastEditDate": 1_700_000_000_001]])
        let stamped = PlanChange.problem(saved: saved, now: try await edited.plan())
        #expect(stamped?.failure.details == ["downtown/water/replica: rows were edited since"])
    }

    @Test("layers that came or went, limits, and a part of the areas")
    func more() async throws {
        let saved = try await PlanStage().plan()
        let without = try await PlanStage().plan {
            $0.layers = [LayerOverride(match: .init(title: "World Street Map"), exclude: true)]
            $0.limits.attempts = 2
        }
        #expect(
            PlanChange.problem(saved: saved, now: without)?.failure.details == [
                "what becomes of the layers changed", "the limits changed", "downtown/world-street-map/tiles is gone",
            ])
        #expect(
            PlanChange.problem(saved: without, now: saved)?.failure.details.last == "downtown/world-street-map/tiles is new")
        let part = try await PlanStage().plan(only: ["downtown"])
        #expect(PlanChange.problem(saved: saved, now: part)?.failure.details == ["the areas changed"])
    }
}
