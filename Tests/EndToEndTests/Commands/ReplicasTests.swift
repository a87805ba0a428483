import Basics
import Foundation
import TestSupport
import Testing

/// `replicas list` and `replicas unregister`: ours only (design chapter 7).
@Suite(.serialized) struct ReplicasTests {
    private static let sync = "options: { updateMode: syncWithFeatureServices }\nlimits: { attempts: 1 }"

    private func atServer(_ portal: PortalProcess) async throws -> Set<String> {
        let list = try await portal.ask(portal.service("Water_Network/FeatureServer/replicas")).array ?? []
        return Set(list.compactMap { $0["replicaID"]?.string })
    }

    private func listed(_ workspace: Workspace) async throws -> [JSON] {
        let ending = try await workspace.run("replicas", "list", "--json", "manifest.yaml")
        #expect(ending.code == 0, "\(ending.stderr)")
        return try JSON.parse(ending.stdout)["replicas"]?.array ?? []
    }

    @Test func `Ours are listed and unregistered; those of others stay, and are never named to the server`() async throws {
        let portal = try await PortalProcess()
        let other = try Workspace(manifest: Workspace.water(extra: Self.sync), portal: portal)
        #expect(try await other.run().code == 0)
        let theirs = try #require(try await atServer(portal).first)
        let workspace = try Workspace(manifest: Workspace.water(areas: 2, extra: Self.sync), portal: portal)
        #expect(try await workspace.run().code == 0)
        let ours = try await atServer(portal).subtracting([theirs])
        #expect(ours.count == 2)

        let rows = try await listed(workspace)
        #expect(Set(rows.compactMap { $0["id"]?.string }) == ours)
        #expect(rows.allSatisfy { $0["standing"] == "registered" && $0["knownToServer"] == true && $0["kept"] == true })
        #expect(Set(rows.compactMap { $0["job"]?.string?.split(separator: "/").first }) == ["downtown", "riverwalk"])
        #expect(rows.allSatisfy { $0["service"]?.string == portal.service("Water_Network/FeatureServer") })
        #expect(rows.allSatisfy { $0["since"]?.string?.hasPrefix("20") == true && $0["error"] == .null })

        let foreign = try await workspace.run("replicas", "unregister", "--id", theirs, "manifest.yaml")
        #expect(foreign.code == 66)
        #expect(foreign.stderr.contains("no open replica \(theirs) of ours"), "\(foreign.stderr)")

        // A run has the lock.
        let lock = open(workspace.file("out/.state/lock"), O_RDWR | O_CREAT, 0o600)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let locked = try await workspace.run("replicas", "unregister", "manifest.yaml")
        close(lock)
        #expect(locked.code == 75, "\(locked.stderr)")
        #expect(!portal.journal.contains { $0.path.hasSuffix("/unRegisterReplica") })

        let (first, second) = (ours.sorted()[0], ours.sorted()[1])
        let one = try await workspace.run("replicas", "unregister", "--id", "{\(first.uppercased())}", "manifest.yaml")
        #expect(one.code == 0, "\(one.stderr)")
        #expect(one.stdout.contains("unregistered") && one.stdout.contains(first))
        #expect(try await atServer(portal) == [theirs, second])
        #expect(portal.journal.filter { $0.path.hasSuffix("/unRegisterReplica") }.map(\.parameters["replicaID"]) == [first])

        // Somebody else removes our second one: that is seen, and taking it off the record is no failure.
        _ = try await portal.ask(portal.service("Water_Network/FeatureServer/unRegisterReplica"), ["replicaID": second])
        #expect(try await listed(workspace).map { $0["knownToServer"] } == [false])
        let rest = try await workspace.run("replicas", "unregister", "manifest.yaml")
        #expect(rest.code == 0 && rest.stdout.contains("gone"), "\(rest.stderr)")
        #expect(try await listed(workspace).isEmpty)
        #expect(try await atServer(portal) == [theirs])
        #expect(
            portal.journal.filter { $0.path.hasSuffix("/unRegisterReplica") }.allSatisfy {
                ours.contains($0.parameters["replicaID"] ?? "")
            })
    }

    @Test func `When the server cannot be asked, the record is shown, and nothing is said about what is there`() async throws {
        var portal: PortalProcess? = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(extra: Self.sync), portal: portal)
        #expect(try await workspace.run().code == 0)
        portal = nil
        let list = try await workspace.run("replicas", "list", "--json", "manifest.yaml")
        #expect(list.code == 69)
        let row = try JSON.parse(list.stdout)["replicas"]?[0]
        #expect(row?["knownToServer"] == .null && row?["standing"] == "unknown" && row?["error"]?.string != nil)
        let unregister = try await workspace.run("replicas", "unregister", "manifest.yaml")
        #expect(unregister.code == 1)
        let state = try SQLiteConnection(path: workspace.file("out/.state/state.db"), access: .readOnly)
        #expect(try state.value("SELECT count(*) FROM replicas WHERE unregistered IS NULL")?.int == 1)
    }

    @Test func `Before any run there is nothing, and no folder comes of asking`() async throws {
        let workspace = try Workspace(manifest: Workspace.water())
        for action in ["list", "unregister"] {
            let ending = try await workspace.run("replicas", action, "manifest.yaml")
            #expect(ending.code == 0, "\(ending.stderr)")
            #expect(ending.stdout == "No replica of ours is on record.\n")
        }
        #expect(!Files.exists(workspace.file("out")))
        #expect(try await workspace.run("replicas", "list", "--id", "x", "manifest.yaml").code == 64)
    }
}
