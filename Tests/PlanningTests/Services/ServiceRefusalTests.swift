import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// What refuses a plan of services, and where the manifest says it.
@Suite("Services of the manifest: refusals and warnings")
struct ServiceRefusalTests: ServicesSuite {
    @Test("layers that no service has refuse the plan, all at once, with their places")
    func missingLayers() async throws {
        let refusal = try await refusal([
            Self.entry(PlanStage.water, layers: [ServiceEntry.Layer(id: 2, settings: Self.set { $0.origin = "night.yaml:7:9" })]),
            Self.entry(PlanStage.water + "/9"),
        ])
        #expect(refusal.outcome == .refused)
        #expect(refusal.problems.map(\.origin) == ["night.yaml:7:9", "night.yaml:5:5"])
        #expect(refusal.problems.map(\.failure.message) == ["the service has no layer 2", "the service has no layer 9"])
        #expect(
            refusal.problems[0].failure.details == [
                "it has 0 Hydrant, 1 System Valve, 3 Main, 5 Inspections, 6 Notes", PlanStage.water,
            ])
    }

    @Test("items that are no services, and items that are not there")
    func wrongItems() async throws {
        let refusal = try await refusal([Self.entry("map1"), Self.entry("nothing")])
        #expect(
            refusal.problems[0].failure.message
                == "the item map1 is no feature, map, image or vector tile service but a Web Map")
        #expect(refusal.problems[0].failure.details == ["Water", "a web map is named by webMap"])
        #expect(refusal.problems[1].failure.details.first == "service nothing")
        #expect(refusal.problems.allSatisfy { $0.origin == "night.yaml:5:5" })
    }

    @Test("a service that cannot be asked is a problem, not an absence")
    func unreachable() async throws {
        var stage = try Self.stage()
        stage.refusals[PlanStage.water] = .json([:], PlanStage.water, status: 503)
        let refusal = try await refusal([Self.entry(PlanStage.water), Self.entry(PlanStage.streets)], stage: stage)
        #expect(refusal.outcome == .unavailable)
        #expect(refusal.problems.map(\.layer?.title) == ["Water"] && refusal.problems.map(\.origin) == ["night.yaml:5:5"])
        let client = ArcGISClient(transport: stage, portal: PlanStage.portal, credentials: CredentialStore(.none))
        await #expect(throws: PlanRefusal.self) {
            try await Inspection.inspect(service: .url(PlanStage.water), client: client)
        }
    }

    @Test("services that cannot go offline: each layer with its rule")
    func cannot() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.water, ["capabilities": "Query", "syncEnabled": false])
        stage.change(PlanStage.streets, ["exportTilesAllowed": false])
        let services = [Self.entry(PlanStage.water + "/0"), Self.entry(PlanStage.streets)]
        let refusal = try await refusal(services, stage: stage)
        #expect(refusal.problems.map(\.failure.message) == ["nothing of the map can be taken offline"])
        #expect(refusal.problems[0].failure.details.count == 2)
        // Beside something that can, they stay online.
        let plan = try await plan(services + [Self.entry(PlanStage.vector)], stage: stage)
        #expect(plan.layers.map(\.rule) == ["OB021 export-not-allowed", "OB007 vector-tile-export", "OB010 no-sync"])
        #expect(plan.exports.map(\.kind) == [.vectorTiles])
    }

    @Test("keys for other kinds, which only the portal can tell of an item")
    func wrongKeys() async throws {
        let refusal = try await refusal([
            Self.entry("light", Self.set { $0.whereClause = "A = 1" }),
            Self.entry("network", Self.set { $0.vectorTiles = .tiles }),
        ])
        #expect(refusal.problems.first?.failure.message == "where is for feature layers; this one comes as tiles")
        // Once for each layer of the service.
        #expect(
            refusal.problems.dropFirst().map(\.failure.message)
                == Array(repeating: "vectorTiles is for vector tiles; this one comes as a replica", count: 5))
    }

    @Test("layers of one service that want two replicas")
    func twoModels() async throws {
        let refusal = try await refusal([
            Self.entry(PlanStage.water + "/0", Self.set { $0.syncModel = .layer }),
            Self.entry(PlanStage.water + "/1", Self.set { $0.syncModel = .geodatabase }),
        ])
        #expect(
            refusal.problems.map(\.failure.message)
                == ["syncModel differs from that of Hydrant, and the layers of a service share one replica"])
    }

    @Test("a sync model that the service cannot do")
    func syncModel() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.water, ["syncCapabilities": ["supportsSyncModelNone": true]])
        let refusal = try await refusal(
            [Self.entry(PlanStage.water + "/0", Self.set { $0.syncModel = .layer })], stage: stage)
        #expect(
            refusal.problems.first?.failure.message == "syncModel: layer, and the service does not say supportsPerLayerSync")
        #expect(refusal.problems.first?.origin == "night.yaml:5:5")
    }

    @Test("lint finds the layers of services, at the lines of their entries")
    func lint() async throws {
        var stage = try Self.stage()
        stage.change(PlanStage.water, ["capabilities": "Query", "syncEnabled": false])
        var manifest = Manifest(
            name: "night", path: "/m/night.yaml", portal: PortalSettings(url: PlanStage.portal), webMap: nil,
            services: [
                Self.entry(PlanStage.water + "/1"), Self.entry("dark"),
                Self.entry("dark", Self.set { $0.vectorTiles = .style }),
            ],
            areas: [PlanStage.area()], output: OutputSettings(directory: "/m/out"))
        manifest.webMapOrigin = "night.yaml:4:1"
        let client = ArcGISClient(transport: stage, portal: PlanStage.portal, credentials: CredentialStore(.none))
        var findings = try await Linter(client: client).lint(manifest)
        #expect(findings.map(\.ruleID) == ["OB010"])
        #expect(findings[0].origin == "night.yaml:5:5" && findings[0].layer?.title == "System Valve")
        manifest.services[0] = Self.entry(PlanStage.water + "/2")
        findings = try await Linter(client: client).lint(manifest)
        #expect(findings.map(\.ruleID) == ["OB069"] && findings[0].level == .error)
    }
}
