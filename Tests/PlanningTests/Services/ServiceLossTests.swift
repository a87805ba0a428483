import ArcGIS
import Basics
import Manifest
import Testing

@testable import Planning

/// Services that do not answer, with and without a map that remembers them.
@Suite("Services of the manifest: losses")
struct ServiceLossTests: ServicesSuite {
    @Test(
        "an item that could not be read is a layer that does not come; without a memory of it the map has one layer in its place")
    func unreadItem() async throws {
        var stage = try Self.stage()
        stage.refusals[Self.items + "network"] = .json([:], Self.items + "network", status: 503)
        let entries = [Self.entry("network", title: "Network"), Self.entry(PlanStage.streets)]
        let refusal = try await refusal(entries, stage: stage)
        #expect(refusal.outcome == .unavailable && refusal.problems.map(\.origin) == ["night.yaml:5:5"])
        let plan = try await plan(entries, stage: stage) { $0.onError = .skip }
        #expect(plan.losses.skipped.map(\.layer) == [LayerLabel(id: "network", title: "Network")])
        #expect(plan.map.document["operationalLayers"]?.array?.map { $0["title"] } == ["Network", "Streets"])
        #expect(plan.jobs.map(\.id) == ["downtown/streets/tiles", "downtown/package", "downtown/publish"])
        #expect(plan.map.services.map(\.name) == [PlanStage.streets])
    }

    @Test("what a map remembers of a service stands in for its answer: the same layers with the same ids")
    func remembered() async throws {
        var stage = try Self.stage()
        let entry = Self.entry("network", layers: [ServiceEntry.Layer(id: 0), ServiceEntry.Layer(id: 3)])
        let others = Self.entry(PlanStage.streets)
        let good = try await plan([entry, others], stage: stage)
        stage.memory = good.map.services
        stage.refusals[Self.items + "network"] = .json([:], Self.items + "network", status: 503)
        let blind = try await plan([entry, others], stage: stage) { $0.onError = .skip }
        #expect(blind.map.document == good.map.document && blind.map.services == good.map.services)
        #expect(blind.losses.skipped.map(\.layer.id) == ["water-3", "water-0"])
        #expect(blind.layers.filter { !$0.isOfManifest }.isEmpty)
        // A layer that the manifest names since then is not said to be missing where nobody could look.
        var more = entry
        more.layers.append(ServiceEntry.Layer(id: 9))
        let added = try await plan([more, others], stage: stage) { $0.onError = .skip }
        #expect(added.losses.skipped.map(\.layer.title).first == "layer 9")
    }
}
