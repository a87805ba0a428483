import Basics
import Testing

@testable import Transport

@Suite struct RedirectRuleTests {
    private let submission = HTTPRequest(
        method: .post, url: "https://a.example/x/y",
        headers: [
            HTTPHeader("X-Esri-Authorization", "Bearer SECRET"), HTTPHeader("Referer", "https://me"),
            HTTPHeader("X-Other", "kept"),
            HTTPHeader("Content-Type", FormEncoding.contentType), HTTPHeader("Cookie", "c=1"),
            HTTPHeader("authorization", "Basic Zm9v"),
        ],
        body: Array("f=json&token=SECRET&where=a%3D1".utf8))

    private func next(_ status: Int, _ location: String?, _ request: HTTPRequest? = nil, count: Int = 0) throws(TransportError)
        -> HTTPRequest?
    {
        try Redirect.next(
            after: (status, location.map { [HTTPHeader("Location", $0)] } ?? []), to: request ?? submission, count: count)
    }

    @Test(arguments: [
        (301, "GET", "GET"), (302, "GET", "GET"), (303, "GET", "GET"), (307, "GET", "POST"), (308, "GET", "POST"),
    ])
    func methodsFollowTheStatus(status: Int, ofGet: String, ofPost: String) throws {
        let get = try next(status, "/z", HTTPRequest(url: "https://a.example/"))
        #expect(get?.method.rawValue == ofGet)
        let head = try next(status, "/z", HTTPRequest(method: .head, url: "https://a.example/"))
        #expect(head?.method == .head)
        let post = try #require(try next(status, "/z"))
        #expect(post.method.rawValue == (status >= 307 ? ofPost : "GET"))
        #expect(post.body.isEmpty == (status < 307))
        #expect((post.headers["Content-Type"] == nil) == (status < 307))
    }

    @Test func atHomeTheCredentialsStay() throws {
        let same = try #require(try next(307, "z?q=1"))
        #expect(same.url == "https://a.example/x/z?q=1")
        #expect(same.headers == submission.headers && same.body == submission.body)
        #expect(try next(307, "https://A.example:443/z")?.headers.count == submission.headers.count)
    }

    @Test(arguments: ["https://b.example/z", "https://a.example:8443/z", "//b.example/z"])
    func elsewhereTheyDoNot(location: String) throws {
        let other = try #require(try next(307, location))
        #expect(other.headers.map(\.name) == ["X-Other", "Content-Type"])
        #expect(String(decoding: other.body, as: UTF8.self) == "f=json&where=a%3D1")
        #expect(other.method == .post)
    }

    @Test func aTokenOfOursThatTheServerWroteIntoTheNewAddressGoes() throws {
        #expect(try next(302, "https://b.example/z?token=SECRET&a=1&sig=theirs")?.url == "https://b.example/z?a=1&sig=theirs")
        #expect(try next(302, "https://b.example/z?t=SECRET")?.url == "https://b.example/z")
        #expect(try next(302, "/z?token=SECRET")?.url == "https://a.example/z?token=SECRET")
        // A signature that is not ours is what makes the address work.
        #expect(
            try next(302, "https://b.example/z?X-Amz-Signature=abc&e=%20")?.url == "https://b.example/z?X-Amz-Signature=abc&e=%20"
        )
    }

    @Test func unsafeAndEndlessOnesAreRefused() {
        for location in ["http://a.example/x", "ftp://a.example/x", "file:///etc/passwd"] {
            let error = #expect(throws: TransportError.self) { try next(302, location) }
            #expect(error?.kind == .unsafeRedirect || error?.kind == .badURL)
        }
        #expect(throws: TransportError(kind: .tooManyRedirects, message: "5 redirects", url: "https://a.example/x/y")) {
            try next(302, "/z", count: 5)
        }
    }

    @Test func answersThatAreFinal() throws {
        #expect(try next(302, nil) == nil)
        #expect(try next(304, "/z") == nil)
        #expect(try next(200, "/z") == nil)
        #expect(try next(302, "/with space")?.url == "https://a.example/with%20space")
    }
}

@Suite struct RedirectWireTests {
    @Test func credentialsNeverReachAnotherOrigin() async throws {
        let other = try ScriptedServer { _ in .reply(200, [], "there") }
        let port = other.port
        let home = try ScriptedServer { _ in .reply(307, ["Location: http://127.0.0.1:\(port)/there"], "moved") }
        let response = try await CurlTransport().send(
            HTTPRequest(
                method: .post, url: home.url("/here"), headers: [HTTPHeader("X-Esri-Authorization", "Bearer SECRET")],
                body: Array("f=json&token=SECRET".utf8)))
        #expect(response.url == other.url("/there"))
        #expect(String(decoding: response.body, as: UTF8.self) == "there")
        let seen = try #require(other.requests.first)
        #expect(seen.method == "POST" && seen.body == "f=json")
        #expect(!"\(seen)".contains("SECRET"))
        #expect(home.requests[0].headers["x-esri-authorization"] == "Bearer SECRET")
    }

    @Test func fiveAreFollowedAndSixAreNot() async throws {
        let server = try ScriptedServer { request in
            let number = Int(request.target.dropFirst()) ?? 0
            return number == 0 ? .reply(200, [], "end") : .reply(302, ["Location: /\(number - 1)"])
        }
        let transport = CurlTransport()
        #expect(try await transport.send(HTTPRequest(url: server.url("/5"))).url == server.url("/0"))
        let error = await failure { () throws(TransportError) in try await transport.send(HTTPRequest(url: server.url("/6"))) }
        #expect(error?.kind == .tooManyRedirects)
    }
}
