import Basics
import Foundation
import TestSupport
import Testing

/// What an administrator sees in the mornings: a calm night, an edit, a lost field.
@Suite(.serialized) struct TwoNightsTests {
    @Test func `A calm night leaves the map, an edit renews what it touches, a lost field keeps the last good map`() async throws
    {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(areas: 2), portal: portal)
        let planned = try await workspace.run("plan", "manifest.yaml", "--exit-code")
        #expect(planned.code == 3)
        let first = try await workspace.run()
        #expect(first.code == 0, "\(first.ending.stderr)")

        // Nothing changed.
        let before = portal.journal.count
        let calm = try await workspace.run()
        #expect(calm.code == 0)
        #expect(portal.journal.count - before <= 9, "nine layers, 1.1 requests each")
        #expect(calm.counts == ["unchanged": 12])
        #expect(calm.ending.stdout.contains("downtown: unchanged since 20"))
        #expect(calm.report["areas"]?.array?.compactMap { $0["state"]?.string } == ["unchanged", "unchanged"])
        #expect(try Files.list(workspace.file("out/downtown/generations")).count == 1)
        #expect(try await workspace.run("plan", "manifest.yaml", "--exit-code").code == 0)
        #expect(try await workspace.run("status", "--max-age", "60s", "manifest.yaml").code == 0)

        // A row is edited; one area has it, the other shares the service.
        let submitted = portal.submissions.count
        try await post(
            portal.service("Water_Network/FeatureServer/0/applyEdits"),
            ["updates": #"[{"attributes":{"OBJECTID":3,"NOTES":"painted"}}]"#])
        let edited = try await workspace.run()
        #expect(edited.code == 0, "\(edited.ending.stderr)")
        #expect(portal.submissions.dropFirst(submitted).map { Paths.name($0.path) } == ["createReplica", "createReplica"])
        #expect(edited.job("downtown/water_network/replica")?["reason"]?.string?.hasPrefix("source edited 20") == true)
        #expect(edited.job("downtown/world-street-map/tiles")?["state"] == "unchanged")

        // A saved plan is the services' of today, or nothing.
        #expect(try await workspace.run("plan", "-o", "plan.json", "manifest.yaml").code == 0)
        try await post(portal.service("Water_Network/FeatureServer/1/applyEdits"), ["deletes": "1"])
        let stale = try await workspace.run("run", "--plan", "plan.json", "manifest.yaml")
        #expect(stale.code == 66)
        #expect(stale.stdout.contains("rows were edited since"))

        // A field is gone.
        let token = try #require(
            try await post(
                portal.url + "/sharing/rest/generateToken",
                ["username": "gis_admin", "password": "gis_admin", "client": "requestip"])["token"]?.string)
        try await post(
            portal.server + "/rest/admin/services/Water_Network/FeatureServer/0/deleteFromDefinition",
            ["deleteFromDefinition": #"{"fields":[{"name":"NOTES"}]}"#, "token": token])
        let plan = try await workspace.run("plan", "manifest.yaml")
        #expect(plan.stdout.contains("Hydrant (water-0) has lost the field NOTES"))
        let kept = try await workspace.run()
        #expect(kept.code == 2)
        #expect(kept.ending.stdout.contains("downtown: keeps its last good map of 20"))
        #expect(kept.ending.stdout.contains("--on-drift accept"))
        #expect(kept.report["drift"]?[0]?["breaking"] == true)
        #expect(try await workspace.run("run", "--on-drift", "stop", "manifest.yaml").code == 66)
        let accepted = try await workspace.run("run", "--on-drift", "accept", "manifest.yaml")
        #expect(accepted.code == 0, "\(accepted.stderr)")
        #expect(try await workspace.run().counts == ["unchanged": 12])
    }

    @discardableResult
    private func post(_ url: String, _ form: [String: String]) async throws -> JSON {
        let fields = form.merging(["f": "json"]) { given, _ in given }.sorted { $0.key < $1.key }
        let arguments = ["-sS", "--fail"] + fields.flatMap { ["--data-urlencode", "\($0.key)=\($0.value)"] } + [url]
        let verdict = try await offPool { try Command.run("curl", arguments) }
        let answer = try JSON.parse(verdict.output)
        #expect(answer["error"] == nil, "\(url): \(answer.serialized())")
        return answer
    }
}
