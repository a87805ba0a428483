import Basics
import TestSupport
import Testing

/// What servers and networks do wrong, one thing a test: the exit code, the report's words, and what the journal saw.
@Suite(.serialized) struct FaultTests {
    private static let replica = "downtown/water_network/replica"
    private static let tiles = "downtown/world-street-map/tiles"

    private func run(
        _ rules: String, manifest: String = Workspace.water(), flags: [String] = []
    ) async throws -> (Verdict, PortalProcess) {
        let portal = try await PortalProcess(flags: flags, faults: rules)
        let workspace = try Workspace(manifest: manifest, portal: portal)
        return (try await workspace.run(), portal)
    }

    // MARK: - Faults that heal

    @Test(arguments: [
        "{path: '*/createReplica', nth: 1, status: 503, retryAfter: 2}",
        "{path: '*/createReplica', nth: 1, jsonError: {code: 500, message: Error performing operation., details: []}}",
        "{path: '*/createReplica', nth: 1, html: '<html><title>Bad gateway</title></html>'}",
    ])
    func `A submission that met a moment's trouble is sent again`(rule: String) async throws {
        let (verdict, portal) = try await run("- " + rule)
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        #expect(portal.submissions(of: "createReplica").count == 2)
        #expect(portal.submissions(of: "exportTiles").count == 2)
        #expect(verdict.job(Self.replica)?["attempts"]?.int == 2)
    }

    @Test func `Retry-After is waited for`() async throws {
        let (verdict, portal) = try await run("- {path: '*/createReplica', nth: 1, status: 503, retryAfter: 3}")
        #expect(verdict.code == 0)
        let times = portal.submissions(of: "createReplica").compactMap { $0.seconds }
        try #require(times.count == 2)
        // The journal's milliseconds are cut off.
        #expect(times[1] - times[0] >= 2.99)
    }

    @Test func `Trouble while asking for a job does not submit it again`() async throws {
        let (verdict, portal) = try await run(
            """
            - {path: '*/FeatureServer/jobs/*', nth: 1, status: 503, retryAfter: 1}
            - {path: '*/FeatureServer/jobs/*', nth: 2, html: '<html><title>Gateway</title></html>'}
            - {path: '*/exportTiles/jobs/*', nth: 1, jsonError: {code: 500, message: Oops., details: []}}
            """)
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        #expect(portal.submissions.count == 3)
    }

    @Test func `A cut download goes on where it was cut`() async throws {
        let (verdict, portal) = try await run("- {path: '*.geodatabase', nth: 1, cutAfter: 40000}")
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        let requests = portal.downloads.filter { $0.path.hasSuffix(".geodatabase") }
        try #require(requests.count == 2)
        #expect(requests[0].headers["range"] == nil)
        #expect(requests[1].headers["range"] == "bytes=40000-")
        #expect(requests[1].headers["if-range"]?.isEmpty == false)
        #expect(requests[1].status == 206)
        #expect(portal.submissions(of: "createReplica").count == 1)
    }

    @Test(arguments: ["wrongLength: 9000000", "replaceFile: json", "replaceFile: html", "replaceFile: empty"])
    func `A file that did not come is fetched again`(fault: String) async throws {
        let (verdict, portal) = try await run("- {path: '*.geodatabase', nth: 1, \(fault)}")
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        let requests = portal.downloads.filter { $0.path.hasSuffix(".geodatabase") }
        try #require(requests.count == 2)
        // All its bytes had come, so the server has nothing behind them.
        if fault.hasPrefix("wrongLength") { #expect(requests[1].status == 416) }
    }

    @Test(arguments: ["forgets", "losesResult"])
    func `A job that the server lost is done again, once`(fault: String) async throws {
        let (verdict, portal) = try await run("- {path: '*/World_Street_Map/MapServer/exportTiles', nth: 1, job: \(fault)}")
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        let submissions = portal.submissions(of: "World_Street_Map/MapServer/exportTiles")
        #expect(submissions.count == 2)
        #expect(submissions.first?.parameters == submissions.last?.parameters)
        #expect(portal.submissions.count == 4)
    }

    @Test func `What a server calls completed with errors is checked and said`() async throws {
        let (verdict, _) = try await run("- {path: '*/createReplica', job: completesWithErrors}")
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        let warnings = verdict.job(Self.replica)?["warnings"]?.array?.compactMap(\.string) ?? []
        #expect(warnings.contains { $0.contains("Some attachments could not be exported.") })
    }

    /// While the server is asked for a job, and in the place of the file.
    @Test(arguments: [
        ("- {path: '*/FeatureServer/jobs/*', nth: 2, tokenExpiry: true}", 1),
        ("- {path: '*.geodatabase', nth: 1, jsonError: {code: 498, message: Invalid token.}}", 2),
    ])
    func `A token that ends in the middle is renewed once`(rule: String, downloads: Int) async throws {
        let users = try TemporaryFolder()
        try Files.writeAtomically(
            Array(
                """
                users: [{name: gis, password: "secret", role: org_admin}]
                secured: {services: ["Water_Network/*"]}
                """.utf8), to: users.file("users.yaml"))
        let manifest = Workspace.water(
            extra: "portal: { auth: { user: { name: gis, password: { env: PORTAL_PASSWORD } } } }")
        let rules = try TemporaryFolder()
        try Files.writeAtomically(
            Array(rule.utf8), to: rules.file("faults.yaml"))
        let portal = try await PortalProcess(
            flags: ["--faults", rules.file("faults.yaml"), "--users", users.file("users.yaml"), "--job-seconds", "1"])
        let workspace = try Workspace(manifest: manifest, portal: portal, variables: ["PORTAL_PASSWORD": "secret"])
        let verdict = try await workspace.run()
        #expect(verdict.code == 0, "\(verdict.ending.stderr)")
        #expect(portal.submissions.count == 3)
        #expect(portal.downloads.count { $0.path.hasSuffix(".geodatabase") } == downloads)
        // The password went out at the start and for the renewal; a server's token is renewed by the portal's.
        let signIns = portal.journal.count { $0.path.hasSuffix("/generateToken") && $0.parameters["username"] == "gis" }
        #expect(signIns == (downloads == 1 ? 2 : 1))
    }

    // MARK: - Faults that stay

    @Test func `A web page instead of the package is said to be one`() async throws {
        let (verdict, _) = try await run(
            "- {path: '*.tpkx', replaceFile: html}", manifest: Workspace.water(extra: "limits: { attempts: 2 }"))
        #expect(verdict.code == 69)
        let error = verdict.error(Self.tiles)
        #expect(error?["phase"]?.string == "download")
        #expect(error?["message"]?.string == "Sign in")
        #expect(error?["details"]?.array?.first?.string == "an HTML page came instead of JSON")
    }

    @Test func `A damaged package of the right length is not published`() async throws {
        let (verdict, portal) = try await run("- {path: '*.tpkx', truncateFile: 20000}")
        #expect(verdict.code == 1)
        let error = verdict.error(Self.tiles)
        #expect(error?["phase"]?.string == "verify")
        #expect(error?["kind"]?.string == "verification")
        #expect(verdict.state("downtown/publish") == "skipped")
        // Made anew once: the server may have been at fault.
        #expect(portal.submissions(of: "World_Street_Map/MapServer/exportTiles").count == 2)
    }

    @Test func `Bytes that are no database are named`() async throws {
        let (verdict, _) = try await run("- {path: '*.geodatabase', replaceFile: garbage}")
        #expect(verdict.code == 1)
        let error = verdict.error(Self.replica)
        #expect(error?["kind"]?.string == "verification")
        #expect(error?["message"]?.string?.hasPrefix("expected a SQLite database, found a file that begins with") == true)
    }

    @Test func `Missing rows are named with both numbers`() async throws {
        let (verdict, portal) = try await run("- {path: '*/createReplica', job: dropsRows}")
        #expect(verdict.code == 1)
        let error = verdict.error(Self.replica)
        #expect(error?["phase"]?.string == "verify")
        let hydrants = try #require(
            error?["details"]?.array?.compactMap(\.string).first { $0.hasPrefix("Hydrant: ") })
        let numbers = hydrants.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        try #require(numbers.count == 2)
        #expect(numbers[0] == numbers[1] - 1, "\(hydrants)")
        #expect(portal.submissions(of: "createReplica").count == 2)
    }

    @Test func `A job that fails brings the server's words to the report`() async throws {
        let (verdict, portal) = try await run("- {path: '*/World_Street_Map/MapServer/exportTiles', job: fails}")
        #expect(verdict.code == 1)
        let error = verdict.error(Self.tiles)
        #expect(error?["phase"]?.string == "poll")
        #expect(error?["kind"]?.string == "serverJob")
        #expect(error?["message"]?.string?.hasPrefix("An unexpected error occurred processing the request.") == true)
        #expect(portal.submissions(of: "World_Street_Map/MapServer/exportTiles").count == 2)
    }

    @Test func `A job that never ends is cancelled at its deadline`() async throws {
        let (verdict, portal) = try await run(
            "- {path: '*/World_Street_Map/MapServer/exportTiles', job: sticks}",
            manifest: Workspace.water(extra: "limits: { jobDeadline: 3 s }"))
        #expect(verdict.code == 1)
        let error = verdict.error(Self.tiles)
        #expect(error?["kind"]?.string == "deadline")
        // It was asked from the first half second on.
        let message = error?["message"]?.string ?? ""
        #expect(
            message.firstMatch(
                of:
                    /^The job was not finished 3 seconds after it was submitted; the server's last word was esriJobExecuting, for [12] seconds\.$/
            ) != nil, "\(message)")
        #expect(verdict.ending.stdout.contains("esriJobExecuting"))
        #expect(portal.journal.contains { $0.path.hasSuffix("/cancel") && $0.path.contains("World_Street_Map") })
        #expect(portal.submissions.count == 3)
    }

    @Test func `A replica that is given up tells what the server was busy with, and how to spare it`() async throws {
        let (verdict, _) = try await run(
            """
            - {path: '*/createReplica', job: sticks}
            - {path: '*/FeatureServer/jobs/*', rewrite: {InProgress: ExportAttachments}}
            """, manifest: Workspace.water(extra: "limits: { jobDeadline: 3 s }"))
        #expect(verdict.code == 1)
        let error = verdict.error(Self.replica)
        #expect(error?["lastStatus"]?["word"] == "ExportAttachments", "\(verdict.ending.stdout)")
        #expect((error?["lastStatus"]?["seconds"]?.double).map { (1...3).contains($0) } == true)
        #expect(error?["message"]?.string?.contains("the server's last word was ExportAttachments") == true)
        #expect(error?["next"]?.string?.contains("`attachments: false`") == true)
    }

    /// Three seconds of silence, of which a transfer is allowed one.
    @Test func `A service that makes its replica within the request is waited for as for a job`() async throws {
        let rules = """
            - {path: '*/FeatureServer', rewrite: {'"supportsAsync":true': '"supportsAsync":false'}}
            - {path: '*/createReplica', delay: 3}
            """
        let limits = "limits: { inactivityTimeout: 1 s, attempts: 1, jobDeadline: "
        let (verdict, portal) = try await run(rules, manifest: Workspace.water(extra: limits + "60 s }"))
        #expect(verdict.code == 0, "\(verdict.ending.stdout)")
        #expect(portal.submissions(of: "createReplica").map { $0.parameters["async"] } == ["false"])
        let (late, _) = try await run(rules, manifest: Workspace.water(extra: limits + "2 s }"))
        #expect(late.code == 1)
        #expect(late.error(Self.replica)?["message"] == "The server did not answer the request within 2 seconds.")
    }

    @Test func `One area's failure leaves the other its map`() async throws {
        let (verdict, portal) = try await run(
            "- {path: '*/createReplica', nth: 1, jsonError: {code: 400, message: Invalid geometry., details: [ring 0]}}",
            manifest: Workspace.water(areas: 2))
        #expect(verdict.code == 2)
        #expect(portal.submissions(of: "createReplica").count == 2)
        let areas = (verdict.report["areas"]?.array ?? []).compactMap { $0["state"]?.string }
        #expect(areas.sorted() == ["failed", "published"])
        #expect(verdict.counts == ["done": 9, "failed": 1, "skipped": 2])
        #expect(verdict.report["counts"]?["total"]?.int == 12)
        let failed = try #require(verdict.report["jobs"]?.array?.first { $0["state"]?.string == "failed" })
        #expect(failed["error"]?["code"]?.int == 400)
        #expect(failed["error"]?["message"]?.string == "Invalid geometry.")
        for job in verdict.report["jobs"]?.array ?? [] where job["state"]?.string == "skipped" {
            #expect(job["error"]?["message"]?.string == "upstream failed")
            #expect(job["area"]?.string == failed["area"]?.string)
        }
    }
}

extension PortalProcess.Request {
    /// Since midnight.
    var seconds: Double? {
        let clock = time.dropFirst(11).dropLast().split(separator: ":").compactMap { Double($0) }
        return clock.count == 3 ? clock[0] * 3600 + clock[1] * 60 + clock[2] : nil
    }
}
