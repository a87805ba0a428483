import Planning

/// The whole command line as data: parser, help, completion and their tests read this and nothing else.
public struct CommandTree: Sendable {
    public var name: String
    public var summary: String
    public var commands: [CommandSpec]

    public func command(named name: String) -> CommandSpec? { commands.first { $0.name == name } }
}

public struct CommandSpec: Sendable, Equatable {
    public var name: String
    /// One line, without a full stop.
    public var summary: String
    /// The first leads the help.
    public var examples: [Example]
    /// More to know, as paragraphs.
    public var discussion: [String] = []
    public var positionals: [PositionalSpec] = []
    public var options: [OptionSpec] = []
    /// The exit codes that it can end with, besides `usage`.
    public var outcomes: [Outcome] = [.ok]
}

public struct Example: Sendable, Equatable {
    /// As typed: "offline-batch plan manifests/naperville.yaml".
    public var line: String
    public var meaning: String

    public init(_ line: String, _ meaning: String) {
        self.line = line
        self.meaning = meaning
    }
}

public struct PositionalSpec: Sendable, Equatable {
    public var name: String
    public var help: String
    public var isRequired = true
    /// Takes all that follow.
    public var repeats = false
    /// The only values allowed; empty for any.
    public var choices: [String] = []
    public var completion = Completion.file
}

public struct OptionSpec: Sendable, Equatable {
    /// Without dashes.
    public var long: String
    public var short: Character?
    /// The name of the value in help texts; nil for a flag.
    public var value: String?
    public var help: String
    /// The variable that gives the value when the option is not there.
    public var variable: String?
    public var repeats = false
    /// The only values allowed; empty for any.
    public var choices: [String] = []
    /// Long names of options that cannot be there as well.
    public var conflicts: [String] = []
    public var completion = Completion.none

    /// "-o, --output FILE".
    var usage: String {
        let names = short.map { "-\($0), --\(long)" } ?? "    --\(long)"
        return value.map { "\(names) \($0)" } ?? names
    }
}

/// What a shell offers for a value.
public enum Completion: Sendable, Equatable { case none, file, folder }
