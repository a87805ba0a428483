import Basics
import Manifest
import Testing

@testable import Planning

/// What the planner reads of stamps, and what a plan makes of the maps that are out.
@Suite("Stamps in plans, and plans beside the maps that are out") struct PlanRefreshTests {
    private static let tileItem = "7f5fe58ee3c046da8d83980b7262b7f6"

    private func stage(edit: Int = 1_700_000_000_000, tiles: Int? = 1_700_000_000_000) throws -> PlanStage {
        var stage = try PlanStage()
        for id in [0, 1, 3, 5, 6] {
            stage.changeLayer(id, ["editingInfo": ["lastEditDate": JSON(id == 0 ? edit : 1_600_000_000_000)]])
        }
        if let tiles {
            stage.documents[PlanStage.portal + "/sharing/rest/content/items/" + Self.tileItem] = [
                "id": .string(Self.tileItem), "type": "Map Service", "title": "Streets", "modified": JSON(tiles),
            ]
        }
        return stage
    }

    /// The maps that a run of this plan would leave.
    private func maps(_ plan: Plan, at time: Int = 1_793_491_200_000) -> [String: PublishedMap] {
        plan.areas.reduce(into: [:]) { maps, area in
            let jobs = plan.jobs.filter { $0.area == area.id }
            maps[area.id] = PublishedMap(
                area: area.id, generation: "\(area.id)/generations/1", created: time, mapID: plan.map.itemID,
                packageKey: jobs.first { $0.kind == .package }?.key ?? "",
                parts: jobs.filter { !$0.kind.isLocal }.map { job in
                    PublishedPart(
                        job: job.id, kind: job.kind, key: job.key, request: job.work.comparedRequest, stamp: job.stamp,
                        fetched: time,
                        sha256: "aa", bytes: 1, fileExtension: "x", path: "p13/\(job.id)")
                },
                layers: plan.layers.map {
                    PublishedLayer(
                        id: $0.id, title: $0.title, url: $0.url, verdict: $0.verdict.rawValue, rule: $0.rule,
                        serviceLayerID: $0.serviceLayerID, schema: $0.schema)
                })
        }
    }

    private func reasons(_ plan: Plan) -> [String: String] {
        Dictionary(plan.jobs.map { ($0.id.replacing("downtown/", with: ""), $0.reason) }) { first, _ in first }
    }

    private let now = 1_793_577_600_000

    @Test("stamps are read of what is read anyway: layers, and the item of tiles; the hash of a plan moves with them")
    func stamps() async throws {
        let plan = try await stage().plan()
        let replica = try #require(plan.exports.first { $0.kind == .replica })
        #expect(replica.stamp.layers.map(\.id) == [0, 1, 3, 5, 6])
        #expect(replica.stamp.layers.first?.lastEdit == 1_700_000_000_000)
        #expect(plan.exports.first { $0.kind == .tiles }?.stamp == SourceStamp(items: [Self.tileItem: 1_700_000_000_000]))
        #expect(plan.exports.first { $0.kind == .vectorTiles }?.stamp == SourceStamp())
        let edited = try await stage(tiles: 1_700_000_000_001).plan()
        #expect(edited.hash != plan.hash)
        #expect(edited.exports.filter { job in !plan.exports.contains { $0.key == job.key } }.map(\.kind) == [.tiles])
    }

    @Test(
        "a portal that cannot be asked for the stamp of tiles leaves them the one of the maps; one that shows no item leaves none"
    )
    func unasked() async throws {
        var silent = try stage()
        let url = PlanStage.portal + "/sharing/rest/content/items/" + Self.tileItem
        silent.refusals[url] = .json(["error": ["code": 503, "message": "busy", "details": []]], url)
        silent.itemMemory = [Self.tileItem: 1_700_000_000_000]
        let plan = try await silent.plan()
        let known = try await stage().plan()
        let tiles = try #require(plan.exports.first { $0.kind == .tiles })
        #expect(tiles.key == known.exports.first { $0.kind == .tiles }?.key)
        #expect(plan.losses.unasked.map(\.title) == ["World Street Map"])
        #expect(
            plan.notes == [
                "the portal does not say whether one item behind tiles and styles changed (busy); what the maps have of them counts as unchanged tonight"
            ])
        silent.itemMemory = [:]
        #expect(try await silent.plan().exports.first { $0.kind == .tiles }?.stamp == SourceStamp())
        silent.refusals[url] = .json(["error": ["code": 403, "message": "no", "details": []]], url)
        silent.itemMemory = [Self.tileItem: 1_700_000_000_000]
        let closed = try await silent.plan()
        #expect(closed.exports.first { $0.kind == .tiles }?.stamp == SourceStamp() && closed.losses.unasked.isEmpty)
    }

    @Test("generations of change tracking stand in where there is no editingInfo, and only there")
    func serverGenerations() async throws {
        var stage = try stage()
        stage.change(
            PlanStage.water,
            ["changeTrackingInfo": ["layerServerGens": [["id": 0, "serverGen": 17], ["id": 1, "serverGen": 18]]]])
        stage.changeLayer(1, ["editingInfo": nil])
        let layers = try #require(try await stage.plan().exports.first { $0.kind == .replica }?.stamp.layers)
        #expect(layers.map(\.serverGeneration) == [nil, 18, nil, nil, nil])
    }

    @Test("a night on which nothing changed has nothing to do but for what has no stamp")
    func unchanged() async throws {
        let plan = try await stage().plan()
        let next = plan.refreshed(against: maps(plan), now: now)
        #expect(
            reasons(next) == [
                "street-map-vector/vectorTiles": "no edit stamp",
                "world-street-map/tiles": "unchanged since 2026-11-01T00:00:00Z",
                "water/replica": "unchanged since 2026-11-01T00:00:00Z", "package": "assembles 3 parts",
                "publish": "switches to the new map",
            ])
        #expect(next.hash == plan.hash)
        let calm = try await stage().plan { $0.tileRefresh = .after(.seconds(30 * 86_400)) }
        #expect(calm.refreshed(against: maps(calm), now: now).unchangedAreas == ["downtown"])
        let late = calm.refreshed(against: maps(calm), now: now + 31 * 86_400_000)
        #expect(late.jobs.filter { $0.reason == "older than 30 d" }.map(\.kind) == [.vectorTiles, .tiles])
    }

    @Test("cosmetic edits of the manifest change nothing; one clause changes one job")
    func cosmetics() async throws {
        let calm: (inout Manifest) -> Void = { $0.tileRefresh = .never }
        let plan = try await stage().plan(calm)
        let reordered = try await stage().plan {
            calm(&$0)
            $0.layers = [LayerOverride(match: .init(title: "Main"), useGeometry: true)]
            $0.limits.attempts = 2
        }
        #expect(reordered.refreshed(against: maps(plan), now: now).unchangedAreas == ["downtown"])
        let narrowed = try await stage().plan {
            calm(&$0)
            $0.layers = [LayerOverride(match: .init(title: "Main"), whereClause: "A = 1")]
        }
        let next = narrowed.refreshed(against: maps(plan), now: now)
        #expect(next.jobs.filter { !$0.kind.isLocal && $0.unchangedSince == nil }.map(\.reason) == ["where clause changed"])
        #expect(next.unchangedAreas.isEmpty)
    }

    @Test("an edited map document makes a new folder of the old parts; views of its item do not")
    func mapDocument() async throws {
        let calm: (inout Manifest) -> Void = { $0.tileRefresh = .never }
        let plan = try await stage().plan(calm)
        var viewed = try stage()
        viewed.change(PlanStage.portal + "/sharing/rest/content/items/map1", ["numViews": 99, "lastViewed": 1_793_000_000_000])
        #expect(try await viewed.plan(calm).hash == plan.hash)
        var edited = try stage()
        try edited.changeMapLayer("mains", ["opacity": 0.5])
        let next = try await edited.plan(calm).refreshed(against: maps(plan), now: now)
        #expect(next.jobs.filter { $0.unchangedSince == nil }.map(\.reason) == ["map changed", "switches to the new map"])
    }

    @Test("a file of the folder that is gone, an area that is gone, and everything on request")
    func repairs() async throws {
        let plan = try await stage().plan { $0.tileRefresh = .never }
        var broken = maps(plan)
        broken["downtown"]?.condition = .missing
        let next = plan.refreshed(against: broken, now: now)
        #expect(next.jobs.filter { $0.unchangedSince == nil }.map(\.reason) == ["artifact missing", "artifact missing"])
        let lost = plan.refreshed(against: [:], areasLost: ["downtown"], now: now)
        #expect(Set(lost.jobs.filter { !$0.kind.isLocal }.map(\.reason)) == ["artifact missing"])
        let all = plan.refreshed(against: maps(plan), everything: true, now: now)
        #expect(Set(all.jobs.filter { !$0.kind.isLocal }.map(\.reason)) == ["asked for"])
    }
}
