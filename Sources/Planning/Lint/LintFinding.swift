import Basics
import Manifest

/// One thing that `lint` says.
public struct LintFinding: Sendable, Equatable {
    /// An error keeps `plan` from making a plan.
    public enum Level: String, Sendable { case warning, error }

    /// Of a `LayerRule` or a `WarningRule`: "OB012 no-global-id".
    public var rule: String
    public var level: Level
    public var layer: LayerLabel?
    /// One sentence for people.
    public var reason: String
    /// "file:line:column": the manifest's entry for the layer, else the line of `webMap`.
    public var origin: String
    /// The reason in the manifest why it does not count.
    public var suppressed: String?

    public init(
        rule: String, level: Level = .warning, layer: LayerLabel? = nil, reason: String, origin: String, suppressed: String? = nil
    ) {
        self.rule = rule
        self.level = level
        self.layer = layer
        self.reason = reason
        self.origin = origin
        self.suppressed = suppressed
    }

    /// "OB012".
    public var ruleID: String { String(rule.prefix { $0 != " " }) }
    /// "no-global-id".
    public var ruleName: String { String(rule.drop { $0 != " " }.dropFirst()) }
}

extension Sequence<LintFinding> {
    /// With the reasons of the manifest, and one finding more for each entry that is of no use.
    func suppressing(_ entries: [LintIgnore]) -> [LintFinding] {
        var used: Set<Int> = []
        var findings = map { finding -> LintFinding in
            var finding = finding
            for (index, entry) in entries.enumerated()
            where entry.rule == finding.ruleID && (entry.layer == nil || entry.layer == finding.layer?.title) {
                used.insert(index)
                finding.suppressed = finding.suppressed ?? entry.reason
            }
            return finding
        }
        for (index, entry) in entries.enumerated() where !used.contains(index) {
            let place = entry.layer.map { " for the layer \($0)" } ?? ""
            findings.append(
                LintFinding(
                    rule: WarningRule.idleIgnore.rawValue, reason: "The entry fits no finding of \(entry.rule)\(place).",
                    origin: entry.origin))
        }
        return findings
    }
}
