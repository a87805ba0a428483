import Basics
import TestSupport
import Testing

@testable import DemoPortal

@Suite struct SignInTests {
    static let users = """
        users:
          - {name: ann, password: "p+q&r%25=é", role: org_admin}
          - {name: bob, password: 1234}
        apps:
          - {clientID: app1, secret: s3cret}
        apiKeys: [AAPK-key-1]
        refreshTokens:
          - {token: R1, user: ann, clientID: app1}
        secured:
          services: ["Water_Network/*"]
          items: [acc027394bc84c2fb04d1ed317aac674]
          allow: [ann, app1, "api key"]
        requireExchange: true
        """

    let clock = ManualClock()
    let portal: PortalFixture

    init() throws {
        let clock = clock
        portal = try PortalFixture {
            $0.users = Self.users
            $0.tokenMinutes = 30
            $0.clock = { clock.now }
        }
    }

    var water: String { portal.service("Water_Network/FeatureServer") }

    func signIn(_ form: [(String, String)]) throws -> JSON {
        try Browser.post(portal.sharingURL + "/generateToken", form + [("f", "json")]).json
    }

    func portalToken(_ more: [(String, String)] = []) throws -> String {
        try #require(try signIn([("username", "ann"), ("password", "p+q&r%25=é")] + more)["token"]?.string)
    }

    @Test func tokensEndWhenTheySay() throws {
        clock.now = 1000
        let answer = try signIn([("username", "ann"), ("password", "p+q&r%25=é"), ("expiration", "20160")])
        // Capped at 30 minutes; absolute milliseconds.
        #expect(answer["expires"]?.int == 2_800_000)
        let me = portal.sharingURL + "/community/self?f=json&token=\(answer["token"]?.string ?? "")"
        #expect(try Browser.get(me).json["username"]?.string == "ann")
        clock.now = 2800
        #expect(try Browser.get(me).errorCode == 498)
    }

    @Test func wrongCredentialsAreRefused() throws {
        for form in [
            [("username", "ann"), ("password", "x")], [("username", "ann")],
            [("username", "bob"), ("password", "1234"), ("client", "referer")],
        ] {
            let answer = try signIn(form)
            #expect(answer["error"]?["code"]?.int == 400)
            #expect(answer["error"]?["message"]?.string == "Unable to generate token.")
        }
        // Neither by GET nor with the credentials in the URL.
        let url = portal.sharingURL + "/generateToken?f=json&username=bob&password=1234"
        #expect(try Browser.get(url).errorCode == 405)
        #expect(try Browser.post(url, [("x", "y")]).errorCode == 400)
    }

    @Test func aServerTakesOnlyExchangedTokens() throws {
        #expect(try Browser.get(water + "?f=json").errorCode == 499)
        let token = try portalToken()
        #expect(try Browser.get(water + "?f=json&token=\(token)").errorCode == 498)
        let info = try Browser.get(portal.serverURL + "/rest/info?f=json").json
        #expect(info["owningSystemUrl"]?.string == portal.portalURL)
        let exchanged = try signIn([("token", token), ("serverUrl", portal.serverURL)])["token"]?.string ?? ""
        for arguments in [["-H", "X-Esri-Authorization: Bearer \(exchanged)"], ["-H", "Authorization: Bearer \(exchanged)"]] {
            #expect(try Browser.get(water + "?f=json", arguments).json["syncEnabled"]?.bool == true)
        }
        #expect(try Browser.post(water, [("f", "json"), ("token", exchanged)]).json["syncEnabled"]?.bool == true)
        // The server's token is no good at the portal, and other servers are not federated.
        #expect(try Browser.get(portal.sharingURL + "/community/self?f=json&token=\(exchanged)").errorCode == 498)
        #expect(try signIn([("token", token), ("serverUrl", "https://gis.example.org/server")])["error"]?["code"]?.int == 400)
        // A wrong token is refused also where none is needed.
        #expect(try Browser.get(portal.service("Parcels/FeatureServer?f=json&token=wrong")).errorCode == 498)
    }

    @Test func refererBoundTokensNeedTheirReferer() throws {
        let token = try portalToken([("client", "referer"), ("referer", "http")])
        let me = portal.sharingURL + "/community/self?f=json&token=\(token)"
        #expect(try Browser.get(me).errorCode == 498)
        #expect(try Browser.get(me, ["-H", "Referer: http"]).json["username"]?.string == "ann")
    }

    @Test func securedItemsAskForPermission() throws {
        let item = portal.sharingURL + "/content/items/acc027394bc84c2fb04d1ed317aac674?f=json"
        let anonymous = try Browser.get(item).json
        #expect(anonymous["error"]?["code"]?.int == 403)
        #expect(anonymous["error"]?["messageCode"]?.string == "GWM_0003")
        #expect(try Browser.get(item + "&token=\(try portalToken())").json["type"]?.string == "Web Map")
        let bob = try signIn([("username", "bob"), ("password", "1234")])["token"]?.string ?? ""
        #expect(try Browser.get(item + "&token=\(bob)").json["error"]?["messageCode"]?.string == "CONT_0001")
    }

    @Test func aStrangerIsToldThatHeMayNot() throws {
        let bob = try signIn([("username", "bob"), ("password", "1234")])["token"]?.string ?? ""
        let exchanged = try signIn([("token", bob), ("serverUrl", portal.serverURL)])["token"]?.string ?? ""
        #expect(try Browser.get(water + "?f=json&token=\(exchanged)").errorCode == 403)
    }

    @Test func appsAndRefreshTokensUseOAuth() throws {
        let url = portal.sharingURL + "/oauth2/token"
        let granted = try Browser.post(
            url, [("grant_type", "client_credentials"), ("client_id", "app1"), ("client_secret", "s3cret"), ("f", "json")]
        ).json
        // Seconds from now, unlike generateToken.
        #expect(granted["expires_in"]?.int == 1800)
        #expect(granted["refresh_token"] == nil)
        let wrong = try Browser.post(url, [("grant_type", "client_credentials"), ("client_id", "nope"), ("f", "json")]).json
        #expect(wrong["error"]?["error"]?.string == "invalid_client_id")
        let refreshed = try Browser.post(
            url, [("grant_type", "refresh_token"), ("client_id", "app1"), ("refresh_token", "R1"), ("f", "json")]
        ).json
        #expect(refreshed["username"]?.string == "ann")
        clock.now = 1_209_601
        let late = try Browser.post(
            url, [("grant_type", "refresh_token"), ("client_id", "app1"), ("refresh_token", "R1"), ("f", "json")])
        #expect(late.errorCode == 498)
    }

    @Test func apiKeysOpenServices() throws {
        #expect(try Browser.get(water + "?f=json&token=AAPK-key-1").json["syncEnabled"]?.bool == true)
    }

    @Test func resultsNeedATokenToo() throws {
        let key = [("token", "AAPK-key-1")]
        let answer = try Browser.post(water + "/createReplica", JobTests.replicaForm(key)).json
        let url = try #require(answer["URL"]?.string)
        #expect(try Browser.get(url + "?f=json").errorCode == 499)
        #expect(try Browser.get(url + "?token=AAPK-key-1").body.starts(with: Array("SQLite".utf8)))
    }

    @Test func portalsSelfTellsWhoAsks() throws {
        let url = portal.sharingURL + "/portals/self?f=json"
        let anonymous = try Browser.get(url).json
        #expect(anonymous["user"] == nil)
        #expect(anonymous["helperServices"]?["packaging"]?["exportTilesMap"]?.array?.count == 3)
        #expect(try Browser.get(url + "&token=\(try portalToken())").json["user"]?["username"]?.string == "ann")
    }
}
