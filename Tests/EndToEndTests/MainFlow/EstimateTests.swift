import Basics
import TestSupport
import Testing

/// What `plan` says of sizes, against what a run then brings.
@Suite(.serialized) struct EstimateTests {
    private static let terrain = Workspace.naperville.replacing(
        "acc027394bc84c2fb04d1ed317aac674", with: "17fde4cf9a6c4d54e7fce9d4c5b6a7f2")

    @Test(arguments: [Workspace.naperville, terrain], ["server", "agol"])
    func `The real size lies in the band, and estimating starts nothing`(manifest: String, flavour: String) async throws {
        let portal = try await PortalProcess("--flavour", flavour)
        let workspace = try Workspace(manifest: manifest, portal: portal)
        let plan = try await workspace.run("plan", "--json", "manifest.yaml")
        #expect(plan.code == 0, "\(plan.stderr)")
        let planned = try JSON.parse(plan.stdout)["jobs"]?.array ?? []
        #expect(portal.submissions.isEmpty)
        #expect(!portal.journal.contains { $0.path.contains("estimateExportTilesSize") || $0.path.contains("/jobs/") })
        #expect(!Files.exists(workspace.file("out")))

        let run = try await workspace.run()
        #expect(run.code == 0, "\(run.ending.stdout)")
        for job in planned {
            guard let id = job["id"]?.string, !id.hasSuffix("/package"), !id.hasSuffix("/publish") else { continue }
            let low = try #require(job["estimate"]?["bytesLow"]?.int, "\(job)")
            let high = try #require(job["estimate"]?["bytesHigh"]?.int)
            let real = try #require(run.job(id)?["bytes"]?.int)
            #expect((low...high).contains(real), "\(id): \(real), \(job["estimate"]?.serialized() ?? "")")
            // A band that holds everything says nothing.
            if job["kind"] == "tiles" { #expect(high < 3 * low, "\(id): \(low)–\(high)") }
        }
    }

    @Test func `A budget of bytes refuses with both numbers before anything starts`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Self.terrain + "\nbudget: { bytes: 100 kB }\n", portal: portal)
        let run = try await workspace.run()
        #expect(run.code == 66)
        #expect(run.ending.stdout.contains("the budget allows 100.0 kB"), "\(run.ending.stdout)")
        #expect(portal.submissions.isEmpty)
        try workspace.write("manifest.yaml", Self.terrain + "\nbudget: { bytes: 1 GB }\n")
        #expect(try await workspace.run().code == 0)
    }

    @Test(arguments: ["server", "agol"])
    func `Services estimate themselves only when they are told to`(flavour: String) async throws {
        let portal = try await PortalProcess("--flavour", flavour)
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
        let plan = try await workspace.run("plan", "--server-estimates", "--json", "manifest.yaml")
        #expect(plan.code == 0, "\(plan.stderr)")
        let jobs = try JSON.parse(plan.stdout)["jobs"]?.array ?? []
        let tiles = try #require(jobs.first { $0["kind"] == "tiles" }?["estimate"])
        // The portal's guess is 8,000 bytes a tile.
        #expect(tiles["sizeFrom"] == "service" && tiles["bytes"]?.int == (tiles["tiles"]?.int ?? 0) * 8000)
        #expect(tiles["sampled"] == tiles["tiles"])
        #expect(jobs.first { $0["kind"] == "vectorTiles" }?["estimate"]?["sizeFrom"] == "tiles")
        let submitted = portal.journal.filter { $0.path.hasSuffix("/estimateExportTilesSize") }
        #expect(submitted.map(\.method) == ["POST"])
        #expect(portal.submissions.isEmpty)
        #expect(!portal.journal.contains { $0.path.contains("World_Street_Map/MapServer/tile/") })
    }

    @Test func `A service that fails to estimate is sampled`() async throws {
        let portal = try await PortalProcess.faulty("- {path: '*/estimateExportTilesSize', job: fails}")
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
        let plan = try await workspace.run("plan", "--server-estimates", "--json", "manifest.yaml")
        let jobs = try JSON.parse(plan.stdout)["jobs"]?.array ?? []
        #expect(jobs.first { $0["kind"] == "tiles" }?["estimate"]?["sizeFrom"] == "tiles", "\(plan.stdout)")
    }

    @Test func `Without sizes no tile is looked at`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Self.terrain, portal: portal)
        let plan = try await workspace.run("plan", "--no-sizes", "manifest.yaml")
        #expect(plan.code == 0 && !plan.stdout.contains("≈"))
        #expect(!portal.journal.contains { $0.path.contains("/tile/") })
        let full = try await workspace.run("plan", "manifest.yaml")
        #expect(full.stdout.contains("tiles sampled)"), "\(full.stdout)")
    }
}
