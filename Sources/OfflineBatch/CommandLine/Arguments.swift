/// What was typed after the command, taken apart and checked against its specification.
public struct Arguments: Sendable, Equatable {
    /// Long names of flags that are there.
    public var flags: Set<String> = []
    public var values: [String: [String]] = [:]
    public var positionals: [String] = []

    public func has(_ flag: String) -> Bool { flags.contains(flag) }
    public func value(_ option: String) -> String? { values[option]?.last }
    public func all(_ option: String) -> [String] { values[option] ?? [] }
}

/// What a command line asks for.
public enum Request: Sendable, Equatable {
    case run(command: String, Arguments)
    case help(command: String?)
    case version
}

/// A mistake on the command line. Words are made in `UsageText`.
public enum UsageProblem: Error, Equatable, Sendable {
    case noCommand
    case unknownCommand(String, nearest: String?)
    case optionBeforeCommand(String)
    case unknownOption(String, command: String, nearest: String?)
    case missingValue(option: String, value: String, command: String)
    case unexpectedValue(option: String, command: String)
    case givenTwice(option: String, command: String)
    case notAChoice(option: String, value: String, choices: [String], command: String)
    case badValue(option: String, value: String, expected: String, command: String)
    case conflict(String, String, command: String)
    case missingArgument(String, command: String)
    case extraArgument(String, command: String)

    var command: String? {
        switch self {
        case .noCommand, .unknownCommand, .optionBeforeCommand: nil
        case .unknownOption(_, let command, _), .missingValue(_, _, let command), .unexpectedValue(_, let command),
            .givenTwice(_, let command), .notAChoice(_, _, _, let command), .badValue(_, _, _, let command),
            .conflict(_, _, let command), .missingArgument(_, let command), .extraArgument(_, let command):
            command
        }
    }
}
