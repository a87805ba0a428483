@testable import OfflineBatch

extension CommandTree {
    /// What is wrong with the tree itself; a test demands that it is empty.
    var problems: [String] {
        var problems = Self.duplicates(commands.map(\.name)).map { "two commands are named \($0)" }
        for command in commands { problems += self.problems(of: command) }
        return problems
    }

    private func problems(of command: CommandSpec) -> [String] {
        var problems: [String] = []
        if command.summary.isEmpty || command.summary.hasSuffix(".") { problems.append("\(command.name): summary") }
        if command.examples.isEmpty { problems.append("\(command.name): no example") }
        for example in command.examples where !isGood(example, of: command) {
            problems.append("\(command.name): the example does not parse: \(example.line)")
        }
        problems += Self.duplicates(command.options.map(\.long)).map { "\(command.name): two options --\($0)" }
        problems += Self.duplicates(command.options.compactMap(\.short).map(String.init)).map {
            "\(command.name): two options -\($0)"
        }
        for option in command.options {
            if option.help.isEmpty || !option.help.hasSuffix(".") { problems.append("\(command.name) --\(option.long): help") }
            if option.short == "h" || option.long == "help" { problems.append("\(command.name): takes the help option") }
            if option.value == nil && (option.repeats || !option.choices.isEmpty) {
                problems.append("\(command.name) --\(option.long): a flag has no values")
            }
            for other in option.conflicts where !command.options.contains(where: { $0.long == other }) {
                problems.append("\(command.name) --\(option.long): conflicts with an unknown option")
            }
        }
        if command.positionals.contains(where: \.help.isEmpty) { problems.append("\(command.name): argument without help") }
        if command.positionals.dropLast().contains(where: \.repeats) {
            problems.append("\(command.name): only the last may repeat")
        }
        return problems
    }

    /// Examples are typed as they are: they must parse.
    private func isGood(_ example: Example, of command: CommandSpec) -> Bool {
        let beforeRedirection = example.line.split(separator: " ").prefix { $0 != ">" && $0 != "|" }
        let words = beforeRedirection.map(String.init).drop { $0.contains("=") && !$0.hasPrefix("-") }
        guard words.first == name, case .run(command.name, _)? = try? parse(Array(words.dropFirst())) else { return false }
        return !example.meaning.isEmpty
    }

    private static func duplicates(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }
    }
}
