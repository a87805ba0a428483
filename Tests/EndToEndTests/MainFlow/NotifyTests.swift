import Basics
import Foundation
import TestSupport
import Testing

/// Who is told how a run went: in order, signed, after the report, and without any say in the outcome.
@Suite(.serialized, .enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
struct NotifyTests {
    private static let key = "SENTINEL-hook-5b1f"
    private static let ping = "SENTINEL-ping-77aa"

    /// A web server that takes everything and writes it down.
    private final class Sink {
        let folder: TemporaryFolder
        let url: String
        private let program: RunningProgram

        init() async throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            program = try RunningProgram(
                PythonJudge.interpreter ?? "",
                [SharedFiles.packageRoot + "/Tests/judges/http-sink.py", folder.file("ready"), folder.file("log")],
                environment: ProcessInfo.processInfo.environment, folder: folder.path)
            try await eventually("the sink listens") { Files.exists(folder.file("ready")) }
            url = "http://127.0.0.1:" + String(decoding: try Files.read(folder.file("ready")), as: UTF8.self)
        }

        deinit { program.send(SIGTERM) }

        var requests: [JSON] {
            let text = (try? Files.read(folder.file("log"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.split(separator: "\n").compactMap { try? JSON.parse(Array($0.utf8)) }
        }
        var paths: [String] { requests.compactMap { $0["path"]?.string } }
    }

    private static func manifest(_ sink: String) -> String {
        Workspace.water(
            extra: """
                notify:
                  timeout: 5 s
                  metrics: { textfile: night.prom }
                  ping: { url: { env: PING_URL } }
                  webhook: { url: \(sink)/hook, secret: { env: HOOK_KEY } }
                  mail: { to: [gis@example.org], from: maps@example.org, when: always, sendmail: ./sendmail.sh }
                  ci: { summary: summary.md, codeQuality: quality.json }
                """)
    }

    private func workspace(_ sink: String, _ portal: PortalProcess? = nil) throws -> Workspace {
        let workspace = try Workspace(
            manifest: Self.manifest(sink), portal: portal, variables: ["PING_URL": "\(sink)/\(Self.ping)", "HOOK_KEY": Self.key])
        // It keeps the mail, its words and what it knows of us.
        try workspace.write(
            "sendmail.sh",
            "#!/bin/sh\ncd \(workspace.folder.path) && cat > mail.txt && echo \"$@\" > words.txt && env > env.txt\n")
        _ = try Command.run("chmod", ["+x", workspace.file("sendmail.sh")])
        return workspace
    }

    @Test func `A good night: start, then end; a signed verdict, a mail, numbers, a summary`() async throws {
        let (sink, portal) = (try await Sink(), try await PortalProcess())
        let workspace = try workspace(sink.url, portal)
        let step = workspace.file("step.md")
        try Files.writeAtomically("before\n".utf8, to: step)
        let run = try await workspace.run(
            "run", "manifest.yaml", variables: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": step])
        #expect(run.code == 0, "\(run.stderr)")
        #expect(!run.stderr.contains("notify"), "\(run.stderr)")
        #expect(!run.stdout.contains("::error"))
        #expect(sink.paths.filter { $0.hasPrefix("/" + Self.ping) } == ["/\(Self.ping)/start", "/\(Self.ping)"])

        let hook = try #require(sink.requests.first { $0["path"] == "/hook" })
        try check(hook, workspace)
        let mail = String(decoding: try workspace.read("mail.txt"), as: UTF8.self)
        #expect(mail.hasPrefix("From: maps@example.org\nTo: gis@example.org\nSubject: "))
        #expect(try workspace.read("words.txt") == Array("-t -i\n".utf8))
        #expect(!String(decoding: try workspace.read("env.txt"), as: UTF8.self).contains("SENTINEL"))
        #expect(
            String(decoding: try workspace.read("night.prom"), as: UTF8.self).contains(
                "offline_batch_run_success{manifest=\"water\"} 1\n"))
        #expect(String(decoding: try workspace.read("summary.md"), as: UTF8.self).hasPrefix("## ✓ downtown has a new map."))
        #expect(try workspace.json("quality.json") == [])
        #expect(String(decoding: try Files.read(step), as: UTF8.self).hasPrefix("before\n## ✓ downtown has a new map."))
    }

    /// Standard Webhooks: base64 of HMAC-SHA256 over "id.timestamp.body".
    private func check(_ hook: JSON, _ workspace: Workspace) throws {
        let headers = try #require(hook["headers"])
        let body = hook["body"]?.string ?? ""
        let verdict = try PythonJudge.run(
            """
            import base64, hashlib, hmac, sys, time
            id, stamp, signature, body = sys.argv[1:]
            assert abs(time.time() - int(stamp)) < 120
            digest = hmac.new(b"\(Self.key)", f"{id}.{stamp}.{body}".encode(), hashlib.sha256).digest()
            assert hmac.compare_digest(signature, "v1," + base64.b64encode(digest).decode())
            """,
            [
                headers["webhook-id"]?.string ?? "", headers["webhook-timestamp"]?.string ?? "",
                headers["webhook-signature"]?.string ?? "", body,
            ])
        #expect(verdict.status == 0, "\(verdict.errors)")
        #expect(
            headers["content-type"] == "application/json" && headers["authorization"] == nil
                && headers["x-esri-authorization"] == nil)
        let data = try JSON.parse(body)["data"]
        #expect(data?["outcome"] == "ok" && data?["areas"]?["new"] == 1)
        // The report was on the disk before.
        #expect(data?["finished"] == (try workspace.json("out/report.json"))["finished"])
    }

    @Test func `A bad night: /fail with the exit code, annotations at the manifest, a mail that says why`() async throws {
        let sink = try await Sink()
        let workspace = try workspace(sink.url)
        let text = Self.manifest(sink.url) + "\nlayers: [{ match: { title: Hydrnt }, exclude: true }]\n"
        try workspace.write("manifest.yaml", text)
        let portal = try await PortalProcess()
        let run = try await workspace.run(
            "run", "manifest.yaml", variables: ["GITHUB_ACTIONS": "true", "OFFLINE_BATCH_PORTAL": portal.url])
        #expect(run.code == 66)
        let pings = sink.requests.filter { $0["path"]?.string?.hasPrefix("/" + Self.ping) == true }
        #expect(pings.compactMap { $0["path"]?.string } == ["/\(Self.ping)/start", "/\(Self.ping)/fail"])
        #expect(pings.last?["body"]?.string?.hasPrefix("exit code 66\n") == true)
        #expect(run.stdout.contains("::error file=manifest.yaml,line="), "\(run.stdout)")
        #expect(try workspace.json("quality.json")[0]?["location"]?["path"] == "manifest.yaml")
    }

    @Test func `Nobody can be told: warnings without secrets, and the exit code of the run`() async throws {
        let (sink, portal) = (try await Sink(), try await PortalProcess())
        let workspace = try workspace(sink.url + "/status/500", portal)
        try Files.remove(workspace.file("sendmail.sh"))
        let text = Self.manifest(sink.url + "/status/500")
            .replacing("night.prom", with: "/nowhere/at/all/night.prom").replacing(
                "summary.md", with: "/nowhere/at/all/summary.md")
        try workspace.write("manifest.yaml", text)
        let run = try await workspace.run("run", "--quiet", "manifest.yaml")
        #expect(run.code == 0)
        for channel in ["metrics", "ping", "webhook", "mail", "ci.summary"] {
            #expect(run.stderr.contains("water: notify.\(channel): "), "\(channel): \(run.stderr)")
        }
        #expect(run.stderr.contains("127.0.0.1: it answered 500"))
        #expect(!(run.stderr + run.stdout).contains("SENTINEL"))
        #expect(try workspace.json("out/report.json")["outcome"] == "ok")
        // Each address was tried twice, the start, too.
        #expect(sink.paths.count { $0.contains(Self.ping) } == 4)

        let log = try await workspace.run("run", "--log-format", "json", "manifest.yaml")
        let events = log.stderr.split(separator: "\n").compactMap { try? JSON.parse(Array($0.utf8)) }
        #expect(events.last?["event"] == "runFinished")
        #expect(events.contains { $0["event"] == "notified" && $0["channel"] == "mail" && $0["level"] == "warning" })
    }

    @Test func `Through a proxy that wants an account, and not through it with a wrong one`() async throws {
        let (sink, portal) = (try await Sink(), try await PortalProcess())
        let proxy = try await ForwardProxy(user: "night:SENTINEL-proxy")
        let workspace = try workspace(sink.url, portal)
        let settings = "portal: { proxy: { url: '\(proxy.url)', user: { name: night, password: { env: PROXY_PASSWORD } } } }\n"
        try workspace.write("manifest.yaml", settings + Self.manifest(sink.url))
        func run(_ password: String) async throws -> RunningProgram.Ending {
            let empty = ["http_proxy": "", "no_proxy": "", "NO_PROXY": "", "all_proxy": ""]
            return try await workspace.run(
                ["run", "--quiet", "manifest.yaml"], variables: empty.merging(["PROXY_PASSWORD": password]) { $1 })
        }
        let good = try await run("SENTINEL-proxy")
        #expect(good.code == 0 && good.stderr.isEmpty, "\(good.stderr)")
        #expect(sink.paths.sorted() == ["/\(Self.ping)", "/\(Self.ping)/start", "/hook"].sorted())
        let relayed = proxy.log.filter { $0.hasPrefix("POST \(sink.url)/") && $0.hasSuffix(" 200") }
        #expect(relayed.count == 3, "\(proxy.log)")
        // The account is the proxy's alone.
        for request in sink.requests { #expect(request["headers"]?["proxy-authorization"] == nil) }

        let bad = try await run("SENTINEL-wrong")
        #expect(bad.code == 77)
        for channel in ["ping", "webhook"] {
            #expect(bad.stderr.contains("water: notify.\(channel): 127.0.0.1: "), "\(bad.stderr)")
        }
        #expect(bad.stderr.contains("407") && !bad.stderr.contains("SENTINEL"), "\(bad.stderr)")
        #expect(sink.requests.count == 3)
    }

    /// Takes connections and says nothing.
    private static let deaf = """
        import os, socket, sys
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        with open(sys.argv[1] + ".new", "w") as file: file.write(str(listener.getsockname()[1]))
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        kept = []
        while True: kept.append(listener.accept())
        """

    @Test func `Who does not answer holds nobody up, neither at the end nor after a signal`() async throws {
        let folder = try TemporaryFolder()
        let deaf = try RunningProgram(
            PythonJudge.interpreter ?? "", ["-c", Self.deaf, folder.file("port")],
            environment: ProcessInfo.processInfo.environment, folder: folder.path)
        defer { deaf.send(SIGKILL) }
        try await eventually("it listens") { Files.exists(folder.file("port")) }
        let url = "http://127.0.0.1:" + String(decoding: try Files.read(folder.file("port")), as: UTF8.self)
        func workspace(_ portal: PortalProcess) throws -> Workspace {
            let workspace = try self.workspace(url, portal)
            try workspace.write("manifest.yaml", Self.manifest(url).replacing("timeout: 5 s", with: "timeout: 1 s"))
            try Files.writeAtomically("#!/bin/sh\nexec sleep 600\n".utf8, to: workspace.file("sendmail.sh"), mode: 0o755)
            return workspace
        }
        // Far more than the tries take, and nothing to a minute of sleep.
        let patience = Duration.seconds(40)
        let quick = try await PortalProcess()
        let began = ContinuousClock.now
        let run = try await workspace(quick).run("run", "--quiet", "manifest.yaml")
        #expect(run.code == 0 && began.duration(to: .now) < patience, "\(run.stderr)")
        #expect(quick.submissions.count == 3)
        for channel in ["ping", "webhook", "mail"] { #expect(run.stderr.contains("water: notify.\(channel): "), "\(run.stderr)") }

        let portal = try await PortalProcess("--job-seconds", "600")
        let place = try workspace(portal)
        let stopped = try place.start(["run", "--quiet", "manifest.yaml"])
        try await eventually("the run is at work") { !portal.submissions.isEmpty }
        let signalled = ContinuousClock.now
        stopped.send(SIGTERM)
        #expect(await stopped.wait().code == 143)
        #expect(signalled.duration(to: .now) < patience)
        #expect(try place.json("out/report.json")["exitCode"] == 143)
    }
}
