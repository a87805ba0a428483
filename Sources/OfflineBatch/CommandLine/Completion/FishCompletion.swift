extension CommandTree {
    /// Completions for fish.
    var fishCompletion: String {
        var lines = ["# fish completion of \(name); made by `\(name) completion fish`"]
        lines += commands.map { "complete -c \(name) -n __fish_use_subcommand -f -a \($0.name) -d '\(Self.quoted($0.summary))'" }
        lines.append("complete -c \(name) -n __fish_use_subcommand -f -a help -d 'shows the help of a command'")
        for command in commands {
            let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
            lines += command.options.map { "complete -c \(name) \(condition) \(line(for: $0))" }
            lines.append("complete -c \(name) \(condition) -s h -l help -d 'Shows the help.'")
            for positional in command.positionals where !positional.choices.isEmpty {
                lines.append("complete -c \(name) \(condition) -f -a '\(positional.choices.joined(separator: " "))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(for option: OptionSpec) -> String {
        let names = (option.short.map { "-s \($0) " } ?? "") + "-l \(option.long)"
        let value =
            switch option.completion {
            case _ where option.value == nil: ""
            case _ where !option.choices.isEmpty: " -x -a '\(option.choices.joined(separator: " "))'"
            case .file: " -r -F"
            case .folder: " -x -a '(__fish_complete_directories)'"
            case .none: " -x"
            }
        return "\(names)\(value) -d '\(Self.quoted(option.help))'"
    }

    private static func quoted(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") }
}
