extension CommandTree {
    /// A completion script for bash 4 and later.
    var bashCompletion: String {
        let cases = commands.map { command in
            """
                    \(command.name))
                        options="\((command.options.map { "--\($0.long)" } + ["--help"]).joined(separator: " "))"
                        case "$previous" in
            \(values(of: command))
                        esac
                        ;;
            """
        }
        return """
            # bash completion of \(name); made by `\(name) completion bash`
            _\(identifier)() {
                local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" options="" words=""
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(commandWords) --help --version" -- "$current"))
                    return
                fi
                case "${COMP_WORDS[1]}" in
                    help) COMPREPLY=($(compgen -W "\(commandWords)" -- "$current")); return ;;
            \(cases.joined(separator: "\n"))
                esac
                case "$current" in
                    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
                    *) COMPREPLY=($(compgen -W "$words" -f -- "$current")) ;;
                esac
            }
            complete -o filenames -F _\(identifier) \(name)

            """
    }

    private func values(of command: CommandSpec) -> String {
        var lines = command.options.filter { $0.value != nil }.map { option in
            let names = (option.short.map { "-\($0)|" } ?? "") + "--\(option.long)"
            let words =
                switch option.completion {
                case _ where !option.choices.isEmpty: "compgen -W \"\(option.choices.joined(separator: " "))\""
                case .file: "compgen -f"
                case .folder: "compgen -d"
                case .none: ""
                }
            let reply = words.isEmpty ? "" : "COMPREPLY=($(\(words) -- \"$current\")); "
            return "                \(names)) \(reply)return ;;"
        }
        let choices = command.positionals.first?.choices ?? []
        lines.append("                *) words=\"\(choices.joined(separator: " "))\" ;;")
        return lines.joined(separator: "\n")
    }

    var commandWords: String { (commands.map(\.name) + ["help"]).joined(separator: " ") }
    var identifier: String { name.replacing("-", with: "_") }
}
