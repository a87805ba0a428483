import Testing

@testable import OfflineBatch

@Suite struct ParserTests {
    private func parse(_ line: String) throws -> Request {
        try CommandTree.offlineBatch.parse(line.split(separator: " ").map(String.init))
    }

    private func problem(_ line: String) -> UsageProblem? {
        do throws(UsageProblem) {
            _ = try CommandTree.offlineBatch.parse(line.split(separator: " ").map(String.init))
            return nil
        } catch {
            return error
        }
    }

    @Test("The tree itself is sound: unique flags, help and an example that parses everywhere")
    func tree() {
        #expect(CommandTree.offlineBatch.problems == [])
        #expect(
            CommandTree.offlineBatch.commands.map(\.name).sorted() == [
                "completion", "doctor", "generations", "inspect", "lint", "plan", "prune", "replicas", "rollback", "run",
                "schedule", "schema",
                "status",
                "validate", "verify", "version",
            ])
    }

    @Test("A tree with mistakes is found out")
    func unsoundTree() {
        let flag = OptionSpec(long: "dry", short: "d", help: "No full stop", conflicts: ["wet"])
        let command = CommandSpec(
            name: "go", summary: "Ends with a stop.", examples: [Example("tool go --unknown", "Never.")],
            options: [flag, OptionSpec(long: "deep", short: "d", help: "Deep.")])
        let tree = CommandTree(name: "tool", summary: "", commands: [command, command])
        #expect(
            Set(tree.problems) == [
                "two commands are named go", "go: summary", "go: the example does not parse: tool go --unknown",
                "go: two options -d",
                "go --dry: help", "go --dry: conflicts with an unknown option",
            ])
    }

    @Test("Values in three spellings, arguments anywhere, `--` ends options")
    func spellings() throws {
        let expected = Request.run(
            command: "plan", Arguments(flags: ["exit-code"], values: ["output": ["p.json"]], positionals: ["m.yaml"]))
        #expect(try parse("plan --output p.json --exit-code m.yaml") == expected)
        #expect(try parse("plan m.yaml --output=p.json --exit-code") == expected)
        #expect(try parse("plan -o p.json m.yaml --exit-code") == expected)
        #expect(try parse("plan -o=p.json m.yaml --exit-code") == expected)
        #expect(try parse("validate -- --json") == .run(command: "validate", Arguments(positionals: ["--json"])))
        #expect(
            try parse("run --area north --area south m.yaml")
                == .run(command: "run", Arguments(values: ["area": ["north", "south"]], positionals: ["m.yaml"])))
        #expect(
            try parse("plan --output= m.yaml")
                == .run(command: "plan", Arguments(values: ["output": [""]], positionals: ["m.yaml"])))
    }

    @Test(
        "Help and version",
        arguments: [
            ("--help", Request.help(command: nil)), ("-h", .help(command: nil)), ("help", .help(command: nil)),
            ("help plan", .help(command: "plan")), ("plan --help", .help(command: "plan")),
            ("run m.yaml -h", .help(command: "run")),
            ("--version", .version),
        ])
    func help(line: String, expected: Request) throws {
        #expect(try parse(line) == expected)
    }

    @Test(
        "Each mistake is named",
        arguments: [
            ("", UsageProblem.noCommand),
            ("plna m.yaml", .unknownCommand("plna", nearest: "plan")),
            ("frobnicate", .unknownCommand("frobnicate", nearest: nil)),
            ("help plna", .unknownCommand("plna", nearest: "plan")),
            ("-v plan m.yaml", .optionBeforeCommand("-v")),
            ("plan --jsno m.yaml", .unknownOption("--jsno", command: "plan", nearest: "--json")),
            ("run -qv m.yaml", .unknownOption("-qv", command: "run", nearest: nil)),
            ("plan m.yaml -o", .missingValue(option: "-o", value: "FILE", command: "plan")),
            ("plan -o --json m.yaml", .missingValue(option: "-o", value: "FILE", command: "plan")),
            ("plan --json=yes m.yaml", .unexpectedValue(option: "--json", command: "plan")),
            ("plan -o a -o b m.yaml", .givenTwice(option: "-o", command: "plan")),
            (
                "run --log-format xml m.yaml",
                .notAChoice(option: "--log-format", value: "xml", choices: ["text", "json"], command: "run")
            ),
            (
                "completion tcsh",
                .notAChoice(option: "SHELL", value: "tcsh", choices: ["bash", "zsh", "fish"], command: "completion")
            ),
            ("plan --json --dot m.yaml", .conflict("--dot", "--json", command: "plan")),
            ("run -q -v m.yaml", .conflict("--quiet", "--verbose", command: "run")),
            ("plan", .missingArgument("MANIFEST", command: "plan")),
            ("plan a.yaml b.yaml", .extraArgument("b.yaml", command: "plan")),
        ])
    func mistakes(line: String, expected: UsageProblem) {
        #expect(problem(line) == expected)
    }

    @Test("A usage error says what, how it is used, and where to read on")
    func usageText() {
        let lines = UsageText.lines(for: .unknownOption("--jsno", command: "plan", nearest: "--json"), tree: .offlineBatch)
        #expect(
            lines == [
                "offline-batch: 'plan' has no option '--jsno'; did you mean '--json'?",
                "Usage: offline-batch plan [options] MANIFEST",
                "Try: offline-batch plan --help",
            ])
    }
}
