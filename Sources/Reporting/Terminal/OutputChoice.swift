import Basics
import Foundation

/// How the program talks, decided once from flags, environment and what the streams are.
public struct OutputChoice: Sendable, Equatable {
    public enum Progress: Sendable, Equatable { case silent, live, plain, ndjson }

    public var progress: Progress
    public var colourOnOutput: Bool
    public var colourOnErrors: Bool

    /// The rules: a flag beats the environment; `NO_COLOR` beats `FORCE_COLOR` (either counts when not empty). Who wants no colour,
    /// a dumb terminal and `CI`, whose logs keep every byte, get no escape sequence at all: lines that stay where they are.
    public init(
        variables: [String: String], outputIsTerminal: Bool, errorsAreTerminal: Bool, noColour: Bool = false, quiet: Bool = false,
        jsonLog: Bool = false
    ) {
        func isSet(_ name: String) -> Bool { !(variables[name] ?? "").isEmpty }
        func isOn(_ name: String) -> Bool { isSet(name) && !["0", "false"].contains(variables[name]) }

        let refusesColour = noColour || isSet("NO_COLOR")
        let isPlain = refusesColour || variables["TERM"] == "dumb" || isOn("CI")
        func colour(_ isTerminal: Bool) -> Bool {
            !refusesColour && (isOn("FORCE_COLOR") || (isTerminal && !isPlain))
        }
        colourOnOutput = colour(outputIsTerminal)
        colourOnErrors = colour(errorsAreTerminal)
        if jsonLog {
            progress = .ndjson
        } else if quiet {
            progress = .silent
        } else {
            progress = errorsAreTerminal && !isPlain ? .live : .plain
        }
    }

    /// The observer for standard error. `width` is asked at each drawing, because terminals change their size.
    public func observer(
        errors: TextOutput, zone: TimeZone = .ofMachine, isVerbose: Bool = false, isQuiet: Bool = false,
        width: @escaping @Sendable () -> Int = { 80 }
    ) -> any RunObserver {
        let ink = Ink(isEnabled: colourOnErrors)
        return switch progress {
        case .silent: SilentObserver()
        case .live: LiveProgress(output: errors, ink: ink, isVerbose: isVerbose, width: width)
        case .plain: PlainLines(output: errors, zone: zone, isVerbose: isVerbose)
        case .ndjson: NDJSONLog(output: errors, onlyProblems: isQuiet)
        }
    }
}
