import Basics
import TestSupport
import Testing

@testable import Transport

@Suite struct FormRequestTests {
    @Test func shortReadsAreGetsAndLongOnesPosts() {
        let url = "https://a.example/query"
        // url + "?w=" + value is 2,000 characters.
        let fits = String(repeating: "x", count: 2000 - url.count - 3)
        let short = HTTPRequest.form(url: url, parameters: ["w": fits], method: .automatic)
        #expect(short.method == .get && short.url == url + "?w=" + fits && short.body.isEmpty && short.isIdempotent)
        let long = HTTPRequest.form(url: url, parameters: ["w": fits + "x"], method: .automatic)
        #expect(long.method == .post && long.url == url && long.body.count == fits.count + 3 && long.isIdempotent)
        #expect(long.headers["content-type"] == "application/x-www-form-urlencoded")
        let submission = HTTPRequest.form(url: url, parameters: ["f": "json"], method: .post)
        #expect(submission.method == .post && !submission.isIdempotent)
        #expect(HTTPRequest.form(url: url + "?a=1", parameters: ["f": "json"], method: .automatic).url == url + "?a=1&f=json")
        #expect(HTTPRequest.form(url: url, parameters: [:], method: .automatic).url == url)
    }
}

@Suite struct RecordingTests {
    @Test func headersWithoutTheirSecrets() {
        #expect(Redaction.header(HTTPHeader("X-Esri-Authorization", "Bearer abc")).value == "***")
        #expect(Redaction.header(HTTPHeader("authorization", "Basic abc")).value == "***")
        #expect(Redaction.header(HTTPHeader("Location", "https://a/?sig=abc")).value == "https://a/?sig=***")
        #expect(Redaction.header(HTTPHeader("Accept", "x")).value == "x")
    }

    @Test func recordingsHoldNoSecretsAndPlayBack() async throws {
        let live = ReplayTransport { request in
            .success(
                HTTPResponse(
                    status: 200, headers: [HTTPHeader("Set-Cookie", "SECRET")],
                    body: Array(#"{"token":"SECRET","expires":5,"list":[{"access_token":"SECRET","code":"A"}]}"#.utf8),
                    url: request.url))
        }
        let recording = RecordingTransport(live)
        let request = HTTPRequest(
            method: .post, url: "https://a/x?token=SECRET", headers: [HTTPHeader("Authorization", "SECRET")],
            body: Array("f=json&password=SECRET".utf8))
        _ = try await recording.send(request)
        let exchange = try #require(recording.exchanges.first)
        #expect(!"\(exchange)".contains("SECRET"))
        let body = String(decoding: exchange.response?.body ?? [], as: UTF8.self)
        #expect(body == #"{"token":"***","expires":5,"list":[{"access_token":"***","code":"A"}]}"#)
        #expect(String(decoding: exchange.request.body, as: UTF8.self) == "f=json&password=***")
        #expect(live.requests.first == request)
        let replay = ReplayTransport(recording.exchanges)
        #expect(try await replay.send(request).status == 200)
        let other = await failure { () throws(TransportError) in try await replay.send(HTTPRequest(url: "https://a/y")) }
        #expect(other?.kind == .connect)
    }
}
