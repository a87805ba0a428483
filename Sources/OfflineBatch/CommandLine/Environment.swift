import Basics
import Foundation
import Glibc
import Reporting

/// All that a command may know of the process it runs in, as one value: commands are tested without a process.
public struct Environment: Sendable {
    public var variables: [String: String]
    public var outputIsTerminal: Bool
    public var errorsAreTerminal: Bool
    /// Columns of the terminal now.
    public var width: @Sendable () -> Int
    public var now: @Sendable () -> Date
    public var zone: @Sendable () -> TimeZone
    public var currentFolder: String
    /// This program's file, for schedules.
    public var program: String
    public var output: TextOutput
    public var errors: TextOutput

    public init(
        variables: [String: String] = [:], outputIsTerminal: Bool = false, errorsAreTerminal: Bool = false,
        width: @escaping @Sendable () -> Int = { 80 }, now: @escaping @Sendable () -> Date = { Date() },
        zone: @escaping @Sendable () -> TimeZone = { .ofMachine }, currentFolder: String = "/",
        program: String = "/usr/local/bin/offline-batch", output: TextOutput, errors: TextOutput
    ) {
        self.variables = variables
        self.outputIsTerminal = outputIsTerminal
        self.errorsAreTerminal = errorsAreTerminal
        self.width = width
        self.now = now
        self.zone = zone
        self.currentFolder = currentFolder
        self.program = program
        self.output = output
        self.errors = errors
    }

    /// The real one.
    public static var process: Environment {
        Environment(
            variables: ProcessInfo.processInfo.environment, outputIsTerminal: isatty(1) == 1, errorsAreTerminal: isatty(2) == 1,
            width: terminalWidth, currentFolder: FileManager.default.currentDirectoryPath,
            program: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0],
            output: .descriptor(1),
            errors: .descriptor(2))
    }

    @Sendable private static func terminalWidth() -> Int {
        var size = winsize()
        for descriptor in [Int32(2), 1] where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? 80
    }
}
