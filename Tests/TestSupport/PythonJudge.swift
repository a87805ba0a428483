import Basics
import Foundation

/// Runs Python as an independent judge of our files. `make setup` makes the environment with the packages in
/// `Tests/judges/requirements.txt`; its interpreter is `.venv/bin/python` unless `$OFFLINE_BATCH_PYTHON` names another.
public enum PythonJudge {
    public static let interpreter: String? = {
        let named = ProcessInfo.processInfo.environment["OFFLINE_BATCH_PYTHON"]
        let environment = SharedFiles.packageRoot + "/.venv/bin/python"
        return [named, environment].compactMap { $0 }.first(where: Files.exists)
    }()

    public static var isAvailable: Bool { interpreter != nil }
    public static let skipReason: String = "needs the Python judges: run `make setup`"

    public struct Verdict: Sendable {
        public var status: Int32
        public var output: String
        public var errors: String
    }

    /// Runs `script` with `arguments` (as `sys.argv[1:]`).
    public static func run(_ script: String, _ arguments: [String] = []) throws -> Verdict {
        try Command.run(interpreter ?? "python3", ["-c", script] + arguments)
    }
}

/// A program run to its end, with all that it printed.
public enum Command {
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil, folder: String? = nil
    ) throws -> PythonJudge.Verdict {
        let output = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.hasPrefix("/") ? program : "/usr/bin/env")
        process.arguments = program.hasPrefix("/") ? arguments : [program] + arguments
        if let environment { process.environment = environment }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        // Files, not pipes: a program that prints more than a pipe holds would wait for a reader for ever.
        for name in ["out", "err"] { try Files.writeAtomically([], to: output.file(name)) }
        process.standardOutput = FileHandle(forWritingAtPath: output.file("out"))
        process.standardError = FileHandle(forWritingAtPath: output.file("err"))
        try process.run()
        process.waitUntilExit()
        return PythonJudge.Verdict(
            status: process.terminationStatus, output: String(decoding: try Files.read(output.file("out")), as: UTF8.self),
            errors: String(decoding: try Files.read(output.file("err")), as: UTF8.self))
    }
}
