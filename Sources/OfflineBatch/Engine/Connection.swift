import ArcGIS
import Manifest
import Reporting
import Transport

/// The way from a manifest's portal settings to a client that signs in by itself.
enum Connection {
    static func client(
        of portal: PortalSettings, variables: [String: String], transport: any HTTPTransport,
        limits: LimitSettings = LimitSettings()
    ) -> ArcGISClient {
        ArcGISClient(
            transport: transport, portal: portal.url,
            credentials: CredentialStore(credential(of: portal.auth, variables: variables)),
            timeouts: Timeouts(connect: limits.connectTimeout, inactivity: limits.inactivityTimeout))
    }

    /// Secrets are read at each sign-in, so that one that was renewed meanwhile is the new one.
    private static func credential(of auth: Authentication, variables: [String: String]) -> Credential {
        @Sendable func read(_ reference: SecretReference) async throws(Explained) -> String {
            do throws(SecretError) {
                return try await reference.resolve(environment: variables).reveal()
            } catch {
                throw Explained(description: Wording.words(for: error))
            }
        }
        return switch auth {
        case .none: .none
        case .apiKey(let reference): .apiKey(.init { try await read(reference) })
        case .token(let reference): .token(.init { try await read(reference) })
        case .oauth(let clientID, let secret): .application(clientID: clientID, clientSecret: .init { try await read(secret) })
        case .user(let name, let password): .user(name: name, password: .init { try await read(password) })
        }
    }

    /// The client passes on what an error says of itself.
    private struct Explained: Error, CustomStringConvertible { var description: String }
}
