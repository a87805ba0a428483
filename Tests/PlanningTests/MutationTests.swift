import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// Servers answer what they like. One member of one document after the other is spoiled: the planner makes a whole plan or
/// refuses with a reason, and does not break.
@Suite("Spoiled documents")
struct MutationTests {
    private static let spoiled: [JSON] = [.null, "odd", -7, [], [:], 1e308]

    /// Paths of all members down to the fourth level; of lists the first two items.
    private static func paths(_ value: JSON, _ prefix: [JSONStep] = []) -> [[JSONStep]] {
        if prefix.count == 4 { return [prefix] }
        let own = prefix.isEmpty ? [] : [prefix]
        switch value {
        case .object(let object): return own + object.members.flatMap { paths($0.value, prefix + [.key($0.key)]) }
        case .array(let items): return own + items.prefix(2).enumerated().flatMap { paths($1, prefix + [.index($0)]) }
        default: return own
        }
    }

    @Test("the map", arguments: spoiled)
    func map(_ value: JSON) async throws {
        try await spoil(PlanStage.portal + "/sharing/rest/content/items/map1/data", value)
    }

    @Test("the feature service and its layers", arguments: spoiled)
    func features(_ value: JSON) async throws {
        try await spoil(PlanStage.water, value)
        try await spoil(PlanStage.water + "/layers", value)
    }

    @Test("tile services", arguments: spoiled)
    func tiles(_ value: JSON) async throws {
        try await spoil(PlanStage.streets, value)
        try await spoil(PlanStage.vector, value)
    }

    @Test("the portal and the item", arguments: spoiled)
    func portal(_ value: JSON) async throws {
        try await spoil(PlanStage.portal + "/sharing/rest/portals/self", value)
        try await spoil(PlanStage.portal + "/sharing/rest/content/items/map1", value)
    }

    private func spoil(_ url: String, _ value: JSON) async throws {
        let whole = try PlanStage()
        let document = try #require(whole.documents[url])
        for path in Self.paths(document) {
            var stage = whole
            stage.documents[url] = document.changing(path) { _ in value }
            do throws(PlanRefusal) {
                let plan = try await stage.plan { $0.scale = ScaleRange(min: 10_000, max: 2_000) }
                let layers = try? WebMap(document: stage.map).layers.map(\.id)
                #expect(plan.layers.map(\.id) == layers, "\(path)")
                #expect(Set(plan.jobs.map(\.id)).count == plan.jobs.count, "\(path)")
                for layer in plan.layers {
                    let isFetched = [.replica, .tiles, .vectorTiles].contains(layer.verdict)
                    #expect(isFetched == (layer.source != nil) && !layer.reason.isEmpty, "\(path)")
                }
            } catch {
                #expect(!error.problems.isEmpty && error.problems.allSatisfy { !$0.failure.message.isEmpty }, "\(path)")
                #expect(error.outcome != .internal, "\(path): \(error.problems.map(\.failure.message))")
            }
        }
    }
}
