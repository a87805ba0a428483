import Basics
import TestSupport
import Testing

/// How commands end when nothing can be done (design chapter 6); what is said goes to standard error, or to the summary of `run`.
@Suite(.serialized) struct ExitCodeTests {
    /// A port that nobody listens on: it was given to us and closed again.
    private static func closedPortal() async throws -> String {
        let portal = try await PortalProcess()
        return portal.url
    }

    @Test func `64: the command line`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.naperville, portal: portal)
        for (arguments, words) in [
            (["rnu"], "did you mean 'run'?"), (["run"], "MANIFEST is missing"),
            (["plan", "manifest.yaml", "--jsno"], "--json"),
            (["run", "manifest.yaml", "--max-jobs-per-host", "0"], "max-jobs-per-host"),
            (["run", "--resmue", "manifest.yaml"], "--resmue"),
        ] {
            let ending = try await workspace.run(arguments)
            #expect(ending.code == 64, "\(arguments)")
            #expect(ending.stderr.contains(words), "\(arguments): \(ending.stderr)")
            #expect(ending.stdout.isEmpty)
        }
        // Nobody was asked, nothing was made.
        #expect(portal.journal.isEmpty)
        #expect(try Files.list(workspace.folder.path) == ["manifest.yaml"])
    }

    @Test func `65: an invalid manifest, all problems at once, and no connection`() async throws {
        let portal = try await PortalProcess()
        let text = Workspace.naperville.replacing("scale:", with: "scael:").replacing("keep: 2", with: "keep: -2")
        let workspace = try Workspace(manifest: text, portal: portal)
        for command in ["validate", "plan", "run"] {
            let ending = try await workspace.run(command, "manifest.yaml")
            #expect(ending.code == 65, "\(command)")
            #expect(ending.stderr.contains("manifest.yaml:7:1: error: unknown key `scael`"), "\(ending.stderr)")
            #expect(ending.stderr.contains("did you mean `scale`?"))
            #expect(ending.stderr.contains("2 errors"))
        }
        #expect(portal.journal.isEmpty)
    }

    @Test func `66: an override that matches nothing refuses the plan`() async throws {
        let portal = try await PortalProcess()
        let text = Workspace.naperville + "\nlayers:\n  - match: { title: Hydrnt }\n    exclude: true\n"
        let workspace = try Workspace(manifest: text, portal: portal)
        let plan = try await workspace.run("plan", "manifest.yaml")
        #expect(plan.code == 66)
        #expect(plan.stderr.contains("no layer of the map matches title \"Hydrnt\""))
        #expect(plan.stderr.contains("did you mean \"Hydrant\"?"))
        #expect(plan.stderr.contains("manifest.yaml:10:5"))
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 66)
        #expect(try workspace.json("out/report.json")["exitCode"] == 66)
        #expect(!portal.journal.contains { $0.method == "POST" })
    }

    @Test func `66: more tiles than the service exports, with both numbers`() async throws {
        let portal = try await PortalProcess("--max-export-tiles", "84")
        let text = Workspace.naperville.replacing("max: 8000", with: "max: 4000")
        let workspace = try Workspace(manifest: text, portal: portal)
        let plan = try await workspace.run("plan", "manifest.yaml")
        #expect(plan.code == 66)
        // `MainFlowTests` count the 79 tiles of levels 13 to 17; level 18 adds 156. 48 vector tiles are within the limit.
        #expect(plan.stderr.contains("235") && plan.stderr.contains("84"), "\(plan.stderr)")
        #expect(plan.stderr.contains("World Street Map"))
        #expect(!plan.stderr.contains("Street Map (Vector)"))
        #expect(!portal.journal.contains { $0.method == "POST" })
    }

    @Test func `66: a filter that a service refuses, in the plan; without counts the run finds it`() async throws {
        let portal = try await PortalProcess()
        let text = Workspace.naperville + "\nlayers:\n  - match: { title: Hydrant }\n    where: FLOW >> 500\n"
        let workspace = try Workspace(manifest: text, portal: portal)
        let plan = try await workspace.run("plan", "manifest.yaml")
        #expect(plan.code == 66, "\(plan.stdout)")
        for words in [
            "area      downtown", "layer     Hydrant", "manifest.yaml:10:5",
            "400 Cannot perform query. Invalid query parameters.",
            "where clause of the manifest: FLOW >> 500", "Correct the `where` clause of this layer",
        ] { #expect(plan.stderr.contains(words), "\(words): \(plan.stderr)") }
        #expect(!portal.journal.contains { $0.path.hasSuffix("/createReplica") || $0.path.hasSuffix("/exportTiles") })

        let blind = try await workspace.run("plan", "--no-counts", "manifest.yaml")
        #expect(blind.code == 0)
        #expect(blind.stdout.contains("No rows were counted for 1 job"), "\(blind.stdout)")
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 1)
        let failed = try workspace.json("out/report.json")["jobs"]?.array?.first { $0["state"] == "failed" }
        #expect(failed?["id"] == "downtown/water_network/replica" && failed?["error"]?["phase"] == "submit")
    }

    @Test func `69: nobody listens; validate and status do not mind`() async throws {
        let url = try await Self.closedPortal()
        let text = Workspace.naperville + "\nlimits: { attempts: 2 }\n"
        let workspace = try Workspace(manifest: text, variables: ["OFFLINE_BATCH_PORTAL": url])
        let plan = try await workspace.run("plan", "manifest.yaml")
        #expect(plan.code == 69, "\(plan.stderr)")
        #expect(plan.stderr.contains("Check that the server is up"))
        // More than one try takes a while: who waits is told.
        #expect(plan.stderr.contains("no connection; again in"))
        let run = try await workspace.run("run", "manifest.yaml")
        #expect(run.code == 69)
        #expect(try workspace.json("out/report.json")["outcome"] == "unavailable")
        #expect(!Files.exists(workspace.file("out/downtown/current")))
        let validate = try await workspace.run("validate", "manifest.yaml")
        #expect(validate.code == 0, "\(validate.stderr)")
        let status = try await workspace.run("status", "manifest.yaml")
        #expect(status.stdout.contains("downtown"))
        let inspect = try await workspace.run("inspect", "acc027394bc84c2fb04d1ed317aac674")
        #expect(inspect.code == 69)
    }
}
