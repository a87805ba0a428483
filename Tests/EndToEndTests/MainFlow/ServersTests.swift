import Basics
import Foundation
import TestSupport
import Testing

/// One night with three servers: one federated with the portal, one with users of its own, one for everybody.
@Suite(.serialized) struct ServersTests {
    private static let passwords = ["PORTAL_PASSWORD": "correct-horse-battery", "SERVER_PASSWORD": "staple-in-the-barn"]
    private static let federated = """
        users:
          - {name: night_export, password: correct-horse-battery, role: org_user}
        secured: { services: ["Water_Network/*"], allow: [night_export] }
        requireExchange: true
        """
    private static let standAlone = """
        users:
          - {name: night_export, password: correct-horse-battery, role: org_user}
        secured: { services: ["*/*"], allow: [gis] }
        standAlone: { users: [{name: gis, password: staple-in-the-barn}] }
        """

    @Test func `The plan says who we are at each server, and no secret`() async throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(Self.federated.utf8), to: folder.file("federated.yaml"))
        try Files.writeAtomically(Array(Self.standAlone.utf8), to: folder.file("alone.yaml"))
        let portal = try await PortalProcess("--users", folder.file("federated.yaml"))
        let alone = try await PortalProcess("--users", folder.file("alone.yaml"))
        let open = try await PortalProcess()
        let manifest = """
            version: 1
            name: three-servers
            portal:
              url: \(portal.url)
              auth: { user: { name: night_export, password: { env: PORTAL_PASSWORD } } }
              servers:
                - { url: \(alone.server), auth: { user: { name: gis, password: { env: SERVER_PASSWORD } } } }
            services:
              - { url: \(portal.service("Water_Network/FeatureServer")), layers: [{ id: 0 }] }
              - { url: \(alone.service("World_Street_Map/MapServer")), levelIDs: 12-13 }
              - { url: \(open.service("Street_Map/VectorTileServer")), levelIDs: 0-12 }
            areas:
              - id: downtown
                envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }
            output: { directory: out }
            """
        let workspace = try Workspace(manifest: manifest, variables: Self.passwords)
        let text = try await workspace.run("plan", "manifest.yaml")
        #expect(text.code == 0, "\(text.stderr)")
        let rows = Set(text.stdout.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") })
        for row in [
            "\(portal.url) the portal user night_export", "\(portal.server) federated with the portal user night_export",
            "\(alone.server) own sign-in user gis", "\(open.server) open nobody",
        ] { #expect(rows.contains(row), "\(row): \(text.stdout)") }

        let json = try await workspace.run("plan", "--json", "-o", "plan.json", "manifest.yaml")
        let servers = try JSON.parse(json.stdout)["servers"]?.array ?? []
        let kinds = Dictionary(uniqueKeysWithValues: servers.map { ($0["url"]?.string ?? "", $0["kind"]?.string) })
        #expect(
            kinds == [portal.url: "portal", portal.server: "federated", alone.server: "ownSignIn", open.server: "open"])
        #expect(servers.first { $0["url"]?.string == alone.server }?["account"] == ["kind": "user", "name": "gis"])
        #expect(servers.first { $0["url"]?.string == open.server }?["account"] == .null)
        let saved = String(decoding: try workspace.read("plan.json"), as: UTF8.self)
        for output in [text.stdout, json.stdout, saved] {
            for secret in Self.passwords.values { #expect(!output.contains(secret)) }
        }
        // Each server saw what the plan says.
        #expect(!open.journal.contains { $0.headers["x-esri-authorization"] != nil })
        #expect(alone.journal.contains { $0.headers["x-esri-authorization"] != nil })
        let run = try await workspace.run("run", "--plan", "plan.json", "manifest.yaml")
        #expect(run.code == 0, "\(run.stdout)\(run.stderr)")
    }
}
