import Basics
import TestSupport
import Testing
import Transport

@testable import ArcGIS

/// The client against a portal that speaks the protocol, over a real network connection.
@Suite("Against the demo portal", .serialized)
struct DemoPortalTests {
    private static let users = """
        users:
          - { name: field, password: "p+q&r%25=é" }
        secured:
          services: ["Water_Network/*"]
        requireExchange: true
        """

    private static func client(_ portal: PortalFixture, _ credential: Credential = .none) -> ArcGISClient {
        ArcGISClient(transport: CurlTransport(), portal: portal.portalURL, credentials: CredentialStore(credential))
    }

    /// Asks until the job is done; 10 s at most.
    private static func wait(_ ask: () async throws(ArcGISError) -> ServerJobStatus) async throws -> ServerJobStatus {
        for _ in 0..<500 {
            let status = try await ask()
            if status.state.isFinal { return status }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ArcGISError(kind: .unexpectedAnswer(what: "a job without an end", excerpt: ""), url: "")
    }

    @Test("a secured, federated service: sign-in, exchange, and an anonymous refusal")
    func secured() async throws {
        let portal = try PortalFixture { $0.users = Self.users }
        let service = portal.service("Water_Network/FeatureServer")
        let client = Self.client(portal, .user(name: "field", password: Secret("p+q&r%25=é")))
        #expect(try await client.portalSelf().username == "field")
        let info = try await client.featureService(service)
        #expect(info.canSync && !info.layers.isEmpty && !info.tables.isEmpty)
        #expect(info.layers.allSatisfy { !$0.isSummary })
        let anonymous = await failure { () throws(ArcGISError) in try await Self.client(portal).featureService(service) }
        #expect(anonymous?.code == 499 && anonymous?.isAuthentication == true)
        let wrong = await failure { () throws(ArcGISError) in
            try await Self.client(portal, .user(name: "field", password: Secret("p q&r%=é"))).portalSelf()
        }
        #expect(wrong != nil && wrong?.isTransient == false)
    }

    @Test("createReplica to its file, and counts")
    func replica() async throws {
        let portal = try PortalFixture()
        let client = Self.client(portal)
        let info = try await client.featureService(portal.service("Water_Network/FeatureServer"))
        let first = try #require(info.layers.first)
        let count = try await client.count(ServiceQuery(url: "\(info.url)/\(first.id)/query", parameters: ["where": "1=1"]))
        #expect(
            count
                == (try await client.features(of: "\(info.url)/\(first.id)", outFields: [first.objectIDField ?? ""])).features
                .count)
        let extent = try #require(info.fullExtent?.envelope)
        let submission = try await client.createReplica(
            info.url + "/createReplica",
            [
                "replicaName": "test", "layers": "\(first.id)", "layerQueries": #"{"\#(first.id)":{"queryOption":"all"}}"#,
                "geometry": "\(extent.xmin),\(extent.ymin),\(extent.xmax),\(extent.ymax)", "geometryType": "esriGeometryEnvelope",
                "inSR": "102100", "syncModel": "none", "dataFormat": "sqlite", "async": "true",
                "transportType": "esriTransportTypeUrl",
            ])
        guard case .job(let statusURL) = submission else {
            Issue.record("\(submission)")
            return
        }
        let status = try await Self.wait { () throws(ArcGISError) in try await client.replicaStatus(statusURL) }
        #expect(status.state == .succeeded)
        let file = try await client.bytes(try #require(status.resultURL))
        #expect(file.starts(with: Array("SQLite format 3\0".utf8)))
        #expect(try await client.replicaStatus(info.url + "/jobs/no-such-job").state == .gone)
    }

    @Test("exportTiles to its package", arguments: ["server", "agol"], [ExportService.map, .vector])
    func export(_ flavour: String, _ kind: ExportService) async throws {
        let portal = try PortalFixture { $0.flavour = flavour == "agol" ? .agol : .server }
        let client = Self.client(portal, .user(name: "demo", password: Secret("demo")))
        let service = portal.service(kind == .map ? "World_Street_Map/MapServer" : "Street_Map/VectorTileServer")
        let extent: ServiceExtent?
        if kind == .map {
            let info = try await client.mapService(service)
            #expect(info.isCached && info.exportTilesAllowed && info.tilingScheme != nil)
            extent = info.fullExtent
        } else {
            let info = try await client.vectorTileService(service)
            #expect(info.exportTilesAllowed && info.tilingScheme != nil)
            extent = info.fullExtent
        }
        let box = try #require(extent?.envelope)
        let job = try await client.exportTiles(
            service,
            [
                "tilePackage": "true", "exportBy": "levelId", "levels": "0-10", "storageFormatType": "CompactV2",
                "exportExtent": "\(box.xmin),\(box.ymin),\(box.xmax),\(box.ymax)",
            ], kind: kind)
        let status = try await Self.wait { () throws(ArcGISError) in try await client.exportStatus(job.url) }
        #expect(status.state == .succeeded, "\(status.errorMessage)")
        let location = try await client.exportResult(status.url, status.result)
        #expect(location.sendsCredentials == (flavour == "server"))
        let request = try await client.authorizedRequest(for: location.url, sendsCredentials: location.sendsCredentials)
        #expect((request.token != nil) == (flavour == "server"))
        let response = try await CurlTransport().send(request)
        #expect(response.status == 200 && response.body.starts(with: [0x50, 0x4B, 0x03, 0x04]))
    }
}
