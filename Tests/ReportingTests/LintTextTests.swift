import Basics
import Planning
import TestSupport
import Testing

@testable import Reporting

@Suite struct LintTextTests {
    private static let hydrant = LayerLabel(id: "h", title: "Hydrant")
    private static let findings = [
        LintFinding(
            rule: "OB012 no-global-id", layer: hydrant, reason: "It has none.", origin: "manifests/my x.yaml:12:5"),
        LintFinding(rule: "OB041 sign-in-needed", level: .error, reason: "Hidden.", origin: "/srv/x.yaml:3:9"),
        LintFinding(
            rule: "OB012 no-global-id", reason: "Nor has it.", origin: "manifests/my x.yaml", suppressed: "read only"),
    ]

    @Test("One line a finding, with place and rule; accepted ones are counted, and shown with -v")
    func text() {
        #expect(
            LintText(findings: Self.findings, page: Page()).lines == [
                "manifests/my x.yaml:12:5: warning OB012 no-global-id: Hydrant (h): It has none.",
                "/srv/x.yaml:3:9: error OB041 sign-in-needed: Hidden.", "1 error, 1 warning, 1 accepted by the manifest",
            ])
        let all = LintText(findings: Self.findings, page: Page(isVerbose: true)).lines
        #expect(all[2] == "manifests/my x.yaml: warning OB012 no-global-id: Nor has it. [accepted: read only]")
        #expect(LintText(findings: [], page: Page()).lines == ["nothing found"])
    }

    /// The required members of SARIF 2.1.0 (OASIS, 3.13, 3.14, 3.19, 3.27, 3.29, 3.35).
    @Test("SARIF: rules once, results that point at them, places as URIs, suppressions with their reason")
    func sarif() throws {
        let log = LintSARIF.json(Self.findings, version: "1.2.3")
        #expect(log["version"] == "2.1.0" && log["runs"]?.array?.count == 1)
        let driver = log["runs"]?[0]?["tool"]?["driver"]
        #expect(driver?["name"] == "offline-batch" && driver?["version"] == "1.2.3")
        let rules = try #require(driver?["rules"]?.array)
        #expect(rules.map { $0["id"] } == ["OB012", "OB041"])
        #expect(rules[0]["name"] == "no-global-id")
        #expect(rules[0]["shortDescription"]?["text"] == "The layer has no global ids, and a registered replica needs them.")
        let results = try #require(log["runs"]?[0]?["results"]?.array)
        #expect(results.map { $0["ruleId"] } == ["OB012", "OB041", "OB012"])
        #expect(results.map { $0["ruleIndex"] } == [0, 1, 0])
        #expect(results.map { $0["level"] } == ["warning", "error", "warning"])
        #expect(results[0]["message"]?["text"] == "Hydrant (h): It has none.")
        let places = results.map { $0["locations"]?[0]?["physicalLocation"] }
        #expect(
            places == [
                ["artifactLocation": ["uri": "manifests/my%20x.yaml"], "region": ["startLine": 12, "startColumn": 5]],
                ["artifactLocation": ["uri": "file:///srv/x.yaml"], "region": ["startLine": 3, "startColumn": 9]],
                ["artifactLocation": ["uri": "manifests/my%20x.yaml"], "region": ["startLine": 1, "startColumn": 1]],
            ])
        #expect(results.map { $0["suppressions"] } == [nil, nil, [["kind": "external", "justification": "read only"]]])
    }

    @Test("JSON names rule, layer and place")
    func json() {
        let finding = LintJSON.json(Self.findings)["findings"]?[0]
        #expect(finding?["rule"] == "OB012" && finding?["name"] == "no-global-id" && finding?["layer"]?["id"] == "h")
        #expect(finding?["file"] == "manifests/my x.yaml" && finding?["line"] == 12 && finding?["suppressed"] == .null)
    }

    @Test("The words of the rules are those of docs/rules.md")
    func words() throws {
        let page = String(decoding: try Files.read(SharedFiles.packageRoot + "/docs/rules.md"), as: UTF8.self)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `OB") }
        #expect(rows.map(String.init) == RuleWords.all.map { "| `\($0.rule)` | \($0.meaning) | \($0.help) |" })
    }
}
