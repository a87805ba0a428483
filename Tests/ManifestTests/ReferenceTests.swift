import Basics
import Foundation
import TestSupport
import Testing

@testable import Manifest

/// docs/manifest.md: its reference part is made from the table of keys.
@Suite struct ReferenceTests {
    private static let path = SharedFiles.packageRoot + "/docs/manifest.md"
    private static let marks = (
        start: "<!-- begin of the key reference: made by ReferenceTests -->", end: "<!-- end of the key reference -->"
    )

    @Test func everyKeyIsDocumented() throws {
        let text = String(decoding: try Files.read(Self.path), as: UTF8.self)
        let parts = text.components(separatedBy: Self.marks.start)
        try #require(parts.count == 2)
        let rest = parts[1].components(separatedBy: Self.marks.end)
        try #require(rest.count == 2)
        let reference = "\n\n" + KeyReference.markdown + "\n"
        if SchemaTests.isBlessing {
            try Files.writeAtomically(
                Array((parts[0] + Self.marks.start + reference + Self.marks.end + rest[1]).utf8), to: Self.path)
        } else {
            #expect(rest[0] == reference)
        }
        for key in KeyReference.everyKey { #expect(rest[0].contains("| `\(key.name)`") || SchemaTests.isBlessing) }
    }

    /// The examples of the table are values that the decoder takes.
    @Test func examplesAreRight() throws {
        #expect(KeyReference.everyKey.count > 50)
        for key in KeyReference.everyKey {
            let source = SourceText(file: key.name, text: key.example)
            var problems = Problems(source: source)
            let node = try #require(TreeBuilder.build(key.example, source: source, problems: &problems), "\(key.name)")
            problems.check(node, key.shape, name: key.name)
            #expect(problems.diagnostics().isEmpty, "\(key.name): \(problems.diagnostics().map(\.text))")
        }
    }

    /// What the table calls the default is what a manifest without the key gets: writing it out changes nothing.
    @Test func defaultsAreWhatHoldsWithoutTheKey() throws {
        for (section, object) in [("options", OptionKeys.options), ("limits", LimitKeys.limits), ("scale", ManifestKeys.scale)] {
            let members = object.keys.compactMap { key in key.standard.map { "\(key.name): \($0.serialized())" } }
                .joined(separator: ", ")
            let written = try #require(decode(manifest("\(section): { \(members) }\n")).manifest)
            var absent = try #require(decode(manifest()).manifest)
            // That they are written is known: the map's author has no say in them.
            absent.writtenOptions = written.writtenOptions
            #expect(written == absent)
        }
        let written = try #require(
            decode(manifest("portal: { url: \"https://www.arcgis.com\", auth: none }\noutput: { keep: 7 }\n")).manifest)
        #expect(written == decode(manifest()).manifest)
        #expect(ManifestKeys.output["keep"]?.standard == 7 && ManifestKeys.portal["url"]?.standard == "https://www.arcgis.com")
    }
}

/// Tables of keys, one for each mapping of a manifest.
enum KeyReference {
    private static let sections: [(title: String, object: ObjectShape)] = [
        ("The manifest", ManifestKeys.manifest), ("`portal`", ManifestKeys.portal), ("`portal: auth`", AuthKeys.auth),
        ("`portal: auth: oauth`", AuthKeys.oauth), ("`portal: auth: user`", AuthKeys.user),
        ("Secrets", AuthKeys.secret), ("An entry of `portal: servers`", ConnectionKeys.server),
        ("Its `auth`", ConnectionKeys.serverAuth), ("`portal: tls`", ConnectionKeys.tls),
        ("`portal: proxy`", ConnectionKeys.proxy), ("`portal: webAuth`", ConnectionKeys.webAuth),
        ("An entry of `areas`", AreaKeys.area), ("`envelope`", AreaKeys.envelope),
        ("`polygon` written out", AreaKeys.polygon), ("`features`", AreaKeys.features), ("`scale`", ManifestKeys.scale),
        ("An entry of `services`", ServiceKeys.service), ("An entry of its `layers`", ServiceKeys.layer),
        ("An entry of `layers`", LayerKeys.layer), ("`match`", LayerKeys.match), ("`options`", OptionKeys.options),
        ("`options: itemInfo`", OptionKeys.itemInfo),
        ("`refresh`", RefreshKeys.refresh), ("`output`", ManifestKeys.output), ("`limits`", LimitKeys.limits),
        ("`budget`", LimitKeys.budget),
        ("`lint`", LintKeys.lint), ("An entry of `lint: ignore`", LintKeys.ignore),
    ]

    static var everyKey: [Key] { sections.flatMap(\.object.keys) }

    static var markdown: String {
        sections.map { section in
            let rows = section.object.keys.map { key in
                let standard =
                    key.isRequired ? "**required**" : key.standardInWords ?? key.standard.map { "`\(plain($0))`" } ?? "–"
                return "| `\(key.name)` | \(key.meaning) | \(key.shape.words) | \(standard) | `\(key.example)` |"
            }
            let rules = section.object.rules.map(words).filter { !$0.isEmpty }
            return
                (["### \(section.title)", ""] + rules.flatMap { [$0, ""] }
                + ["| Key | Meaning | Type | Default | Example |", "|---|---|---|---|---|"] + rows).joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }

    private static func plain(_ value: JSON) -> String { value.string ?? value.serialized() }

    private static func words(_ rule: ObjectShape.Rule) -> String {
        switch rule {
        case .exactlyOne(let names): "Exactly one of " + names.map { "`\($0)`" }.joined(separator: ", ") + "."
        case .atLeast(1, _, let hint): "At least one key: \(hint)."
        case .atLeast(_, _, let hint): "Beside `match`, \(hint)."
        case .needs(let name, let other): "`\(name)` only together with `\(other)`."
        case .required(let name, let other): "`\(name)` is required unless `\(other)` is given."
        case .notTogether: ""
        }
    }
}
