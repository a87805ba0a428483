import Basics
import Foundation
import TestSupport
import Testing

@testable import Transport

/// `openssl s_server` with a certificate of its own making. It ends with the value.
private final class TLSServer {
    let identity: LocalhostIdentity
    let port: Int
    private let program: RunningProgram

    init(arguments: [String] = []) async throws {
        identity = try LocalhostIdentity()
        let words = ["s_server", "-www", "-accept", "127.0.0.1:0", "-cert", identity.certificate, "-key", identity.key]
        program = try RunningProgram(
            LocalhostIdentity.openssl, words + arguments, environment: ProcessInfo.processInfo.environment,
            folder: NSTemporaryDirectory())
        // It prints "ACCEPT 127.0.0.1:port" when it listens.
        var found: Int?
        for _ in 0..<3000 where found == nil && program.isRunning {
            let lines = program.stdout.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            found = lines.first { $0.hasPrefix("ACCEPT") }?.split(separator: ":").last.flatMap { Int($0) }
            if found == nil { try await Task.sleep(for: .milliseconds(10)) }
        }
        port = try #require(found, "\(program.stdout)\(program.stderr)")
    }
}

@Suite(.enabled(if: LocalhostIdentity.isPossible, "needs openssl"))
struct TLSTests {
    @Test func onlyAKnownAuthorityIsTrusted() async throws {
        let server = try await TLSServer()
        let request = HTTPRequest(url: "https://localhost:\(server.port)/", timeouts: Timeouts(total: .seconds(10)))
        let error = await failure { () throws(TransportError) in try await CurlTransport().send(request) }
        #expect(error?.kind == .tls)

        let trusting = CurlTransport(configuration: CurlConfiguration(certificateAuthorities: server.identity.certificate))
        #expect(try await trusting.send(request).status == 200)

        // The certificate says localhost.
        let wrongName = HTTPRequest(url: "https://127.0.0.1:\(server.port)/", timeouts: Timeouts(total: .seconds(10)))
        #expect(await failure { () throws(TransportError) in try await trusting.send(wrongName) }?.kind == .tls)

        let missing = CurlTransport(configuration: CurlConfiguration(certificateAuthorities: "/nowhere.pem"))
        #expect(await failure { () throws(TransportError) in try await missing.send(request) }?.kind == .tls)
    }

    @Test func clientCertificatesAreShown() async throws {
        // TLS 1.2: there a missing certificate already fails the handshake.
        let server = try await TLSServer(arguments: ["-Verify", "1", "-verify_quiet", "-tls1_2"])
        let request = HTTPRequest(url: "https://localhost:\(server.port)/", timeouts: Timeouts(total: .seconds(10)))
        let without = CurlTransport(configuration: CurlConfiguration(certificateAuthorities: server.identity.certificate))
        #expect(await failure { () throws(TransportError) in try await without.send(request) } != nil)
        let with = CurlTransport(
            configuration: CurlConfiguration(
                certificateAuthorities: server.identity.certificate, clientCertificate: server.identity.certificate,
                clientKey: server.identity.key))
        #expect(try await with.send(request).status == 200)

        let key = server.identity.key
        let made = try Command.run(
            "openssl", ["pkey", "-in", key, "-aes256", "-passout", "pass:k-secret", "-out", key + ".enc"])
        try #require(made.status == 0, "\(made.errors)")
        for (password, works) in [("k-secret", true), ("another-secret", false)] {
            let encrypted = CurlTransport(
                configuration: CurlConfiguration(
                    certificateAuthorities: server.identity.certificate, clientCertificate: server.identity.certificate,
                    clientKey: key + ".enc",
                    clientKeyPassword: Secret(password)))
            let error = await failure { () throws(TransportError) in try await encrypted.send(request) }
            #expect((error == nil) == works, "\(password): \(error?.message ?? "")")
            if !works { #expect(error?.kind == .tls) }
        }
    }
}
