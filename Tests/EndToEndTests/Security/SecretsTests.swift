import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

/// A secret that is looked for everywhere afterwards. The portal is told to quote what it is sent, as careless servers do.
@Suite(.serialized) struct SecretsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Lines of the manifest; the secret comes from `secret`, a file, or `SENTINEL`, a variable.
        var portal: String
        var sentinel: String
        var code: Int32 = 0
    }

    /// Of letters and of what has to be encoded, so that all spellings are looked for.
    private static let password = "sentinel/Pa ss+7&9=é"

    static let cases = [
        Case(
            testDescription: "user and password from a file", portal: "auth: { user: { name: gis, password: { file: secret } } }",
            sentinel: password),
        Case(
            testDescription: "API key from the environment", portal: "auth: { apiKey: { env: SENTINEL } }",
            sentinel: "sentinelAPIKey0123456789"),
        Case(
            testDescription: "OAuth application, its secret from a command",
            portal: "auth: { oauth: { clientID: app1, clientSecret: { command: [sh, -c, 'sleep 0.3; cat secret'] } } }",
            sentinel: "sentinelClientSecret42"),
        Case(
            testDescription: "given token that is not good", portal: "auth: { token: { file: secret } }",
            sentinel: "sentinelTokenOfAnotherPortal", code: 77),
        Case(
            testDescription: "wrong password", portal: "auth: { user: { name: gis, password: { env: SENTINEL } } }",
            sentinel: "sentinelWrongPassword", code: 77),
    ]

    private static let users = """
        users: [{name: gis, password: "\(password)", role: org_admin}]
        apps: [{clientID: app1, secret: sentinelClientSecret42}]
        apiKeys: [sentinelAPIKey0123456789]
        secured: {services: ["Water_Network/*"]}
        """

    /// The first answer about each job quotes the token in an error, later ones and addresses carry it.
    private static let quoting = """
        - {path: '*/createReplica', rewrite: {'"}': '?token={token}"}'}}
        - {path: '*/FeatureServer/jobs/*', nth: 1, jsonError: {code: 500, message: 'no luck with QUOTE', details: ['token=QUOTE', 'x QUOTE y']}}
        - {path: '*/FeatureServer/jobs/*', rewrite: {QUOTE: '{token}', '.geodatabase"': '.geodatabase?token={token}"'}}
        - {path: '*/generateToken', rewrite: {'Invalid username': 'Invalid sentinelWrongPassword username'}}
        """

    @Test(arguments: cases)
    func `A secret is nowhere, and no token is`(_ example: Case) async throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(Self.users.utf8), to: folder.file("users.yaml"))
        let portal = try await PortalProcess(
            flags: ["--users", folder.file("users.yaml"), "--job-seconds", "1"], faults: Self.quoting)
        let workspace = try Workspace(
            manifest: Workspace.water(extra: "portal: { \(example.portal) }"), portal: portal,
            variables: ["SENTINEL": example.sentinel])
        try Files.writeAtomically(Array(example.sentinel.utf8), to: workspace.file("secret"), mode: 0o600)

        var texts: [String] = []
        for arguments in [
            ["plan", "-o", "plan.json", "manifest.yaml"], ["plan", "--json", "manifest.yaml"],
            ["lint", "--json", "manifest.yaml"],
        ] {
            let ending = try await workspace.run(arguments)
            texts += [ending.stdout, ending.stderr]
        }
        let program = try workspace.start(["run", "--log-format", "json", "--verbose", "manifest.yaml"])
        let processes = ProcessWatch(of: program.pid)
        let run = await program.wait()
        #expect(run.code == example.code, "\(run.stderr)\(run.stdout)")
        let again = try await workspace.run("run", "--verbose", "manifest.yaml")
        let status = try await workspace.run("status", "manifest.yaml")
        texts += [run.stdout, run.stderr, again.stdout, again.stderr, status.stdout, portal.journalText] + processes.end()

        try Files.remove(workspace.file("secret"))
        let names = FileManager.default.subpaths(atPath: workspace.folder.path) ?? []
        let files = names.map(workspace.file).filter { !Files.isDirectory($0) }
        for file in files { texts.append(String(decoding: try Files.read(file), as: UTF8.self)) }
        #expect(texts.count > 10)
        // Tokens of the demo portal begin so; it masks those of requests in its journal by name.
        for secret in [example.sentinel, "demo_token_"] {
            for spelling in Set([secret, FormEncoding.encode(secret), secret.replacing(" ", with: "+")]) {
                for text in texts {
                    #expect(!text.contains(spelling), "\(spelling) in \(Self.surroundings(of: spelling, in: text))")
                }
            }
        }
        if example.code == 0 { #expect(run.stderr.contains("no luck with ***"), "the portal quoted nothing") }
    }

    private static func surroundings(of word: String, in text: String) -> String {
        guard let range = text.firstRange(of: word) else { return "" }
        let start = text.index(range.lowerBound, offsetBy: -100, limitedBy: text.startIndex) ?? text.startIndex
        return String(text[start...].prefix(300))
    }

    @Test func `The password of a proxy in the environment is nowhere`() async throws {
        let portal = try await PortalProcess()
        let workspace = try Workspace(manifest: Workspace.water(extra: "limits: { attempts: 1 }"), portal: portal)
        let proxy = "http://night:sentinelProxyPassword@127.0.0.1:9"
        let run = try await workspace.run(
            ["run", "--log-format", "json", "--verbose", "manifest.yaml"],
            variables: ["http_proxy": proxy, "https_proxy": proxy, "no_proxy": ""])
        #expect(run.code == 69, "\(run.stderr)")
        #expect(portal.journal.isEmpty)
        let report = String(decoding: try workspace.read("out/report.json"), as: UTF8.self)
        for text in [run.stdout, run.stderr, report] { #expect(!text.contains("sentinelProxyPassword"), "\(text)") }
    }

    @Test(.enabled(if: LocalhostIdentity.isPossible, "needs openssl"))
    func `The key of a client certificate is nowhere`() async throws {
        let identity = try LocalhostIdentity()
        let portal = try await PortalProcess(as: identity)
        let key = String(decoding: try Files.read(identity.key), as: UTF8.self)
        let settings =
            "tls: { caFile: \(identity.certificate), clientCertificate: \(identity.certificate), clientKey: \(identity.key) }"
        let workspace = try Workspace(manifest: Workspace.water(extra: "portal: { \(settings) }"), portal: portal)
        let program = try workspace.start(["run", "--log-format", "json", "--verbose", "manifest.yaml"])
        let processes = ProcessWatch(of: program.pid)
        let run = await program.wait()
        #expect(run.code == 0, "\(run.stderr)")
        let line = String(key.split(separator: "\n")[1])
        #expect(line.count > 40)
        var texts = [run.stdout, run.stderr, portal.journalText] + processes.end()
        for name in FileManager.default.subpaths(atPath: workspace.folder.path) ?? [] {
            let path = workspace.file(name)
            if !Files.isDirectory(path) { texts.append(String(decoding: try Files.read(path), as: UTF8.self)) }
        }
        for text in texts { #expect(!text.contains(line)) }
    }
}

/// The command lines of a process and of its children for as long as it lives.
private final class ProcessWatch: Sendable {
    private let seen = Mutex<(lines: Set<String>, isOver: Bool)>(([], false))

    init(of process: Int32) {
        Thread.detachNewThread { [self] in
            while !seen.withLock(\.isOver) {
                for name in (try? Files.list("/proc")) ?? [] where Int32(name) != nil && isOurs(name, process) {
                    guard let line = try? Files.read("/proc/\(name)/cmdline"), !line.isEmpty else { continue }
                    _ = seen.withLock { $0.lines.insert(String(decoding: line, as: UTF8.self)) }
                }
                usleep(5000)
            }
        }
    }

    func end() -> [String] {
        seen.withLock { seen in
            seen.isOver = true
            return Array(seen.lines)
        }
    }

    /// The process, or one whose parent it is.
    private func isOurs(_ name: String, _ process: Int32) -> Bool {
        if name == "\(process)" { return true }
        guard let stat = try? Files.read("/proc/\(name)/stat") else { return false }
        // Behind the name in parentheses: state, parent.
        let rest = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        return rest.count > 1 && Int32(rest[1]) == process
    }
}
