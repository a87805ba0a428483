import ArcGIS
import Basics
import DemoPortal
import Foundation
import TestSupport
import Testing
import Transport

@testable import Execution

/// What services tell about replicas, and how often they are asked.
@Suite(.serialized) struct ReplicaLookupTests {
    private let portal: PortalFixture
    private var service: String { portal.service("Water_Network/FeatureServer") }

    init() throws { portal = try PortalFixture() }

    private func client(_ user: String) -> ArcGISClient {
        ArcGISClient(
            transport: CurlTransport(), portal: portal.portalURL,
            credentials: CredentialStore(.user(name: user, password: Secret(user))))
    }

    /// A registered replica of the administrator.
    private func replica(_ name: String) async throws -> ReplicaRecord {
        let form = [
            "replicaName": name, "layers": "0", "syncModel": "perReplica", "dataFormat": "json", "async": "false",
            "transportType": "esriTransportTypeUrl", "geometry": "-88.16,41.765,-88.14,41.78",
            "geometryType": "esriGeometryEnvelope", "inSR": "4326",
        ]
        _ = try await client("gis_admin").createReplica(service + "/createReplica", form)
        let listed = try await client("gis_admin").replicas(service)
        let id = try #require(listed.first { $0.name == name }?.id)
        return ReplicaRecord(serviceURL: service, replicaID: id, name: name, job: name, isKept: true)
    }

    private func gone() -> ReplicaRecord {
        ReplicaRecord(serviceURL: service, replicaID: UUID().uuidString, name: "gone", job: "gone", isKept: true)
    }

    private func asked(_ body: () async throws -> [OwnReplica.Standing]) async throws -> ([OwnReplica.Standing], Int) {
        let before = portal.journal.count
        let standings = try await body()
        return (standings, portal.journal.dropFirst(before).count { $0.path.contains("/replicas") })
    }

    @Test("one list tells of all; what is not listed is asked for")
    func listed() async throws {
        let records = [try await replica("a"), gone(), try await replica("b"), gone()]
        let (standings, count) = try await asked { await ReplicaLookup(client: client("gis_admin")).standings(of: records) }
        #expect(standings == [.registered, .goneAtServer, .registered, .goneAtServer] && count == 3)
    }

    @Test("a list that hides what the service knows: each is asked for, or on nights the first")
    func hidden() async throws {
        let records = [try await replica("a"), try await replica("b"), gone()]
        let (all, many) = try await asked { await ReplicaLookup(client: client("demo")).standings(of: records) }
        #expect(all == [.registered, .registered, .goneAtServer] && many == 4)
        let (some, few) = try await asked {
            await ReplicaLookup(client: client("demo"), isSparing: true).standings(of: records)
        }
        #expect(some == [.registered, .registered, .registered] && few == 2)
    }

    @Test("a service that gives no list: others may be asked for one by one, nights stop there")
    func refused() async throws {
        let records = [try await replica("a"), gone(), gone()]
        try portal.portal.setFaults("- { path: \"*FeatureServer/replicas\", jsonError: { code: 403, message: no } }\n")
        let (all, many) = try await asked { await ReplicaLookup(client: client("demo")).standings(of: records) }
        #expect(all == [.registered, .goneAtServer, .goneAtServer] && many == 4)
        let (some, few) = try await asked {
            await ReplicaLookup(client: client("demo"), isSparing: true).standings(of: records)
        }
        #expect(some.allSatisfy { if case .failed(let failure) = $0 { failure.code == 403 } else { false } } && few == 1)
    }
}
