import Basics
import Testing

@testable import ArcGIS

@Suite("Identity")
struct IdentityTests {
    private func check(_ answer: String, credential: Credential = .token(Secret("T"))) async -> (ArcGISError?, Int) {
        let (client, journal) = client("https://gis.example.org/portal", credential) { _ in .json(answer) }
        do throws(ArcGISError) {
            try await client.requireIdentity()
            return (nil, await journal.requests.count)
        } catch {
            return (error, await journal.requests.count)
        }
    }

    @Test("a user, an app and an API key are somebody")
    func somebody() async {
        for answer in [
            #"{"id":"o","user":{"username":"ann"}}"#, #"{"id":"o","appInfo":{"appId":"app1"}}"#,
            #"{"id":"o","appInfo":{"appId":"","privileges":[]}}"#,
        ] {
            let (error, count) = await check(answer)
            #expect(error == nil && count == 1, "\(answer)")
        }
    }

    @Test("a token that is taken and ignored is a refused sign-in")
    func nobody() async {
        for answer in [#"{"id":"o","name":"Public"}"#, #"{"id":"o","user":{"username":""}}"#, #"{"user":null,"appInfo":null}"#] {
            let (error, _) = await check(answer)
            guard case .signIn? = error?.kind else {
                Issue.record("\(answer): \(String(describing: error))")
                continue
            }
            #expect(error?.isAuthentication == true && error?.isTransient == false)
        }
    }

    @Test("a given token that is bound to a referer comes with it")
    func referer() async throws {
        let (client, journal) = client("https://gis.example.org/portal", .token(Secret("T"), referer: "https://app.example.org"))
        {
            $0.headers["Referer"] == "https://app.example.org"
                ? .json(#"{"user":{"username":"ann"}}"#) : .json(#"{"error":{"code":498,"message":"Invalid token."}}"#)
        }
        try await client.requireIdentity()
        #expect(await journal.requests.first?.token == "Bearer T")
    }

    @Test("an invalid key is told in the portal's words; without a credential nothing is asked")
    func refused() async {
        let (error, _) = await check(
            #"{"error":{"code":498,"message":"Invalid token.","details":[]}}"#, credential: .apiKey(Secret("K")))
        #expect(error?.code == 498 && error?.message == "Invalid token.")
        let (none, count) = await check("{}", credential: .none)
        #expect(none == nil && count == 0)
    }
}
