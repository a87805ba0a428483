extension Problems {
    static let minimalManifest = "a manifest needs at least `version: 1`, `name`, `webMap` and `areas`"

    /// Says a syntax error of libyaml, with plain words for the usual causes.
    mutating func report(_ error: YAMLSyntaxError, in source: SourceText) {
        for number in source.lines.indices {
            if let line = source.line(number + 1), Self.conflictMarkers.contains(where: line.hasPrefix) {
                self.error(
                    Span(line: number + 1, column: 1, endColumn: 8), "a merge conflict was left in this file",
                    hint: "decide for one side and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`")
                return
            }
        }
        hideSuspectLines(source)
        let line = source.line(error.span.line) ?? ""
        let indent = line.prefix { $0 == " " || $0 == "\t" }
        if indent.contains("\t") {
            self.error(
                Span(line: error.span.line, column: indent.prefix { $0 == " " }.count + 1),
                "a tab in the indentation: YAML is indented with spaces", hint: "replace it by spaces")
            return
        }
        self.error(error.span, "this is not valid YAML: \(error.reason)", hint: Self.hint(for: error.reason))
    }

    private static let conflictMarkers = ["<<<<<<< ", "=======", ">>>>>>> "]

    private static func hint(for reason: String) -> String? {
        if reason.contains("mapping values are not allowed") {
            return "a value that holds `: ` needs quotes; otherwise look at the indentation"
        }
        if reason.contains("did not find expected key") || reason.contains("block end") {
            return "look at the indentation of this line and of the one above"
        }
        if reason.contains("cannot start any token") { return "a value that begins with this character needs quotes" }
        if reason.contains("',' or") { return "a bracket or a comma is missing" }
        if reason.contains("unexpected end of stream") { return "a quote is not closed" }
        return nil
    }

    /// Without a tree nobody knows what is a secret: whatever follows a key that sounds like one is hidden.
    private mutating func hideSuspectLines(_ source: SourceText) {
        for number in source.lines.indices {
            guard let line = source.line(number + 1), SecretWords.suspects(line) else { continue }
            let scalars = source.lines[number]
            guard let colon = scalars.firstIndex(of: ":") else { continue }
            hide(Span(line: number + 1, column: colon + 2, endColumn: scalars.count + 1))
        }
    }
}

/// Names of keys whose values must not be shown, also when the key itself is misspelt or misplaced.
enum SecretWords {
    static func suspects(_ text: String) -> Bool {
        let lower = text.lowercased()
        return ["apikey", "api_key", "token", "secret", "passw", "pasw", "pwd", "credential", "auth"].contains(
            where: lower.contains)
    }
}
