import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

@Suite("Overrides of layers")
struct OverrideTests {
    private static func matches(_ match: LayerOverride.Match) async throws -> [String] {
        let plan = try await PlanStage().plan { $0.layers = [LayerOverride(match: match, exclude: true)] }
        return plan.layers.filter { $0.verdict == .excluded }.map(\.id)
    }

    @Test(
        "every way to name a layer, at any depth of groups",
        arguments: [
            (LayerOverride.Match(title: "System Valve"), ["valves"]),
            (LayerOverride.Match(id: "valves"), ["valves"]),
            (LayerOverride.Match(url: PlanStage.water + "/1"), ["valves"]),
            // Maps mix http and https, with and without a slash at the end.
            (LayerOverride.Match(url: "http://S.example.org/a/rest/services/Water/FeatureServer/1/?f=json"), ["valves"]),
            (LayerOverride.Match(itemID: "0123456789ABCDEF0123456789abcdef"), ["valves"]),
            (LayerOverride.Match(title: "System Valve", url: PlanStage.water), ["valves"]),
            (LayerOverride.Match(itemID: "7f5fe58ee3c046da8d83980b7262b7f6"), ["base-streets"]),
            // A service is all its layers.
            (LayerOverride.Match(url: PlanStage.water), ["mains", "valves", "hydrants", "visits", "notes"]),
        ])
    func ways(_ match: LayerOverride.Match, _ expected: [String]) async throws {
        #expect(try await Self.matches(match) == expected)
    }

    @Test(
        "one that matches nothing refuses the plan, before any service is asked",
        arguments: [
            (LayerOverride.Match(title: "Hydrnt"), #"title "Hydrnt""#, #"did you mean "Hydrant"?"#),
            (
                LayerOverride.Match(title: "Sewers"), #"title "Sewers""#,
                "the map has: Street Map (Vector), World Street Map, Main, System Valve, Hydrant, Inspections, Notes"
            ),
            (
                LayerOverride.Match(title: "Water Network"), #"title "Water Network""#,
                "that is a group; match its layers: System Valve, Hydrant"
            ),
            (
                LayerOverride.Match(title: "Hydrant", id: "valves"), #"title "Hydrant", id "valves""#, #"did you mean "Hydrant"?"#
            ),
            (
                LayerOverride.Match(url: PlanStage.water + "/2"), "url " + PlanStage.water + "/2",
                "the map has: Street Map (Vector), World Street Map, Main, System Valve, Hydrant, Inspections, Notes"
            ),
        ])
    func nothing(_ match: LayerOverride.Match, _ words: String, _ hint: String) async throws {
        let stage = try PlanStage()
        let refusal = try #require(
            await stage.refusal { $0.layers = [LayerOverride(match: match, exclude: true, origin: "night.yaml:12:5")] })
        #expect(refusal.outcome == .refused)
        let problem = try #require(refusal.problems.first)
        #expect(problem.origin == "night.yaml:12:5")
        #expect(problem.failure.message == "no layer of the map matches " + words)
        #expect(problem.failure.details == [hint])
        #expect(!stage.asked.all.contains(PlanStage.water))
    }

    @Test("all that match nothing are named at once")
    func allAtOnce() async throws {
        let refusal = await (try PlanStage()).refusal {
            $0.layers = ["A", "B", "Hydrant"].map { LayerOverride(match: .init(title: $0), exclude: true) }
        }
        #expect(refusal?.problems.count == 2)
    }

    @Test(
        "an override that could have no effect is refused, with its place",
        arguments: [
            (
                LayerOverride(match: .init(title: "Hydrant"), levelIDs: [1], origin: "night.yaml:20:5"), "Hydrant",
                "levelIDs are for tiled layers; this one comes as a replica"
            ),
            (
                LayerOverride(match: .init(title: "World Street Map"), whereClause: "1=1", origin: "night.yaml:20:5"),
                "World Street Map",
                "where is for feature layers; this one comes as tiles"
            ),
            (
                LayerOverride(match: .init(title: "Street Map (Vector)"), useGeometry: false, origin: "night.yaml:20:5"),
                "Street Map (Vector)", "useGeometry is for feature layers; this one comes as tiles"
            ),
            (
                LayerOverride(match: .init(title: "Notes"), useGeometry: true, origin: "night.yaml:20:5"), "Notes",
                "useGeometry: true takes what is in the area, and a table has no geometry"
            ),
        ])
    func wrongKind(_ override: LayerOverride, _ title: String, _ message: String) async throws {
        let refusal = try #require(await (try PlanStage()).refusal { $0.layers = [override] })
        #expect(refusal.outcome == .refused && refusal.problems.count == 1)
        #expect(refusal.problems[0].layer?.title == title && refusal.problems[0].origin == "night.yaml:20:5")
        #expect(refusal.problems[0].failure.message == message)
    }

    @Test("of two entries for one layer the later one counts, key by key")
    func later() async throws {
        let plan = try await PlanStage().plan {
            $0.layers = [
                LayerOverride(match: .init(url: PlanStage.water), buffer: 10, whereClause: "A = 1"),
                LayerOverride(match: .init(title: "Main"), whereClause: "B = 2"),
            ]
        }
        let queries = try JSON.parse(try #require(plan.form("water/replica")?["layerQueries"]))
        #expect(queries["0"]?["where"] == "A = 1")
        #expect(queries["3"]?["where"] == "B = 2")
    }

    @Test("one buffer of a service's layers is the buffer of its replica: the widest")
    func widestBuffer() async throws {
        let degrees = PlanStage.box
        let plan = try await PlanStage().plan {
            $0.layers = [
                LayerOverride(match: .init(title: "Hydrant"), buffer: 500),
                LayerOverride(match: .init(title: "Main"), buffer: 100),
            ]
        }
        let geometry = try JSON.parse(try #require(plan.form("water/replica")?["geometry"]))
        // 500 m on the ground are 500 / cos 41.7° m in Web Mercator, 669 m; and a little more, because the ellipsoid is flat.
        let grown = try #require(geometry["ymax"]?.double) - degrees.ymax
        #expect((667...673).contains(grown))
    }
}
