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
}
