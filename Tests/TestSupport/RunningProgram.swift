import Basics
import Foundation

/// A program that runs: send it a signal, wait for its end, read what it printed.
///
/// `@unchecked Sendable`: `process` is configured in `init` and only asked for its end and sent signals afterwards, which Foundation
/// guards with its own lock.
public final class RunningProgram: @unchecked Sendable {
    public struct Ending: Sendable {
        /// Exit code, or 128 + signal as a shell says it.
        public var code: Int32
        public var stdout: String
        public var stderr: String
        /// The signal that killed it.
        public var signal: Int32?
    }

    private let process = Process()
    /// Ends with the program. No thread waits: many programs run at once in these tests, and a pool has few threads.
    private let ended: AsyncStream<Void>
    private let outputs: TemporaryFolder

    /// Starts it. Output goes to files: a pipe that nobody reads would stop it.
    public init(_ program: String, _ arguments: [String], environment: [String: String], folder: String) throws {
        outputs = try TemporaryFolder()
        let (stream, end) = AsyncStream<Void>.makeStream()
        ended = stream
        process.terminationHandler = { _ in end.finish() }
        for name in ["out", "err"] { try Files.writeAtomically([], to: outputs.file(name)) }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: outputs.file("out"))
        process.standardError = FileHandle(forWritingAtPath: outputs.file("err"))
        try process.run()
    }

    /// It does not outlive the value: nobody would end it any more.
    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    public var pid: Int32 { process.processIdentifier }
    public var isRunning: Bool { process.isRunning }
    public func send(_ signal: Int32) { kill(pid, signal) }

    /// What it printed so far.
    public var stdout: String { text("out") }
    public var stderr: String { text("err") }

    public func wait() async -> Ending {
        for await _ in ended {}
        return waitBlocking()
    }

    /// For `deinit`, which cannot await.
    public func waitBlocking() -> Ending {
        process.waitUntilExit()
        let wasKilled = process.terminationReason == .uncaughtSignal
        let status = process.terminationStatus
        return Ending(code: wasKilled ? 128 + status : status, stdout: stdout, stderr: stderr, signal: wasKilled ? status : nil)
    }

    private func text(_ name: String) -> String {
        String(decoding: (try? Files.read(outputs.file(name))) ?? [], as: UTF8.self)
    }
}
