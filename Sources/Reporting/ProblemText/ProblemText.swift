import Manifest

/// The problems of a manifest on the terminal. Words, excerpt and caret come from the diagnostic itself; here is the colour.
public struct ProblemText: Sendable {
    public var diagnostics: [Diagnostic]
    public var page: Page

    public init(diagnostics: [Diagnostic], page: Page) {
        self.diagnostics = diagnostics
        self.page = page
    }

    /// Every problem, then how many there are; nothing when there is none.
    public var lines: [String] {
        guard !diagnostics.isEmpty else { return [] }
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        let counts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1) }
        return diagnostics.flatMap(lines) + [counts.joined(separator: ", ")]
    }

    private func lines(of diagnostic: Diagnostic) -> [String] {
        let colour: Ink.Colour = diagnostic.severity == .error ? .red : .yellow
        return diagnostic.lines.enumerated().map { index, line in
            if index == 0 { return page.ink(line, colour) }
            if line.hasPrefix("  hint: ") { return page.ink(line, .cyan) }
            return page.ink(line, .dim)
        }
    }
}
