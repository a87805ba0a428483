import Basics
import Foundation
import Testing

@testable import Reporting

@Suite struct StatusTests {
    private static let now = Samples.started
    private static func status(_ areas: [AreaStatus], maxAge: Double? = 36 * 3600) -> StatusReport {
        StatusReport(name: "water", areas: areas, now: now, maxAge: maxAge)
    }

    private static let fresh = AreaStatus(area: "north", lastSuccess: now - 3600, generation: "north/generations/g1")
    private static let old = AreaStatus(area: "south", lastSuccess: now - 40 * 3600, pendingJobs: 2)
    private static let never = AreaStatus(area: "west", lastSuccess: nil)

    @Test("Fresh means: every area was published, and not too long ago; without any state nothing is fresh")
    func freshness() {
        #expect(Self.status([Self.fresh]).isFresh)
        #expect(!Self.status([Self.fresh, Self.old]).isFresh)
        #expect(!Self.status([Self.fresh, Self.never]).isFresh)
        #expect(!Self.status([]).isFresh)
        #expect(Self.status([Self.fresh, Self.old], maxAge: nil).isFresh)
    }

    @Test("The table names time, age and the areas that are too old")
    func text() {
        var north = Self.fresh
        north.layers = [.init(id: "h", title: "Hydrant", lastSuccess: Self.now - 7200)]
        let lines = StatusText(status: Self.status([north, Self.old, Self.never]), page: Page(width: 120, zone: .gmt)).lines
        #expect(
            lines == [
                "STATE    AREA       LAST SUCCESS            AGE  PENDING  FAILED  GENERATION",
                "current  north      2023-11-14 21:13   1 h 00 m        0       0  north/generations/g1",
                "           Hydrant  2023-11-14 20:13   2 h 00 m",
                "stale    south      2023-11-13 06:13  40 h 00 m        2       0  -",
                "missing  west       never                     -        0       0  -",
                "",
                "Older than 36 h 00 m or missing: south, west",
            ])
    }

    @Test("An area that the manifest does not have any more grows old without an alarm, and is named")
    func others() {
        var gone = Self.old
        gone.isOfManifest = false
        let status = Self.status([Self.fresh, gone])
        #expect(status.isFresh && !Self.status([gone]).isFresh)
        let lines = StatusText(status: status, page: Page(width: 120, zone: .gmt)).lines
        #expect(!lines.contains { $0.hasPrefix("stale") })
        #expect(lines.last == "Not of this manifest, or not any more, so not looked at: south (2023-11-13 06:13)")
        #expect(StatusJSON.json(status)["others"]?[0]?["id"] == "south")
    }

    @Test("JSON has UTC times and ages in seconds")
    func json() {
        let json = StatusJSON.json(Self.status([Self.old, Self.never]))
        #expect(json["fresh"] == false)
        #expect(json["areas"]?[0]?["state"] == "stale")
        #expect(json["areas"]?[0]?["lastSuccess"] == "2023-11-13T06:13:20Z")
        #expect(json["areas"]?[0]?["ageSeconds"] == 144_000)
        #expect(json["areas"]?[1]?["lastSuccess"] == .null)
    }
}

@Suite struct InspectTests {
    @Test("Every layer has a line, and the counts add up")
    func text() {
        let rows = [
            InspectRow(
                id: "h", title: "Hydrant", kind: "feature layer", url: nil, verdict: .replica, rule: "syncs",
                reason: "the service syncs",
                groups: ["Water"]),
            InspectRow(
                id: "t", title: "Traffic", kind: "map image layer", url: nil, verdict: .onlineOnly, rule: "dynamic",
                reason: "drawn by the server", groups: []),
        ]
        #expect(
            InspectText(title: "Town", rows: rows, page: Page(width: 100)).lines == [
                "Town",
                "VERDICT      LAYER            KIND             ID  REASON",
                "replica      Water / Hydrant  feature layer    h   the service syncs",
                "online only  Traffic          map image layer  t   drawn by the server",
                "",
                "2 layers and tables: 1 replica, 1 online only",
            ])
    }
}
