import Foundation
import TestSupport
import Testing

@testable import Transport

/// Which proxy an address is reached through. What is expected is curl's documentation, by hand; curl itself is the second judge.
@Suite struct ProxyRulesTests {
    private static let hosts: [(host: String, list: String, entry: String?)] = [
        ("gis.invalid", "", nil), ("gis.invalid", "gis.invalid", "gis.invalid"), ("gis.invalid", "invalid", "invalid"),
        ("gis.invalid", ".invalid", ".invalid"), ("a.gis.invalid", "gis.invalid", "gis.invalid"),
        ("notgis.invalid", "gis.invalid", nil), ("gis.invalid", "other.invalid, gis.invalid", "gis.invalid"),
        ("gis.invalid", "*", "*"), ("gis.invalid", "*.invalid", nil),
        ("GIS.invalid", "gis.INVALID", "gis.INVALID"), ("gis.invalid", "gis.invalid.", "gis.invalid."),
        ("gis.invalid", "gis.invalid:80", nil), ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.0/8", "127.0.0.0/8"),
        ("127.0.0.1", "127.0.0.0/31", "127.0.0.0/31"), ("127.0.0.1", "127.0.0.2/31", nil), ("127.0.0.1", "0.0.1", nil),
        ("127.0.0.1", "10.0.0.0/8", nil), ("127.0.0.1", "127.0.0.0/33", nil), ("[::1]", "::1", "::1"), ("[::1]", "::2", nil),
    ]

    /// What curl reads differently from version to version: blanks between entries, networks of IPv6 addresses.
    private static let some: [(host: String, list: String, entry: String?)] = [
        ("gis.invalid", "other.invalid gis.invalid", "gis.invalid"), ("[::1]", "::/64", "::/64"), ("[::1]", "fe80::/10", nil),
    ]

    @Test(
        "the entry of a list that keeps a host from the proxy",
        arguments: hosts + some)
    func exceptions(_ host: String, _ list: String, _ entry: String?) {
        #expect(ProxyExceptions(list: list).entry(for: host.lowercased()) == entry)
    }

    /// The proxy says so; what goes past it finds nobody.
    @Test("curl decides the same", arguments: hosts)
    func judge(_ host: String, _ list: String, _ entry: String?) throws {
        let proxy = try ScriptedServer { _ in .reply(200, [], "by proxy") }
        var variables = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "http_proxy": proxy.url("")]
        variables["no_proxy"] = list
        let verdict = try Command.run("curl", ["-s", "-g", "-m", "5", "http://\(host):9/"], environment: variables)
        #expect((verdict.output == "by proxy") == (entry == nil), "\(verdict.status)")
    }

    private static let address = "https://gis.example.org/server/rest/services"

    private func route(
        _ variables: [String: String], _ configured: CurlConfiguration.Proxy? = nil, to url: String = address
    ) throws -> ProxyRoute {
        ProxyRules(configured: configured, variables: ProxyVariables(variables)).route(to: try #require(WebAddress(url)))
    }

    @Test("the variables, each for its scheme, the special before the general")
    func variables() throws {
        #expect(try route([:]) == .direct)
        #expect(try route(["http_proxy": "http://p:1", "no_proxy": "*"]) == .direct)
        #expect(
            try route(["https_proxy": "http://p:1", "HTTPS_PROXY": "http://q:1", "all_proxy": "http://r:1"])
                == .proxy(url: "http://p:1", user: nil, by: .variable("https_proxy")))
        #expect(
            try route(["https_proxy": "", "HTTPS_PROXY": "http://q:1", "all_proxy": "http://r:1"])
                == .proxy(url: "http://q:1", user: nil, by: .variable("HTTPS_PROXY")))
        #expect(
            try route(["ALL_PROXY": "socks5h://r:1"]) == .proxy(url: "socks5h://r:1", user: nil, by: .variable("ALL_PROXY")))
        // Not in capitals: a web server would pass a header of that name.
        #expect(try route(["HTTP_PROXY": "http://p:1"], to: "http://gis.example.org") == .direct)
        #expect(
            try route(["https_proxy": "http://p:1", "no_proxy": "", "NO_PROXY": "example.org"])
                == .excepted(entry: "example.org", by: .variable("NO_PROXY")))
    }

    @Test("the configuration before the variables, but for exceptions that it does not name")
    func configuration() throws {
        let variables = ["https_proxy": "http://p:1", "no_proxy": "gis.example.org"]
        let user = CurlConfiguration.Proxy.User(name: "night", password: .init("hunter22"))
        var proxy = CurlConfiguration.Proxy(url: "http://own:3128", user: user, exceptions: ["intranet"])
        #expect(try route(variables, proxy) == .proxy(url: "http://own:3128", user: "night", by: .configuration))
        proxy.exceptions = ["example.org"]
        #expect(try route(variables, proxy) == .excepted(entry: "example.org", by: .configuration))
        proxy.exceptions = []
        #expect(try route(variables, proxy) == .proxy(url: "http://own:3128", user: "night", by: .configuration))
        proxy.exceptions = nil
        #expect(try route(variables, proxy) == .excepted(entry: "gis.example.org", by: .variable("no_proxy")))
    }

    @Test("a password in a variable is in no route, however the address is written")
    func passwords() throws {
        for (text, url) in [
            ("http://bob:p%40ss/w@proxy.example.org:3128/", "http://proxy.example.org:3128"),
            ("bob:p@ss@proxy.example.org:3128", "http://proxy.example.org:3128"), ("HTTPS://bob@proxy", "https://proxy"),
        ] {
            let found = try route(["https_proxy": text])
            #expect(found == .proxy(url: url, user: "bob", by: .variable("https_proxy")))
            #expect(!"\(found)".contains("ss"), "\(found)")
        }
    }

    /// What is told is what is done: through libcurl, with the variables of a value and none of this process.
    @Test func theTransportGoesTheWayThatItTells() async throws {
        let proxy = try ScriptedServer { _ in .reply(200, [], "by proxy") }
        let server = try ScriptedServer { _ in .reply(200, [], "direct") }
        func answer(_ variables: [String: String]) async throws -> (ProxyRoute, String) {
            let transport = CurlTransport(configuration: CurlConfiguration(proxyVariables: ProxyVariables(variables)))
            let response = try await transport.send(HTTPRequest(url: server.url("/")))
            return (RetryingTransport(transport).route(to: server.url("/")), String(decoding: response.body, as: UTF8.self))
        }
        let through = try await answer(["http_proxy": "bob:secret@127.0.0.1:\(proxy.port)"])
        #expect(through.0 == .proxy(url: proxy.url(""), user: "bob", by: .variable("http_proxy")) && through.1 == "by proxy")
        #expect(proxy.requests[0].headers["proxy-authorization"] == "Basic Ym9iOnNlY3JldA==")
        let past = try await answer(["http_proxy": proxy.url(""), "no_proxy": "127.0.0.0/8"])
        #expect(past.0 == .excepted(entry: "127.0.0.0/8", by: .variable("no_proxy")) && past.1 == "direct")
        #expect(try await answer([:]) == (.direct, "direct"))
    }
}
