import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// Cases E03, E04: what a map or a service has lost since the last good run.
@Suite("Drift") struct DriftTests {
    private static func planned(
        _ schema: LayerSchema?, id: String = "reports", number: Int = 0, verdict: Verdict = .replica, rule: String = "OB001"
    ) -> PlannedLayer {
        var layer = PlannedLayer(
            id: id, title: "Reports", groups: [], url: "https://s/W/FeatureServer/\(number)", serviceLayerID: number,
            verdict: verdict, rule: rule, reason: "because", source: nil)
        layer.schema = schema
        return layer
    }

    private static func published(_ layer: PlannedLayer) -> PublishedLayer {
        PublishedLayer(
            id: layer.id, title: layer.title, url: layer.url, verdict: layer.verdict.rawValue, rule: layer.rule,
            serviceLayerID: layer.serviceLayerID, schema: layer.schema)
    }

    private static let observation = LayerSchema(
        name: "Observation Reports", geometryType: "esriGeometryPoint",
        fields: ["OBJECTID": "esriFieldTypeOID", "KIND": "esriFieldTypeString"])

    private static func changes(_ before: [PlannedLayer], _ now: [PlannedLayer]) -> [Drift.Change] {
        DriftCheck(before: before.map(published), now: now).changes.map(\.change)
    }

    private static func changed(_ body: (inout LayerSchema) -> Void) -> [Drift.Change] {
        var schema = observation
        body(&schema)
        return changes([planned(observation)], [planned(schema)])
    }

    @Test("two manifests, one folder, one area: another's map is not replaced silently; a manifest that was renamed goes on")
    func otherManifest() async throws {
        let plan = try await PlanStage().plan()
        let url = try #require(plan.exports.first?.request?.url)
        func drift(_ name: String, map: String?, url: String, onMapOfServices: Bool = false) -> [Drift.Change] {
            var plan = plan
            if onMapOfServices { plan.map.itemID = nil }
            let part = PublishedPart(
                job: "downtown/x/tiles", kind: .tiles, key: "k", request: ServiceRequest(url: url, parameters: [:]),
                stamp: SourceStamp(), fetched: 0, sha256: "aa", bytes: 1, fileExtension: "x", path: "p13/x")
            var published = PublishedMap(
                area: "downtown", generation: "g", created: 0, mapID: map, packageKey: "k", parts: [part],
                layers: plan.layers.map {
                    PublishedLayer(
                        id: $0.id, title: $0.title, url: $0.url, verdict: $0.verdict.rawValue, rule: $0.rule,
                        serviceLayerID: $0.serviceLayerID, schema: $0.schema)
                })
            published.name = name
            return plan.comparing(with: ["downtown": published]).drift.map(\.change)
        }
        #expect(drift("storm", map: "map2", url: url) == [.otherManifest("storm")])
        #expect(Drift.Change.otherManifest("storm").isBreaking)
        #expect(drift("storm", map: "map1", url: url).isEmpty)
        // Its own web map is the manifest's to change.
        #expect(drift("night", map: "map2", url: url).isEmpty)
        #expect(drift("storm", map: nil, url: url, onMapOfServices: true).isEmpty)
        #expect(drift("storm", map: nil, url: "https://s/other", onMapOfServices: true) == [.otherManifest("storm")])
    }

    @Test("fields and geometry: what adds is a note, what takes away acts")
    func schemas() {
        #expect(Self.changed { _ in }.isEmpty)
        #expect(Self.changed { $0.fields["NOTE"] = "esriFieldTypeString" } == [.fieldAdded("NOTE")])
        #expect(Self.changed { $0.fields["KIND"] = nil } == [.fieldRemoved("KIND")])
        #expect(
            Self.changed { $0.fields["KIND"] = "esriFieldTypeInteger" } == [
                .fieldTypeChanged("KIND", from: "esriFieldTypeString", to: "esriFieldTypeInteger")
            ])
        #expect(
            Self.changed { $0.geometryType = "esriGeometryPolygon" } == [
                .geometryTypeChanged(from: "esriGeometryPoint", to: "esriGeometryPolygon")
            ])
        #expect(!Drift.Change.fieldAdded("NOTE").isBreaking)
        for changes in [
            Self.changed { $0.fields["KIND"] = nil }, Self.changed { $0.fields["KIND"] = "esriFieldTypeInteger" },
            Self.changed { $0.geometryType = "esriGeometryPolygon" },
        ] { #expect(changes.map(\.isBreaking) == [true]) }
    }

    @Test("another name on the same table is a note; with another geometry it is another layer")
    func names() {
        #expect(
            Self.changed { $0.name = "Salute Reports" } == [.renamed(from: "Observation Reports", to: "Salute Reports")])
        let moved = Self.changed {
            $0.name = "Salute Reports"
            $0.geometryType = "esriGeometryPolygon"
        }
        #expect(moved.contains(.idMoved(from: "Observation Reports", to: "Salute Reports", nowAt: nil)))
        var salute = Self.observation
        salute.name = "Salute Reports"
        let swapped = Self.changes(
            [Self.planned(Self.observation, id: "a", number: 0), Self.planned(salute, id: "b", number: 1)],
            [Self.planned(salute, id: "a", number: 0), Self.planned(Self.observation, id: "b", number: 1)])
        #expect(
            swapped == [
                .idMoved(from: "Observation Reports", to: "Salute Reports", nowAt: 1),
                .idMoved(from: "Salute Reports", to: "Observation Reports", nowAt: 0),
            ])
        #expect(swapped.map(\.isBreaking) == [true, true])
    }

    @Test("layers that come and go; what the manifest leaves out says nothing")
    func layers() {
        let layer = Self.planned(Self.observation)
        let online = Self.planned(nil, id: "b", verdict: .onlineOnly)
        let excluded = Self.planned(nil, verdict: .excluded, rule: "excluded")
        let sketch = Self.planned(nil, id: "c", verdict: .keptInMap)
        #expect(Self.changes([layer, online, sketch], []).map(\.isBreaking) == [true, false, true])
        #expect(Self.changes([], [layer]) == [.layerAdded])
        #expect(Self.changes([layer], [excluded]).isEmpty)
        #expect(Self.changes([excluded], [layer]).isEmpty)
        #expect(
            Self.changes([layer], [Self.planned(nil, verdict: .onlineOnly, rule: "OB010")]) == [.notOfflineAnyMore("because")])
    }

    @Test("every area whose map differs is named, and areas that differ alike share a line; another web map is no drift")
    func areas() async throws {
        let stage = try PlanStage()
        let plan = try await stage.plan { $0.areas = [PlanStage.area("a"), PlanStage.area("b"), PlanStage.area("c")] }
        func map(_ area: String, without: String? = nil, item: String? = "map1") -> PublishedMap {
            PublishedMap(
                area: area, generation: "\(area)/generations/1", created: 1, mapID: item, packageKey: "k", parts: [],
                layers: plan.layers.filter { $0.id != without }.map(Self.published)
                    + (without == nil ? [] : [Self.published(Self.planned(Self.observation, id: "old"))]))
        }
        let maps = ["a": map("a", without: "mains"), "b": map("b", without: "mains"), "c": map("c", item: "map2")]
        let compared = plan.comparing(with: maps)
        #expect(compared.drift.map(\.change) == [.layerRemoved(wasOffline: true), .layerAdded])
        #expect(compared.drift.map(\.areas) == [["a", "b"], ["a", "b"]])
        #expect(compared.driftedAreas == ["a", "b"])
        #expect(compared.hash == plan.hash)
        #expect(
            compared.drift[0].problem.failure.message == "Reports (old) is not in the web map any more, since the last good run")
        #expect(compared.keeping(["a"]).jobs.allSatisfy { $0.area != "a" })
    }
}
