import Basics
import TestSupport
import Testing

@testable import DemoPortal

@Suite struct FaultTests {
    @Test(arguments: [
        ("*", "/a/b", true), ("/a/*", "/a/b/c", true), ("*/jobs/*", "/x/FeatureServer/jobs/12", true), ("/a/?", "/a/b", true),
        ("/a/?", "/a/bc", false), ("*.tpkx", "/a.tpk", false), ("", "", true), ("a*b*c", "axxbyyc", true),
        ("a*b*c", "axxbyy", false),
    ])
    func globs(pattern: String, text: String, expected: Bool) {
        #expect(Glob.matches(pattern, text) == expected)
    }

    static func hits(_ yaml: String, of count: Int = 10, method: String = "GET") throws -> [Int] {
        var table = FaultTable(try FaultFile.read(yaml))
        let request = Request(method: method, path: "/x/jobs/1", parameters: Parameters([("levels", "0-5")]), headers: Headers())
        return (1...count).filter { _ in !table.actions(for: request).isEmpty }
    }

    @Test func rulesChooseTheirRequests() throws {
        #expect(try Self.hits("- {path: '*', status: 500}", of: 3) == [1, 2, 3])
        #expect(try Self.hits("- {path: '*', nth: 3, status: 500}") == [3])
        #expect(try Self.hits("- {path: '*', nth: [2, 5], status: 500}") == [2, 5])
        #expect(try Self.hits("- {path: '*', every: 4, status: 500}") == [4, 8])
        #expect(try Self.hits("- {path: '*', first: 2, status: 500}") == [1, 2])
        #expect(try Self.hits("- {path: '*', method: POST, status: 500}") == [])
        #expect(try Self.hits("- {path: '*', method: post, status: 500}", of: 1, method: "POST") == [1])
        #expect(try Self.hits("- {path: '/y*', status: 500}") == [])
        #expect(try Self.hits("- {path: '*', parameters: {levels: '0-'}, status: 500}", of: 1) == [1])
        #expect(try Self.hits("- {path: '*', parameters: {levels: '9'}, status: 500}", of: 1) == [])
        let some = try Self.hits("- {path: '*', probability: 0.5, seed: 7, status: 500}", of: 1000)
        #expect((400...600).contains(some.count))
        #expect(try Self.hits("- {path: '*', probability: 0.5, seed: 7, status: 500}", of: 1000) == some)
    }

    @Test(arguments: [
        ("- {path: '*', stauts: 500}", "did you mean status?"), ("- {path: '*'}", "no action"),
        ("- {status: 500}", "path is missing"),
        ("- {path: '*', job: explodes}", "job is fails"), ("a: b", "list of rules"), ("- [", "line"),
    ])
    func wrongFilesAreExplained(yaml: String, expected: String) {
        do throws(ConfigurationError) {
            _ = try FaultFile.read(yaml)
            Issue.record("the file was taken")
        } catch {
            #expect(error.message.contains(expected))
        }
    }

    @Test func answersAreReplacedAndDamaged() throws {
        let portal = try PortalFixture {
            $0.jobSeconds = 0
            $0.faults = """
                - {path: '*/Parcels/FeatureServer', nth: 1, status: 503, retryAfter: 2}
                - {path: '*/Parcels/FeatureServer', nth: 2, jsonError: {code: 500, message: Error performing query operation}}
                - {path: '*/Parcels/FeatureServer', nth: 3, html: "<html>Gateway</html>"}
                - {path: '*/Parcels/FeatureServer', nth: 4, cutAfter: 100}
                - {path: '*/Parcels/FeatureServer', nth: 5, wrongLength: 1000000}
                - {path: '*/Parcels/FeatureServer', nth: 6, truncateFile: 10}
                - {path: '*/Parcels/FeatureServer', nth: 7, replaceFile: garbage}
                - {path: '*/Parcels/FeatureServer', nth: 8, redirect: 'http://127.0.0.1:1/x'}
                """
        }
        let url = portal.service("Parcels/FeatureServer?f=json")
        let busy = try Browser.get(url)
        #expect(busy.status == 503)
        #expect(busy.headers["retry-after"] == "2")
        let error = try Browser.get(url)
        #expect(error.status == 200)
        #expect(error.errorCode == 500)
        #expect(try Browser.get(url).text == "<html>Gateway</html>")
        // 18 is curl's "partial file": fewer bytes than announced.
        let cut = try Browser.get(url)
        #expect(cut.exitCode == 18)
        #expect(cut.body.count == 100)
        #expect(try Browser.get(url).exitCode == 18)
        let short = try Browser.get(url)
        #expect(short.exitCode == 0)
        #expect(short.body.count == 10)
        #expect(!(try Browser.get(url).text.hasPrefix("{")))
        let moved = try Browser.get(url)
        #expect(moved.status == 302)
        #expect(moved.headers["location"] == "http://127.0.0.1:1/x")
        #expect(try Browser.get(url).json["currentVersion"] != nil)
    }

    @Test func jobsFailForgetAndLoseTheirResult() throws {
        let portal = try PortalFixture { $0.jobSeconds = 0 }
        let service = portal.service("Water_Network/FeatureServer")
        func job(_ fault: String) throws -> (last: JSON, words: [String]) {
            try portal.portal.setFaults("- {path: '*/createReplica', job: \(fault)}")
            let form = JobTests.replicaForm([("async", "true")])
            let status = try Browser.post(service + "/createReplica", form).json["statusUrl"]?.string ?? ""
            portal.portal.waitForFiles()
            return try Browser.poll(status, "status")
        }
        #expect(try job("fails").last["status"]?.string == "Failed")
        #expect(try job("forgets").last["error"]?["code"]?.int == 400)
        let lost = try job("losesResult").last
        #expect(lost["status"]?.string == "Completed")
        #expect(try Browser.get(lost["resultUrl"]?.string ?? "").status == 404)
        let partly = try job("completesWithErrors").last
        #expect(partly["status"]?.string == "CompletedWithErrors")
        #expect(partly["error"]?["description"]?.string != nil)
    }

    @Test func tokensCanBeMadeToExpire() throws {
        let portal = try PortalFixture { $0.faults = "- {path: '*/community/self', nth: 2, tokenExpiry: true}" }
        let token =
            try Browser.post(
                portal.sharingURL + "/generateToken", [("username", "demo"), ("password", "demo"), ("f", "json")]
            ).json["token"]?.string ?? ""
        let me = portal.sharingURL + "/community/self?f=json&token=\(token)"
        #expect(try Browser.get(me).json["username"]?.string == "demo")
        #expect(try Browser.get(me).errorCode == 498)
        #expect(try Browser.get(me).errorCode == 498)
    }

    @Test func answersCanBeLate() throws {
        let portal = try PortalFixture { $0.faults = "- {path: '*/Parcels/FeatureServer', delay: 5}" }
        // 28 is curl's time-out.
        #expect(try Browser.get(portal.service("Parcels/FeatureServer?f=json"), ["--max-time", "0.5"]).exitCode == 28)
        #expect(try Browser.get(portal.service("Water_Network/FeatureServer?f=json"), ["--max-time", "4"]).exitCode == 0)
    }
}
