import Basics
import TestSupport
import Testing

/// An area where the services have nothing, as when longitude and latitude were swapped.
@Suite(.serialized) struct EmptyAreaTests {
    @Test func `Nothing there is said, in the plan, the report and the map`() async throws {
        let portal = try await PortalProcess()
        let manifest = Workspace.naperville.replacing(
            "{ xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }",
            with: "{ xmin: 8.5, ymin: 47.3, xmax: 8.6, ymax: 47.4 }")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        let plan = try await workspace.run("plan", "manifest.yaml")
        #expect(plan.code == 0, "\(plan.stderr)")
        #expect(plan.stdout.contains("The service has nothing in this area: the layer stays online here."))

        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        #expect(run.stdout.contains("! downtown/water_network/replica: no layer has a row in this area"))
        let map = try PublishedMap(output: workspace.file("out"), area: "downtown")
        #expect(map.source("tiles") == nil)
        let streets = map.layers.first { $0["title"] == "World Street Map" }
        #expect(streets?["path"] == nil)
        #expect(streets?["url"]?.string == portal.service("World_Street_Map/MapServer"))
        let listed = map.inventory["layers"]?.array?.first { $0["title"] == "World Street Map" }
        #expect(listed?["verdict"] == "online only")
        #expect(listed?["reason"] == "The service has no tiles in this area.")
        #expect(map.source("replica")?["counts"]?["0 Hydrant"] == 0)
    }
}
