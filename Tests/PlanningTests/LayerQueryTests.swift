import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// One change of the stage's map, services or manifest, and the query of one layer that follows from it.
struct LayerQueryCase: Sendable, CustomTestStringConvertible {
    var name: String
    var layer: Int
    var query: String
    var stage: @Sendable (inout PlanStage) throws -> Void = { _ in }
    var manifest: @Sendable (inout Manifest) -> Void = { _ in }
    var testDescription: String { name }
}

/// `layerQueries`, worked out by hand from REST reference 4.2, 10.2, 10.3 and 10.4.
@Suite("Layer queries")
struct LayerQueryTests {
    private static let schemaOnly = #"{"queryOption":"none","useGeometry":false,"includeRelated":false}"#
    private static let related = #"{"queryOption":"none","useGeometry":false,"includeRelated":true}"#
    private static let all = #"{"queryOption":"all"}"#
    private static let inArea = #"{"queryOption":"useFilter","useGeometry":true}"#

    private static func inArea(_ clause: String) -> String {
        "{\"queryOption\":\"useFilter\",\"useGeometry\":true,\"where\":\"\(clause)\"}"
    }

    private static func anywhere(_ clause: String) -> String {
        "{\"queryOption\":\"useFilter\",\"useGeometry\":false,\"where\":\"\(clause)\"}"
    }

    private static func override(_ title: String, where clause: String? = nil, useGeometry: Bool? = nil) -> LayerOverride {
        LayerOverride(match: .init(title: title), whereClause: clause, useGeometry: useGeometry, origin: "night.yaml:9:5")
    }

    private static func addHydrants(_ stage: inout PlanStage, _ expression: String?) {
        var layer: JSON = ["id": "more", "title": "More Hydrants", "url": .string(PlanStage.water + "/0")]
        if let expression { layer["layerDefinition"] = ["definitionExpression": .string(expression)] }
        stage.map["operationalLayers"] = .array((stage.map["operationalLayers"]?.array ?? []) + [layer])
    }

    static let layers: [LayerQueryCase] = [
        LayerQueryCase(name: "a layer is cut to the area", layer: 0, query: inArea),
        LayerQueryCase(
            name: "where", layer: 0, query: inArea("FLOW >= 500"),
            manifest: { $0.layers = [override("Hydrant", where: "FLOW >= 500")] }),
        LayerQueryCase(name: "definition expression", layer: 1, query: inArea("STATUS <> 'Abandoned'")),
        LayerQueryCase(
            name: "definition expression AND where", layer: 1,
            query: inArea("(STATUS <> 'Abandoned') AND (SIZE > 4 OR SIZE IS NULL)"),
            manifest: { $0.layers = [override("System Valve", where: "SIZE > 4 OR SIZE IS NULL")] }),
        LayerQueryCase(
            name: "definition expressions switched off", layer: 1, query: inArea,
            manifest: { $0.options.isDefinitionExpressionFilterEnabled = false }),
        LayerQueryCase(
            name: "switched off, but with a where", layer: 1, query: inArea("SIZE > 4"),
            manifest: {
                $0.options.isDefinitionExpressionFilterEnabled = false
                $0.layers = [override("System Valve", where: "SIZE > 4")]
            }),
        LayerQueryCase(
            name: "a blank definition expression filters nothing", layer: 0, query: inArea,
            stage: { try $0.changeMapLayer("hydrants", ["layerDefinition": ["definitionExpression": "  "]]) }),
        LayerQueryCase(
            name: "not cropped", layer: 3, query: anywhere("1=1"),
            manifest: { $0.layers = [override("Main", useGeometry: false)] }),
        LayerQueryCase(
            name: "not cropped, with a where", layer: 3, query: anywhere("DIAMETER > 8"),
            manifest: { $0.layers = [override("Main", where: "DIAMETER > 8", useGeometry: false)] }),
        LayerQueryCase(
            name: "useGeometry true is the default", layer: 3, query: inArea,
            manifest: { $0.layers = [override("Main", useGeometry: true)] }),
        LayerQueryCase(
            name: "schema only", layer: 0, query: schemaOnly, manifest: { $0.options.returnSchemaOnlyForEditableLayers = true }),
        LayerQueryCase(
            name: "schema only leaves read-only layers alone", layer: 3, query: inArea,
            manifest: { $0.options.returnSchemaOnlyForEditableLayers = true }),
        LayerQueryCase(
            name: "schema only goes before a where", layer: 0, query: schemaOnly,
            manifest: {
                $0.options.returnSchemaOnlyForEditableLayers = true
                $0.layers = [override("Hydrant", where: "FLOW >= 500")]
            }),
        LayerQueryCase(
            name: "two map layers on one: the rows of both", layer: 0, query: inArea("(KIND = 1) OR (KIND = 2)"),
            stage: {
                try $0.changeMapLayer("hydrants", ["layerDefinition": ["definitionExpression": "KIND = 1"]])
                addHydrants(&$0, "KIND = 2")
            }),
        LayerQueryCase(
            name: "two that want the same", layer: 0, query: inArea("KIND = 1"),
            stage: {
                try $0.changeMapLayer("hydrants", ["layerDefinition": ["definitionExpression": "KIND = 1"]])
                addHydrants(&$0, "KIND = 1")
            }),
        LayerQueryCase(
            name: "two, and one shows all", layer: 0, query: inArea,
            stage: {
                try $0.changeMapLayer("hydrants", ["layerDefinition": ["definitionExpression": "KIND = 1"]])
                addHydrants(&$0, nil)
            }),
        LayerQueryCase(
            name: "two, and a where for one of them", layer: 0, query: inArea("((KIND = 1) AND (FLOW > 9)) OR (KIND = 2)"),
            stage: {
                try $0.changeMapLayer("hydrants", ["layerDefinition": ["definitionExpression": "KIND = 1"]])
                addHydrants(&$0, "KIND = 2")
            },
            manifest: { $0.layers = [override("Hydrant", where: "FLOW > 9")] }),
        LayerQueryCase(
            name: "two, and one is not cropped", layer: 0, query: anywhere("1=1"),
            stage: { addHydrants(&$0, nil) }, manifest: { $0.layers = [override("More Hydrants", useGeometry: false)] }),
        LayerQueryCase(
            name: "two, and one is excluded", layer: 0, query: inArea,
            stage: { addHydrants(&$0, "KIND = 2") },
            manifest: { $0.layers = [LayerOverride(match: .init(title: "More Hydrants"), exclude: true)] }),
    ]

    static let tables: [LayerQueryCase] = [
        LayerQueryCase(name: "a table of its own comes whole", layer: 6, query: all),
        LayerQueryCase(
            name: "a table with a where", layer: 6, query: anywhere("YEAR > 2020"),
            manifest: { $0.layers = [override("Notes", where: "YEAR > 2020")] }),
        LayerQueryCase(
            name: "a table with a definition expression", layer: 5, query: anywhere("PASSED = 0"),
            stage: { try $0.changeMapLayer("visits", ["layerDefinition": ["definitionExpression": "PASSED = 0"]]) }),
        LayerQueryCase(name: "a destination: related rows only", layer: 5, query: related),
        LayerQueryCase(
            name: "destinationTableRowFilter all", layer: 5, query: all,
            manifest: { $0.options.destinationTableRowFilter = .all }),
        LayerQueryCase(
            name: "its origin is not in the map", layer: 5, query: all,
            manifest: { $0.layers = [LayerOverride(match: .init(title: "Hydrant"), exclude: true)] }),
        LayerQueryCase(
            name: "its origin brings no rows", layer: 5, query: all,
            manifest: { $0.options.returnSchemaOnlyForEditableLayers = true }),
        LayerQueryCase(
            name: "it is itself an origin", layer: 5, query: all,
            stage: {
                $0.changeLayer(
                    5,
                    [
                        "relationships": [
                            ["id": 0, "relatedTableId": 0, "role": "esriRelRoleDestination"],
                            ["id": 1, "relatedTableId": 6, "role": "esriRelRoleOrigin"],
                        ]
                    ])
            }),
        LayerQueryCase(
            name: "every row by the manifest", layer: 5, query: all,
            manifest: { $0.layers = [override("Inspections", useGeometry: false)] }),
        LayerQueryCase(
            name: "an editable table is schema only too", layer: 6, query: schemaOnly,
            stage: { $0.changeLayer(6, ["capabilities": "Create,Query,Sync"]) },
            manifest: { $0.options.returnSchemaOnlyForEditableLayers = true }),
        LayerQueryCase(
            name: "one view filters it, the other shows all", layer: 5, query: all,
            stage: { stage in
                stage.map["tables"] = .array(
                    (stage.map["tables"]?.array ?? []) + [
                        [
                            "id": "failed", "title": "Failed", "url": .string(PlanStage.water + "/5"),
                            "layerDefinition": ["definitionExpression": "PASSED = 0"],
                        ]
                    ])
            }),
    ]

    @Test("queries", arguments: layers + tables)
    func query(_ expected: LayerQueryCase) async throws {
        var stage = try PlanStage()
        try expected.stage(&stage)
        let form = try #require(try await stage.plan(expected.manifest).form("water/replica"))
        let queries = try JSON.parse(try #require(form["layerQueries"]))
        #expect(queries["\(expected.layer)"]?.serialized() == expected.query)
        // Every layer has an entry of its own: what is left out is filtered differently by different servers.
        #expect(queries.object?.keys == form["layers"]?.split(separator: ",").map(String.init))
    }

    @Test("a layer that the manifest leaves out is in neither list")
    func excluded() async throws {
        let plan = try await PlanStage().plan { $0.layers = [LayerOverride(match: .init(title: "System Valve"), exclude: true)] }
        #expect(plan.form("water/replica")?["layers"] == "0,3,5,6")
        #expect(plan.form("water/replica")?["layerQueries"]?.contains("\"1\":") == false)
    }
}
