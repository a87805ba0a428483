/// Words for mistakes on the command line, and where to read on.
enum UsageText {
    static func lines(for problem: UsageProblem, tree: CommandTree) -> [String] {
        let spec = problem.command.flatMap(tree.command)
        let help = spec.map { "\(tree.name) \($0.name) --help" } ?? "\(tree.name) --help"
        return [
            "\(tree.name): \(words(for: problem, tree: tree))", "Usage: \(HelpText.usage(of: spec, tree: tree))", "Try: \(help)",
        ]
    }

    private static func words(for problem: UsageProblem, tree: CommandTree) -> String {
        switch problem {
        case .noCommand: "a command is missing"
        case .unknownCommand(let name, let nearest): "there is no command '\(name)'" + hint(nearest)
        case .optionBeforeCommand(let option): "options come after the command, as in '\(tree.name) run \(option)'"
        case .unknownOption(let name, let command, let nearest): "'\(command)' has no option '\(name)'" + hint(nearest)
        case .missingValue(let option, let value, _): "'\(option)' needs a value: \(option) \(value)"
        case .unexpectedValue(let option, _): "'\(option)' takes no value"
        case .givenTwice(let option, _): "'\(option)' is there twice"
        case .notAChoice(let option, let value, let choices, _):
            "'\(value)' is no value of '\(option)': it is one of \(choices.joined(separator: ", "))"
        case .badValue(let option, let value, let expected, _): "'\(value)' is no value of '\(option)': \(expected)"
        case .conflict(let one, let other, _): "'\(one)' and '\(other)' cannot be used together"
        case .missingArgument(let name, _): "\(name) is missing"
        case .extraArgument(let word, _): "'\(word)' is too much"
        }
    }

    private static func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }
}
