import Basics
import Testing
import Transport

@testable import ArcGIS

/// A portal with one federated server, one that belongs to somebody else and one stand-alone; it counts sign-ins.
private actor FakePortal {
    static let root = "https://gis.example.org/portal"
    var signIns = 0
    var exchanges: [String: Int] = [:]
    var lookups: [String: Int] = [:]
    /// Tokens that services take at the moment.
    var valid: Set<String> = []
    var refusesExchange = false
    var lifetime = 3_600.0

    func refuseExchange() { refusesExchange = true }
    func revoke() { valid = [] }
    func setLifetime(_ seconds: Double) { lifetime = seconds }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let parameters = request.parameters
        switch request.path {
        case Self.root + "/sharing/rest/generateToken":
            // Let whoever else wants the same come in the meantime.
            await Task.yield()
            if let server = parameters["serverUrl"] {
                exchanges[server, default: 0] += 1
                if refusesExchange {
                    return .json(#"{"error":{"code":400,"message":"Unable to generate token.","details":["Not federated."]}}"#)
                }
                guard let token = parameters["token"], valid.contains(token) else {
                    return .json(#"{"error":{"code":498,"message":"Invalid token."}}"#)
                }
                let token2 = "server-\(exchanges[server] ?? 0)"
                valid.insert(token2)
                return .json(#"{"token":"\#(token2)","expires":\#(Int((1_000_000 + lifetime) * 1_000))}"#)
            }
            guard parameters["username"] == "field", parameters["password"] == "p+q&r%25=é" else {
                signIns += 1
                return .json(
                    #"{"error":{"code":400,"message":"Unable to generate token.","details":["Invalid username or password."]}}"#)
            }
            signIns += 1
            let token = "portal-\(signIns)"
            valid.insert(token)
            return .json(#"{"token":"\#(token)","expires":\#(Int((1_000_000 + lifetime) * 1_000)),"ssl":true}"#)
        case "https://fed.example.org/server/rest/info":
            lookups["fed", default: 0] += 1
            return .json(#"{"owningSystemUrl":"http://GIS.example.org/portal/","authInfo":{"isTokenBasedSecurity":true}}"#)
        case "https://gis.example.org/hosting/rest/info":
            return .json(#"{"owningSystemUrl":"https://gis.example.org/portal"}"#)
        case "https://alone.example.org/arcgis/rest/info":
            return .json(
                #"{"authInfo":{"isTokenBasedSecurity":true,"tokenServicesUrl":"https://alone.example.org/arcgis/tokens/"}}"#)
        case "https://other.example.org/arcgis/rest/info":
            return .json(#"{"owningSystemUrl":"https://elsewhere.example.net/portal"}"#)
        default:
            let token = request.token?.dropFirst("Bearer ".count).description
            if let token, !valid.contains(token) {
                return .json(#"{"error":{"code":498,"message":"Invalid token.","details":[]}}"#)
            }
            if token == nil, request.url.contains("secured") {
                return .json(#"{"error":{"code":499,"message":"Token Required","details":[]}}"#)
            }
            return .json(#"{"ok":true}"#)
        }
    }
}

@Suite("Sign-in")
struct SignInTests {
    private static let user = Credential.user(name: "field", password: Secret("p+q&r%25=é"))
    private static let federated = "https://fed.example.org/server/rest/services/secured/FeatureServer"

    private func setUp(_ credential: Credential = user) -> (ArcGISClient, FakePortal, ScriptedTransport.Journal) {
        let portal = FakePortal()
        let (client, journal) = client(FakePortal.root, credential) { await portal.answer($0) }
        return (client, portal, journal)
    }

    @Test("a user's token goes in headers, with the referer it is bound to")
    func portalToken() async throws {
        let (client, portal, journal) = setUp()
        _ = try await client.portalSelf()
        _ = try await client.json(FakePortal.root + "/sharing/rest/search", ["q": "a"])
        let requests = await journal.requests
        #expect(await portal.signIns == 1)
        #expect(requests[0].method == .post && !requests[0].url.contains("?") && requests[0].token == nil)
        #expect(requests[0].parameters["client"] == "referer")
        for request in requests.dropFirst() {
            #expect(request.token == "Bearer portal-1")
            #expect(request.headers["Referer"] == requests[0].parameters["referer"])
            #expect(!request.url.contains("portal-1") && request.parameters["token"] == nil)
        }
    }

    @Test(
        "no token leaves for places that are not the portal's",
        arguments: [
            "https://alone.example.org/arcgis/rest/services/A/FeatureServer/0",
            "https://other.example.org/arcgis/rest/services/A/MapServer",
            "https://bucket.s3.amazonaws.com/x.tpkx?X-Amz-Signature=1", "http://gis.example.org:81/portal/sharing/rest/x",
            "https://gis.example.org.evil.net/portal/sharing/rest/x",
            "https://services.arcgis.com/x/arcgis/rest/services/A/FeatureServer",
            "https://gis.example.org@evil.net/portal/sharing/rest/x",
        ])
    func noLeaks(_ url: String) async throws {
        let (client, _, journal) = setUp()
        _ = try await client.json(url)
        _ = try await client.authorizedRequest(for: url)
        for request in await journal.requests where !request.path.hasPrefix(FakePortal.root) {
            #expect(request.token == nil, "\(request.url)")
            #expect(request.headers["Authorization"] == nil && request.parameters["token"] == nil)
            #expect(request.headers["Referer"] == nil)
        }
        #expect(try await client.authorizedRequest(for: url).token == nil)
    }

    @Test("a server federated with the portal gets a token of its own, made once for all who wait")
    func federation() async throws {
        let (client, portal, journal) = setUp()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    _ = await failure { () throws(ArcGISError) in try await client.json(Self.federated + "/\(number)") }
                }
            }
        }
        #expect(await portal.signIns == 1)
        #expect(await portal.exchanges == ["https://fed.example.org/server": 1])
        #expect(await portal.lookups == ["fed": 1])
        let calls = await journal.requests.filter { $0.path.hasPrefix(Self.federated) }
        #expect(calls.count == 20 && calls.allSatisfy { $0.token == "Bearer server-1" })
        let exchange = try #require(await journal.requests.first { $0.parameters["serverUrl"] != nil })
        #expect(exchange.method == .post && exchange.headers["Referer"] == FakePortal.root)
        // A result file outside `/rest` of the same server belongs to it.
        #expect(try await client.authorizedRequest(for: "https://fed.example.org/files/x.tpkx").token == "Bearer server-1")
    }

    @Test("a refused token is renewed once, and the request replayed once")
    func renewal() async throws {
        let (client, portal, journal) = setUp()
        let url = FakePortal.root + "/sharing/rest/community/self"
        _ = try await client.json(url)
        await portal.revoke()
        _ = try await client.json(url)
        #expect(await portal.signIns == 2)
        #expect(
            await journal.requests.filter { $0.path == url }.map(\.token) == [
                "Bearer portal-1", "Bearer portal-1", "Bearer portal-2",
            ])
        // The same on the federated server: its token and, if that is dead too, the portal's.
        _ = try await client.json(Self.federated)
        await portal.revoke()
        _ = try await client.json(Self.federated)
        #expect(await portal.signIns == 3)
        #expect(await portal.exchanges.values.reduce(0, +) == 3)
    }

    @Test("a second refusal ends it")
    func noLoop() async throws {
        let (client, journal) = client(FakePortal.root, Self.user) { request in
            request.path.hasSuffix("generateToken")
                ? .json(#"{"token":"t\#(Int.random(in: 0...1_000_000))"}"#)
                : .json(#"{"error":{"code":498,"message":"Invalid token."}}"#)
        }
        let error = await failure { () throws(ArcGISError) in try await client.json(FakePortal.root + "/sharing/rest/x") }
        #expect(error?.code == 498 && error?.isTransient == false)
        #expect(await journal.requests.count == 4)
    }

    @Test("a given token cannot be renewed and is not sent again")
    func fixedToken() async throws {
        let (client, journal) = client(FakePortal.root, .token(Secret("T"))) { _ in
            .json(#"{"error":{"code":498,"message":"Invalid token."}}"#)
        }
        let error = await failure { () throws(ArcGISError) in try await client.json(FakePortal.root + "/sharing/rest/x") }
        #expect(error?.code == 498)
        #expect(await journal.requests.count == 1)
    }

    @Test("a wrong password is tried once")
    func wrongPassword() async throws {
        let (client, portal, _) = setUp(.user(name: "field", password: Secret("wrong-password")))
        for _ in 0..<5 {
            let error = await failure { () throws(ArcGISError) in try await client.json(FakePortal.root + "/sharing/rest/x") }
            #expect(error?.details == ["Invalid username or password."])
        }
        #expect(await portal.signIns == 1)
    }

    @Test("a refused exchange: the portal's own host may see its token, others meet us anonymously")
    func refusedExchange() async throws {
        let (client, portal, journal) = setUp()
        await portal.refuseExchange()
        let hosting = "https://gis.example.org/hosting/rest/services/secured/FeatureServer"
        _ = try await client.json(hosting)
        _ = try await client.json(hosting)
        #expect(await portal.exchanges == ["https://gis.example.org/hosting": 1])
        #expect(await journal.requests.filter { $0.path == hosting }.map(\.token) == ["Bearer portal-1", "Bearer portal-1"])
        let error = try #require(await failure { () throws(ArcGISError) in try await client.json(Self.federated) })
        #expect(error.code == 499)
        #expect(error.details.first?.contains("Not federated.") == true)
        #expect(await journal.requests.filter { $0.path.hasPrefix("https://fed.") && $0.token != nil }.isEmpty)
    }

    @Test("a token in its last minutes is replaced before it fails")
    func earlyRenewal() async throws {
        let portal = FakePortal()
        let clock = Clock()
        let transport = ScriptedTransport { await portal.answer($0) }
        let client = ArcGISClient(
            transport: transport, portal: FakePortal.root, credentials: CredentialStore(Self.user), now: { clock.seconds })
        let url = FakePortal.root + "/sharing/rest/x"
        _ = try await client.json(url)
        clock.set(1_000_000 + 3_600 - 301)
        _ = try await client.json(url)
        #expect(await portal.signIns == 1)
        clock.set(1_000_000 + 3_600 - 299)
        _ = try await client.json(url)
        #expect(await portal.signIns == 2)
    }

    @Test("ArcGIS Online: one token for its hosts, none for another environment")
    func online() async throws {
        let (client, journal) = client("www.arcgis.com", .apiKey(Secret("AAPK1"))) { _ in .json("{}") }
        for url in [
            "https://org.maps.arcgis.com/sharing/rest/x", "https://services7.arcgis.com/o/arcgis/rest/services/A/FeatureServer",
            "http://tiles.arcgis.com/tiles/o/arcgis/rest/services/A/MapServer", "https://www.arcgis.com/sharing/rest/x",
        ] {
            _ = try await client.json(url)
        }
        #expect(await journal.requests.allSatisfy { $0.token == "Bearer AAPK1" && $0.url.hasPrefix("https://") })
        _ = try await client.json("https://devext.arcgis.com/sharing/rest/x")
        #expect(await journal.requests.last?.token == nil)
    }

    @Test("application credentials: seconds from now; a shorter lifetime when the server wants one")
    func otherGrants() async throws {
        let (app, journal) = client(FakePortal.root, .application(clientID: "id", clientSecret: Secret("s"))) { request in
            request.path.hasSuffix("oauth2/token") ? .json(#"{"access_token":"A","expires_in":7200}"#) : .json("{}")
        }
        _ = try await app.json(FakePortal.root + "/sharing/rest/x")
        let grant = await journal.requests[0]
        #expect(grant.parameters == ["grant_type": "client_credentials", "client_id": "id", "client_secret": "s", "f": "json"])
        #expect(await journal.requests[1].token == "Bearer A")

        let (short, second) = client(FakePortal.root, Self.user) { request in
            guard request.path.hasSuffix("generateToken") else { return .json("{}") }
            return request.parameters["expiration"] == nil
                ? .json(#"{"token":"S"}"#)
                : .json(
                    #"{"error":{"code":400,"message":"Unable to generate token.","details":["Client ID is required for long expiration tokens."]}}"#
                )
        }
        _ = try await short.json(FakePortal.root + "/sharing/rest/x")
        #expect(await second.requests.count == 3)
    }

    @Test("a download's request can be renewed as well")
    func downloads() async throws {
        let (client, portal, _) = setUp()
        let url = FakePortal.root + "/sharing/rest/content/items/a/data"
        let bare = try await client.authorizedRequest(for: url, sendsCredentials: false)
        #expect(bare.token == nil)
        let attached = try #require(try await client.renewedRequest(after: bare))
        #expect(attached.token == "Bearer portal-1")
        await portal.revoke()
        let renewed = try #require(try await client.renewedRequest(after: attached))
        #expect(renewed.token == "Bearer portal-2" && renewed.headers.count { $0.name == "X-Esri-Authorization" } == 1)
        // Somebody else has renewed already: the new token is used, no other is made.
        #expect(try await client.renewedRequest(after: attached)?.token == "Bearer portal-2")
        #expect(await portal.signIns == 2)
    }

    @Test("secrets are in no description or dump")
    func descriptions() {
        var output = ""
        let credential = Credential.user(name: "field", password: Secret("hunter2"))
        dump(credential, to: &output)
        output += "\(credential) \(String(reflecting: credential))"
        let token = IssuedToken(value: "hunter2", expires: 1, issued: 0, referer: nil)
        dump(token, to: &output)
        output += "\(token) \(String(reflecting: Authorization(token: token, source: .portal)))"
        #expect(!output.contains("hunter2"))
    }
}

/// Seconds that a test moves by hand.
private final class Clock: @unchecked Sendable {
    // Set between awaited calls only: never read and written at once.
    private(set) var seconds = 1_000_000.0
    func set(_ value: Double) { seconds = value }
}

@Suite("Requests")
struct RequestTests {
    @Test("GET up to 2,000 characters, then POST; every byte encoded")
    func methods() async throws {
        let (client, journal) = client { _ in .json("{}") }
        let clause = "NAME = 'Trader Joe''s' AND D > timestamp '2024-01-01 00:00:00' AND A <> '50%+x'"
        _ = try await client.json("https://h/s/query?token=SECRET&f=html&statusId=7", ["where": clause])
        _ = try await client.json("https://h/s/query", ["where": String(repeating: "x", count: 2_000)])
        _ = try await client.json("https://h/s/exportTiles", ["a": "b"], method: .post)
        let requests = await journal.requests
        #expect(requests.map(\.method) == [.get, .post, .post])
        #expect(requests[0].parameters == ["where": clause, "f": "json", "statusId": "7"])
        #expect(requests[0].url.contains("%2B") && requests[0].url.contains("%27") && !requests[0].url.contains("SECRET"))
        #expect(requests[1].headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(String(decoding: requests[2].body, as: UTF8.self) == "a=b&f=json" && requests[2].url == "https://h/s/exportTiles")
    }

    @Test("reads may be sent twice, however long they are; what makes or ends something may not")
    func repetition() async throws {
        let service = "https://h/rest/services/W/FeatureServer"
        let (client, journal) = client { request in
            switch request.path.split(separator: "/").last {
            case "query": .json(#"{"count":1}"#)
            case "createReplica": .json(#"{"statusUrl":"https://h/jobs/1"}"#)
            case "exportTiles": .json(#"{"jobId":"j"}"#)
            default: .json(#"{"success":true,"jobStatus":"esriJobCancelled"}"#)
            }
        }
        let long = String(repeating: "x", count: 2_000)
        _ = try await client.count(ServiceQuery(url: service + "/0/query", parameters: ["where": long]))
        _ = try await client.json(service, ["f": "pjson", "returnUpdates": long])
        _ = try await client.createReplica(service + "/createReplica", ["layers": "0"])
        _ = try await client.exportTiles("https://h/rest/services/M/MapServer", ["levels": "0"], kind: .map)
        try await client.unregisterReplica(service, id: "R")
        try await client.cancel("https://h/rest/services/M/MapServer/exportTiles/jobs/j")
        let requests = await journal.requests
        #expect(requests.map(\.method) == Array(repeating: .post, count: 6))
        #expect(requests.map(\.isIdempotent) == [true, true, false, false, false, false])
        #expect(requests.allSatisfy { $0.parameters["f"] == "json" })
    }
}
