import Basics
import Foundation
import TestSupport
import Testing

/// A portal that wants a sign-in and a server that takes only tokens exchanged for it.
@Suite(.serialized) struct SignInTests {
    private static let password = "correct-horse-battery"
    private static let users = """
        users:
          - {name: night_export, password: "\(password)", role: org_user}
        secured:
          services: ["Water_Network/*"]
          items: ["acc027394bc84c2fb04d1ed317aac674"]
          allow: [night_export]
        requireExchange: true
        """

    private func setUp(secret: String, flavour: String = "server") async throws -> (PortalProcess, Workspace) {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(Self.users.utf8), to: folder.file("users.yaml"))
        let portal = try await PortalProcess("--users", folder.file("users.yaml"), "--flavour", flavour)
        let manifest = Workspace.naperville.replacing(
            "webMap:", with: "portal: { auth: { user: { name: night_export, password: \(secret) } } }\nwebMap:")
        return (portal, try Workspace(manifest: manifest, portal: portal))
    }

    private func write(_ password: String, in workspace: Workspace, mode: mode_t = 0o600) throws {
        try Files.writeAtomically(Array((password + "\n").utf8), to: workspace.file("password"), mode: mode)
    }

    /// The results of hosted services lie at signed addresses, which refuse a request that brings a token.
    @Test(arguments: ["server", "agol"])
    func `A signed-in run succeeds, and its secret and tokens are nowhere`(flavour: String) async throws {
        let (portal, workspace) = try await setUp(secret: "{ file: password }", flavour: flavour)
        try write(Self.password, in: workspace)
        let plan = try await workspace.run("plan", "manifest.yaml", "--json", "-o", "plan.json")
        #expect(plan.code == 0, "\(plan.stderr)")
        let run = try await workspace.run("run", "manifest.yaml", "--log-format", "json", "--verbose")
        #expect(run.code == 0, "\(run.stderr)")
        #expect(portal.journal.contains { $0.parameters["serverUrl"] != nil }, "no token was exchanged")
        #expect(!portal.journal.contains { $0.method == "GET" && $0.parameters["token"] != nil }, "a token in a URL")

        try Files.remove(workspace.file("password"))
        let files = (FileManager.default.subpaths(atPath: workspace.folder.path) ?? []).map(workspace.file)
        let contents = try files.filter { !Files.isDirectory($0) }.map { String(decoding: try Files.read($0), as: UTF8.self) }
        let texts = [plan.stdout, plan.stderr, run.stdout, run.stderr, portal.journalText] + contents
        #expect(texts.count > 20)
        for text in texts {
            #expect(!text.contains(Self.password))
            #expect(text.firstMatch(of: /token["=:% ]+[A-Za-z0-9_.-]{20,}/) == nil)
        }
    }

    @Test func `A wrong password, an open file and a missing variable are denied, before anything starts`() async throws {
        let (portal, workspace) = try await setUp(secret: "{ file: password }")
        try write("wrong", in: workspace)
        let wrong = try await workspace.run("run", "manifest.yaml")
        #expect(wrong.code == 77, "\(wrong.stdout)")
        #expect(wrong.stdout.contains("Check the user name and the password"))
        #expect(try workspace.json("out/report.json")["error"]?["phase"] == "signIn")
        // A wrong password is tried once: more would lock the account.
        #expect(portal.journal.count { $0.path.hasSuffix("/generateToken") } == 1)

        try write(Self.password, in: workspace, mode: 0o644)
        let open = try await workspace.run("plan", "manifest.yaml")
        #expect(open.code == 77)
        #expect(open.stderr.contains("chmod 600"))

        try workspace.write(
            "manifest.yaml",
            String(decoding: workspace.read("manifest.yaml"), as: UTF8.self).replacing(
                "{ file: password }", with: "{ env: NO_SUCH }"))
        let missing = try await workspace.run("run", "manifest.yaml")
        #expect(missing.code == 77)
        #expect(missing.stdout.contains("NO_SUCH: it is not set"))
        #expect(!portal.journal.contains { $0.path.contains("/exportTiles") || $0.path.contains("/createReplica") })
    }
}
