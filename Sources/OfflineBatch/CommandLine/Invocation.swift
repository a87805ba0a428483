import Basics
import Planning
import Reporting

/// One command about to run: what was typed, where, and the engine that does the work.
struct Invocation: Sendable {
    var command: String
    var arguments: Arguments
    var environment: Environment
    var engine: Engine
    /// The whole command line as typed, for "continue with".
    var words: [String]

    var choice: OutputChoice {
        OutputChoice(
            variables: environment.variables, outputIsTerminal: environment.outputIsTerminal,
            errorsAreTerminal: environment.errorsAreTerminal, noColour: arguments.has("no-color"), quiet: arguments.has("quiet"),
            jsonLog: value("log-format", variable: "OFFLINE_BATCH_LOG_FORMAT") == "json")
    }

    /// For standard output.
    var page: Page {
        Page(
            width: environment.outputIsTerminal ? environment.width() : nil, ink: Ink(isEnabled: choice.colourOnOutput),
            zone: environment.zone(), isVerbose: arguments.has("verbose"))
    }

    /// For standard error.
    var errorPage: Page {
        Page(
            width: environment.errorsAreTerminal ? environment.width() : nil, ink: Ink(isEnabled: choice.colourOnErrors),
            zone: environment.zone(), isVerbose: arguments.has("verbose"))
    }

    /// The option, else the variable; an empty variable counts as unset.
    func value(_ option: String, variable: String? = nil) -> String? {
        arguments.value(option) ?? variable.flatMap { environment.variables[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func path(_ name: String) -> String { Paths.join(environment.currentFolder, name) }

    func whole(_ option: String, minimum: Int) throws(UsageProblem) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Int(text), number >= minimum else {
            throw .badValue(option: "--\(option)", value: text, expected: "a whole number from \(minimum) on", command: command)
        }
        return number
    }

    /// The command line as it can be pasted into a shell.
    var commandLine: String { ([CommandTree.offlineBatch.name] + words).map(Self.quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        let safe = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@%+".contains($0)) }
        return safe && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
