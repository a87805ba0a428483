import Basics
import Foundation
import TestSupport
import Testing

/// `demo-portal` as a process of its own, on a free port. It is ended with SIGTERM when the value goes away, and must exit with 0.
///
///     let portal = try await PortalProcess("--flavour", "agol")      // hamlet, jobs of 0.2 s; later flags win
///     portal.url                                                      // http://127.0.0.1:NNNN/portal
///     portal.journal.filter { $0.path.hasSuffix("/createReplica") }
final class PortalProcess: Sendable {
    let url: String
    let server: String
    let port: Int
    let folder: TemporaryFolder
    private let program: RunningProgram

    convenience init(_ flags: String...) async throws {
        try await self.init(flags: flags)
    }

    /// At an https address.
    convenience init(as identity: LocalhostIdentity) async throws {
        try await self.init("--host", "localhost", "--tls-cert", identity.certificate, "--tls-key", identity.key)
    }

    /// - Parameter faults: rules of `docs/demo-portal.md`.
    init(flags: [String], faults: String = "[]") async throws {
        folder = try TemporaryFolder()
        try Files.writeAtomically(Array(faults.utf8), to: folder.file("faults.yaml"))
        let defaults = [
            "--port", "0", "--ready-file", folder.file("ready.json"), "--journal", folder.file("journal.ndjson"),
            "--data", "hamlet", "--job-seconds", "0.2", "--faults", folder.file("faults.yaml"),
        ]
        program = try RunningProgram(
            Binaries.demoPortal, defaults + flags, environment: ProcessInfo.processInfo.environment, folder: folder.path)
        // Sixty seconds is far more than it takes; a portal that ends at once is noticed at once.
        for _ in 0..<3000 where !Files.exists(folder.file("ready.json")) && program.isRunning {
            try await Task.sleep(for: .milliseconds(20))
        }
        guard let ready = try? JSON.parse(Files.read(folder.file("ready.json"))), let portal = ready["portal"]?.string,
            let base = ready["server"]?.string, let number = ready["port"]?.int
        else { throw NotReady(stderr: program.stderr) }
        (url, server, port) = (portal, base, number)
    }

    deinit {
        program.send(SIGTERM)
        let ending = program.waitBlocking()
        if ending.code != 0 { Issue.record("demo-portal ended with \(ending.code) after SIGTERM: \(ending.stderr)") }
    }

    /// Puts other rules in place of those before, and waits until they hold.
    func setFaults(_ rules: String) async throws {
        let probe = "/probe/\(UUID().uuidString)"
        // First, because a rule for everything may stand behind it.
        let list = "- {path: '\(probe)', status: 299}\n" + (rules == "[]" ? "" : rules)
        try Files.writeAtomically(Array(list.utf8), to: folder.file("faults.yaml"))
        program.send(SIGHUP)
        let words = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:\(port)\(probe)"]
        try await eventually("the portal read its rules") { try Command.run("curl", words).output == "299" }
    }

    func service(_ path: String) -> String { server + "/rest/services/" + path }

    /// All requests so far, in the order of their answers.
    var journal: [Request] { Self.requests(journalText) }
    var journalText: String { String(decoding: (try? Files.read(folder.file("journal.ndjson"))) ?? [], as: UTF8.self) }

    /// The answer of a service to a question of our own, with f=json.
    func ask(_ url: String, _ parameters: [String: String] = [:]) async throws -> JSON {
        try JSON.parse(await fetch(url, parameters.merging(["f": "json"]) { given, _ in given }))
    }

    /// A body, byte for byte.
    func fetch(_ url: String, _ parameters: [String: String] = [:]) async throws -> [UInt8] {
        let answer = try TemporaryFolder()
        let form = parameters.sorted { $0.key < $1.key }.flatMap { ["--data-urlencode", "\($0.key)=\($0.value)"] }
        let arguments = ["-sS", "--fail", "--compressed", "-G", "-o", answer.file("body")] + form + [url]
        let verdict = try await offPool { try Command.run("curl", arguments) }
        guard verdict.status == 0 else { throw NotReady(stderr: "\(url): \(verdict.errors)") }
        return try Files.read(answer.file("body"))
    }

    struct NotReady: Error {
        var stderr: String
    }

    /// One line of the journal.
    struct Request: Sendable {
        var time: String
        var method: String
        var path: String
        /// Query and form merged.
        var parameters: [String: String]
        var headers: [String: String]
        var status: Int
        var bytes: Int

        init?(_ json: JSON) {
            guard let time = json["time"]?.string, let method = json["method"]?.string, let path = json["path"]?.string,
                let status = json["status"]?.int, let bytes = json["bytes"]?.int
            else { return nil }
            (self.time, self.method, self.path, self.status, self.bytes) = (time, method, path, status, bytes)
            let texts = { (value: JSON?) in
                (value?.object?.members ?? []).reduce(into: [String: String]()) { $0[$1.key] = $1.value.string }
            }
            (parameters, headers) = (texts(json["parameters"]), texts(json["headers"]))
        }
    }

    /// A line that is still being written is left out.
    private static func requests(_ text: String) -> [Request] {
        text.split(separator: "\n").compactMap { (try? JSON.parse(String($0))).flatMap(Request.init) }
    }
}
