import Testing

@testable import Manifest

@Suite struct TreeTests {
    private func build(_ text: String) -> (root: Node?, problems: [Diagnostic]) {
        let source = SourceText(file: "x.yaml", text: text)
        var problems = Problems(source: source)
        let root = TreeBuilder.build(text, source: source, problems: &problems)
        return (root, problems.diagnostics())
    }

    /// YAML 1.2.2, 10.3.2: what the core schema takes for something else than text.
    @Test(arguments: [
        ("", CoreValue.null), ("~", .null), ("null", .null), ("NULL", .null), ("nULL", .text),
        ("true", .bool(true)), ("False", .bool(false)), ("yes", .text), ("no", .text), ("on", .text), ("off", .text),
        ("y", .text),
        ("0", .integer(0)), ("-7", .integer(-7)), ("+7", .integer(7)), ("010", .integer(10)), ("0x1F", .integer(31)),
        ("0o17", .integer(15)), ("0b11", .text), ("0x", .text), ("0o8", .text), ("-0x1", .text), ("0x-1", .text),
        ("1_000", .text),
        ("12:30", .text), ("2024-01-31", .text), ("1.2.3", .text), ("1e", .text), ("e1", .text), (".", .text), ("-", .text),
        ("+.e1", .text),
        (".5", .decimal(0.5)), ("5.", .decimal(5)), ("-1.25", .decimal(-1.25)), ("1e3", .decimal(1000)),
        ("+.5E-1", .decimal(0.05)),
        (".inf", .decimal(.infinity)), ("-.INF", .decimal(-.infinity)), ("inf", .text), ("nan", .text),
        ("12345678901234567890", .decimal(12_345_678_901_234_567_168)), ("1e400", .decimal(.infinity)),
    ])
    func coreSchema(_ text: String, _ expected: CoreValue) { #expect(CoreValue(plain: text) == expected) }

    @Test func notANumber() {
        guard case .decimal(let value) = CoreValue(plain: ".nan") else { return #expect(Bool(false)) }
        #expect(value.isNaN)
    }

    @Test func everyNodeHasItsPlace() throws {
        let root = try #require(build("a: 1\nlist:\n  - x\n  - { k: 'v w' }\n").root)
        #expect(root.span.line == 1 && root.span.column == 1)
        #expect(root["a"]?.span == Span(line: 1, column: 4, endColumn: 5))
        let items = try #require(root["list"]?.items)
        #expect(items[0].span == Span(line: 3, column: 5, endColumn: 6))
        #expect(items[1].span == Span(line: 4, column: 5, endColumn: 17))
        #expect(items[1]["k"]?.span == Span(line: 4, column: 10, endColumn: 15))
    }

    @Test func columnsCountCharacters() throws {
        let root = try #require(build("ä: { ö: '日本', k: 7 }").root)
        #expect(root["ä"]?["k"]?.span == Span(line: 1, column: 18, endColumn: 19))
    }

    @Test func quotedScalarsAreText() throws {
        let root = try #require(build("a: '1'\nb: \"true\"\nc: |\n  2\nd: >-\n  3\ne: !!str 4\n").root)
        #expect(["a", "b", "c", "d", "e"].map { root[$0]?.text } == ["1", "true", "2\n", "3", "4"])
        #expect(root["a"]?.scalar?.style == .singleQuoted && root["c"]?.scalar?.style == .literal)
    }

    @Test func emptyValueStandsAtItsKey() throws {
        let root = try #require(build("a: 1\nkey:\n").root)
        #expect(root["key"]?.scalar?.core == .null)
        #expect(root["key"]?.span == Span(line: 2, column: 1, endColumn: 4))
    }

    @Test func carriageReturnsAreLineEnds() throws {
        let root = try #require(build("a: 1\r\nb: 2\r\n").root)
        #expect(root["b"]?.integer == 2)
        #expect(root["b"]?.span == Span(line: 2, column: 4, endColumn: 5))
    }

    @Test func aliasHasItsOwnPlace() throws {
        let root = try #require(build("a: &x { k: 1 }\nb: *x\n").root)
        #expect(root["b"]?["k"]?.integer == 1)
        #expect(root["b"]?.span == Span(line: 2, column: 4, endColumn: 6))
    }

    @Test(arguments: [
        ("", 1, 1, "the file is empty"),
        ("# c\n", 1, 1, "the file is empty"),
        ("---\n", 1, 1, "the file is empty"),
        ("a: 1\na: 2\n", 2, 1, "the key `a` is given twice"),
        ("a: { b: 1, b: 2 }\n", 1, 12, "the key `b` is given twice"),
        ("a: 1\n---\nb: 1\n", 2, 1, "a manifest is one YAML document; a second one begins here"),
        ("a: *x\n", 1, 4, "nothing above is marked `&x`"),
        ("a: &x { b: *x }\n", 1, 12, "nothing above is marked `&x`"),
        ("a: !ruby/object x\n", 1, 4, "YAML tags are not used in a manifest"),
        ("[1]: 2\n", 1, 1, "a key is plain text, not a list"),
        ("a:\n\tb: 1\n", 2, 1, "a tab in the indentation: YAML is indented with spaces"),
        ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other\n", 2, 1, "a merge conflict was left in this file"),
        ("a: \u{1}\n", 1, 4, "this is not valid YAML: control characters are not allowed"),
    ])
    func problem(_ text: String, _ line: Int, _ column: Int, _ message: String) {
        let problems = build(text).problems
        #expect(problems.map(\.message) == [message])
        #expect(problems.map(\.line) == [line] && problems.map(\.column) == [column])
    }

    @Test func syntaxErrorHasPlaceAndHint() throws {
        let problem = try #require(build("a: 1\nb: c: d\n").problems.first)
        #expect(problem.line == 2 && problem.column == 5)
        #expect(problem.message == "this is not valid YAML: mapping values are not allowed in this context")
        #expect(problem.excerpt == "b: c: d" && problem.hint?.contains("quotes") == true)
    }

    @Test func depthHasALimit() {
        let fine = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(build(fine).problems.isEmpty)
        for count in [70, 5000] {
            let deep = String(repeating: "[", count: count) + String(repeating: "]", count: count)
            #expect(build(deep).problems.map(\.message) == ["lists and mappings are nested more than 64 deep"])
        }
    }

    @Test func aliasesCannotExplode() {
        let doubling = (1...40).map { "x\($0): &x\($0) [*x\($0 - 1), *x\($0 - 1)]\n" }.joined()
        let problems = build("x0: &x0 [1]\n" + doubling).problems
        #expect(problems.count == 1 && problems[0].message.contains("aliases"))
        #expect((10...16).contains(problems[0].line))
    }
}
