import ArcGIS
import Basics
import Geography
import Manifest
import TestSupport
import Testing
import Transport

@testable import Planning

@Suite("Refused plans, and layers that stay online")
struct RefusalTests {
    private static func error(_ code: Int64, _ message: String) -> HTTPResponse {
        .json(["error": ["code": .integer(code), "message": .string(message), "details": []]], PlanStage.streets)
    }

    @Test(
        "a service that does not answer is no reason to leave its layer out",
        arguments: [
            (HTTPResponse(status: 503, url: PlanStage.streets), Outcome.unavailable, Int32(69)),
            (error(500, "Service Streets/MapServer not started"), .unavailable, 69),
            (error(499, "Token Required"), .denied, 77),
            (error(403, "You do not have permissions to access this resource or perform this operation."), .denied, 77),
            // Gone: another day will not help.
            (error(404, "Service not found"), .refused, 66),
        ])
    func unanswered(_ answer: HTTPResponse, _ outcome: Outcome, _ exitCode: Int32) async throws {
        var stage = try PlanStage()
        stage.refusals[PlanStage.streets] = answer
        let refusal = try #require(await stage.refusal())
        #expect(refusal.problems.map(\.layer?.title) == ["World Street Map"])
        #expect(refusal.outcome == outcome && refusal.outcome.exitCode == exitCode)
    }

    @Test("one that is excluded is not even asked")
    func excluded() async throws {
        var stage = try PlanStage()
        stage.refusals[PlanStage.streets] = HTTPResponse(status: 503, url: PlanStage.streets)
        let plan = try await stage.plan { $0.layers = [LayerOverride(match: .init(title: "World Street Map"), exclude: true)] }
        #expect(plan.layer("base-streets")?.verdict == .excluded)
        #expect(!stage.asked.all.contains(PlanStage.streets))
        let noBase = try await stage.plan { $0.options.includeBasemap = false }
        #expect(noBase.layers.filter { $0.verdict == .excluded }.map(\.id) == ["base-vector", "base-streets"])
        #expect(noBase.exports.map(\.kind) == [.replica])
    }

    @Test("sign-in goes before everything else")
    func mixed() async throws {
        var stage = try PlanStage()
        stage.refusals[PlanStage.streets] = Self.error(499, "Token Required")
        stage.refusals[PlanStage.vector] = HTTPResponse(status: 503, url: PlanStage.vector)
        let refusal = try #require(await stage.refusal())
        #expect(refusal.problems.count == 2 && refusal.outcome == .denied)
    }

    @Test("the map itself: unknown, closed, switched off, not a map")
    func map() async throws {
        let item = PlanStage.portal + "/sharing/rest/content/items/map1"
        var stage = try PlanStage()
        stage.documents[item]?["typeKeywords"] = ["Web Map", "OfflineDisabled"]
        var refusal = try #require(await stage.refusal())
        #expect(refusal.outcome == .refused)
        #expect(refusal.problems[0].failure.message == "the map's author has switched off offline use (OfflineDisabled)")
        #expect(try await stage.plan { $0.options.ignoreOfflineDisabled = true }.exports.count == 3)

        stage = try PlanStage()
        stage.documents[item]?["type"] = "Web Scene"
        refusal = try #require(await stage.refusal())
        #expect(refusal.outcome == .refused)
        #expect(refusal.problems[0].failure.message == "the item is a web scene; only web maps can be taken offline")

        stage = try PlanStage()
        stage.documents[item] = [
            "error": ["code": 403, "messageCode": "GWM_0003", "message": "You do not have permissions", "details": []]
        ]
        refusal = try #require(await stage.refusal())
        #expect(refusal.outcome == .denied)

        stage = try PlanStage()
        stage.map = ["layers": [["id": 0]]]
        refusal = try #require(await stage.refusal())
        #expect(refusal.problems[0].failure.message == "the document is not a web map; it has layers")
    }

    @Test("a map from a file")
    func file() async throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(Documents.map.utf8), to: folder.file("water network.json"))
        let plan = try await PlanStage().plan { $0.webMap = .file(folder.file("water network.json")) }
        #expect(plan.map.itemID == nil && plan.map.title == "water network" && plan.map.thumbnailURL == nil)
        #expect(plan.exports.count == 3)
        let missing = await (try PlanStage()).refusal { $0.webMap = .file(folder.file("other.json")) }
        #expect(missing?.outcome == .refused)
        #expect(missing?.problems.first?.failure.message.hasPrefix(folder.file("other.json")) == true)
    }

    /// A layer that only an item names: whoever can say has to be asked, and an answer is an answer.
    @Test("layers by their items alone: a service, no service, no such item, no answer")
    func items() async throws {
        var stage = try PlanStage()
        let items = PlanStage.portal + "/sharing/rest/content/items/"
        stage.map["operationalLayers"] = [
            ["id": "a", "title": "Hydrant", "layerType": "ArcGISFeatureLayer", "itemId": "service"],
            ["id": "b", "title": "Walks", "layerType": "ArcGISFeatureLayer", "itemId": "collection"],
            ["id": "c", "title": "Lost", "layerType": "ArcGISFeatureLayer", "itemId": "lost"],
            ["id": "d", "title": "Dunes", "layerType": "VectorTileLayer", "itemId": "tiles"],
        ]
        stage.map["tables"] = []
        stage.documents[PlanStage.water]?["layers"] = [["id": 0, "name": "Hydrant"]]
        stage.documents[PlanStage.water]?["tables"] = []
        stage.documents[items + "service"] = ["id": "service", "type": "Feature Service", "url": .string(PlanStage.water)]
        stage.documents[items + "collection"] = ["id": "collection", "type": "Feature Collection"]
        stage.documents[items + "lost"] = [
            "error": [
                "code": 400, "messageCode": "CONT_0001", "message": "Item does not exist or is inaccessible.", "details": [],
            ]
        ]
        stage.documents[items + "tiles"] = ["id": "tiles", "type": "Vector Tile Package"]
        let plan = try await stage.plan()
        #expect(
            plan.layers.filter { $0.id.count == 1 }.map(\.rule) == [
                "OB001 replica", "OB035 data-in-item", "OB037 item-missing", "OB026 foreign-style",
            ])
        #expect(plan.layer("a")?.verdict == .replica && plan.layer("c")?.verdict == .onlineOnly)

        stage.refusals[items + "collection"] = HTTPResponse(status: 503, url: items + "collection")
        let refusal = try #require(await stage.refusal())
        #expect(refusal.problems.map(\.layer?.title) == ["Walks"] && refusal.outcome == .unavailable)
    }

    private static func stageWithOnlineLayers() throws -> PlanStage {
        var stage = try PlanStage()
        stage.map["operationalLayers"] = .array(
            (stage.map["operationalLayers"]?.array ?? []) + [
                ["id": "radar", "title": "Radar", "layerType": "WMS", "url": "https://w.example.org/wms"],
                ["id": "list", "title": "List", "layerType": "CSV", "url": "https://w.example.org/x.csv"],
            ])
        return stage
    }

    @Test("layers that cannot go offline stay, with their reason")
    func onlineOnly() async throws {
        var stage = try Self.stageWithOnlineLayers()
        stage.change(PlanStage.streets, ["exportTilesAllowed": false])
        let plan = try await stage.plan()
        let kept = plan.layers.filter { $0.verdict == .onlineOnly }
        #expect(kept.map(\.id) == ["base-streets", "radar", "list"])
        #expect(kept.map(\.rule) == ["OB021 export-not-allowed", "OB030 online-kind", "OB030 online-kind"])
        #expect(kept.allSatisfy { !$0.reason.isEmpty && $0.source == nil })
        #expect(plan.exports.map(\.kind) == [.vectorTiles, .replica])
        // Every layer of the map is in the plan.
        #expect(plan.layers.count == 9)
    }

    @Test("onlineOnlyServicesOption")
    func onlineOnlyOption() async throws {
        var stage = try Self.stageWithOnlineLayers()
        stage.map["applicationProperties"] = ["offline": ["connectedOnlineLayers": ["list"]]]
        for (option, kept) in [
            (MapOptions.OnlineOnlyServicesOption.include, ["radar", "list"]), (.exclude, []), (.useAuthoredSettings, ["list"]),
        ] {
            let plan = try await stage.plan { $0.options.onlineOnlyServicesOption = option }
            #expect(plan.layers.filter { $0.verdict == .onlineOnly }.map(\.id) == kept)
            #expect(plan.layers.filter { $0.verdict == .excluded }.count == 2 - kept.count)
        }
    }

    @Test("a map of which nothing goes offline would replace a good one by nothing")
    func nothingOffline() async throws {
        var stage = try PlanStage()
        for service in [PlanStage.streets, PlanStage.vector] { stage.change(service, ["exportTilesAllowed": false]) }
        stage.change(PlanStage.water, ["capabilities": "Query", "syncEnabled": false])
        let refusal = try #require(await stage.refusal())
        #expect(refusal.outcome == .refused && refusal.problems.count == 1)
        #expect(refusal.problems[0].failure.message == "nothing of the map can be taken offline")
        #expect(refusal.problems[0].failure.details.count == 7)
        #expect(
            refusal.problems[0].failure.details.last
                == "Notes: The service does not allow Sync; its owner can switch it on in the settings of the feature layer.")
        // Features that are in the document travel with it.
        stage.map["operationalLayers"] = [
            ["id": "notes", "title": "Sketch", "featureCollection": ["layers": [["featureSet": ["features": []]]]]]
        ]
        let plan = try await stage.plan()
        #expect(plan.jobs.map(\.kind) == [.package, .publish])
    }

    @Test("an area where the services have nothing; another where one of them has")
    func nothingThere() async throws {
        var stage = try PlanStage()
        let north = Envelope(xmin: 0, ymin: 0, xmax: 1000, ymax: 1000)
        let reference: JSON = ["wkid": 102100]
        for service in [PlanStage.streets, PlanStage.vector] {
            stage.change(
                service, ["fullExtent": ["xmin": 0, "ymin": 0, "xmax": 2000, "ymax": 2000, "spatialReference": reference]])
        }
        let withoutFeatures: @Sendable (inout Manifest) -> Void = {
            $0.areas = [PlanStage.area("near", .envelope(north)), PlanStage.area("far")]
            $0.layers = [LayerOverride(match: .init(url: PlanStage.water), exclude: true)]
            $0.scale = ScaleRange(min: 10_000, max: 1_000)
        }
        stage.change(PlanStage.vector, ["minLOD": 12])
        let refusal = try #require(await stage.refusal(withoutFeatures))
        #expect(refusal.problems.map(\.area) == ["far"])
        #expect(refusal.problems[0].failure.message == "the services of the map have nothing in this area")
        #expect(refusal.problems[0].failure.details == ["Street Map (Vector)", "World Street Map"])
        // With features the far area has a map, and says what is missing in it.
        let plan = try await stage.plan {
            withoutFeatures(&$0)
            $0.layers = []
        }
        #expect(plan.gaps.map { "\($0.area) \($0.layer.id)" } == ["far base-vector", "far base-streets"])
        #expect(plan.jobs.filter { $0.area == "far" }.map(\.kind) == [.replica, .package, .publish])
        #expect(plan.jobs.filter { $0.area == "near" }.count == 5)
        #expect(plan.gaps.allSatisfy { $0.staysOnline })
        let strict = try await stage.plan {
            withoutFeatures(&$0)
            $0.layers = []
            $0.options.onlineOnlyServicesOption = .exclude
        }
        #expect(strict.gaps.map(\.staysOnline) == [false, false])
    }

    @Test("planning starts nothing and downloads nothing")
    func nothingStarted() async throws {
        let stage = try PlanStage()
        _ = try await stage.plan()
        let words = ["createReplica", "exportTiles", "submitJob", "applyEdits", "/tile/"]
        #expect(!stage.asked.all.contains { path in words.contains { path.contains($0) } })
        // Each service once, with its layers: portal, item, data, three services, one list of layers, and the item of the tiles.
        #expect(stage.asked.all.count == 8)
    }
}
