import Basics
import Foundation
import TestSupport
import Testing

@testable import Transport

/// `openssl s_server` with a certificate of its own making: what a company's portal looks like from outside.
private final class TLSServer {
    let certificate: String
    let port: Int
    private let process = Process()
    private let folder: TemporaryFolder

    init(arguments: [String] = []) throws {
        folder = try TemporaryFolder()
        certificate = folder.file("certificate.pem")
        let key = folder.file("key.pem")
        let made = try Command.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-keyout",
                key,
                "-out", certificate, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ])
        try #require(made.status == 0, "\(made.errors)")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments =
            ["s_server", "-www", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It prints "ACCEPT 127.0.0.1:port" when it listens.
        var text = ""
        var found: Int?
        while found == nil {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
            if text.contains("\n") { found = line?.split(separator: ":").last.flatMap { Int($0) } }
        }
        port = try #require(found, "\(text)")
    }

    deinit { process.terminate() }
}

@Suite(.enabled(if: Files.exists("/usr/bin/openssl"), "needs openssl"))
struct TLSTests {
    @Test func onlyAKnownAuthorityIsTrusted() async throws {
        let server = try TLSServer()
        let request = HTTPRequest(url: "https://localhost:\(server.port)/", timeouts: Timeouts(total: .seconds(10)))
        let error = await failure { () throws(TransportError) in try await CurlTransport().send(request) }
        #expect(error?.kind == .tls)

        let trusting = CurlTransport(configuration: CurlConfiguration(certificateAuthorities: server.certificate))
        #expect(try await trusting.send(request).status == 200)

        // The certificate says localhost.
        let wrongName = HTTPRequest(url: "https://127.0.0.1:\(server.port)/", timeouts: Timeouts(total: .seconds(10)))
        #expect(await failure { () throws(TransportError) in try await trusting.send(wrongName) }?.kind == .tls)

        let missing = CurlTransport(configuration: CurlConfiguration(certificateAuthorities: "/nowhere.pem"))
        #expect(await failure { () throws(TransportError) in try await missing.send(request) }?.kind == .tls)
    }

    @Test func clientCertificatesAreShown() async throws {
        // TLS 1.2: there a missing certificate already fails the handshake.
        let server = try TLSServer(arguments: ["-Verify", "1", "-verify_quiet", "-tls1_2"])
        let request = HTTPRequest(url: "https://localhost:\(server.port)/", timeouts: Timeouts(total: .seconds(10)))
        let without = CurlTransport(configuration: CurlConfiguration(certificateAuthorities: server.certificate))
        #expect(await failure { () throws(TransportError) in try await without.send(request) } != nil)
        let with = CurlTransport(
            configuration: CurlConfiguration(
                certificateAuthorities: server.certificate, clientCertificate: server.certificate,
                clientKey: Paths.parent(server.certificate) + "/key.pem"))
        #expect(try await with.send(request).status == 200)

        let key = Paths.parent(server.certificate) + "/key.pem"
        let made = try Command.run(
            "openssl", ["pkey", "-in", key, "-aes256", "-passout", "pass:k-secret", "-out", key + ".enc"])
        try #require(made.status == 0, "\(made.errors)")
        for (password, works) in [("k-secret", true), ("other", false)] {
            let encrypted = CurlTransport(
                configuration: CurlConfiguration(
                    certificateAuthorities: server.certificate, clientCertificate: server.certificate, clientKey: key + ".enc",
                    clientKeyPassword: Secret(password)))
            let error = await failure { () throws(TransportError) in try await encrypted.send(request) }
            #expect((error == nil) == works, "\(password): \(error?.message ?? "")")
            if !works { #expect(error?.kind == .tls) }
        }
    }
}
