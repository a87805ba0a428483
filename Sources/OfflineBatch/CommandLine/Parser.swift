import Basics

extension CommandTree {
    /// Takes a command line apart: `--opt value`, `--opt=value`, `-o value`; after `--` everything is an argument.
    public func parse(_ words: [String]) throws(UsageProblem) -> Request {
        guard let first = words.first else { throw .noCommand }
        switch first {
        case "--help", "-h": return .help(command: nil)
        case "--version": return .version
        case "help": return try help(about: words.dropFirst().first)
        case _ where first.hasPrefix("-") && first != "-": throw .optionBeforeCommand(first)
        default: break
        }
        guard let spec = command(named: first) else { throw unknown(first) }
        var parser = Parser(spec: spec, words: words.dropFirst())
        return try parser.parse()
    }

    private func help(about name: String?) throws(UsageProblem) -> Request {
        guard let name, !name.hasPrefix("-") else { return .help(command: nil) }
        guard command(named: name) != nil else { throw unknown(name) }
        return .help(command: name)
    }

    private func unknown(_ name: String) -> UsageProblem {
        .unknownCommand(name, nearest: nearestName(to: name, among: commands.map(\.name) + ["help"]))
    }
}

/// Goes through the words once, from left to right.
private struct Parser {
    let spec: CommandSpec
    var words: ArraySlice<String>
    var arguments = Arguments()

    init(spec: CommandSpec, words: ArraySlice<String>) {
        self.spec = spec
        self.words = words
    }

    mutating func parse() throws(UsageProblem) -> Request {
        while let word = words.popFirst() {
            if word == "--" {
                arguments.positionals += words
                break
            }
            if word == "--help" || word == "-h" { return .help(command: spec.name) }
            if word.hasPrefix("-") && word != "-" {
                try option(word)
            } else {
                arguments.positionals.append(word)
            }
        }
        try checkConflicts()
        try checkPositionals()
        return .run(command: spec.name, arguments)
    }

    private mutating func option(_ word: String) throws(UsageProblem) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, attached) = (parts[0], parts.count > 1 ? parts[1] : nil)
        guard let option = spec.options.first(where: { "--\($0.long)" == name || $0.short.map { "-\($0)" } == name }) else {
            let known = spec.options.map { "--\($0.long)" } + ["--help"]
            throw .unknownOption(name, command: spec.name, nearest: nearestName(to: name, among: known))
        }
        guard let valueName = option.value else {
            if attached != nil { throw .unexpectedValue(option: name, command: spec.name) }
            arguments.flags.insert(option.long)
            return
        }
        guard let value = attached ?? nextValue() else {
            throw .missingValue(option: name, value: valueName, command: spec.name)
        }
        if !option.choices.isEmpty && !option.choices.contains(value) {
            throw .notAChoice(option: name, value: value, choices: option.choices, command: spec.name)
        }
        if arguments.values[option.long] != nil && !option.repeats { throw .givenTwice(option: name, command: spec.name) }
        arguments.values[option.long, default: []].append(value)
    }

    /// The next word, unless it is an option: `--state --json` is a forgotten value, not a folder named `--json`.
    private mutating func nextValue() -> String? {
        guard let next = words.first, !next.hasPrefix("-") || next == "-" else { return nil }
        return words.removeFirst()
    }

    private func checkConflicts() throws(UsageProblem) {
        let given = arguments.flags.union(arguments.values.keys)
        for option in spec.options where given.contains(option.long) {
            if let other = option.conflicts.first(where: given.contains) {
                throw .conflict("--\(option.long)", "--\(other)", command: spec.name)
            }
        }
    }

    private func checkPositionals() throws(UsageProblem) {
        let count = arguments.positionals.count
        let required = spec.positionals.filter(\.isRequired)
        if count < required.count { throw .missingArgument(required[count].name, command: spec.name) }
        if count > spec.positionals.count && spec.positionals.last?.repeats != true {
            throw .extraArgument(arguments.positionals[spec.positionals.count], command: spec.name)
        }
        for (positional, value) in zip(spec.positionals, arguments.positionals) {
            if !positional.choices.isEmpty && !positional.choices.contains(value) {
                throw .notAChoice(option: positional.name, value: value, choices: positional.choices, command: spec.name)
            }
        }
    }
}
