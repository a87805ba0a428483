import Basics
import Foundation
import TestSupport
import Testing

/// A place with a buffer, and a box across the antimeridian, from the manifest to the published map.
@Suite(.serialized) struct AreaKindTests {
    private static let manifest = Workspace.naperville.replacing(
        "    envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }",
        with: """
                point: { x: -88.15, y: 41.77 }
                buffer: 600 m
              - id: fiji
                envelope: { xmin: 177, ymin: -19, xmax: -178, ymax: -16 }
            """)

    @Test func `A point with a buffer brings what is within it; Fiji is a part on each side of the antimeridian`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Self.manifest, portal: portal)
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        let note = "area fiji: it crosses the antimeridian; services are asked for a part on each side"
        #expect((run.stdout + run.stderr).contains(note))

        // The judge: every hydrant of the town, measured on a sphere. That and the circle of 64 corners are right within 0.5 %.
        let well = try PublishedMap(output: workspace.file("out"), area: "downtown")
        let all = try await portal.ask(
            portal.service("Water_Network/FeatureServer/0/query"),
            ["where": "1=1", "outFields": "OBJECTID", "outSR": "4326", "resultRecordCount": "2000"])
        let distances = (all["features"]?.array ?? []).map { feature in
            Self.metres(feature["geometry"]?["x"]?.double ?? 0, feature["geometry"]?["y"]?.double ?? 0)
        }
        try #require(all["exceededTransferLimit"]?.bool != true)
        let count = try #require(well.source("replica")?["counts"]?["0 Hydrant"]?.int)
        #expect((distances.count { $0 < 597 }...distances.count { $0 < 603 }).contains(count))
        #expect(count > 0 && count < distances.count)

        let fiji = try PublishedMap(output: workspace.file("out"), area: "fiji")
        let sent = try JSON.parse(fiji.source("replica")?["parameters"]?["geometry"]?.string ?? "")
        #expect(sent["rings"]?.array?.count == 2)
        let extent = fiji.information["extent"]
        #expect(extent == [[177, -19], [182, -16]])
        let view = fiji.document["map"]?["initialState"]?["viewpoint"]?["targetGeometry"]
        // 5° of the equator: 556,597 m.
        let width = try #require(view?["xmax"]?.double) - #require(view?["xmin"]?.double)
        #expect(abs(width - 556_597.45) < 0.1)
    }

    /// From 88.15° W, 41.77° N.
    private static func metres(_ longitude: Double, _ latitude: Double) -> Double {
        let (a, b) = (latitude * .pi / 180, 41.77 * .pi / 180)
        let turn = (longitude + 88.15) * .pi / 180
        let half = pow(sin((a - b) / 2), 2) + cos(a) * cos(b) * pow(sin(turn / 2), 2)
        return 2 * 6_371_008.8 * asin(half.squareRoot())
    }

    @Test func `A polygon that the server finds too large names the key that helps`() async throws {
        let portal = try await PortalProcess("--max-request-bytes", "20000")
        let corners = (0..<2000).map { index in
            let angle = 2 * Double.pi * Double(index) / 2000
            return "[\(-88.15 + 0.005 * cos(angle)),\(41.77 + 0.005 * sin(angle))]"
        }
        let polygon = #"{"type":"Polygon","coordinates":[[\#((corners + [corners[0]]).joined(separator: ","))]]}"#
        let manifest = Workspace.naperville.replacing(
            "envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }", with: "polygon: a.geojson")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        try workspace.write("a.geojson", polygon)
        let refused = try await workspace.run("run", "manifest.yaml")
        #expect(refused.code == 1, "\(refused.stdout)")
        #expect((refused.stdout + refused.stderr).contains("`simplify: 5 m`"), "\(refused.stdout)\(refused.stderr)")
        try workspace.write(
            "manifest.yaml", manifest.replacing("polygon: a.geojson", with: "polygon: a.geojson\n    simplify: 5 m"))
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stdout)\(run.stderr)")
        #expect((run.stdout + run.stderr).contains("its border is simplified outward from 2001 to "))
    }
}
