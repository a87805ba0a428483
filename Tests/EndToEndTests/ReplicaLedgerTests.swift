import Basics
import Foundation
import TestSupport
import Testing

/// Replicas that a server keeps account of because of us (cases B08).
@Suite(.serialized) struct ReplicaLedgerTests {
    private func replicas(_ portal: PortalProcess) async throws -> [JSON] {
        try await portal.ask(portal.service("Water_Network/FeatureServer/replicas")).array ?? []
    }

    /// Of the state: name, whether it stays, whether it was unregistered.
    private func recorded(_ workspace: Workspace) throws -> [[SQLiteValue]] {
        let state = try SQLiteConnection(path: workspace.file("out/.state/state.db"), access: .readOnly)
        return try state.rows("SELECT replica, kept, unregistered IS NOT NULL FROM replicas")
    }

    @Test func `Replicas for synchronisation stay and are on record`() async throws {
        let portal = try await PortalProcess()
        let manifest = Workspace.water(extra: "options: { updateMode: syncWithFeatureServices }")
        let workspace = try Workspace(manifest: manifest, portal: portal)
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        let kept = try await replicas(portal)
        #expect(kept.count == 1)
        #expect(try recorded(workspace) == [[.text(kept.first?["replicaID"]?.string ?? ""), 1, 0]])
        #expect(!portal.journal.contains { $0.path.hasSuffix("/unRegisterReplica") })
    }

    @Test func `Replicas that are registered only because the service insists are unregistered`() async throws {
        let portal = try await PortalProcess("--replicas", "registered")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        #expect(portal.submissions(of: "createReplica").first?.parameters["syncModel"] != "none")
        #expect(try await replicas(portal).isEmpty)
        #expect(try recorded(workspace).map { Array($0.dropFirst()) } == [[0, 1]])
        #expect(portal.journal.count { $0.path.hasSuffix("/unRegisterReplica") } == 1)
    }

    @Test func `A replica that a killed run left is unregistered by the next`() async throws {
        // However slow the machine is, the run is killed before the server does what it is asked.
        let portal = try await PortalProcess(
            flags: ["--replicas", "registered"], faults: "- {path: '*/unRegisterReplica', delay: 3, status: 503}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        try await eventually("the map is out") { program.stderr.contains(#""event":"areaPublished""#) }
        program.send(SIGKILL)
        _ = await program.wait()
        try await portal.setFaults("[]")
        #expect(try await replicas(portal).count == 1)
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        #expect(try await replicas(portal).isEmpty)
    }

    /// Nobody ever told us the id of these: they are found by the names of their requests.
    @Test func `A replica whose request was never answered is unregistered by the next run`() async throws {
        let portal = try await PortalProcess(
            flags: ["--replicas", "registered"], faults: "- {path: '*/createReplica', nth: 1, delay: 30}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let program = try workspace.startRun()
        // The portal has it before it answers.
        while try await replicas(portal).isEmpty, program.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        program.send(SIGKILL)
        _ = await program.wait()
        #expect(try await replicas(portal).count == 1)
        #expect(try recorded(workspace).isEmpty)
        // Somebody else's replica of the same service is none of our business.
        let stranger = try await portal.ask(
            portal.service("Water_Network/FeatureServer/createReplica"),
            [
                "replicaName": "ob_water_downtown", "layers": "0", "syncModel": "perReplica", "dataFormat": "json",
                "async": "true",
                "transportType": "esriTransportTypeUrl", "geometry": "-88.16,41.765,-88.14,41.78",
                "geometryType": "esriGeometryEnvelope",
                "inSR": "4326",
            ])
        #expect(stranger["statusUrl"] != nil, "\(stranger.serialized())")
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        #expect(try await replicas(portal).map { $0["replicaName"]?.string } == ["ob_water_downtown"])
    }

    @Test func `A replica whose answer was lost on the way is unregistered in the end`() async throws {
        let portal = try await PortalProcess(
            flags: ["--replicas", "registered"], faults: "- {path: '*/createReplica', nth: 1, cutAfter: 0}")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        #expect(portal.submissions(of: "createReplica").count == 2)
        #expect(try await replicas(portal).isEmpty)
        #expect(portal.journal.count { $0.path.hasSuffix("/unRegisterReplica") } == 2)
    }
}
