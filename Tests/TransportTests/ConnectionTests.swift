import Basics
import Foundation
import Testing

@testable import Transport

/// Proxies and sign-in by the web server, played by a server of our own.
@Suite struct ConnectionTests {
    private func send(
        _ url: String, _ configuration: CurlConfiguration, method: HTTPRequest.Method = .get, body: String = ""
    ) async throws -> HTTPResponse {
        try await CurlTransport(configuration: configuration).send(
            HTTPRequest(method: method, url: url, body: Array(body.utf8), timeouts: Timeouts(total: .seconds(10))))
    }

    @Test func aProxyGetsWhatIsNotExcepted() async throws {
        let proxy = try ScriptedServer { _ in .reply(200, [], "by proxy") }
        let direct = try ScriptedServer { _ in .reply(200, [], "direct") }
        let all = CurlConfiguration(proxy: .init(url: proxy.url(""), exceptions: []))
        #expect(String(decoding: try await send("http://gis.invalid/a", all).body, as: UTF8.self) == "by proxy")
        #expect(String(decoding: try await send(direct.url("/b"), all).body, as: UTF8.self) == "by proxy")
        #expect(proxy.requests.map(\.target) == ["http://gis.invalid/a", direct.url("/b")])
        let some = CurlConfiguration(proxy: .init(url: proxy.url(""), exceptions: ["127.0.0.1"]))
        #expect(String(decoding: try await send(direct.url("/c"), some).body, as: UTF8.self) == "direct")
        #expect(proxy.requests.count == 2)
    }

    /// MS-NLMP 2.2.1.2 with an empty target: signature, type 2, no name, flags (Unicode, NTLM), challenge, context, no info.
    private static let challenge: String = {
        var bytes = Array("NTLMSSP\0".utf8) + [2, 0, 0, 0]
        bytes += [0, 0, 0, 0, 48, 0, 0, 0] + [0x01, 0x02, 0x00, 0x00]
        bytes += [1, 2, 3, 4, 5, 6, 7, 8] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0]
        return Data(bytes).base64EncodedString()
    }()

    /// 2 on the second step, so that the connection counts as signed in.
    private static func step(_ request: ScriptedServer.Request) -> UInt8? {
        guard let header = request.headers["authorization"], header.hasPrefix("NTLM "),
            let bytes = Data(base64Encoded: String(header.dropFirst(5))), bytes.count > 12
        else { return nil }
        return bytes[8]
    }

    private static func gate(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
        switch step(request) {
        case 1: .reply(401, ["WWW-Authenticate: NTLM " + challenge])
        case 3: .reply(200, [], "welcome")
        default: .reply(401, ["WWW-Authenticate: NTLM"])
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func windowsAccountsSignInOnOneConnection(_ method: HTTPRequest.Method) async throws {
        let server = try ScriptedServer { Self.gate($0) }
        let account = CurlConfiguration.WebAuthentication(
            .ntlm(name: "EXAMPLE\\night", password: Secret("hunter22")), at: server.url("/portal"))
        let body = method == .post ? "f=json&where=1%3D1" : ""
        let answer = try await send(
            server.url("/portal/sharing/rest"), CurlConfiguration(webAuthentication: account), method: method, body: body)
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self) == "welcome")
        let last = try #require(server.requests.last)
        #expect(Self.step(last) == 3 && last.body == body)
        #expect(server.connections == 1)
        let message = try #require(Data(base64Encoded: String(last.headers["authorization"]?.dropFirst(5) ?? "")))
        #expect(message.range(of: Data("n\0i\0g\0h\0t\0".utf8)) != nil)
        #expect(!server.requests.contains { "\($0.headers) \($0.body)".contains("hunter22") })
    }

    /// A libcurl that was built without NTLM, as newer ones are, would fall back to Basic.
    @Test func aWindowsPasswordNeverGoesInClearText() async throws {
        let server = try ScriptedServer { Self.gate($0) }
        let account = CurlConfiguration.WebAuthentication(.ntlm(name: "night", password: Secret("hunter22")), at: server.url(""))
        _ = try? await send(server.url("/"), CurlConfiguration(webAuthentication: account))
        for request in server.requests { #expect(request.headers["authorization"]?.hasPrefix("NTLM ") != false) }
    }

    @Test func anotherOriginGetsNoneOfIt() async throws {
        let stranger = try ScriptedServer { Self.gate($0) }
        let server = try ScriptedServer { request in
            Self.step(request) == 3 ? .reply(302, ["Location: \(stranger.url("/x"))"]) : Self.gate(request)
        }
        for scheme in [
            CurlConfiguration.WebAuthentication.Scheme.ntlm(name: "night", password: Secret("hunter22")), .negotiate,
        ] {
            let configuration = CurlConfiguration(webAuthentication: .init(scheme, at: server.url("")))
            #expect(try await send(stranger.url("/y"), configuration).status == 401)
            #expect(try await send(server.url("/z"), configuration).status == 401)
        }
        #expect(stranger.requests.map(\.target) == ["/y", "/x", "/y"])
        #expect(stranger.requests.allSatisfy { $0.headers["authorization"] == nil })
    }
}
