import ArcGIS
import Basics
import DemoPortal
import Foundation
import Geography
import Manifest
import Packaging
import Planning
import TestSupport
import Transport

@testable import Execution

/// Nights in a row against a demo portal in this process, with what each asked of it.
final class NightStage: Sendable {
    let portal: PortalFixture
    let folder: TemporaryFolder

    init(_ configure: (inout DemoPortalConfiguration) -> Void = { _ in }) throws {
        portal = try PortalFixture(configure)
        folder = try TemporaryFolder()
    }

    struct Night {
        var report: RunReport
        /// Paths in the order of the answers.
        var requests: [String]

        var exports: [String] { requests.filter { $0.hasSuffix("/createReplica") || $0.hasSuffix("/exportTiles") } }
        func job(_ id: String) -> JobReport? { report.jobs.first { $0.id == id } }
        /// Why jobs ran that are not made of others, by id.
        var ran: [String: String] {
            let ran = report.jobs.filter { $0.state == .done && !$0.kind.isLocal }
            return Dictionary(ran.map { ($0.id, $0.reason) }) { first, _ in first }
        }
    }

    static let replica = "downtown/water_network/replica"
    static let tiles = "downtown/world-street-map/tiles"
    static let vectorTiles = "downtown/street-map-vector/vectorTiles"
    static let style = "downtown/street-map-vector/style"

    var output: String { folder.file("out") }
    var manifest: Manifest {
        let box = Envelope(xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780)
        return Manifest(
            name: "water", path: folder.file("m.yaml"), portal: PortalSettings(url: portal.portalURL),
            webMap: .item("acc027394bc84c2fb04d1ed317aac674"),
            areas: [AreaSource(id: "downtown", place: .shape(.envelope(box), .wgs84))], scale: ScaleRange(min: 40000, max: 20000),
            output: OutputSettings(directory: output, keep: 3))
    }

    /// One run with the manifest as the test changes it.
    func night(
        refreshing: Bool = false, at time: Date = Date(), _ change: (inout Manifest) -> Void = { _ in },
        freeSpace: (@Sendable (String) throws(SystemError) -> Int)? = nil
    ) async -> Night {
        let before = portal.journal.count
        var manifest = manifest
        change(&manifest)
        let portalURL = portal.portalURL
        var runner = Runner(
            manifest: manifest, stateDirectory: folder.file("out/.state"), observe: { _ in },
            connect: { () async throws(PlanRefusal) in
                let transport = CurlTransport()
                let client = ArcGISClient(transport: transport, portal: portalURL, credentials: CredentialStore(.none))
                return Runner.Connection(client: client, jobClient: client, transport: transport)
            })
        runner.refreshesEverything = refreshing
        if let freeSpace { runner.freeSpace = freeSpace }
        let report = await runner(started: time, stop: AsyncStream { _ in })
        return Night(report: report, requests: portal.journal.dropFirst(before).map(\.path))
    }

    var store: SQLiteStateStore {
        get throws { try SQLiteStateStore(readingPath: folder.file("out/.state/state.db")) }
    }

    var map: PublishedMap? { PublishedMap.read(output: output, area: "downtown") }
    /// Of the file of one job in the map that is out.
    func file(of job: String) throws -> String {
        guard let map, let part = map.parts.first(where: { $0.job == job }) else { throw Missing() }
        return Paths.join(output, map.generation + "/" + part.path)
    }

    struct Missing: Error {}

    // MARK: - Editors at work

    /// As anybody may edit the layers of the demo portal.
    func edit(_ service: String, layer: Int, _ form: [String: String]) async throws -> JSON {
        try await client(.none).json(portal.service("\(service)/FeatureServer/\(layer)/applyEdits"), form, method: .post)
    }

    func administer(_ path: String, _ form: [String: String]) async throws {
        let url = portal.serverURL + "/rest/admin/services/" + path
        _ = try await client(.user(name: "gis_admin", password: Secret("gis_admin"))).json(url, form, method: .post)
    }

    func unregister(_ replica: ReplicaRecord) async throws {
        try await client(.user(name: "gis_admin", password: Secret("gis_admin")))
            .unregisterReplica(replica.serviceURL, id: replica.replicaID)
    }

    func update(item id: String, _ form: [String: String]) async throws {
        let url = portal.sharingURL + "/content/users/gis_admin/items/\(id)/update"
        _ = try await client(.user(name: "gis_admin", password: Secret("gis_admin"))).json(url, form, method: .post)
    }

    private func client(_ credential: Credential) -> ArcGISClient {
        ArcGISClient(transport: CurlTransport(), portal: portal.portalURL, credentials: CredentialStore(credential))
    }
}
