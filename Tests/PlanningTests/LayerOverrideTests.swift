import Basics
import Manifest
import Testing

@testable import Planning

/// Each key of a layer override, and the request that it makes; worked out by hand from REST reference 4.1, 4.2, 6.4, 7.4 and 10.3.
@Suite("Requests of layer overrides")
struct LayerOverrideTests {
    private static func queries(_ overrides: [LayerOverride], _ options: MapOptions = MapOptions()) async throws -> JSON {
        let plan = try await PlanStage().plan {
            $0.layers = overrides
            $0.options = options
        }
        return try JSON.parse(try #require(plan.form("water/replica")?["layerQueries"]))
    }

    private static func override(
        _ title: String, _ option: LayerOverride.QueryOption, where clause: String? = nil, related: Bool? = nil
    ) -> LayerOverride {
        LayerOverride(match: .init(title: title), whereClause: clause, queryOption: option, includeRelated: related)
    }

    @Test("queryOption: all takes every row, without clause and area, and its count is that of the whole layer")
    func all() async throws {
        let plan = try await PlanStage().plan { $0.layers = [Self.override("System Valve", .all)] }
        let queries = try JSON.parse(try #require(plan.form("water/replica")?["layerQueries"]))
        #expect(queries["1"] == ["queryOption": "all"])
        #expect(queries["0"] == ["queryOption": "useFilter", "useGeometry": true])
        guard case .replica(let work)? = plan.jobs.first(where: { $0.kind == .replica })?.work else { throw NoReplica() }
        #expect(
            work.layers.first { $0.layerID == 1 }?.countQuery
                == ServiceRequest(url: PlanStage.water + "/1/query", parameters: ["where": "1=1", "returnCountOnly": "true"]))
    }

    @Test("queryOption: none takes no row, or only those of relationships")
    func none() async throws {
        let queries = try await Self.queries([Self.override("Main", .none), Self.override("Notes", .none, related: true)])
        #expect(queries["3"] == ["queryOption": "none", "useGeometry": false, "includeRelated": false])
        #expect(queries["6"] == ["queryOption": "none", "useGeometry": false, "includeRelated": true])
    }

    @Test("queryOption: useFilter on a related table takes all its rows, and servers want a condition")
    func useFilter() async throws {
        let queries = try await Self.queries([Self.override("Inspections", .useFilter)])
        #expect(queries["5"] == ["queryOption": "useFilter", "useGeometry": false, "where": "1=1"])
        let filtered = try await Self.queries([Self.override("Inspections", .useFilter, where: "Y > 2020")])
        #expect(filtered["5"] == ["queryOption": "useFilter", "useGeometry": false, "where": "Y > 2020"])
    }

    @Test("a queryOption wins over returnSchemaOnlyForEditableLayers, which holds for the others")
    func schemaOnly() async throws {
        var options = MapOptions()
        options.returnSchemaOnlyForEditableLayers = true
        // Only hydrants can be edited.
        #expect(try await Self.queries([], options)["0"]?["queryOption"] == "none")
        let queries = try await Self.queries([Self.override("Hydrant", .useFilter, where: "A = 1")], options)
        #expect(queries["0"] == ["queryOption": "useFilter", "useGeometry": true, "where": "A = 1"])
    }

    @Test("the table of a layer without rows comes whole: nothing it could be related to is there")
    func tableOfNothing() async throws {
        let queries = try await Self.queries([Self.override("Hydrant", .none)])
        #expect(queries["0"] == ["queryOption": "none", "useGeometry": false, "includeRelated": false])
        #expect(queries["5"] == ["queryOption": "all"])
    }

    @Test("attachments: false for the only layer that has them; true against the map's option")
    func attachments() async throws {
        let off = try await PlanStage().plan { $0.layers = [LayerOverride(match: .init(title: "Hydrant"), attachments: false)] }
        let form = try #require(off.form("water/replica"))
        #expect(form["returnAttachments"] == "false" && form["attachmentsSyncDirection"] == "none")
        #expect(form["returnAttachmentsDataByUrl"] == nil)
        let on = try await PlanStage().plan {
            $0.layers = [LayerOverride(match: .init(title: "Hydrant"), attachments: true)]
            $0.options.returnLayerAttachmentOption = MapOptions.ReturnLayerAttachmentOption.none
        }
        #expect(on.form("water/replica")?["returnAttachments"] == "true")
        #expect(on.form("water/replica")?["attachmentsSyncDirection"] == "bidirectional")
    }

    @Test("one replica has one switch for attachments: layers that disagree refuse the plan")
    func attachmentsDisagree() async throws {
        var stage = try PlanStage()
        stage.changeLayer(3, ["hasAttachments": true])
        let refusal = try #require(
            await stage.refusal {
                $0.layers = [LayerOverride(match: .init(title: "Hydrant"), attachments: false, origin: "night.yaml:9:5")]
            })
        #expect(refusal.outcome == .refused && refusal.problems.count == 1)
        #expect(refusal.problems[0].layer?.title == "Hydrant" && refusal.problems[0].origin == "night.yaml:9:5")
        #expect(
            refusal.problems[0].failure.message
                == "attachments: false, but Main of the same service brings them, and a replica has one switch")
    }

    @Test("compressionQuality: the server optimises; the default says that it does not")
    func quality() async throws {
        let plan = try await PlanStage().plan {
            $0.layers = [LayerOverride(match: .init(title: "World Street Map"), compressionQuality: 60)]
        }
        let form = try #require(plan.form("world-street-map/tiles"))
        #expect(form["optimizeTilesForSize"] == "true" && form["compressionQuality"] == "60")
        let usual = try #require(try await PlanStage().plan().form("world-street-map/tiles"))
        #expect(usual["optimizeTilesForSize"] == "false" && usual["compressionQuality"] == nil)
    }

    @Test("compressionQuality above that of the service's own tiles is refused with both numbers")
    func tooMuchQuality() async throws {
        var stage = try PlanStage()
        stage.documents[PlanStage.streets]?["tileInfo"]?["compressionQuality"] = 75
        let override = LayerOverride(match: .init(title: "World Street Map"), compressionQuality: 76)
        let refusal = await stage.refusal { $0.layers = [override] }
        #expect(
            refusal?.problems.map(\.failure.message) == ["compressionQuality: 76 is more than the 75 of the service's own tiles"])
    }

    @Test("maxLevel: vector tiles from the first level to this one, whatever the scale")
    func maxLevel() async throws {
        let plan = try await PlanStage().plan {
            $0.layers = [LayerOverride(match: .init(title: "Street Map (Vector)"), maxLevel: 9)]
            $0.scale = ScaleRange(min: 1_000_000, max: 500)
        }
        #expect(plan.form("street-map-vector/vectorTiles")?["levels"] == "0-9")
        let refusal = await (try PlanStage()).refusal {
            $0.layers = [LayerOverride(match: .init(title: "Street Map (Vector)"), maxLevel: 17)]
        }
        #expect(
            refusal?.problems.map(\.failure.message) == ["level IDs 17 are not levels of the service, which has 0-16"])
    }

    @Test("online: the layer keeps its place and its URL, even where other online layers go, and its service is not asked")
    func online() async throws {
        let stage = try PlanStage()
        let plan = try await stage.plan {
            $0.layers = [LayerOverride(match: .init(title: "World Street Map"), online: true)]
            $0.options.onlineOnlyServicesOption = .exclude
        }
        let layer = try #require(plan.layer("base-streets"))
        #expect(layer.verdict == .onlineOnly && layer.rule == "kept-online" && layer.source == nil)
        #expect(plan.jobs.allSatisfy { $0.kind != .tiles })
        #expect(!stage.asked.all.contains(PlanStage.streets))
    }

    @Test(
        "keys for layers of another kind are refused with their place",
        arguments: [
            (
                LayerOverride(match: .init(title: "Hydrant"), compressionQuality: 1),
                "compressionQuality is for image tiles; this one comes as a replica"
            ),
            (
                LayerOverride(match: .init(title: "Hydrant"), maxLevel: 1),
                "maxLevel is for vector tiles; this one comes as a replica"
            ),
            (
                LayerOverride(match: .init(title: "World Street Map"), maxLevel: 1),
                "maxLevel is for vector tiles; this one comes as tiles"
            ),
            (
                LayerOverride(match: .init(title: "Street Map (Vector)"), compressionQuality: 1),
                "compressionQuality is for image tiles; this one comes as vector tiles"
            ),
            (
                LayerOverride(match: .init(title: "World Street Map"), queryOption: .all),
                "queryOption is for feature layers; this one comes as tiles"
            ),
            (
                LayerOverride(match: .init(title: "World Street Map"), attachments: false),
                "attachments are for feature layers; this one comes as tiles"
            ),
            (LayerOverride(match: .init(title: "Main"), attachments: true), "attachments: true, and the layer has none"),
        ])
    func wrongKind(_ override: LayerOverride, _ message: String) async throws {
        var placed = override
        placed.origin = "night.yaml:20:5"
        let refusal = try #require(await (try PlanStage()).refusal { $0.layers = [placed] })
        #expect(refusal.problems.map(\.failure.message) == [message])
        #expect(refusal.problems.map(\.origin) == ["night.yaml:20:5"])
    }
}

private struct NoReplica: Error {}
