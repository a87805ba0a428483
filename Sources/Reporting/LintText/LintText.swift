import Basics
import Planning

/// `lint` for people: one line a finding, in the form that editors and compilers know.
public struct LintText: Sendable {
    public var findings: [LintFinding]
    public var page: Page

    public init(findings: [LintFinding], page: Page) {
        self.findings = findings
        self.page = page
    }

    /// Accepted findings are counted, and shown with `-v`.
    public var lines: [String] {
        let open = findings.filter { $0.suppressed == nil }
        let accepted = findings.filter { $0.suppressed != nil }
        var lines = open.map { page.ink(Self.line($0), $0.level == .error ? .red : .yellow) }
        if page.isVerbose { lines += accepted.map { page.ink(Self.line($0), .dim) } }
        let errors = open.count { $0.level == .error }
        let counts = [(errors, "error"), (open.count - errors, "warning")].filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1) }
        let rest = accepted.isEmpty ? [] : ["\(Quantity.count(accepted.count)) accepted by the manifest"]
        return lines + [((counts.isEmpty ? ["nothing found"] : counts) + rest).joined(separator: ", ")]
    }

    private static func line(_ finding: LintFinding) -> String {
        let layer = finding.layer.map { "\($0.title) (\($0.id)): ".printable } ?? ""
        let accepted = finding.suppressed.map { " [accepted: \($0.printable)]" } ?? ""
        return "\(finding.origin): \(finding.level.rawValue) \(finding.rule): \(layer)\(Wording.clean(finding.reason))\(accepted)"
    }
}

/// `lint --json`.
public enum LintJSON {
    public static func json(_ findings: [LintFinding]) -> JSON {
        [
            "findings": .array(
                findings.map { finding in
                    let place = SourcePlace(finding.origin)
                    return [
                        "rule": .string(finding.ruleID), "name": .string(finding.ruleName),
                        "level": .string(finding.level.rawValue),
                        "layer": finding.layer.map { ["id": .string($0.id), "title": .string($0.title)] } ?? .null,
                        "message": .string(Redaction.text(finding.reason)), "file": .string(place.file),
                        "line": JSON(place.line), "column": JSON(place.column),
                        "suppressed": finding.suppressed.map(JSON.string) ?? .null,
                    ]
                })
        ]
    }
}

/// "file:line:column", taken apart; files may have colons in their names.
struct SourcePlace {
    var file: String
    var line = 1
    var column = 1

    init(_ origin: String) {
        let parts = origin.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) else {
            file = origin
            return
        }
        file = parts.dropLast(2).joined(separator: ":")
        (self.line, self.column) = (max(1, line), max(1, column))
    }
}
