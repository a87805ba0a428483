import Basics
import Testing
import Transport

@testable import ArcGIS

/// What the plan tells of servers: what each is, and who we are there (cases A05).
@Suite("Who we are where")
struct ServerStandingTests {
    private static let root = "https://gis.example.org/portal"
    private static let password = "correct-horse"
    private static let own = ServerCredential(
        root: "https://alone.example.org/arcgis", credential: .user(name: "gis", password: Secret(password)))

    /// The portal, one federated server, one whose tokens the portal refuses to make, and one on the portal's own host; one with a
    /// sign-in of its own; one that wants one, for some of its services.
    @Sendable private static func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch request.path {
        case root + "/sharing/rest/portals/self":
            return .json(#"{"id":"p","user":{"username":"jane"},"appInfo":{"appId":"app7"}}"#)
        case root + "/sharing/rest/generateToken" where request.parameters["serverUrl"]?.contains("refused") == true:
            return .json(#"{"error":{"code":400,"message":"Unable to generate token."}}"#)
        case root + "/sharing/rest/generateToken", "https://alone.example.org/arcgis/tokens/generateToken":
            return .json(#"{"token":"T-1","expires":1003600000000}"#)
        case root + "/sharing/rest/oauth2/token": return .json(#"{"access_token":"T-2","expires_in":7200}"#)
        case "https://fed.example.org/server/rest/info", "https://refused.example.org/server/rest/info":
            return .json(#"{"owningSystemUrl":"https://gis.example.org/portal"}"#)
        case "https://alone.example.org/arcgis/rest/info":
            return .json(#"{"authInfo":{"tokenServicesUrl":"https://alone.example.org/arcgis/tokens/"}}"#)
        default:
            let isRefused = request.path.contains("/Secret/") && request.token == nil
            return .json(isRefused ? #"{"error":{"code":499,"message":"Token Required","details":[]}}"# : #"{"ok":true}"#)
        }
    }

    private func standings(_ credential: Credential, isExpected: Bool = false) async -> [ServerStanding] {
        let client = ArcGISClient(
            transport: ScriptedTransport { Self.answer($0) }, portal: Self.root,
            credentials: CredentialStore(credential, servers: [Self.own]), now: { 1_000_000 })
        _ = await failure { () throws(ArcGISError) in try await client.requireIdentity(isExpected: isExpected) }
        for place in [
            "https://fed.example.org/server", "https://refused.example.org/server", "https://gis.example.org/hosting",
            "https://alone.example.org/arcgis", "https://open.example.org/arcgis",
        ] {
            _ = await failure { () throws(ArcGISError) in try await client.json(place + "/rest/services/A/FeatureServer") }
        }
        for service in ["A", "Secret/B", "C"] {
            let url = "https://closed.example.org/arcgis/rest/services/\(service)/MapServer"
            _ = await failure { () throws(ArcGISError) in try await client.json(url) }
        }
        _ = await failure { () throws(ArcGISError) in try await client.json("https://cdn.example.org/styles/root.json") }
        return await client.servers()
    }

    @Test("each kind of server, with the account that it gets")
    func kinds() async {
        let user = ServerStanding.Account(.user, name: "field")
        let found = await standings(.user(name: "field", password: Secret(Self.password)))
        #expect(
            found == [
                ServerStanding(url: Self.root, kind: .portal, account: user),
                ServerStanding(
                    url: "https://alone.example.org/arcgis", kind: .ownSignIn, account: .init(.user, name: "gis")),
                ServerStanding(url: "https://cdn.example.org", kind: .open),
                ServerStanding(url: "https://closed.example.org/arcgis", kind: .closed),
                ServerStanding(url: "https://fed.example.org/server", kind: .federated, account: user),
                // It takes the portal's token as it is.
                ServerStanding(url: "https://gis.example.org/hosting", kind: .federated, account: user),
                ServerStanding(url: "https://open.example.org/arcgis", kind: .open),
                ServerStanding(url: "https://refused.example.org/server", kind: .federated),
            ])
        for secret in [Self.password, "T-1"] { #expect(!"\(found)".contains(secret)) }
    }

    @Test("whose token or key it is the portal says; an application has its own name")
    func names() async {
        func account(_ credential: Credential) async -> ServerStanding.Account? { await standings(credential).first?.account }
        #expect(await account(.token(Secret("T-0"))) == .init(.token, name: "jane"))
        #expect(await account(.apiKey(Secret("K-0"))) == .init(.apiKey, name: "jane"))
        #expect(
            await account(.application(clientID: "app1", clientSecret: Secret("s"))) == .init(.application, name: "app1"))
    }

    @Test("without a sign-in nobody is anybody, but at servers with an account of their own")
    func anonymous() async {
        let found = await standings(.none)
        #expect(found.filter { $0.account != nil }.map(\.kind) == [.ownSignIn])
        #expect(found.filter { $0.kind == .open }.map(\.url).contains("https://fed.example.org/server"))
    }

    @Test("who is known to the web server in front of the portal is known on its origin alone")
    func webSignIn() async {
        let found = await standings(.none, isExpected: true)
        let known = found.filter { $0.account == .init(.web, name: "jane") }.map(\.url)
        // Nobody has asked the portal but for who we are.
        #expect(known == [Self.root, "https://gis.example.org/hosting"])
    }
}
