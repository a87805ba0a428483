import Basics
import Foundation
import Testing

/// `plan -o` and `run --plan`, against the portal.
@Suite(.serialized) struct SavedPlanTests {
    @Test func `A plan counts and starts nothing; it runs as it was saved, and not at all after a change`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
        let plan = try await workspace.run("plan", "manifest.yaml", "--no-sizes", "--json", "-o", "plan.json")
        #expect(plan.code == 0, "\(plan.stderr)")
        #expect(!Self.hasStarted(portal))

        // The estimate is what the service counts for the same filters, asked here by ourselves.
        let jobs = try JSON.parse(Array(plan.stdout.utf8))["jobs"]?.array ?? []
        let replica = try #require(jobs.first { $0["kind"] == "replica" })
        let counts = portal.journal.filter { $0.parameters["returnCountOnly"] == "true" }
        var expected = 0
        for query in counts {
            let service = try #require(query.path.components(separatedBy: "/rest/services/").last)
            let answer = try await portal.ask(portal.service(service), query.parameters)
            expected += try #require(answer["count"]?.int)
        }
        #expect(!counts.isEmpty && expected > 0)
        #expect(replica["estimate"]?["rows"]?.int == expected)

        // Another manifest: nothing is started, and the difference is named.
        try workspace.write("other.yaml", Workspace.naperville.replacing("max: 8000", with: "max: 16000"))
        let stale = try await workspace.run("run", "--plan", "plan.json", "other.yaml")
        #expect(stale.code == 66)
        #expect((stale.stdout + stale.stderr).contains("levels changed"), "\(stale.stdout) \(stale.stderr)")
        #expect(!Self.hasStarted(portal))

        let run = try await workspace.run("run", "--plan", "plan.json", "manifest.yaml")
        #expect(run.code == 0, "\(run.stderr)")
        #expect(Self.hasStarted(portal))
    }

    private static func hasStarted(_ portal: PortalProcess) -> Bool {
        portal.journal.contains { $0.path.hasSuffix("/createReplica") || $0.path.hasSuffix("/exportTiles") }
    }
}
