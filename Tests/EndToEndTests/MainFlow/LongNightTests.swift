import Basics
import TestSupport
import Testing

/// A run that outlives its tokens, and a credential that is worth nothing.
@Suite(.serialized) struct LongNightTests {
    private static let users = """
        users:
          - {name: night_export, password: "correct-horse", role: org_user}
        apiKeys: ["AAPK-known"]
        secured:
          services: ["Water_Network/*"]
          items: ["acc027394bc84c2fb04d1ed317aac674"]
        requireExchange: true
        """

    private func setUp(auth: String, faults: String = "[]", flags: [String] = []) async throws -> (PortalProcess, Workspace) {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(Self.users.utf8), to: folder.file("users.yaml"))
        try Files.writeAtomically(Array(faults.utf8), to: folder.file("faults.yaml"))
        let portal = try await PortalProcess(
            flags: ["--users", folder.file("users.yaml"), "--faults", folder.file("faults.yaml")] + flags)
        let manifest = Workspace.naperville.replacing("webMap:", with: "portal: { auth: \(auth) }\nwebMap:")
        return (portal, try Workspace(manifest: manifest, portal: portal))
    }

    private static let user = "{ user: { name: night_export, password: { env: PASSWORD } } }"

    @Test func `Tokens that end during a run are renewed once a lifetime, and no job is sent twice`() async throws {
        // Three seconds a token, ten a job: more than three lifetimes.
        let (portal, workspace) = try await setUp(auth: Self.user, flags: ["--token-minutes", "0.05", "--job-seconds", "10"])
        let run = try await workspace.run("run", "manifest.yaml", variables: ["PASSWORD": "correct-horse"])
        #expect(run.code == 0, "\(run.stderr)")
        let tokens = portal.journal.filter { $0.path.hasSuffix("/generateToken") }
        let signIns = tokens.filter { $0.parameters["username"] != nil }
        let exchanges = tokens.filter { $0.parameters["serverUrl"] != nil }
        // The first, and one renewal for each lifetime that the run outlived.
        #expect(signIns.count >= 4)
        // A token is used until a fifth of its life is left.
        let times = signIns.compactMap(\.seconds)
        #expect(times.count == signIns.count)
        for (first, second) in zip(times, times.dropFirst()) { #expect(second - first >= 2.3) }
        #expect(exchanges.count <= signIns.count)
        #expect(portal.submissions.count == 3)
    }

    @Test func `A key that nobody knows, and one that the portal ignores, end the run before it starts`() async throws {
        let (portal, workspace) = try await setUp(auth: "{ apiKey: { env: KEY } }")
        let unknown = try await workspace.run("run", "manifest.yaml", variables: ["KEY": "AAPK-unknown"])
        #expect(unknown.code == 77, "\(unknown.stdout)")
        #expect(unknown.stdout.contains("Invalid token."))
        #expect(portal.journal.allSatisfy { $0.path.hasSuffix("/portals/self") })
        #expect(try await workspace.run("plan", "manifest.yaml", variables: ["KEY": "AAPK-known"]).code == 0)
        #expect(portal.submissions.isEmpty)

        // As behind a gateway that drops the header: the answer is the one for everybody.
        let (deaf, place) = try await setUp(
            auth: "{ apiKey: { env: KEY } }",
            faults: """
                [{path: '*/portals/self', html: '{"id": "o", "name": "Public"}'}]
                """)
        let ignored = try await place.run("run", "manifest.yaml", variables: ["KEY": "AAPK-known"])
        #expect(ignored.code == 77, "\(ignored.stdout)")
        #expect(ignored.stdout.contains("anonymous"))
        #expect(deaf.journal.count == 1)
    }
}
