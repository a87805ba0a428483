import Basics
import Planning

/// `lint --sarif`: SARIF 2.1.0, for code review.
public enum LintSARIF {
    public static func json(_ findings: [LintFinding], version: String) -> JSON {
        var rules: [String] = []
        for finding in findings where !rules.contains(finding.rule) { rules.append(finding.rule) }
        let driver: JSON = [
            "name": "offline-batch", "version": .string(version), "rules": .array(rules.map(rule)),
        ]
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
                    "results": .array(findings.map { result($0, rules) }),
                ]
            ],
        ]
    }

    private static func rule(_ rule: String) -> JSON {
        let (id, name) = (rule.prefix { $0 != " " }, rule.drop { $0 != " " }.dropFirst())
        return [
            "id": .string(String(id)), "name": .string(String(name)),
            "shortDescription": ["text": .string(RuleWords.meaning(of: rule))],
            "help": ["text": .string(RuleWords.help(for: rule))],
        ]
    }

    private static func result(_ finding: LintFinding, _ rules: [String]) -> JSON {
        let place = SourcePlace(finding.origin)
        let layer = finding.layer.map { "\(Wording.foreign($0.title)) (\(Wording.foreign($0.id))): " } ?? ""
        var result: JSON = [
            "ruleId": .string(finding.ruleID), "ruleIndex": JSON(rules.firstIndex(of: finding.rule) ?? 0),
            "level": .string(finding.level.rawValue),
            "message": ["text": .string(layer + Wording.foreign(finding.reason))],
            "locations": [
                [
                    "physicalLocation": [
                        "artifactLocation": ["uri": .string(uri(place.file))],
                        "region": ["startLine": JSON(place.line), "startColumn": JSON(place.column)],
                    ]
                ]
            ],
        ]
        if let reason = finding.suppressed {
            result["suppressions"] = [["kind": "external", "justification": .string(Wording.foreign(reason))]]
        }
        return result
    }

    /// A relative path stays relative: reviews look for the file in their checkout.
    private static func uri(_ path: String) -> String {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        let escaped = path.utf8.reduce(into: "") { text, byte in
            if allowed.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text.unicodeScalars.append(contentsOf: ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return path.hasPrefix("/") ? "file://" + escaped : escaped
    }
}
