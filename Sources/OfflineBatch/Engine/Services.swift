import ArcGIS
import Basics
import Foundation
import Manifest
import Planning
import Reporting
import Transport

/// The transport stack and the signed-in client of one command: curl at the bottom, retries on top.
struct Services: Sendable {
    var client: ArcGISClient
    /// The same without retries, for the steps of jobs.
    var jobClient: ArcGISClient
    var transport: any HTTPTransport

    /// Resolves the manifest's secrets first: a secret that cannot be had stops everything before the first request. Then signs
    /// in: who has a credential and turns out to be nobody gets no further.
    /// `say` hears of requests that are tried again, which may take a while.
    static func open(
        _ portal: PortalSettings, limits: LimitSettings, variables: [String: String], say: @escaping @Sendable (String) -> Void
    ) async throws(PlanRefusal) -> Services {
        let credential: Credential
        let servers: [ServerCredential]
        let configuration: CurlConfiguration
        do throws(SecretError) {
            credential = try await portal.auth.credential(variables)
            servers = try await portal.servers.credentials(variables)
            configuration = try await portal.configuration(connectionsPerHost: limits.connectionsPerHost, variables)
        } catch {
            let failure = Failure(phase: .signIn, kind: .denied, message: Wording.words(for: error))
            throw PlanRefusal(problems: [PlanProblem(failure: failure)])
        }
        let engine = CurlTransport(configuration: configuration)
        let transport = RetryingTransport(
            engine, policy: RetryPolicy(attempts: limits.attempts), onRetry: { say(Wording.words(for: $0)) })
        let timeouts = Timeouts(connect: limits.connectTimeout, inactivity: limits.inactivityTimeout)
        let store = CredentialStore(credential, servers: servers)
        func client(_ transport: any HTTPTransport) -> ArcGISClient {
            ArcGISClient(transport: transport, portal: portal.url, credentials: store, timeouts: timeouts)
        }
        let services = Services(client: client(transport), jobClient: client(engine), transport: engine)
        do throws(ArcGISError) {
            try await services.client.requireIdentity(isExpected: portal.connection.webAuth != nil)
            try await services.client.requireServerSignIns()
        } catch {
            throw PlanRefusal(problems: [PlanProblem(failure: Failure(.signIn, error))])
        }
        return services
    }
}
