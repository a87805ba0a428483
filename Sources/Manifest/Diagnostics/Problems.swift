/// Collects the problems of one manifest, so that all are told in one go, and what must not be shown in any of them.
struct Problems {
    private struct Draft {
        var severity: Diagnostic.Severity
        var span: Span
        var message: String
        var hint: String?
    }

    private let source: SourceText
    private var drafts: [Draft] = []
    private var hiddenSpans: [Span] = []
    private var hiddenTexts: Set<String> = []

    init(source: SourceText) { self.source = source }

    mutating func error(_ span: Span, _ message: String, hint: String? = nil) {
        drafts.append(Draft(severity: .error, span: span, message: message, hint: hint))
    }

    mutating func warning(_ span: Span, _ message: String, hint: String? = nil) {
        drafts.append(Draft(severity: .warning, span: span, message: message, hint: hint))
    }

    /// Keeps every scalar under `node` out of all excerpts: it is, or may be, a secret.
    mutating func hide(_ node: Node) {
        switch node.value {
        case .scalar(let scalar):
            hiddenSpans.append(node.span)
            hiddenTexts.formUnion(scalar.text.split(whereSeparator: \.isNewline).map(String.init))
        case .sequence(let items): for item in items { hide(item) }
        case .mapping(let entries):
            for entry in entries {
                // `{ hunter2 }` is a mapping with the key hunter2.
                if case .scalar(let scalar) = entry.value.value, scalar.core == .null { hide(entry.key) }
                hide(entry.value)
            }
        }
    }

    mutating func hide(_ span: Span) { hiddenSpans.append(span) }

    /// In the order of the text, excerpts masked.
    func diagnostics() -> [Diagnostic] {
        var shown = source
        for span in hiddenSpans { shown.mask(span) }
        for text in hiddenTexts { shown.mask(text) }
        return drafts.enumerated().sorted {
            ($0.element.span.line, $0.element.span.column, $0.offset) < ($1.element.span.line, $1.element.span.column, $1.offset)
        }.map { _, draft in
            Diagnostic(
                severity: draft.severity, file: source.file, line: draft.span.line, column: draft.span.column,
                length: draft.span.length, message: draft.message.onOneLine, hint: draft.hint?.onOneLine,
                excerpt: shown.line(draft.span.line))
        }
    }
}
