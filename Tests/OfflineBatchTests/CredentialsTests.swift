import Basics
import Manifest
import TestSupport
import Testing
import Transport

@testable import OfflineBatch

/// What becomes of `portal:` on its way down.
@Suite struct CredentialsTests {
    private func configuration(_ connection: ConnectionSettings) async throws(SecretError) -> CurlConfiguration {
        try await PortalSettings(url: "https://gis.example.org/portal", connection: connection)
            .configuration(connectionsPerHost: 3, ["PASSWORD": "hunter22"])
    }

    private func reason(_ tls: TLSSettings) async -> SecretError.Reason? {
        do throws(SecretError) {
            _ = try await configuration(ConnectionSettings(tls: tls))
            return nil
        } catch { return error.reason }
    }

    @Test func proxyAndWindowsSignInReachTheTransport() async throws {
        let made = try await configuration(
            ConnectionSettings(
                proxy: ProxySettings(url: "http://proxy:3128", noProxy: ["localhost"]),
                webAuth: .ntlm(name: "EXAMPLE\\night", password: .environment("PASSWORD"))))
        let expected = CurlConfiguration(
            connectionsPerHost: 3, proxy: .init(url: "http://proxy:3128", exceptions: ["localhost"]),
            proxyVariables: ProxyVariables([:]),
            webAuthentication: .init(
                .ntlm(name: "EXAMPLE\\night", password: Secret("hunter22")), at: "https://gis.example.org/other"))
        #expect(made == expected)
        #expect(
            try await configuration(ConnectionSettings())
                == CurlConfiguration(connectionsPerHost: 3, proxyVariables: ProxyVariables([:])))
        #expect(
            try await configuration(ConnectionSettings(webAuth: .negotiate)).webAuthentication
                == .init(.negotiate, at: "https://gis.example.org"))
    }

    @Test func aKeyThatOthersCanReadIsRefusedAlsoWithinACertificate() async throws {
        let folder = try TemporaryFolder()
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        try Files.writeAtomically(Array(certificate.utf8), to: folder.file("me.pem"), mode: 0o644)
        try Files.writeAtomically(Array((certificate + key).utf8), to: folder.file("both.pem"), mode: 0o644)
        try Files.writeAtomically(Array(key.utf8), to: folder.file("open.key"), mode: 0o640)
        try Files.writeAtomically(Array(key.utf8), to: folder.file("me.key"), mode: 0o600)
        let me = folder.file("me.pem")
        #expect(await reason(TLSSettings(clientCertificate: me, clientKey: folder.file("me.key"))) == nil)
        #expect(
            await reason(TLSSettings(clientCertificate: me, clientKey: folder.file("open.key"))) == .openToOthers(mode: 0o640))
        #expect(await reason(TLSSettings(clientCertificate: folder.file("both.pem"))) == .openToOthers(mode: 0o644))
        guard case .unreadable? = await reason(TLSSettings(caFile: folder.file("nowhere.pem"))) else {
            Issue.record("a missing file was accepted")
            return
        }
    }
}
