import Basics
import Manifest
import Synchronization
import Testing
import Transport

@testable import Planning

/// Filters that a service refuses to count with refuse the plan (cases D08).
@Suite("Refused filters")
struct RefusedFilterTests {
    private static let words: JSON = [
        "error": [
            "code": 400, "message": "Cannot perform query. Invalid query parameters.",
            "details": ["'where' parameter is invalid"],
        ]
    ]

    /// Counts, but for the clauses that hold one of these texts.
    private static func stage(refusing parts: String...) throws -> PlanStage {
        var stage = try PlanStage()
        for layer in [0, 1, 3, 5, 6] {
            stage.dynamic[PlanStage.water + "/\(layer)/query"] = { parameters in
                let clause = parameters["where"] ?? ""
                return parts.contains(where: clause.contains) ? words : ["count": 7]
            }
        }
        return stage
    }

    private static func hydrants(_ manifest: inout Manifest, where clause: String) {
        manifest.layers = [LayerOverride(match: .init(title: "Hydrant"), whereClause: clause, origin: "night.yaml:9:5")]
    }

    private static func refusal(
        _ stage: PlanStage, asking wishes: EstimateWishes = .rows, _ change: (inout Manifest) -> Void
    ) async -> PlanRefusal? {
        do throws(PlanRefusal) {
            _ = try await stage.plan(asking: wishes, change)
            return nil
        } catch {
            return error
        }
    }

    @Test("a clause of the manifest: area, layer, place, the service's words and the clause, byte for byte")
    func ofTheManifest() async throws {
        let clause = "NAME = 'Trader Joe''s & Sons' AND D > timestamp '2024-01-01 00:00:00'"
        let stage = try Self.stage(refusing: clause)
        let refusal = try #require(await Self.refusal(stage) { Self.hydrants(&$0, where: clause) })
        #expect(refusal.outcome == .refused && refusal.outcome.exitCode == 66)
        #expect(
            refusal.problems == [
                PlanProblem(
                    area: "downtown", layer: LayerLabel(id: "hydrants", title: "Hydrant"), origin: "night.yaml:9:5",
                    failure: Failure(
                        phase: .plan, kind: .permanent, code: 400, message: "Cannot perform query. Invalid query parameters.",
                        details: [
                            "'where' parameter is invalid", PlanStage.water + "/0/query",
                            "where clause of the manifest: \(clause)",
                        ]))
            ])
        // Asked without the wish to count, there is a plan: the run will find it.
        #expect(await Self.refusal(stage, asking: []) { Self.hydrants(&$0, where: clause) } == nil)
    }

    @Test("a budget neither hides it nor is needed for it", arguments: [nil, 1, 1_000_000])
    func budgets(_ rows: Int?) async throws {
        let refusal = try #require(
            await Self.refusal(try Self.stage(refusing: "FLOW >>")) {
                Self.hydrants(&$0, where: "FLOW >> 5")
                $0.budget.rows = rows
            })
        #expect(refusal.problems.map(\.origin) == ["night.yaml:9:5"])
    }

    @Test("a filter of the web map is the map's; joined with a clause of the manifest, both are named")
    func ofTheMap() async throws {
        let stage = try Self.stage(refusing: "STATUS")
        let alone = try #require(await Self.refusal(stage) { _ in })
        #expect(alone.problems.map(\.layer?.title) == ["System Valve"] && alone.problems.map(\.origin) == [nil])
        #expect(alone.problems[0].failure.details.last == "filter of the web map: STATUS <> 'Abandoned'")
        let both = try #require(
            await Self.refusal(stage) {
                $0.layers = [
                    LayerOverride(match: .init(title: "System Valve"), whereClause: "SIZE > 3", origin: "night.yaml:8:5")
                ]
            })
        #expect(both.problems.map(\.origin) == ["night.yaml:8:5"])
        #expect(
            both.problems[0].failure.details.suffix(3) == [
                "where clause of the manifest: SIZE > 3", "filter of the web map: STATUS <> 'Abandoned'",
                "sent as: (STATUS <> 'Abandoned') AND (SIZE > 3)",
            ])
        // Switched off, it is neither sent nor blamed.
        #expect(await Self.refusal(stage) { $0.options.isDefinitionExpressionFilterEnabled = false } == nil)
    }

    @Test("a service that refuses any query is said, too; each layer once, however many areas")
    func anyQuery() async throws {
        let refusal = try #require(
            await Self.refusal(try Self.stage(refusing: "1=1", "A = ")) { manifest in
                manifest.areas = [PlanStage.area("a"), PlanStage.area("b"), PlanStage.area("c")]
                Self.hydrants(&manifest, where: "A = 'b")
            })
        // Valves have a filter of their own that is good.
        #expect(refusal.problems.map(\.layer?.title) == ["Hydrant", "Main", "Notes"])
        #expect(refusal.problems.map(\.area) == [nil, nil, nil])
        #expect(refusal.problems[0].failure.details.suffix(2) == ["where clause of the manifest: A = 'b", "in 3 areas"])
        #expect(refusal.problems[1].failure.details.suffix(2) == ["sent as: 1=1", "in 3 areas"])
    }

    @Test("who may not query is told so, with the exit code of that")
    func denied() async throws {
        var stage = try Self.stage()
        stage.refusals[PlanStage.water + "/3/query"] = .json(
            ["error": ["code": 403, "message": "You do not have permissions", "details": []]], "")
        let refusal = try #require(await Self.refusal(stage) { _ in })
        #expect(refusal.outcome == .denied && refusal.problems.map(\.layer?.title) == ["Main"])
    }
}
