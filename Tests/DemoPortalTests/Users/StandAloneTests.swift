import Basics
import TestSupport
import Testing

@testable import DemoPortal

/// A server that is not federated, with users of its own.
@Suite struct StandAloneTests {
    let portal: PortalFixture

    init() throws {
        portal = try PortalFixture {
            $0.users = """
                users: [{name: ann, password: a}]
                apiKeys: [KEY]
                secured: {services: ["Water_Network/*"]}
                standAlone: {users: [{name: gis, password: g}]}
                """
        }
    }

    private func token(_ url: String, _ name: String, _ password: String) throws -> JSON {
        try Browser.post(url, [("username", name), ("password", password), ("f", "json")]).json
    }

    @Test func itNamesNoOwnerAndItsOwnTokenService() throws {
        let info = try Browser.get(portal.serverURL + "/rest/info?f=json").json
        #expect(info["owningSystemUrl"] == nil)
        #expect(info["authInfo"]?["tokenServicesUrl"]?.string == portal.serverURL + "/tokens/")
    }

    @Test func usersAndTokensOfOneAreNothingToTheOther() throws {
        let water = portal.service("Water_Network/FeatureServer") + "?f=json&token="
        let me = portal.sharingURL + "/community/self?f=json&token="
        for url in [portal.serverURL + "/tokens/", portal.serverURL + "/tokens/generateToken"] {
            let own = try #require(try token(url, "gis", "g")["token"]?.string)
            #expect(try Browser.get(water + own).json["layers"] != nil)
            #expect(try Browser.get(me + own).errorCode == 498)
            #expect(try token(url, "ann", "a")["error"]?["code"]?.int == 400)
        }
        let portals = try #require(try token(portal.sharingURL + "/generateToken", "ann", "a")["token"]?.string)
        #expect(try Browser.get(me + portals).json["username"]?.string == "ann")
        #expect(try Browser.get(water + portals).errorCode == 498)
        #expect(try Browser.get(water + "KEY").errorCode == 498)
        #expect(try token(portal.sharingURL + "/generateToken", "gis", "g")["error"]?["code"]?.int == 400)
        let exchange = try Browser.post(
            portal.sharingURL + "/generateToken", [("token", portals), ("serverUrl", portal.serverURL), ("f", "json")])
        #expect(exchange.errorCode == 400)
    }
}
