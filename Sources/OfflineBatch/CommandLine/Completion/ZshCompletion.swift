extension CommandTree {
    /// A completion function for zsh; goes into a file `_offline-batch` on `$fpath`.
    var zshCompletion: String {
        let list = commands.map { "        '\($0.name):\(Self.quoted($0.summary))'" }
        let cases = commands.map { command in
            let specs =
                (command.options.flatMap(specs) + ["'(-h --help)'{-h,--help}'[Shows the help.]'"] + command.positionals.map(spec))
            return "        \(command.name)) _arguments \\\n" + specs.map { "            \($0)" }.joined(separator: " \\\n")
                + " ;;"
        }
        return """
            #compdef \(name)
            # zsh completion of \(name); made by `\(name) completion zsh`
            _\(identifier)() {
                local -a commands
                commands=(
            \(list.joined(separator: "\n"))
                    'help:\(Self.quoted("shows the help of a command"))'
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                local command="$words[2]"
                shift words
                (( CURRENT-- ))
                case "$command" in
                    help) _describe command commands ;;
            \(cases.joined(separator: "\n"))
                esac
            }
            _\(identifier) "$@"

            """
    }

    private func specs(_ option: OptionSpec) -> [String] {
        let help = "[\(Self.quoted(option.help))]"
        let value = option.value.map { ":\($0):\(Self.action(option.completion, option.choices))" } ?? ""
        let star = option.repeats ? "*" : ""
        guard let short = option.short else { return ["'\(star)--\(option.long)\(help)\(value)'"] }
        let exclusion = option.repeats ? "'*'" : "'(-\(short) --\(option.long))'"
        return ["\(exclusion){-\(short),--\(option.long)}'\(help)\(value)'"]
    }

    private func spec(_ positional: PositionalSpec) -> String {
        "'\(positional.repeats ? "*" : ""):\(positional.name):\(Self.action(positional.completion, positional.choices))'"
    }

    private static func action(_ completion: Completion, _ choices: [String]) -> String {
        switch completion {
        case _ where !choices.isEmpty: "(\(choices.joined(separator: " ")))"
        case .file: "_files"
        case .folder: "_files -/"
        case .none: " "
        }
    }

    /// For text inside single quotes and brackets of `_arguments`.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
    }
}
