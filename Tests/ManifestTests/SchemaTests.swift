import Basics
import Foundation
import Manifest
import TestSupport
import Testing

@Suite struct SchemaTests {
    static let committed = SharedFiles.packageRoot + "/schemas/manifest.schema.json"

    /// `OFFLINE_BATCH_BLESS=1 swift test --filter ManifestTests` writes the generated texts over the committed ones.
    static let isBlessing = ProcessInfo.processInfo.environment["OFFLINE_BATCH_BLESS"] != nil

    @Test func committedSchemaIsTheGeneratedOne() throws {
        if Self.isBlessing { try Files.writeAtomically(Array(ManifestSchema.json.utf8), to: Self.committed) }
        #expect(String(decoding: try Files.read(Self.committed), as: UTF8.self) == ManifestSchema.json)
    }

    @Test func schemaNamesItsDialectAndIsStrict() throws {
        let schema = try JSON.parse(ManifestSchema.json)
        #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["required"] == ["version", "name", "areas"])
        #expect(schema["allOf"] == [["anyOf": [["required": ["webMap"]], ["required": ["services"]]]]])
        #expect(schema["additionalProperties"] == false)
        #expect(schema["properties"]?["output"]?["properties"]?["keep"]?["default"] == 7)
        #expect(
            schema["properties"]?["options"]?["properties"]?["updateMode"]?["enum"] == ["syncWithFeatureServices", "noUpdates"])
    }

    @Test(arguments: AgreementCase.all)
    func decoder(_ example: AgreementCase) {
        let result = example.decoded
        #expect((result.manifest != nil) == example.isGood, "\(example.name): \(result.allText)")
    }

    @Test func tableIsLargeAndItsExceptionsHaveReasons() {
        #expect(AgreementCase.all.count >= 60)
        #expect(Set(AgreementCase.all.map(\.name)).count == AgreementCase.all.count)
        #expect(AgreementCase.all.count { $0.isGood } >= 20)
    }

    /// check-jsonschema, once over all files, says of each what the decoder says, but for the listed exceptions.
    @Test(.enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func schemaAgrees() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(ManifestSchema.json.utf8), to: folder.file("schema.json"))
        for (index, example) in AgreementCase.all.enumerated() {
            try Files.writeAtomically(Array(example.text.utf8), to: folder.file("\(index).yaml"))
        }
        let paths = AgreementCase.all.indices.map { folder.file("\($0).yaml") }
        let verdict = try Command.run(
            PythonJudge.interpreter ?? "",
            ["-m", "check_jsonschema", "--schemafile", folder.file("schema.json"), "--output-format", "json", "--verbose"] + paths
        )
        let report = try JSON.parse(verdict.output)
        let failed = (report["errors"]?.array ?? []) + (report["parse_errors"]?.array ?? [])
        let refused = Set(failed.compactMap { $0["filename"]?.string })
        #expect(!refused.isEmpty, "\(verdict.errors)")
        for (index, example) in AgreementCase.all.enumerated() {
            let says = !refused.contains(paths[index])
            let expected = example.exception == nil ? example.isGood : !example.isGood
            #expect(says == expected, "\(example.name): check-jsonschema \(says ? "accepts" : "refuses") it")
        }
    }

    @Test(.enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func schemaIsASchema() throws {
        let verdict = try Command.run(
            PythonJudge.interpreter ?? "", ["-m", "check_jsonschema", "--check-metaschema", Self.committed])
        #expect(verdict.status == 0, "\(verdict.output)")
    }

    @Test(.enabled(if: PythonJudge.isAvailable, Comment(rawValue: PythonJudge.skipReason)))
    func schemaAcceptsTheExamples() throws {
        let folder = try TemporaryFolder()
        try Files.writeAtomically(Array(ManifestSchema.json.utf8), to: folder.file("schema.json"))
        let manifests = SharedFiles.packageRoot + "/manifests"
        let examples = try Files.list(manifests).filter { $0.hasSuffix(".yaml") }.map { manifests + "/" + $0 }
        #expect(examples.count >= 3)
        let verdict = try Command.run(
            PythonJudge.interpreter ?? "", ["-m", "check_jsonschema", "--schemafile", folder.file("schema.json")] + examples)
        #expect(verdict.status == 0, "\(verdict.output)")
    }
}
