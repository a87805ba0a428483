import Basics
import Foundation
import TestSupport
import Testing

/// A night that is too short, a service manager that listens, a disk that is too small.
@Suite(.serialized) struct NightTests {
    private static func clock(in seconds: Double) -> String {
        let time = Date(timeIntervalSinceNow: seconds)
        return time.formatted(
            Date.VerbatimFormatStyle(
                format:
                    "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
                locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    }

    @Test func `A run stops softly at the end of its night, and the next goes on`() async throws {
        let portal = try await PortalProcess("--job-seconds", "25")
        let workspace = try Workspace(manifest: Workspace.water(areas: 2), portal: portal, variables: ["TZ": "UTC"])
        let began = ContinuousClock.now
        let ending = try await workspace.run("run", "--finish-by", Self.clock(in: 10), "manifest.yaml")
        #expect(began.duration(to: .now) < .seconds(25))
        let short = try workspace.verdict(ending)
        #expect(short.code == 69, "\(ending.stderr)")
        #expect(short.counts["failed"] == nil && (short.counts["pending"] ?? 0) > 0)
        #expect(
            ending.stdout.contains("Left for the next run") && ending.stdout.contains("downtown, riverwalk"), "\(ending.stdout)")
        #expect(short.report["finishBy"]?.string?.hasSuffix("Z") == true)
        let submitted = portal.submissions.count
        #expect(submitted > 0)
        // What the servers made meanwhile is fetched, and nothing is asked for twice.
        let next = try await workspace.run()
        #expect(next.code == 0, "\(next.ending.stderr)")
        #expect(portal.submissions.count <= 6)
    }

    /// As the C library reads TZ, for cron and systemd do so, too: 05:30 is 23:45 in UTC where clocks are 5 h 45 m ahead.
    @Test(
        .enabled(if: Files.exists("/usr/share/zoneinfo/Asia/Kathmandu"), "needs tzdata"),
        arguments: [
            "Asia/Kathmandu", ":Asia/Kathmandu", "/usr/share/zoneinfo/Asia/Kathmandu", "<+0545>-5:45", ":FOLDER/a-copy",
        ])
    func `The end of the night is a local time, in whatever way the zone is given`(_ zone: String) async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        try Files.copy("/usr/share/zoneinfo/Asia/Kathmandu", to: workspace.file("a-copy"))
        let variables = ["TZ": zone.replacing("FOLDER", with: workspace.folder.path)]
        let run = try await workspace.run(["run", "--finish-by", "05:30", "manifest.yaml"], variables: variables)
        #expect(run.code == 0, "\(run.stderr)")
        #expect(try workspace.json("out/report.json")["finishBy"]?.string?.hasSuffix("T23:45:00Z") == true)
        #expect(portal.submissions.count == 3)
    }

    /// Binds a datagram socket as systemd does and writes down what comes.
    private static let manager = """
        import socket, sys
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        listener.bind(sys.argv[1])
        listener.settimeout(60)
        open(sys.argv[1] + ".ready", "w").close()
        while True:
            message = listener.recv(4096).decode()
            print(message.replace("\\n", "|"), flush=True)
            if message.startswith("STOPPING=1"): break
        """

    @Test(.enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func `A service manager hears of the start, the progress, the watchdog and the end`() async throws {
        let portal = try await PortalProcess("--job-seconds", "1")
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        let socket = workspace.file("notify")
        async let heard = offPool { try PythonJudge.run(Self.manager, [socket]) }
        try await eventually("the socket is there") { Files.exists(socket + ".ready") }
        let variables = ["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "400000"]
        let run = try await workspace.run(["run", "--quiet", "--once-a-day", "manifest.yaml"], variables: variables)
        #expect(run.code == 0 && run.stdout.isEmpty && run.stderr.isEmpty, "\(run.stderr)")
        let lines = try await heard.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "READY=1|STATUS=planning")
        #expect(lines.contains("STATUS=6 of 6 jobs done"))
        #expect(lines.last == "STOPPING=1|STATUS=ok: everything is done and verified")
        // More than a second of work, at least one message in each fifth of it.
        #expect(lines.count { $0 == "WATCHDOG=1" } >= 5, "\(lines)")

        // The same day again: nothing is asked for, and the report stays that of the run.
        let (report, asked) = (try workspace.read("out/report.json"), portal.journal.count)
        let again = try await workspace.run("run", "--once-a-day", "manifest.yaml")
        #expect(again.code == 0 && again.stderr.contains("ended well"), "\(again.stderr)")
        #expect(try workspace.read("out/report.json") == report && portal.journal.count == asked)
    }

    @Test func `Without room for what came last time nothing is submitted`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(), portal: portal)
        #expect(try await workspace.run().code == 0)
        let path = workspace.file("out/downtown/current/inventory.json")
        let inventory = String(decoding: try Files.read(path), as: UTF8.self)
        // The map claims a replica of a thousand terabytes.
        var json = try JSON.parse(inventory)
        var sources = json["sources"]?.array ?? []
        sources[0]["bytes"] = .integer(1_000_000_000_000_000)
        json["sources"] = .array(sources)
        try Files.remove(path)
        try Files.writeAtomically(json.serialized().utf8, to: path)
        let before = portal.submissions.count
        let full = try await workspace.refresh()
        #expect(full.code == 73)
        #expect(full.report["error"]?["message"]?.string?.contains("no space for this run") == true, "\(full.ending.stderr)")
        #expect(portal.submissions.count == before)
        #expect(full.ending.stdout.contains("Free space on the disk"), "\(full.ending.stdout)")
        // The last good map is still there; with room again, the same command goes on.
        try Files.writeAtomically(inventory.utf8, to: path)
        #expect(try await workspace.run().code == 0)
    }
}

/// `doctor` on real folders and a real portal.
@Suite(.serialized) struct DoctorTests {
    private func findings(_ workspace: Workspace, _ options: String..., code: Int32) async throws -> [JSON] {
        let ending = try await workspace.run(["doctor", "--json"] + options)
        #expect(ending.code == code, "\(ending.stdout)\(ending.stderr)")
        return try JSON.parse(ending.stdout)["findings"]?.array ?? []
    }

    private func about(_ subject: String, _ findings: [JSON]) -> [JSON] { findings.filter { $0["subject"]?.string == subject } }

    @Test func `A healthy machine, a healthy night, and what doctor finds when it is not`() async throws {
        let portal = try await PortalProcess()
        let sync = "options: { updateMode: syncWithFeatureServices }"
        let workspace = try Workspace(manifest: Workspace.water(extra: sync), portal: portal)
        let machine = try await findings(workspace, code: 0)
        #expect(machine.map { $0["subject"]?.string } == ["libraries", "projections", "authorities", "zone"])
        let before = try await findings(workspace, "manifest.yaml", code: 0)
        #expect(about("state", before).map { $0["message"] } == ["no run has been here yet"])
        #expect(!Files.exists(workspace.file("out")))

        #expect(try await workspace.run().code == 0)
        let after = try await findings(workspace, "manifest.yaml", code: 0)
        #expect(after.allSatisfy { $0["grade"] == "good" }, "\(after)")
        #expect(about("clock", after)[0]["message"] == "this machine's clock agrees with the portal's")
        #expect(about("maps", after).map { $0["message"] } == ["1 undamaged map"])
        #expect(about("replicas", after).map { $0["message"] } == ["1 replica of ours for synchronisation"])
        #expect(about("links", after).count == 1 && about("lock", after)[0]["message"] == "no run is at work")
        #expect(try Files.list(workspace.file("out")).filter { $0.contains("doctor") }.isEmpty)
        #expect(!portal.journal.contains { $0.path.hasSuffix("/unRegisterReplica") })

        // A run of another machine with the same manifest: its replica is on no record here.
        let other = try Workspace(manifest: Workspace.water(extra: sync), portal: portal)
        #expect(try await other.run().code == 0)
        let strays = about("replicas", try await findings(workspace, "manifest.yaml", code: 0))
        #expect(
            strays.last?["grade"] == "warning" && strays.last?["message"]?.string?.contains("ob_water_downtown") == true,
            "\(strays)")

        // A process that died, a map that lost a file, a state that is no database.
        try workspace.write("out/.state/lock", #"{"pid": 999999, "host": "elsewhere", "started": "2023-11-14T22:13:20Z"}"#)
        try Files.remove(workspace.file("out/downtown/current/package.info"))
        let broken = try await findings(workspace, "--offline", "manifest.yaml", code: 1)
        #expect(about("lock", broken)[0]["message"]?.string?.contains("process 999999 on elsewhere") == true, "\(broken)")
        let map = about("maps", broken)
        #expect(map.last?["grade"] == "problem" && map.last?["next"]?.string?.contains("offline-batch rollback downtown") == true)
        try workspace.write("out/.state/state.db", String(repeating: "no database ", count: 1000))
        let state = about("state", try await findings(workspace, "--offline", "manifest.yaml", code: 1))
        #expect(state[0]["grade"] == "problem" && state[0]["next"]?.string?.contains("Move `state.db` aside") == true)
        try Files.remove(workspace.file("out/downtown/current"))
        let gone = about("maps", try await findings(workspace, "--offline", "manifest.yaml", code: 1))
        #expect(gone.last?["message"]?.string == "downtown has 1 map, and `current` leads to none", "\(gone)")
    }

    @Test func `A secret that is not there, and a portal that is not, are two findings`() async throws {
        let auth = "portal: { auth: { apiKey: { env: NO_SUCH_KEY } } }"
        let workspace = try Workspace(
            manifest: Workspace.water(extra: auth), variables: ["OFFLINE_BATCH_PORTAL": "http://127.0.0.1:1/portal"])
        let secret = try await findings(workspace, "manifest.yaml", code: 1)
        #expect(about("secrets", secret)[0]["message"]?.string?.contains("NO_SUCH_KEY") == true, "\(secret)")
        let anonymous = try Workspace(
            manifest: Workspace.water(), variables: ["OFFLINE_BATCH_PORTAL": "http://127.0.0.1:1/portal"])
        let portal = about("portal", try await findings(anonymous, "manifest.yaml", code: 1))
        #expect(portal.count == 1 && portal[0]["grade"] == "problem" && portal[0]["next"]?.string?.isEmpty == false, "\(portal)")
    }

    /// A portal whose clock is two hours behind.
    private static let slowClock = """
        import http.server, sys, email.utils, time
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response_only(200)
                self.send_header("Date", email.utils.formatdate(time.time() - 7200, usegmt=True))
                body = b'{"currentVersion": "2026.1"}'
                self.send_header("Content-Type", "application/json"); self.send_header("Content-Length", str(len(body)))
                self.end_headers(); self.wfile.write(body)
            def log_message(self, *args): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        open(sys.argv[1], "w").write(str(server.server_port))
        server.timeout = 30
        while True: server.handle_request()
        """

    @Test(.enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func `A clock that is off is found before it breaks certificates`() async throws {
        let workspace = try Workspace(manifest: Workspace.water())
        let file = workspace.file("port")
        let server = try RunningProgram(
            PythonJudge.interpreter ?? "python3", ["-c", Self.slowClock, file], environment: [:], folder: workspace.folder.path)
        try await eventually("the server is there") { try Files.exists(file) && !Files.read(file).isEmpty }
        let port = String(decoding: try Files.read(file), as: UTF8.self)
        let ending = try await workspace.run(
            ["doctor", "--json", "manifest.yaml"], variables: ["OFFLINE_BATCH_PORTAL": "http://127.0.0.1:\(port)"])
        server.send(SIGTERM)
        let clock = about("clock", try JSON.parse(ending.stdout)["findings"]?.array ?? [])
        #expect(ending.code == 1 && clock.count == 1 && clock[0]["grade"] == "problem", "\(ending.stdout)")
        #expect(clock[0]["message"]?.string == "this machine's clock is 2 h 00 m ahead of the portal's", "\(clock)")
    }
}
