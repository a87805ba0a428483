import Basics
import TestSupport
import Testing

/// Addresses that a server gives may lead to another origin. Our credentials do not go there, whatever becomes of the run.
@Suite(.serialized) struct ForeignOriginTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `HOME` and `AWAY` stand for the origins of the two portals.
        var rules: String
        /// Of the portal that is somebody else's.
        var awayRules = "[]"
        var flags: [String] = []
        /// A path that is asked for there.
        var visits: String?
    }

    static let cases = [
        Case(
            testDescription: "statusUrl", rules: "- {path: '*/createReplica', rewrite: {'HOME': 'AWAY'}}", visits: "/jobs/"),
        Case(
            testDescription: "resultUrl", rules: "- {path: '*/FeatureServer/jobs/*', rewrite: {'HOME': 'AWAY'}}",
            visits: ".geodatabase"),
        Case(
            testDescription: "directory of the result", rules: "- {path: '*/exportTiles/jobs/*', rewrite: {'HOME': 'AWAY'}}",
            visits: "/server/rest/directories"),
        Case(
            testDescription: "outputUrl", rules: "- {path: '*/exportTiles/jobs/*', rewrite: {'HOME': 'AWAY'}}",
            flags: ["--flavour", "agol"]),
        Case(
            testDescription: "tokenServicesUrl",
            rules: """
                - {path: '*/sharing/rest/info', rewrite: {'HOME': 'AWAY'}}
                - {path: '/server/rest/info', rewrite: {'HOME/portal/sharing/rest/generateToken': 'AWAY/portal/sharing/rest/generateToken'}}
                """),
        Case(
            testDescription: "redirect of a GET",
            rules: "- {path: '*/World_Street_Map/MapServer', redirect: 'AWAY/server/rest/services/World_Street_Map/MapServer'}",
            visits: "/World_Street_Map/MapServer"),
        Case(
            testDescription: "redirect of a POST",
            rules: "- {path: '*/createReplica', redirect: 'AWAY/server/rest/services/Water_Network/FeatureServer/createReplica'}",
            visits: "/createReplica"),
        Case(
            testDescription: "redirect of a sign-in",
            rules: "- {path: '*/generateToken', redirect: 'AWAY/portal/sharing/rest/generateToken'}", visits: "/generateToken"),
        Case(
            testDescription: "redirect of a download",
            rules: "- {path: '*.geodatabase', redirect: 'AWAY/server/rest/directories/arcgisoutput/x.geodatabase'}",
            visits: ".geodatabase"),
        Case(
            testDescription: "a service elsewhere that claims to be federated with our portal",
            rules: "- {path: '*/items/*/data', rewrite: {'HOME/server': 'AWAY/server'}}",
            awayRules: "- {path: '/server/rest/info', rewrite: {'AWAY/portal': 'HOME/portal'}}", visits: "/server/rest/info"),
    ]

    private static let password = "stays-at-home-1848"

    @Test(arguments: cases)
    func `Credentials stay at their origin`(_ example: Case) async throws {
        let users = try TemporaryFolder()
        try Files.writeAtomically(
            Array(
                """
                users: [{name: gis, password: "\(Self.password)", role: org_admin}]
                secured: {services: ["*"]}
                requireExchange: true
                """.utf8), to: users.file("users.yaml"))
        let home = try await PortalProcess(flags: ["--users", users.file("users.yaml")] + example.flags)
        let away = try await PortalProcess(flags: example.flags)
        func placed(_ rules: String) -> String {
            rules.replacing("HOME", with: "http://127.0.0.1:\(home.port)").replacing(
                "AWAY", with: "http://127.0.0.1:\(away.port)")
        }
        try await home.setFaults(placed(example.rules))
        try await away.setFaults(placed(example.awayRules))
        let auth = "portal: { auth: { user: { name: gis, password: { env: PASSWORD } } } }"
        let workspace = try Workspace(
            manifest: Workspace.water(extra: auth + "\nlimits: { attempts: 2 }"), portal: home,
            variables: ["PASSWORD": Self.password])
        _ = try await workspace.run("run", "manifest.yaml")

        #expect(home.journal.contains { $0.parameters["username"] == "gis" })
        let visits = away.journal.filter { !$0.path.hasPrefix("/probe/") }
        if let path = example.visits {
            #expect(visits.contains { $0.path.contains(path) }, "\(visits.map(\.path))")
        }
        for request in visits {
            for name in ["authorization", "x-esri-authorization", "cookie"] {
                #expect(request.headers[name] == nil, "\(name) at \(request.path)")
            }
            for name in ["token", "password", "username"] {
                #expect(request.parameters[name] == nil, "\(name) at \(request.path)")
            }
        }
        #expect(!away.journalText.contains(Self.password))
    }
}
