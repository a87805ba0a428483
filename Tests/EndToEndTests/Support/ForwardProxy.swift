import Basics
import Foundation
import TestSupport

/// `Tests/judges/forward-proxy.py` on a free port. It is ended when the value goes away.
final class ForwardProxy: Sendable {
    let url: String
    private let folder: TemporaryFolder
    private let program: RunningProgram

    /// - Parameter user: "name:password" that it lets through; nil for anybody.
    init(user: String? = nil) async throws {
        folder = try TemporaryFolder()
        program = try RunningProgram(
            PythonJudge.interpreter ?? "/usr/bin/python3",
            [
                SharedFiles.packageRoot + "/Tests/judges/forward-proxy.py", "--ready", folder.file("port"), "--log",
                folder.file("log"),
            ]
                + (user.map { ["--user", $0] } ?? []),
            environment: ProcessInfo.processInfo.environment, folder: folder.path)
        for _ in 0..<3000 where !Files.exists(folder.file("port")) && program.isRunning {
            try await Task.sleep(for: .milliseconds(20))
        }
        guard let port = try? String(decoding: Files.read(folder.file("port")), as: UTF8.self) else {
            throw PortalProcess.NotReady(stderr: program.stderr)
        }
        url = "http://127.0.0.1:\(port)"
    }

    deinit {
        program.send(SIGTERM)
        _ = program.waitBlocking()
    }

    /// One line a request: "GET http://host/path 200".
    var log: [String] {
        String(decoding: (try? Files.read(folder.file("log"))) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
