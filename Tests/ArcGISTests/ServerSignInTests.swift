import Basics
import Testing
import Transport

@testable import ArcGIS

/// A stand-alone server with users of its own, beside a portal that knows nothing of them.
@Suite("Stand-alone servers")
struct ServerSignInTests {
    private static let root = "https://alone.example.org/arcgis"
    private static let service = root + "/rest/services/Water/FeatureServer"

    private actor Server {
        var signIns: [HTTPRequest] = []
        var valid = ""
        let tokenService: String

        init(tokenService: String) { self.tokenService = tokenService }

        func revoke() { valid = "" }

        func answer(_ request: HTTPRequest) async -> HTTPResponse {
            switch request.path {
            case ServerSignInTests.root + "/rest/info":
                return .json(#"{"authInfo":{"isTokenBasedSecurity":true,"tokenServicesUrl":"\#(tokenService)"}}"#)
            case ServerSignInTests.root + "/tokens/generateToken":
                await Task.yield()
                signIns.append(request)
                guard request.parameters["username"] == "night", request.parameters["password"] == "p+q" else {
                    return .json(
                        #"{"error":{"code":400,"message":"Unable to generate token.","details":["Invalid username or password."]}}"#
                    )
                }
                valid = "own-\(signIns.count)"
                return .json(#"{"token":"\#(valid)","expires":1003600000}"#)
            case "https://gis.example.org/portal/sharing/rest/generateToken":
                return .json(#"{"token":"portal-1","expires":1003600000}"#)
            default:
                guard request.url.hasPrefix(ServerSignInTests.root + "/") else { return .json(#"{"ok":true}"#) }
                return request.token == "Bearer \(valid)"
                    ? .json(#"{"ok":true}"#) : .json(#"{"error":{"code":498,"message":"Invalid token.","details":[]}}"#)
            }
        }
    }

    private func setUp(
        password: String = "p+q", tokenService: String = root + "/tokens/", portal: Credential = .none
    ) -> (ArcGISClient, Server, ScriptedTransport.Journal) {
        let server = Server(tokenService: tokenService)
        let transport = ScriptedTransport { await server.answer($0) }
        let account = ServerCredential(root: Self.root, credential: .user(name: "night", password: Secret(password)))
        let client = ArcGISClient(
            transport: transport, portal: "https://gis.example.org/portal",
            credentials: CredentialStore(portal, servers: [account]), now: { 1_000_000 })
        return (client, server, transport.journal)
    }

    @Test("its own users sign in at its own token service, once for all who ask")
    func ownUsers() async throws {
        let (client, server, journal) = setUp()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try await client.json(Self.service) } }
            try await group.waitForAll()
        }
        let signIns = await server.signIns
        #expect(signIns.count == 1)
        #expect(signIns.first?.method == .post && signIns.first?.url.contains("?") == false)
        #expect(signIns.first?.parameters["referer"] == Self.root && signIns.first?.headers["Referer"] == Self.root)
        let asked = await journal.requests.filter { $0.path == Self.service }
        #expect(asked.count == 8 && asked.allSatisfy { $0.token == "Bearer own-1" && $0.headers["Referer"] == Self.root })
    }

    @Test("a refused token is renewed once")
    func renewal() async throws {
        let (client, server, _) = setUp()
        _ = try await client.json(Self.service)
        await server.revoke()
        _ = try await client.json(Self.service.uppercased().replacing("HTTPS://ALONE.EXAMPLE.ORG/ARCGIS", with: Self.root))
        #expect(await server.signIns.count == 2)
    }

    @Test("the portal's token does not go there, and the server's goes nowhere else")
    func separation() async throws {
        let (client, _, journal) = setUp(portal: .user(name: "ann", password: Secret("x")))
        _ = try await client.json(Self.service)
        _ = try await client.json("https://gis.example.org/portal/sharing/rest/search")
        for url in [
            "https://alone.example.org/arcgis2/rest/services/W/FeatureServer", "http://alone.example.org/arcgis/x",
            "https://alone.example.org:6443/arcgis/rest/services/W/FeatureServer",
        ] { _ = try await client.json(url) }
        for request in await journal.requests {
            switch request.token {
            case "Bearer own-1"?: #expect(request.url.hasPrefix(Self.root + "/"))
            case "Bearer portal-1"?: #expect(request.url.hasPrefix("https://gis.example.org/portal/"))
            default: #expect(request.token == nil, "\(request.url)")
            }
        }
    }

    /// A map says http, the manifest https: nothing goes out in clear text, and the service is asked where it is.
    @Test("an http address of a server that is named with https is asked by https")
    func upgraded() async throws {
        let (client, _, journal) = setUp(portal: .user(name: "ann", password: Secret("x")))
        _ = try await client.json(Self.service.replacing("https:", with: "http:"))
        // Other ports, and hosts that nobody named, stay what they are and see no token.
        _ = try await client.json("http://alone.example.org:6080/arcgis/rest/services/W/FeatureServer")
        _ = try await client.json("http://other.example.org/arcgis/rest/services/W/FeatureServer")
        let requests = await journal.requests
        #expect(requests.first { $0.path == Self.service }?.token == "Bearer own-1")
        for request in requests where request.url.hasPrefix("http:") { #expect(request.token == nil, "\(request.url)") }
        #expect(requests.filter { $0.url.hasPrefix("http:") }.count == 2)
    }

    @Test("a server whose root is the portal's whole host does not take the portal's place")
    func wholeHost() async throws {
        let transport = ScriptedTransport { _ in .json(#"{"user":{"username":"ann"}}"#) }
        let own = ServerCredential(root: "https://gis.example.org", credential: .token(Secret("own-token")))
        let client = ArcGISClient(
            transport: transport, portal: "https://gis.example.org/portal",
            credentials: CredentialStore(.token(Secret("portal-token")), servers: [own]), now: { 1_000_000 })
        try await client.requireIdentity()
        _ = try await client.json("https://gis.example.org/rest/services/W/FeatureServer")
        #expect(await transport.journal.requests.map(\.token) == ["Bearer portal-token", "Bearer own-token"])
    }

    @Test("a wrong password is tried once")
    func wrongPassword() async {
        let (client, server, _) = setUp(password: "wrong")
        for _ in 0..<3 {
            do throws(ArcGISError) {
                try await client.requireServerSignIns()
                Issue.record("signed in with a wrong password")
            } catch {
                #expect(error.isRefusedSignIn && error.details == ["Invalid username or password."])
            }
        }
        #expect(await server.signIns.count == 1)
    }

    @Test(
        "no password goes to a token service elsewhere, in plain text, or of unknown address",
        arguments: ["https://evil.example.net/tokens/", "http://alone.example.org/arcgis/tokens/", ""])
    func tokenService(_ url: String) async {
        let (client, _, journal) = setUp(tokenService: url)
        do throws(ArcGISError) {
            try await client.requireServerSignIns()
            Issue.record("signed in at \(url)")
        } catch {
            #expect(error.isAuthentication)
        }
        #expect(await journal.requests.allSatisfy { $0.parameters["password"] == nil })
    }
}
