import Basics
import Foundation
import TestSupport
import Testing

/// Stand-alone servers and private certificate authorities, through the program.
@Suite(.serialized) struct ConnectionTests {
    private func workspace(_ portal: PortalProcess, _ settings: String) throws -> Workspace {
        try Workspace(
            manifest: Workspace.naperville.replacing("webMap:", with: "portal: { \(settings) }\nwebMap:"), portal: portal)
    }

    @Test func `A server of its own is signed in to with its own account`() async throws {
        let folder = try TemporaryFolder()
        let users = """
            users: [{name: ann, password: "portal-password"}]
            secured: {services: ["Water_Network/*", "World_Street_Map/*"]}
            standAlone: {users: [{name: gis, password: "server-password"}]}
            """
        try Files.writeAtomically(Array(users.utf8), to: folder.file("users.yaml"))
        let portal = try await PortalProcess("--users", folder.file("users.yaml"), "--token-minutes", "0.1")
        let account = "servers: [{ url: \(portal.server), auth: { user: { name: gis, password: { env: PASSWORD } } } }]"
        let place = try workspace(portal, account)

        let wrong = try await place.run("run", "manifest.yaml", variables: ["PASSWORD": "wrong"])
        #expect(wrong.code == 77, "\(wrong.stdout)")
        #expect(portal.journal.count { $0.path.contains("/server/tokens") } == 1)
        #expect(portal.submissions.isEmpty)

        let run = try await place.run("run", "manifest.yaml", variables: ["PASSWORD": "server-password"])
        #expect(run.code == 0, "\(run.stdout)")
        #expect(portal.submissions.count == 3)
        #expect(!portal.journal.contains { $0.path.hasPrefix("/portal/") && $0.headers["x-esri-authorization"] != nil })
        for text in [run.stdout, run.stderr, portal.journalText] { #expect(!text.contains("server-password")) }
    }

    @Test(.enabled(if: LocalhostIdentity.isPossible, "needs openssl"))
    func `A private authority is trusted when the manifest names it, and only then`() async throws {
        let identity = try LocalhostIdentity()
        let portal = try await PortalProcess(as: identity)
        #expect(portal.url.hasPrefix("https://localhost:"))

        let strict = try Workspace(manifest: Workspace.naperville, portal: portal)
        let refused = try await strict.run("run", "manifest.yaml")
        #expect(refused.code != 0)
        #expect(refused.stdout.contains("certificate"), "\(refused.stdout)")
        #expect(portal.journal.isEmpty)

        let place = try workspace(portal, "tls: { caFile: ca.pem }")
        let missing = try await place.run("plan", "manifest.yaml")
        #expect(missing.code == 77)
        #expect(missing.stderr.contains("ca.pem"))
        try place.write("ca.pem", String(decoding: Files.read(identity.certificate), as: UTF8.self))
        let run = try await place.run("run", "manifest.yaml")
        #expect(run.code == 0, "\(run.stdout)")
        #expect(portal.submissions.count == 3)
    }
}
