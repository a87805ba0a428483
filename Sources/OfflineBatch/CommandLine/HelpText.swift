import Planning
import Reporting

/// Help screens. They begin with an example: that is what most people came for.
enum HelpText {
    static func usage(of spec: CommandSpec?, tree: CommandTree) -> String {
        guard let spec else { return "\(tree.name) COMMAND [options]" }
        let positionals = spec.positionals.map { positional in
            let name = positional.repeats ? "\(positional.name)..." : positional.name
            return positional.isRequired ? name : "[\(name)]"
        }
        return ([tree.name, spec.name] + (spec.options.isEmpty ? [] : ["[options]"]) + positionals).joined(separator: " ")
    }

    static func lines(for tree: CommandTree, page: Page) -> [String] {
        let examples = tree.commands.flatMap { $0.name == "run" || $0.name == "plan" ? $0.examples.prefix(1) : [] }
        var lines = [heading("Examples", page)] + exampleLines(examples)
        lines += ["", "\(tree.name): \(tree.summary)", "", "Usage: \(usage(of: nil, tree: tree))", "", heading("Commands", page)]
        let width = tree.commands.map(\.name.count).max() ?? 0
        lines += tree.commands.map { "  \(padded($0.name, width))  \($0.summary)" }
        lines += ["", heading("Exit codes", page)] + outcomeLines(Outcome.allCases)
        return lines + ["", "More about a command: \(tree.name) COMMAND --help"]
    }

    static func lines(for spec: CommandSpec, tree: CommandTree, page: Page) -> [String] {
        var lines = [heading("Examples", page)] + exampleLines(spec.examples)
        lines += ["", "\(tree.name) \(spec.name): \(spec.summary)", "", "Usage: \(usage(of: spec, tree: tree))"]
        for paragraph in spec.discussion { lines += [""] + wrapped(paragraph, 0) }
        if !spec.positionals.isEmpty {
            let width = spec.positionals.map(\.name.count).max() ?? 0
            lines += ["", heading("Arguments", page)]
            lines += spec.positionals.flatMap { hanging("  \(padded($0.name, width))  ", $0.help) }
        }
        lines += ["", heading("Options", page)]
        let options = spec.options.map { (usage: $0.usage, help: help($0)) } + [(usage: "-h, --help", help: "Shows this help.")]
        let width = options.map(\.usage.count).max() ?? 0
        lines += options.flatMap { hanging("  \(padded($0.usage, width))  ", $0.help) }
        lines += ["", heading("Exit codes", page)] + outcomeLines(spec.outcomes + [.usage])
        return lines
    }

    private static func help(_ option: OptionSpec) -> String {
        var text = option.help
        if !option.choices.isEmpty { text += " One of: \(option.choices.joined(separator: ", "))." }
        if option.repeats { text += " May be there several times." }
        if let variable = option.variable { text += " Environment: \(variable)." }
        return text
    }

    private static func exampleLines(_ examples: some Sequence<Example>) -> [String] {
        examples.flatMap { ["  \($0.line)", "      \($0.meaning)"] }
    }

    private static func outcomeLines(_ outcomes: [Outcome]) -> [String] {
        outcomes.sorted { $0.exitCode < $1.exitCode }.map { outcome in
            let code = String(outcome.exitCode)
            return
                "  \(String(repeating: " ", count: 3 - code.count))\(code)  \(padded(outcome.rawValue, 11))  \(Wording.words(for: outcome))"
        }
    }

    private static func heading(_ text: String, _ page: Page) -> String { page.ink(text, .bold) }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func hanging(_ lead: String, _ text: String) -> [String] {
        wrapped(text, lead.count).enumerated().map { ($0 == 0 ? lead : String(repeating: " ", count: lead.count)) + $1 }
    }

    private static func wrapped(_ text: String, _ indent: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= 100 - indent {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
