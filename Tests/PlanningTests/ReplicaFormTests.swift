import Basics
import Geography
import Manifest
import Testing

@testable import Planning

/// Forms of createReplica, worked out by hand from REST reference 4.1, 4.2, 10.1 and 10.2.
@Suite("createReplica forms")
struct ReplicaFormTests {
    private static let geometry =
        #"{"xmin":-9813000,"ymin":5123000,"xmax":-9812000,"ymax":5124000,"spatialReference":{"wkid":102100,"latestWkid":3857}}"#

    @Test("the whole form of a map that asks for nothing special")
    func whole() async throws {
        let plan = try await PlanStage().plan()
        let expected = [
            "replicaName": "ob_night_downtown_water",
            "layers": "0,1,3,5,6",
            "layerQueries": #"{"0":{"queryOption":"useFilter","useGeometry":true},"#
                + #""1":{"queryOption":"useFilter","useGeometry":true,"where":"STATUS <> 'Abandoned'"},"#
                + #""3":{"queryOption":"useFilter","useGeometry":true},"#
                + #""5":{"queryOption":"none","useGeometry":false,"includeRelated":true},"6":{"queryOption":"all"}}"#,
            "geometry": Self.geometry, "geometryType": "esriGeometryEnvelope", "inSR": "102100", "replicaSR": "102100",
            "transportType": "esriTransportTypeUrl", "returnAttachments": "true", "returnAttachmentsDataByUrl": "false",
            "attachmentsSyncDirection": "bidirectional", "async": "true", "syncModel": "none", "dataFormat": "sqlite",
        ]
        #expect(plan.form("water/replica") == expected)
        let job = try #require(plan.jobs.first { $0.kind == .replica })
        #expect(job.request?.url == PlanStage.water + "/createReplica")
        #expect(job.layers.map(\.id) == ["mains", "valves", "hydrants", "visits", "notes"])
    }

    /// 144 = 128 + 16.
    @Test(
        "syncDataOptions: what the service knows of it, in replicaOptions",
        arguments: [
            // wanted, supportedSyncDataOptions, replicaOptions
            (144, 255, #"{"syncDataOptions":144}"#), (144, 19, #"{"syncDataOptions":16}"#), (144, 3, nil), (144, nil, nil),
            (nil, 255, nil), (0, 255, nil),
        ] as [(Int?, Int?, String?)])
    func dataOptions(_ wanted: Int?, _ supported: Int?, _ expected: String?) async throws {
        var stage = try PlanStage()
        let can = stage.documents[PlanStage.water]?["syncCapabilities"] ?? .null
        stage.change(
            PlanStage.water, ["syncCapabilities": can.with(["supportedSyncDataOptions": supported.map { JSON($0) } ?? .null])])
        let plan = try await stage.plan { $0.options.syncDataOptions = wanted }
        #expect(plan.form("water/replica")?["replicaOptions"] == expected)
    }

    /// A service that does not say that it can is asked to do the replica within the request (REST reference 4.1).
    @Test("asynchronous where the service can, and only there", arguments: [(true, "true"), (false, "false"), (nil, "false")])
    func asynchronous(_ can: Bool?, _ expected: String) async throws {
        var stage = try PlanStage()
        let capabilities = stage.documents[PlanStage.water]?["syncCapabilities"] ?? .null
        stage.change(
            PlanStage.water, ["syncCapabilities": capabilities.with(["supportsAsync": can.map { .bool($0) } ?? .null])])
        #expect(try await stage.plan().form("water/replica")?["async"] == expected)
    }

    @Test("one createReplica for all layers of a service, whatever their place in the map")
    func oneJob() async throws {
        let plan = try await PlanStage().plan()
        #expect(
            plan.jobs.map(\.id) == [
                "downtown/street-map-vector/vectorTiles", "downtown/world-street-map/tiles", "downtown/water/replica",
                "downtown/package", "downtown/publish",
            ])
        #expect(plan.jobs[3].dependsOn == plan.jobs.prefix(3).map(\.id))
        #expect(plan.jobs[4].dependsOn == ["downtown/package"])
    }

    @Test(
        "sync models and registration",
        arguments: [
            // updateMode, the service's syncCapabilities, syncModel, registration
            (
                MapOptions.UpdateMode.noUpdates, "supportsPerLayerSync,supportsSyncModelNone", "none",
                ReplicaWork.Registration.none
            ),
            (.noUpdates, "supportsPerLayerSync,supportsPerReplicaSync", "perLayer", .untilFetched),
            (.noUpdates, "supportsPerReplicaSync", "perReplica", .untilFetched),
            (.syncWithFeatureServices, "supportsPerLayerSync,supportsSyncModelNone", "perLayer", .kept),
            (.syncWithFeatureServices, "supportsPerReplicaSync,supportsSyncModelNone", "perReplica", .kept),
        ])
    func syncModels(
        _ mode: MapOptions.UpdateMode, _ capabilities: String, _ model: String, _ registration: ReplicaWork.Registration
    ) async throws {
        var stage = try PlanStage()
        let members = capabilities.split(separator: ",").map { JSONObject.Member(key: String($0), value: true) }
        stage.change(PlanStage.water, ["syncCapabilities": .object(JSONObject(members))])
        let plan = try await stage.plan { $0.options.updateMode = mode }
        let form = try #require(plan.form("water/replica"))
        #expect(form["syncModel"] == model)
        // Not said to be supported, so not asked for.
        #expect(form["async"] == "false")
        guard case .replica(let work)? = plan.jobs.first(where: { $0.kind == .replica })?.work else { return }
        #expect(work.registration == registration)
    }

    @Test(
        "syncModel of the manifest",
        arguments: [
            // syncModel, the form's, registration with noUpdates
            (MapOptions.SyncModel.layer, "perLayer", ReplicaWork.Registration.untilFetched),
            (.geodatabase, "perReplica", .untilFetched), (.none, "none", .none),
        ])
    func wantedSyncModel(
        _ wanted: MapOptions.SyncModel, _ model: String, _ registration: ReplicaWork.Registration
    ) async throws {
        let plan = try await PlanStage().plan { $0.options.syncModel = wanted }
        #expect(plan.form("water/replica")?["syncModel"] == model)
        guard case .replica(let work)? = plan.jobs.first(where: { $0.kind == .replica })?.work else { return }
        #expect(work.registration == registration)
    }

    @Test(
        "a sync model that the service cannot do refuses the plan",
        arguments: [
            (MapOptions.SyncModel.layer, "supportsPerLayerSync"), (.geodatabase, "supportsPerReplicaSync"),
            (.none, "supportsSyncModelNone"),
        ])
    func missingSyncModel(_ wanted: MapOptions.SyncModel, _ capability: String) async throws {
        var stage = try PlanStage()
        let others = ["supportsPerLayerSync", "supportsPerReplicaSync", "supportsSyncModelNone"].filter { $0 != capability }
        stage.change(
            PlanStage.water, ["syncCapabilities": .object(JSONObject(others.map { JSONObject.Member(key: $0, value: true) }))])
        let refusal = await stage.refusal { $0.options.syncModel = wanted }
        #expect(refusal?.outcome == .refused)
        #expect(
            refusal?.problems.map(\.failure.message)
                == ["syncModel: \(wanted.rawValue), and the service does not say \(capability)"])
    }

    @Test("outSpatialReference is the replica's, and of nothing else")
    func outSpatialReference() async throws {
        let plan = try await PlanStage().plan { $0.options.outSpatialReference = 4326 }
        let form = try #require(plan.form("water/replica"))
        #expect(form["replicaSR"] == "4326" && form["inSR"] == "102100" && form["geometry"] == Self.geometry)
        let usual = try await PlanStage().plan()
        #expect(plan.form("world-street-map/tiles") == usual.form("world-street-map/tiles"))
        #expect(plan.map.spatialReference == usual.map.spatialReference)
    }

    @Test("an outSpatialReference that nobody knows refuses the plan")
    func unknownOutReference() async throws {
        let refusal = await (try PlanStage()).refusal { $0.options.outSpatialReference = 999_999 }
        #expect(refusal?.problems.map(\.failure.message) == [#"unknown spatial reference {"wkid":999999}"#])
    }

    @Test("a polygon stays a polygon")
    func polygon() async throws {
        let ring = [(-9_813_000.0, 5_123_000.0), (-9_812_500, 5_124_000), (-9_812_000, 5_123_000), (-9_813_000, 5_123_000)]
        let polygon = Polygon(rings: [ring.map { Coordinate(x: $0.0, y: $0.1) }])
        let plan = try await PlanStage().plan { $0.areas = [PlanStage.area("downtown", .polygon(polygon))] }
        let form = try #require(plan.form("water/replica"))
        #expect(form["geometryType"] == "esriGeometryPolygon")
        #expect(
            form["geometry"]
                == #"{"rings":[[[-9813000,5123000],[-9812500,5124000],[-9812000,5123000],[-9813000,5123000]]],"#
                + #""spatialReference":{"wkid":102100,"latestWkid":3857}}"#)
    }

    /// The box's corners by `cs2cs EPSG:4326 ESRI:102671` (Illinois East, US feet); rows come in the map's system.
    @Test("the area in the service's spatial reference, the replica in the map's")
    func statePlane() async throws {
        var stage = try PlanStage()
        stage.change(PlanStage.water, ["spatialReference": ["wkid": 102671, "latestWkid": 3435]])
        let degrees = Envelope(xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780)
        let plan = try await stage.plan { $0.areas = [AreaSource(id: "downtown", place: .shape(.envelope(degrees), .wgs84))] }
        let form = try #require(plan.form("water/replica"))
        #expect(form["inSR"] == "102671" && form["replicaSR"] == "102100")
        let geometry = try JSON.parse(try #require(form["geometry"]))
        #expect(geometry["spatialReference"] == ["wkid": 102671, "latestWkid": 3435])
        for (key, value) in [("xmin", 1031526.152), ("ymin", 1857004.480), ("xmax", 1036993.381), ("ymax", 1862481.953)] {
            #expect(abs(try #require(geometry[key]?.double) - value) < 0.1, "\(key)")
        }
    }

    @Test("what the rows of each layer are counted by")
    func counts() async throws {
        let plan = try await PlanStage().plan {
            $0.layers = [LayerOverride(match: .init(title: "Main"), useGeometry: false)]
        }
        guard case .replica(let work)? = plan.jobs.first(where: { $0.kind == .replica })?.work else {
            Issue.record("no replica")
            return
        }
        let spatial = [
            "returnCountOnly": "true", "geometry": Self.geometry, "geometryType": "esriGeometryEnvelope", "inSR": "102100",
            "spatialRel": "esriSpatialRelIntersects",
        ]
        #expect(work.layers.map(\.layerID) == [0, 1, 3, 5, 6])
        #expect(
            work.layers.map { $0.countQuery?.parameters } == [
                spatial.merging(["where": "1=1"]) { $1 }, spatial.merging(["where": "STATUS <> 'Abandoned'"]) { $1 },
                ["returnCountOnly": "true", "where": "1=1"],
                // Rows that come through relationships: no query says how many.
                nil, ["returnCountOnly": "true", "where": "1=1"],
            ])
        #expect(work.layers[1].countQuery?.url == PlanStage.water + "/1/query")
    }

    /// REST reference 10.2: which layers return attachments, and which direction fits.
    @Test(
        "attachments",
        arguments: [
            // option, direction; for a map with an editable layer that has attachments: returned, direction sent;
            // the same where the layer is read-only.
            (MapOptions.ReturnLayerAttachmentOption.none, MapOptions.AttachmentSyncDirection.none, "false none", "false none"),
            (.none, .upload, "false upload", "false upload"),
            (.none, .bidirectional, "false none", "false none"),
            (.allLayers, .none, "true bidirectional", "true bidirectional"),
            (.allLayers, .upload, "true upload", "true upload"),
            (.allLayers, .bidirectional, "true bidirectional", "true bidirectional"),
            (.readOnlyLayers, .none, "false none", "true bidirectional"),
            (.readOnlyLayers, .upload, "false upload", "true upload"),
            (.readOnlyLayers, .bidirectional, "false none", "true bidirectional"),
            (.editableLayers, .none, "true bidirectional", "false none"),
            (.editableLayers, .upload, "true upload", "false upload"),
            (.editableLayers, .bidirectional, "true bidirectional", "false none"),
        ])
    func attachments(
        _ option: MapOptions.ReturnLayerAttachmentOption, _ direction: MapOptions.AttachmentSyncDirection, _ editable: String,
        _ readOnly: String
    ) async throws {
        for (capabilities, expected) in [("Create,Update,Query,Sync", editable), ("Query,Sync", readOnly)] {
            var stage = try PlanStage()
            stage.changeLayer(0, ["capabilities": .string(capabilities)])
            let plan = try await stage.plan {
                $0.options.returnLayerAttachmentOption = option
                $0.options.attachmentSyncDirection = direction
            }
            let form = try #require(plan.form("water/replica"))
            #expect("\(form["returnAttachments"] ?? "") \(form["attachmentsSyncDirection"] ?? "")" == expected)
            #expect((form["returnAttachmentsDataByUrl"] == nil) == (form["returnAttachments"] == "false"))
        }
    }

    /// Servers before 11.1 want a geometry always, and all of them want at least one layer (REST reference 4.1).
    @Test("a map of nothing but tables")
    func tablesOnly() async throws {
        var stage = try PlanStage()
        stage.map["operationalLayers"] = []
        stage.map["baseMap"] = ["baseMapLayers": []]
        let plan = try await stage.plan()
        let form = try #require(plan.form("water/replica"))
        #expect(form["layers"] == "5,6" && form["geometry"] == Self.geometry)
        // The origin is not in the map: all inspections come.
        #expect(form["layerQueries"] == #"{"5":{"queryOption":"all"},"6":{"queryOption":"all"}}"#)
        // Everything of a service left out: no request without layers.
        let none = await stage.refusal { $0.layers = [LayerOverride(match: .init(url: PlanStage.water), exclude: true)] }
        #expect(none?.problems.first?.failure.message == "nothing of the map can be taken offline")
    }

    @Test("without any layer that has attachments none are asked for")
    func noAttachments() async throws {
        var stage = try PlanStage()
        stage.changeLayer(0, ["hasAttachments": false])
        #expect(try await stage.plan().form("water/replica")?["returnAttachments"] == "false")
    }
}
