import Testing

@testable import Transport

@Suite struct FormEncodingTests {
    @Test(arguments: [
        ("a b", "a%20b"), ("1+1", "1%2B1"), ("50%", "50%25"), ("a&b=c", "a%26b%3Dc"), ("O'Neil \"x\"", "O%27Neil%20%22x%22"),
        ("größe", "gr%C3%B6%C3%9Fe"), ("水🚰", "%E6%B0%B4%F0%9F%9A%B0"), ("-._~aZ09", "-._~aZ09"), ("*()!", "%2A%28%29%21"),
        ("\r\n", "%0D%0A"), ("", ""), (#"[{"id":0}]"#, "%5B%7B%22id%22%3A0%7D%5D"),
    ])
    func values(text: String, encoded: String) {
        #expect(FormEncoding.encode(text) == encoded)
        #expect(FormEncoding.decode(encoded).first?.0 ?? "" == text)
    }

    @Test func parametersInOrderOrSorted() {
        #expect(FormEncoding.encode([("where", "1=1"), ("f", "json")]) == "where=1%3D1&f=json")
        #expect(FormEncoding.encode(["where": "1=1", "f": "json"]) == "f=json&where=1%3D1")
        let decoded = FormEncoding.decode("a=1&b=&c&d=x+y%2&e=%zz")
        #expect(decoded.map(\.0) == ["a", "b", "c", "d", "e"])
        #expect(decoded.map(\.1) == ["1", "", "", "x y%2", "%zz"])
    }

    @Test func shortReadsAreGetsAndLongOnesPosts() {
        let url = "https://a.example/query"
        // url + "?w=" + value is 2,000 characters.
        let fits = String(repeating: "x", count: 2000 - url.count - 3)
        let short = HTTPRequest.form(url: url, parameters: ["w": fits], method: .getIfShort)
        #expect(short.method == .get && short.url == url + "?w=" + fits && short.body.isEmpty && short.isIdempotent)
        let long = HTTPRequest.form(url: url, parameters: ["w": fits + "x"], method: .getIfShort)
        #expect(long.method == .post && long.url == url && long.body.count == fits.count + 3 && long.isIdempotent)
        #expect(long.headers["content-type"] == "application/x-www-form-urlencoded")
        let submission = HTTPRequest.form(url: url, parameters: ["f": "json"])
        #expect(submission.method == .post && !submission.isIdempotent)
        #expect(HTTPRequest.form(url: url + "?a=1", parameters: ["f": "json"], method: .getIfShort).url == url + "?a=1&f=json")
        #expect(HTTPRequest.form(url: url, parameters: [:] as [String: String], method: .getIfShort).url == url)
    }
}

@Suite struct RedactionTests {
    @Test(arguments: [
        ("https://u:p@a.example/x?f=json&token=abc", "https://a.example/x?f=json&token=***"),
        ("https://a/x?X-Amz-Signature=1&X-Amz-Date=2#top", "https://a/x?X-Amz-Signature=***&X-Amz-Date=2#top"),
        (
            "https://a/x?TOKEN=1&client_secret=2&apiKey=3&password=",
            "https://a/x?TOKEN=***&client_secret=***&apiKey=***&password=***"
        ),
        ("https://a/x?to%6ben=1", "https://a/x?to%6ben=***"), ("https://a/x@y?q=u:p@z", "https://a/x@y?q=u:p@z"),
        ("https://a/plain", "https://a/plain"),
    ])
    func urls(text: String, redacted: String) {
        #expect(Redaction.url(text) == redacted)
    }

    @Test func headersAndAddresses() {
        #expect(Redaction.header(HTTPHeader("X-Esri-Authorization", "Bearer abc")).value == "***")
        #expect(Redaction.header(HTTPHeader("authorization", "Basic abc")).value == "***")
        #expect(Redaction.header(HTTPHeader("Location", "https://a/?sig=abc")).value == "https://a/?sig=***")
        #expect(Redaction.header(HTTPHeader("Accept", "x")).value == "x")
        #expect(Redaction.address("https://u:p@a/x?token=1#y") == "https://a/x")
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
