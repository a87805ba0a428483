import Manifest
import Testing

@testable import Reporting

@Suite struct ProblemTextTests {
    private static let diagnostics = [
        Diagnostic(
            file: "m.yaml", line: 2, column: 1, length: 5, message: "unknown key `scael`", hint: "did you mean `scale`?",
            excerpt: "scael: 1"),
        Diagnostic(severity: .warning, file: "m.yaml", line: 3, column: 1, message: "odd"),
    ]

    @Test("Problems are printed as the manifest words them, then counted")
    func plain() {
        #expect(
            ProblemText(diagnostics: Self.diagnostics, page: Page()).lines == [
                "m.yaml:2:1: error: unknown key `scael`",
                "  2 | scael: 1",
                "    | ^~~~~",
                "  hint: did you mean `scale`?",
                "m.yaml:3:1: warning: odd",
                "1 error, 1 warning",
            ])
        #expect(ProblemText(diagnostics: [], page: Page()).lines.isEmpty)
    }

    @Test("Colour adds nothing but colour")
    func colour() {
        let lines = ProblemText(diagnostics: Self.diagnostics, page: Page(ink: Ink(isEnabled: true))).lines
        #expect(lines[0] == "\u{1B}[31mm.yaml:2:1: error: unknown key `scael`\u{1B}[0m")
        #expect(lines[4].hasPrefix("\u{1B}[33m"))
        let bare = lines.map { $0.replacing(/\u{1B}\[\d+m/, with: "") }
        #expect(bare == ProblemText(diagnostics: Self.diagnostics, page: Page()).lines)
    }
}
